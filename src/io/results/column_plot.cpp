#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/atomic_file.hpp"
#include "io/results/gnuplot.hpp"
#include "io/results/series.hpp"
#include "talus/error.hpp"
#include "talus/plot.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

using Values = std::vector<double>;

std::size_t findColumn(const Series& series, const std::string& name) {
    std::vector<std::string> names;
    for (const SeriesColumn& column : series.columns) names.push_back(column.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    throw InputError(fmt::format("series.csv has no column '{}'{}", name, didYouMean(name, names)));
}

std::string labelOf(const SeriesColumn& column) {
    std::string words = column.name;
    std::replace(words.begin(), words.end(), '_', ' ');
    return words + (column.unit.empty() ? "" : " [" + column.unit + "]");
}

bool isZero(const Values& values) {
    return std::all_of(values.begin(), values.end(), [](double value) { return value == 0; });
}

// Over all columns that share the axis.
bool isLogarithmic(AxisKind kind, const std::vector<const Values*>& columns, const char* axis) {
    constexpr double decades = 1e3;
    double low = INFINITY, high = 0;
    bool isPositive = true;
    for (const Values* column : columns) {
        for (const double value : *column) {
            if (std::isnan(value)) continue;
            if (!(value > 0)) {
                isPositive = false;
                continue;
            }
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    if (kind == AxisKind::logarithmic && high == 0)
        throw InputError(fmt::format("nothing is more than zero: the {} axis cannot be logarithmic", axis));
    return kind == AxisKind::logarithmic || (kind == AxisKind::fitting && isPositive && high >= decades * low);
}

// Names of columns hold letters, digits and '_', or what a scene may call a body.
std::string fileNameOf(const ColumnPlot& plot) {
    if (!plot.file.empty()) return plot.file;
    std::string name = fmt::format("{}-against-{}", fmt::join(plot.columns, "-"), plot.against);
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '/' || c == '\''; }, '_');
    return name.substr(0, 120);
}

}  // namespace

std::filesystem::path plotColumns(const std::filesystem::path& folder, const ColumnPlot& plot) {
    if (plot.columns.empty()) throw InputError("a plot needs columns");
    const Series series = readSeries(folder / "series.csv");
    const std::size_t across = findColumn(series, plot.against);
    std::vector<std::size_t> drawn;
    std::vector<const Values*> upward;
    for (const std::string& name : plot.columns) {
        const std::size_t column = findColumn(series, name);
        if (isZero(series.values[column])) continue;
        drawn.push_back(column);
        upward.push_back(&series.values[column]);
    }
    if (drawn.empty()) throw InputError("there is nothing to plot: all these columns are zero");
    const SeriesColumn& first = series.columns[drawn.front()];
    for (const std::size_t column : drawn) {
        if (series.columns[column].unit != first.unit)
            throw InputError(fmt::format("'{}' and '{}' have different units and need plots of their own", first.name,
                                         series.columns[column].name));
    }

    // Quotes are doubled within gnuplot's single quotes; no column of ours has one.
    std::string script = fmt::format(
        "# Run in the folder of series.csv: gnuplot plots/{}.gp\nset datafile missing 'nan'\n", fileNameOf(plot));
    script += plotStyle;
    script += fmt::format("set output 'plots/{}.png'\nset xlabel '{}' noenhanced\nset ylabel '{}' noenhanced\n",
                          fileNameOf(plot), labelOf(series.columns[across]),
                          drawn.size() == 1 ? labelOf(first) : (first.unit.empty() ? "" : "[" + first.unit + "]"));
    if (isLogarithmic(plot.x, {&series.values[across]}, "horizontal")) script += "set logscale x\nset format x '%h'\n";
    if (isLogarithmic(plot.y, upward, "vertical")) script += "set logscale y\nset format y '%h'\n";
    script += "plot ";
    for (std::size_t k = 0; k < drawn.size(); ++k) {
        const std::string title =
            drawn.size() == 1 ? "notitle" : fmt::format("title '{}'", series.columns[drawn[k]].name);
        script += fmt::format("{}'series.csv' skip 1 using {}:{} with {} ls {} dt {} {}", k > 0 ? ", " : "", across + 1,
                              drawn[k] + 1, series.rows() > 1 ? "lines" : "points", k % lineColours + 1,
                              k / lineColours % lineDashes + 1, title);
    }
    makeFolder(folder / "plots");
    const std::string name = "plots/" + fileNameOf(plot);
    writeFileAtomically(folder / (name + ".gp"), script + "\n");
    runGnuplot(folder, name + ".gp");
    return folder / (name + ".png");
}

}  // namespace talus
