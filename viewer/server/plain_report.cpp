// The report of a program that was built without the page of the viewer: the same facts and pictures as plain HTML,
// with nothing that moves.
#include <fmt/format.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "talus/error.hpp"
#include "talus/frames.hpp"
#include "talus/picture.hpp"
#include "talus/results.hpp"
#include "viewer/server/page.hpp"

namespace talus::view {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* style =
    "body { margin: 0 auto; max-width: 1080px; padding: 24px; color: #1d2530; font: 14px/1.5 system-ui, sans-serif; }"
    " th { text-align: left; font-weight: normal; color: #667085; padding-right: 24px; }"
    " img { max-width: 100%; } pre { background: #f2f4f7; padding: 8px; overflow: auto; } .warning { color: #9a5b00; }";

std::string textOf(const json& value) {
    if (value.is_string()) return value.get<std::string>();
    return value.is_null() ? "" : value.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string rowsOf(const json& summary) {
    std::string rows;
    for (const char* key : {"status", "message", "time", "steps", "wall_seconds", "threads", "bodies", "contacts",
                            "max_overlap", "unconverged_steps", "state_hash"}) {
        if (!summary.is_object() || !summary.contains(key) || textOf(summary[key]).empty()) continue;
        rows += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", key, asHtmlText(textOf(summary[key])));
    }
    return rows.empty() ? "<tr><td>There is no summary: the run goes on, or was killed.</td></tr>\n" : rows;
}

std::string pictureOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.empty()) return "";
    return fmt::format("<p><img alt=\"{}\" src=\"data:image/png;base64,{}\"></p>\n", asHtmlText(file.stem().string()),
                       asBase64(bytes));
}

struct TemporaryFolder {
    TemporaryFolder() {
        std::string pattern = (fs::temp_directory_path() / "talus-report-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw RunError("there is no room for temporary files");
        path = pattern;
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    fs::path path;
};

// The first and the last frame, where there are frames.
std::string picturesOf(const fs::path& folder) {
    if (listFrames(folder).empty()) return "<p>The run left no frames.</p>\n";
    const TemporaryFolder scratch;
    const Pictures pictures(folder);
    std::string text;
    for (const bool isFirst : {true, false}) {
        const fs::path file = scratch.path / "picture.png";
        pictures.draw(file, {.width = 900, .height = 675},
                      isFirst ? std::optional<double>(listFrames(folder).front().time) : std::nullopt);
        text += pictureOf(file);
    }
    return text;
}

// Those that were drawn with the run, or by `talus plot`.
std::string plotsOf(const fs::path& folder) {
    std::vector<fs::path> plots;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder / "plots", error)) {
        if (entry.path().extension() == ".png" && entry.is_regular_file()) plots.push_back(entry.path());
    }
    if (plots.empty()) return "<p>None are there: talus plot draws them.</p>\n";
    std::sort(plots.begin(), plots.end());
    std::string text;
    for (const fs::path& plot : plots) text += pictureOf(plot);
    return text;
}

std::string warningsOf(const json& summary) {
    const json results = summary.is_object() ? summary.value("results", json::object()) : json::object();
    const json warnings = results.is_object() ? results.value("warnings", json::array()) : json::array();
    std::string text;
    for (const json& warning : warnings)
        text += fmt::format("<p class=\"warning\">{}</p>\n", asHtmlText(textOf(warning)));
    return text.empty() ? "<p>None.</p>\n" : text;
}

}  // namespace

std::string plainReport(const fs::path& folder, const json& about, const json& summary) {
    const std::string name = asHtmlText(textOf(about["name"]));
    std::string page =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
        "img-src data:\">\n";
    page += fmt::format("<title>{0} - Talus</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n", name, style);
    page += "<h2>Summary</h2>\n<table>\n" + rowsOf(summary) + "</table>\n";
    page += "<h2>Warnings</h2>\n" + warningsOf(summary);
    page += "<h2>First and last frame</h2>\n" + picturesOf(folder);
    page += "<h2>Plots</h2>\n" + plotsOf(folder);
    page += "<h2>Scene</h2>\n<pre>" + asHtmlText(textOf(about["sceneText"])) + "</pre>\n";
    page +=
        fmt::format("<h2>Run it again</h2>\n<pre># save the scene above as {0}.yaml\ntalus run {0}.yaml</pre>\n", name);
    return page + "</body>\n</html>\n";
}

}  // namespace talus::view
