// Plots of series.csv as PNG pictures, drawn by gnuplot.
//
// Columns are grouped by their names (energy_*, contacts and coordination*, packing_*, ...), one picture per group; a
// column that fits no group gets its own. The gnuplot script stays in the folder, to be changed and run again there.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "io/results/series.hpp"

namespace talus {

// Makes folder/plots/*.png from folder/series.csv and returns them; none if the series has no rows. InputError if the
// series cannot be read, RunError if gnuplot is missing or fails.
std::vector<std::filesystem::path> plotRun(const std::filesystem::path& folder);

struct PlotGroup {
    std::string file;  // name without .png
    std::string title;
    std::string label;                 // of the axis, without unit
    std::vector<std::size_t> columns;  // of the series
};
// In the order in which they are listed; a group without columns is left out.
std::vector<PlotGroup> groupColumns(const Series& series);

}  // namespace talus
