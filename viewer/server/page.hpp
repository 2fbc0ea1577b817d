// The files of the page, which are in the program.
#pragma once

#include <string>
#include <string_view>

namespace talus::view {

// index.html, viewer.js or viewer.css; empty for other names, and for all of them without a page.
std::string_view pageFile(std::string_view name);

// All of it in one file that asks no server, with these data (JSON text) in it.
std::string standalonePage(std::string_view title, const std::string& data);

}  // namespace talus::view
