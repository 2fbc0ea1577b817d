// The files of the page, which are in the program.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace talus::view {

// index.html, viewer.js or viewer.css; empty for other names, and for all of them without a page.
std::string_view pageFile(std::string_view name);

// All of it in one file that asks no server, with these data (JSON text) in it.
std::string standalonePage(std::string_view title, const std::string& data);

// Text as it may stand in a page, or in an attribute in double quotes.
std::string asHtmlText(std::string_view text);

// A page without scripts, where there is no page of the viewer.
std::string plainReport(const std::filesystem::path& folder, const nlohmann::json& about,
                        const nlohmann::json& summary);

}  // namespace talus::view
