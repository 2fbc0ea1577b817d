// Plots of the series of a run, column against column, drawn by gnuplot.
//
//   talus::plotColumns("out/triaxial", {.against = "strain_zz", .columns = {"deviator_bulk"}});
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace talus {

enum class AxisKind {
    fitting,
    linear,
    logarithmic
};  // fitting: logarithmic if all is positive and spans three decades

struct ColumnPlot {
    std::string against = "time";      // what is to the right
    std::vector<std::string> columns;  // what is upwards; those that are zero throughout are left out
    AxisKind x = AxisKind::linear, y = AxisKind::linear;
    std::string file;  // name without .png; empty: of the columns
};

// Makes folder/plots/NAME.png, with its script beside it, and returns it. InputError if a column is missing, if all are
// zero, or if a logarithmic axis has nothing to show; RunError if gnuplot is missing or fails.
std::filesystem::path plotColumns(const std::filesystem::path& folder, const ColumnPlot& plot);

}  // namespace talus
