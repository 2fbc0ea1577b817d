// The results of a sweep side by side: for people, for programs, and as plots.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/units.hpp"
#include "io/results/series.hpp"
#include "talus/error.hpp"
#include "talus/results.hpp"
#include "talus/suggest.hpp"
#include "talus/tools/sweep.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Cells = std::vector<std::string>;

constexpr std::size_t widestTable = 110;  // letters

std::optional<double> resultOf(const SweepVariant& v, const std::string& name) {
    for (const auto& [key, value] : v.results) {
        if (key == name) return value;
    }
    return {};
}

// In the order in which the first variant that has them tells them.
std::vector<std::string> allResults(const SweepOutcome& outcome) {
    std::vector<std::string> names;
    std::set<std::string> seen;
    for (const SweepVariant& v : outcome.variants) {
        for (const auto& [name, value] : v.results) {
            if (seen.insert(name).second) names.push_back(name);
        }
    }
    return names;
}

bool isSameInAll(const SweepOutcome& outcome, const std::string& name) {
    const auto first = resultOf(outcome.variants.front(), name);
    return std::all_of(outcome.variants.begin(), outcome.variants.end(),
                       [&](const SweepVariant& v) { return resultOf(v, name) == first; });
}

// --- for people ----------------------------------------------------------------------------------------------------

// A column of a table, its head first.
struct Column {
    Cells cells;
    std::size_t width() const {
        std::size_t widest = 0;
        for (const std::string& cell : cells) widest = std::max(widest, cell.size());
        return widest;
    }
};

std::string layOut(const std::vector<Column>& columns) {
    std::string text;
    for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
        std::string line;
        for (const Column& c : columns) line += fmt::format("{:<{}}  ", c.cells[row], c.width());
        text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return text;
}

// What every part of the table begins with: the values, and how it went.
std::vector<Column> leadColumns(const SweepOutcome& outcome) {
    std::vector<Column> columns;
    for (std::size_t k = 0; k < outcome.keys.size(); ++k) {
        columns.push_back({{outcome.keys[k]}});
        for (const SweepVariant& v : outcome.variants) columns.back().cells.push_back(v.values[k]);
    }
    columns.push_back({{"status"}});
    for (const SweepVariant& v : outcome.variants) columns.back().cells.push_back(v.status);
    return columns;
}

Column resultColumn(const SweepOutcome& outcome, const std::string& name) {
    Column column{{name}};
    for (const SweepVariant& v : outcome.variants) {
        const auto value = resultOf(v, name);
        column.cells.push_back(value ? fmt::format("{:.6g}", *value) : "-");
    }
    return column;
}

// Parts that are not wider than a screen; each has the leading columns.
std::string layOutInParts(const std::vector<Column>& lead, const std::vector<Column>& rest) {
    const auto widthOf = [](const std::vector<Column>& columns) {
        std::size_t sum = 0;
        for (const Column& c : columns) sum += c.width() + 2;
        return sum;
    };
    std::string text;
    std::vector<Column> part = lead;
    for (const Column& c : rest) {
        if (part.size() > lead.size() && widthOf(part) + c.width() > widestTable) {
            text += layOut(part) + "\n";
            part = lead;
        }
        part.push_back(c);
    }
    return text + layOut(part);
}

std::string tellReasons(const SweepOutcome& outcome) {
    std::string text;
    for (const SweepVariant& v : outcome.variants) {
        if (v.status != "finished" && !v.message.empty()) text += fmt::format("{}: {}\n", v.name, v.message);
    }
    return text;
}

// --- for programs --------------------------------------------------------------------------------------------------

std::string quotedCell(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

std::string csvLine(const Cells& cells) {
    std::string line;
    for (const std::string& cell : cells) line += (line.empty() ? "" : ",") + quotedCell(cell);
    return line + "\n";
}

// --- plots ---------------------------------------------------------------------------------------------------------

// The values of the only varied key in SI, if they are numbers of one dimension.
std::vector<double> numbersOf(const SweepOutcome& outcome) {
    if (outcome.keys.size() != 1) return {};
    std::vector<double> numbers;
    std::optional<Dimension> dimension;
    for (const SweepVariant& v : outcome.variants) {
        try {
            const Measured m = parseMeasured(v.values.front());
            if (dimension && *dimension != m.dimension) return {};
            dimension = m.dimension;
            numbers.push_back(m.value);
        } catch (const InputError&) {
            return {};
        }
    }
    return numbers;
}

std::string plotData(const SweepOutcome& outcome, const std::vector<double>& x, const std::string& name) {
    std::vector<std::pair<double, double>> points;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const SweepVariant& v = outcome.variants[k];
        const auto y = resultOf(v, name);
        if (v.status == "finished" && y) points.emplace_back(x[k], *y);
    }
    std::sort(points.begin(), points.end());
    std::string text = csvLine({outcome.keys.front(), name});
    for (const auto& [at, y] : points) text += fmt::format("{},{}\n", shortestNumber(at), shortestNumber(y));
    return text;
}

// A name as it may stand in single quotes of gnuplot and in the name of a file.
std::string plainName(const std::string& name) {
    std::string plain;
    for (const char c : name) plain += c == '\'' || c == '/' || c == '"' ? '_' : c;
    return plain;
}

}  // namespace

std::vector<std::string> chosenResults(const SweepOutcome& outcome, const std::vector<std::string>& show) {
    const std::vector<std::string> all = allResults(outcome);
    if (show.empty()) return all;
    if (all.empty()) return show;  // all failed early: the table says why
    for (const std::string& name : show) {
        if (std::find(all.begin(), all.end(), name) != all.end()) continue;
        throw InputError(fmt::format("--show {}: no variant has this result{}; table.csv has all of them", name,
                                     didYouMean(name, all)));
    }
    return show;
}

std::string sweepAsTable(const SweepOutcome& outcome, const std::vector<std::string>& show) {
    std::vector<Column> columns;
    std::string same;
    for (const std::string& name : chosenResults(outcome, show)) {
        if (show.empty() && outcome.variants.size() > 1 && isSameInAll(outcome, name)) {
            same +=
                fmt::format("{}{} {:.6g}", same.empty() ? "" : ", ", name, *resultOf(outcome.variants.front(), name));
        } else {
            columns.push_back(resultColumn(outcome, name));
        }
    }
    std::string text = layOutInParts(leadColumns(outcome), columns);
    if (!same.empty()) text += "\nthe same in all: " + same + "\n";
    return text + tellReasons(outcome);
}

std::string sweepAsCsv(const SweepOutcome& outcome) {
    const std::vector<std::string> names = allResults(outcome);
    Cells head = {"variant"};
    head.insert(head.end(), outcome.keys.begin(), outcome.keys.end());
    head.insert(head.end(), {"status", "seconds"});
    head.insert(head.end(), names.begin(), names.end());
    std::string text = csvLine(head);
    for (const SweepVariant& v : outcome.variants) {
        Cells row = {v.name};
        row.insert(row.end(), v.values.begin(), v.values.end());
        row.insert(row.end(), {v.status, fmt::format("{:.3f}", v.seconds)});
        for (const std::string& name : names) {
            const auto value = resultOf(v, name);
            row.push_back(value ? shortestNumber(*value) : "");
        }
        text += csvLine(row);
    }
    return text;
}

std::string sweepAsJson(const SweepOutcome& outcome) {
    json list = json::array();
    for (const SweepVariant& v : outcome.variants) {
        json values = json::object(), results = json::object();
        for (std::size_t k = 0; k < outcome.keys.size(); ++k) values[outcome.keys[k]] = v.values[k];
        for (const auto& [name, value] : v.results) results[name] = value;
        list.push_back({{"variant", v.name},
                        {"values", values},
                        {"status", v.status},
                        {"message", v.message},
                        {"seconds", v.seconds},
                        {"results", results}});
    }
    return list.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::vector<fs::path> plotSweep(const SweepOutcome& outcome, const std::vector<std::string>& show,
                                const fs::path& folder) {
    const std::vector<double> x = numbersOf(outcome);
    if (x.empty()) return {};
    std::vector<fs::path> pictures;
    for (const std::string& name : show) {
        const std::string plain = plainName(name);
        writeResultFile(folder / (plain + ".csv"), plotData(outcome, x, name));
        const std::string commands = fmt::format(
            "set xlabel '{} (SI)' noenhanced\nset ylabel '{}' noenhanced\nset key off\n"
            "plot '{}.csv' skip 1 using 1:2 with linespoints ls 1 pt 7\n",
            plainName(outcome.keys.front()), plain, plain);
        pictures.push_back(drawPlot(folder, plain, commands));
    }
    return pictures;
}

}  // namespace talus
