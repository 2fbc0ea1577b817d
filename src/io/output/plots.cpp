#include "io/output/plots.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <map>

#include "base/atomic_file.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

struct GroupRule {
    const char *prefix, *file, *title, *label;
};
// The first rule that fits a column decides.
constexpr GroupRule rules[] = {
    {"energy_error", "energy_error", "Error of the energy ledger", "error"},
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

constexpr const char* scriptHead = R"(# Run in the folder of series.csv: gnuplot plots/plots.gp
set terminal pngcairo size 1000,650 font 'DejaVu Sans,12' linewidth 2 background rgb 'white'
set datafile separator ','
set datafile missing 'nan'
set encoding utf8
set style line 1 lc rgb '#0072b2'
set style line 2 lc rgb '#d55e00'
set style line 3 lc rgb '#009e73'
set style line 4 lc rgb '#cc79a7'
set style line 5 lc rgb '#e69f00'
set style line 6 lc rgb '#56b4e9'
set style line 7 lc rgb '#000000'
set style line 8 lc rgb '#8c6d31'
set style line 9 lc rgb '#7f7f7f'
set border 3 lc rgb '#404040'
set tics nomirror out scale 0.6
set format y '%.4h'
set grid lc rgb '#dddddd' lt 1 lw 0.5
set key outside right top vertical Left reverse samplen 2 noenhanced
set title font ',15'
set offsets 0, 0, graph 0.02, 0
set xlabel 'time [s]'
)";

std::string plotCommand(const PlotGroup& group, const Series& series) {
    // A single row is a point, not a line.
    const char* style = series.rows() > 1 ? "lines" : "points";
    const bool needsLegend = group.columns.size() > 1;
    std::string command =
        fmt::format("\nset output 'plots/{}.png'\nset title {} noenhanced\nset ylabel {} noenhanced\n", group.file,
                    quoted(group.title), quoted(axisLabel(group, series)));
    command += "plot ";
    for (std::size_t k = 0; k < group.columns.size(); ++k) {
        const std::size_t column = group.columns[k];
        const std::string title =
            needsLegend ? "title " + quoted(legendOf(series.columns[column].name)) : std::string("notitle");
        command += fmt::format("{}'series.csv' skip 1 using 1:{} with {} ls {} {}", k > 0 ? ", \\\n     " : "",
                               column + 1, style, k % 9 + 1, title);
    }
    return command + "\n";
}

std::string textOf(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Runs gnuplot in the folder, so that the script needs no paths with their quotes and blanks. Returns the status.
int runGnuplot(const std::filesystem::path& folder, const std::string& script, const std::string& log) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    std::string program = "gnuplot", argument = script;
    char* const arguments[] = {program.data(), argument.data(), nullptr};
    pid_t child = -1;
    const int error = posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT) {
        throw RunError("plots need gnuplot, which is not installed here: install the package gnuplot-nox");
    }
    if (error != 0) throwFileError("start", "gnuplot", error);
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
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

    std::string script = scriptHead;
    std::vector<std::filesystem::path> pictures;
    for (const PlotGroup& group : groups) {
        script += plotCommand(group, series);
        pictures.push_back(folder / "plots" / (group.file + ".png"));
    }
    makeFolder(folder / "plots");
    writeFileAtomically(folder / "plots" / "plots.gp", script);
    const std::string log = "plots/gnuplot.log";
    const int status = runGnuplot(folder, "plots/plots.gp", log);
    if (status != 0) {
        throw RunError(
            fmt::format("gnuplot could not draw {}: {}", (folder / "series.csv").string(), textOf(folder / log)));
    }
    std::filesystem::remove(folder / log);
    return pictures;
}

}  // namespace talus
