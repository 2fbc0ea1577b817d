// One page about experiments that were run again: paper beside Talus, with plots, to send.
//
// It is HTML and a picture per plot in one file, and has no scripts: it opens from a mail, without a network, and where
// the viewer's page was left out. All texts are escaped.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "talus/results.hpp"
#include "talus/tools/reproduce.hpp"
#include "talus/version.hpp"

namespace talus {
namespace {

constexpr const char* style = R"(
:root { --back: #f6f7f9; --panel: #fff; --ink: #1d2530; --faint: #667085; --line: #dde2e9; --good: #0b7a4b; --bad: #b3261e; color-scheme: light; }
@media (prefers-color-scheme: dark) {
    :root { --back: #14181f; --panel: #1b212a; --ink: #e6eaf0; --faint: #98a2b3; --line: #323b48; --good: #4cc38a; --bad: #ff8a80; color-scheme: dark; }
}
body { margin: 0 auto; max-width: 1080px; padding: 24px 24px 80px; background: var(--back); color: var(--ink); font: 14px/1.5 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 26px; } h2 { font-size: 20px; margin: 40px 0 4px; } h3 { font-size: 15px; margin: 20px 0 4px; }
p { margin: 4px 0; } .faint { color: var(--faint); } .good { color: var(--good); } .bad { color: var(--bad); font-weight: 600; }
table { border-collapse: collapse; width: 100%; background: var(--panel); border: 1px solid var(--line); margin: 10px 0; }
th, td { text-align: left; padding: 4px 10px; border-top: 1px solid var(--line); vertical-align: middle; }
th { color: var(--faint); font-weight: normal; } td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(420px, 1fr)); gap: 10px; }
.plots img { width: 100%; background: #fff; border: 1px solid var(--line); border-radius: 6px; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 8px; overflow: auto; }
svg { display: block; } .band { fill: var(--good); opacity: 0.25; } .paper { stroke: var(--faint); stroke-width: 1.5; }
@media print { h2 { break-before: page; } h2:first-of-type { break-before: auto; } }
)";

std::string asHtml(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '&':
                safe += "&amp;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += c;
        }
    }
    return safe;
}

std::string paragraph(std::string_view kind, std::string_view text) {
    return fmt::format("<p class=\"{}\">{}</p>\n", kind, asHtml(text));
}

// Where the number of Talus is beside that of the paper, on a scale of its own: what is allowed is a band.
std::string placeOf(const ComparedRow& row) {
    constexpr double width = 150, height = 18;
    if (!std::isfinite(row.talus) || !std::isfinite(row.paper)) return "";
    double low = std::min(row.paper, row.talus), high = std::max(row.paper, row.talus);
    const bool hasBand = std::isfinite(row.tolerance) && row.rule != "at most";
    const double bandLow = row.rule == "at most" ? 0 : hasBand ? row.paper - row.tolerance : row.paper;
    const double bandHigh = row.rule == "at least" ? high : hasBand ? row.paper + row.tolerance : row.paper;
    low = std::min(low, bandLow);
    high = std::max(high, bandHigh);
    const double room = high > low ? 0.08 * (high - low) : 1;
    const auto at = [&](double value) { return width * (value - low + room) / (high - low + 2 * room); };
    const double bandEnd = row.rule == "at least" ? width : at(bandHigh);
    return fmt::format(
        "<svg width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\" aria-label=\"Talus within what is allowed: {2}\">"
        "<rect class=\"band\" x=\"{3:.1f}\" y=\"4\" width=\"{4:.1f}\" height=\"10\"/>"
        "<line class=\"paper\" x1=\"{5:.1f}\" x2=\"{5:.1f}\" y1=\"1\" y2=\"17\"/>"
        "<circle cx=\"{6:.1f}\" cy=\"9\" r=\"4\" fill=\"var(--{7})\"/></svg>",
        width, height, row.pass ? "yes" : "no", at(bandLow), std::max(1.0, bandEnd - at(bandLow)), at(row.paper),
        at(row.talus), row.pass ? "good" : "bad");
}

std::string differenceOf(const ComparedRow& row) {
    if (row.paper == 0 || row.rule == "at most" || row.rule == "at least") return "";
    return fmt::format("{:+.1f} %", 100 * (row.talus - row.paper) / std::abs(row.paper));
}

std::string tableOf(const std::vector<ComparedRow>& rows) {
    if (rows.empty()) return "";
    std::string text =
        "<table><tr><th>quantity</th><th>paper</th><th>Talus</th><th>difference</th><th>allowed</th>"
        "<th>line: paper, band: allowed</th><th></th></tr>\n";
    for (const ComparedRow& row : rows) {
        const std::string name = row.unit.empty() ? row.quantity : fmt::format("{} [{}]", row.quantity, row.unit);
        text += fmt::format(
            "<tr><td>{}</td><td class=\"number\">{:.5g}{}</td><td class=\"number\">{:.5g}</td><td class=\"number\">{}"
            "</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>\n",
            asHtml(name), row.paper, row.source == "theory" ? " <span class=\"faint\">(theory)</span>" : "", row.talus,
            differenceOf(row), asHtml(row.rule), placeOf(row), row.pass ? "good" : "bad", row.pass ? "holds" : "fails");
    }
    return text + "</table>\n";
}

std::string pictureOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.empty()) return paragraph("bad", fmt::format("the plot {} is gone", file.filename().string()));
    return fmt::format("<img alt=\"{}\" src=\"data:image/png;base64,{}\">\n", asHtml(file.stem().string()),
                       asBase64(bytes));
}

const char* verdictOf(const ExperimentResult& r) {
    return r.pass ? "all hold" : r.signal != 0 ? "stopped" : r.error.empty() ? "not all hold" : "failed";
}

std::string sectionOf(const ExperimentResult& r, const std::vector<ExperimentInfo>& known) {
    std::string text = fmt::format("<h2 id=\"{0}\">{0}</h2>\n", asHtml(r.id));
    for (const ExperimentInfo& info : known) {
        if (info.id == r.id) text += paragraph("", info.title) + paragraph("faint", info.paper);
    }
    text += fmt::format("<p>{} scale, {:.1f} s: <span class=\"{}\">{}</span></p>\n", asHtml(r.scale), r.seconds,
                        r.pass ? "good" : "bad", verdictOf(r));
    if (!r.error.empty()) text += paragraph("bad", r.error);
    text += tableOf(r.rows);
    for (const std::string& note : r.notes) text += paragraph("faint", "note: " + note);
    if (!r.plots.empty()) text += "<div class=\"plots\">\n";
    for (const std::filesystem::path& plot : r.plots) text += pictureOf(plot);
    if (!r.plots.empty()) text += "</div>\n";
    return text + fmt::format("<h3>Run it again</h3>\n<pre>talus reproduce {} --scale {}</pre>\n", asHtml(r.id),
                              asHtml(r.scale));
}

std::string overviewOf(const std::vector<ExperimentResult>& results) {
    std::string text = "<table><tr><th>experiment</th><th>rows that hold</th><th>time</th><th></th></tr>\n";
    for (const ExperimentResult& r : results) {
        const auto held = std::count_if(r.rows.begin(), r.rows.end(), [](const ComparedRow& row) { return row.pass; });
        text += fmt::format(
            "<tr><td><a href=\"#{0}\">{0}</a></td><td class=\"number\">{1} of {2}</td><td class=\"number\">{3:.1f} s"
            "</td><td class=\"{4}\">{5}</td></tr>\n",
            asHtml(r.id), held, r.rows.size(), r.seconds, r.pass ? "good" : "bad", verdictOf(r));
    }
    return text + "</table>\n";
}

}  // namespace

std::string reproduceAsPage(const std::vector<ExperimentResult>& results) {
    const MachineFacts machine = machineFacts();
    std::string page =
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; style-src 'unsafe-inline'; img-src data:\">\n<title>Papers beside "
        "Talus</title>\n<style>";
    page += style;
    page += "</style>\n</head>\n<body>\n<h1>Papers beside Talus</h1>\n";
    page += paragraph("", "Experiments of papers, run again, and each quantity held against what the paper reports.");
    page += overviewOf(results);
    const std::vector<ExperimentInfo> known = listExperiments();
    for (const ExperimentResult& result : results) page += sectionOf(result, known);
    page += "<h2>Made by</h2>\n";
    page += paragraph("", fmt::format("Talus {}; {}, {} cores; {}; {}", version(), machine.cpu, machine.cores,
                                      machine.system, machine.compiler));
    return page + "</body>\n</html>\n";
}

}  // namespace talus
