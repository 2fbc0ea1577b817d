#include "viewer/server/page.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "talus/tools/view.hpp"

namespace talus {

// Made at build time (cmake/embed.cmake): the files of the page, or missing.txt, which says why there is none.
std::vector<std::pair<std::string_view, std::string_view>> viewerPage();

std::string whyNoPage() { return std::string(view::pageFile("missing.txt")); }

namespace view {

std::string_view pageFile(std::string_view name) {
    for (const auto& [file, text] : viewerPage()) {
        if (file == name) return text;
    }
    return {};
}

// Quotes too, for attributes.
std::string asHtmlText(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        if (c == '<') {
            safe += "&lt;";
        } else if (c == '&') {
            safe += "&amp;";
        } else if (c == '"') {
            safe += "&quot;";
        } else {
            safe += c;
        }
    }
    return safe;
}

namespace {

// No text in the data can end the element that holds them.
std::string asScriptData(const std::string& json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<') {
            safe += "\\u003c";
        } else {
            safe += c;
        }
    }
    return safe;
}

}  // namespace

std::string standalonePage(std::string_view title, const std::string& data) {
    std::string page =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; img-src data: blob:; media-src blob:; base-uri 'none'; form-action 'none'\">\n";
    page += "<title>" + asHtmlText(title) + "</title>\n<style>\n";
    page += pageFile("viewer.css");
    page += "</style>\n</head>\n<body>\n<script type=\"application/json\" id=\"report\">";
    page += asScriptData(data);
    page += "</script>\n<script type=\"module\">\n";
    page += pageFile("viewer.js");
    page += "</script>\n</body>\n</html>\n";
    return page;
}

}  // namespace view
}  // namespace talus
