#include "io/results/plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/atomic_file.hpp"
#include "io/results/gnuplot.hpp"

namespace talus {
namespace {

struct GroupRule {
    const char *prefix, *file, *title, *label;
};
// The first rule that fits a column decides.
constexpr GroupRule rules[] = {
    {"energy_error", "energy_error", "Error of the energy ledger", "error"},
    {"energy_elastic_", "energy_contacts", "Energy stored in contacts", "energy"},
    {"energy_", "energy", "Energy", "energy"},
    {"contacts", "contacts", "Contacts", "number"},
    {"coordination", "coordination", "Coordination number", "contacts per grain"},
    {"max_overlap", "overlap", "Largest overlap", "overlap"},
    {"packing_", "packing", "Packing", "share of the volume"},
    {"stress_", "stress", "Stress (compression positive)", "stress"},
    {"force_", "force", "Force on walls and bodies", "force"},
    {"torque_", "torque", "Torque on walls and bodies", "torque"},
    {"position_", "position", "Position of walls and bodies that move", "position"},
    {"velocity_", "velocity", "Velocity of walls and bodies that move", "velocity"},
    {"mass_through_", "flow", "Mass that has passed", "mass"},
};

const GroupRule* ruleFor(const std::string& name) {
    for (const GroupRule& rule : rules) {
        if (name.starts_with(rule.prefix)) return &rule;
    }
    return nullptr;
}

std::string withSpaces(std::string text) {
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
}

std::string fileNameOf(const std::string& column) {
    std::string name;
    for (const char c : column) name += std::isalnum(static_cast<unsigned char>(c)) || c == '-' ? c : '_';
    return name;
}

// energy_kinetic in the picture of energies is "kinetic".
std::string legendOf(const std::string& name) {
    const GroupRule* rule = ruleFor(name);
    const std::string prefix = rule != nullptr ? rule->prefix : "";
    return withSpaces(prefix.ends_with('_') && name.size() > prefix.size() ? name.substr(prefix.size()) : name);
}

// Text in single quotes of gnuplot.
std::string quoted(const std::string& text) {
    std::string result = "'";
    for (const char c : text) result += c == '\'' ? "''" : std::string(1, c);
    return result + "'";
}

std::string axisLabel(const PlotGroup& group, const Series& series) {
    const std::string& unit = series.columns[group.columns.front()].unit;
    return group.label + (unit.empty() ? "" : " [" + unit + "]");
}

constexpr const char* seriesHead = R"(# Run in the folder of series.csv: gnuplot plots/plots.gp
set datafile missing 'nan'
set format y '%.4h'
set offsets 0, 0, graph 0.02, 0
set xlabel 'time [s]'
)";

bool isZero(const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return value == 0; });
}

// A quantity that the scene has nothing of, such as the energy of joints, needs no line beside others.
std::vector<std::size_t> columnsToDraw(const PlotGroup& group, const Series& series) {
    std::vector<std::size_t> columns;
    for (const std::size_t c : group.columns) {
        if (!isZero(series.values[c])) columns.push_back(c);
    }
    return columns;
}

std::string plotCommand(const PlotGroup& group, const Series& series) {
    // A single row is a point, not a line.
    const char* style = series.rows() > 1 ? "lines" : "points";
    const std::vector<std::size_t> columns = columnsToDraw(group, series);
    const bool needsLegend = columns.size() > 1;
    std::string command =
        fmt::format("\nset output 'plots/{}.png'\nset title {} noenhanced\nset ylabel {} noenhanced\n", group.file,
                    quoted(group.title), quoted(axisLabel(group, series)));
    command += "plot ";
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const std::size_t column = columns[k];
        const std::string title =
            needsLegend ? "title " + quoted(legendOf(series.columns[column].name)) : std::string("notitle");
        command += fmt::format("{}'series.csv' skip 1 using 1:{} with {} ls {} dt {} {}", k > 0 ? ", \\\n     " : "",
                               column + 1, style, k % lineColours + 1, k / lineColours % lineDashes + 1, title);
    }
    return command + "\n";
}

}  // namespace

std::vector<PlotGroup> groupColumns(const Series& series) {
    std::map<std::string, PlotGroup> byFile;
    std::vector<std::string> order;
    for (const GroupRule& rule : rules) order.push_back(rule.file);
    for (std::size_t c = 1; c < series.columns.size(); ++c) {
        const SeriesColumn& column = series.columns[c];
        const GroupRule* rule = ruleFor(column.name);
        // One picture has one axis: columns of a group with other units go to a picture of their own.
        std::string file = rule != nullptr ? rule->file : fileNameOf(column.name);
        if (const auto found = byFile.find(file);
            found != byFile.end() && series.columns[found->second.columns.front()].unit != column.unit) {
            file = fileNameOf(column.name);
        }
        if (!byFile.contains(file)) {
            const std::string words = withSpaces(column.name);
            byFile[file] =
                rule != nullptr ? PlotGroup{file, rule->title, rule->label, {}} : PlotGroup{file, words, words, {}};
            order.push_back(file);
        }
        byFile[file].columns.push_back(c);
    }
    std::vector<PlotGroup> groups;
    for (const std::string& file : order) {
        if (auto found = byFile.extract(file)) groups.push_back(std::move(found.mapped()));
    }
    return groups;
}

std::vector<std::filesystem::path> plotRun(const std::filesystem::path& folder) {
    const Series series = readSeries(folder / "series.csv");
    const std::vector<PlotGroup> groups = groupColumns(series);
    if (series.rows() == 0 || groups.empty()) return {};

    std::string script = std::string(seriesHead) + plotStyle;
    std::vector<std::filesystem::path> pictures;
    for (const PlotGroup& group : groups) {
        if (std::all_of(group.columns.begin(), group.columns.end(), [&](auto c) { return isZero(series.values[c]); }))
            continue;
        script += plotCommand(group, series);
        pictures.push_back(folder / "plots" / (group.file + ".png"));
    }
    makeFolder(folder / "plots");
    writeFileAtomically(folder / "plots" / "plots.gp", script);
    runGnuplot(folder, "plots/plots.gp");
    return pictures;
}

}  // namespace talus
