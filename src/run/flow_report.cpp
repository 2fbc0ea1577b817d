#include "run/flow_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/results/series.hpp"
#include "measure/flow_fit.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

const std::vector<double>& columnOf(const Series& series, const std::string& name) {
    const auto found = std::find_if(series.columns.begin(), series.columns.end(),
                                    [&](const SeriesColumn& column) { return column.name == name; });
    if (found == series.columns.end()) throw InputError("flow rate: the series has no column " + name);
    return series.values[static_cast<std::size_t>(found - series.columns.begin())];
}

nlohmann::json describePlane(const Series& series, const MeasuredPlane& plane) {
    const std::vector<double>& times = series.values.front();
    const std::vector<double>& masses = columnOf(series, "mass_through_" + plane.name);
    const FlowWindow whole = findFlowWindow(times, masses, {0, 1});
    FlowWindow window;
    if (plane.window) {
        window = {(*plane.window)[0], (*plane.window)[1]};
    } else {
        window = chooseFlowWindow(times, masses);
    }
    const FlowFit fit = fitFlowRate(times, masses, window);
    nlohmann::json result{{"rate", fit.rate},
                          {"deviation", fit.deviation},
                          {"relative_deviation", fit.relativeDeviation},
                          {"start", whole.start},
                          {"duration", whole.stop - whole.start},
                          {"window", {{"start", window.start}, {"stop", window.stop}}}};
    if (!(std::abs(fit.relativeDeviation) <= steadyDeviation)) {
        result["warning"] = fmt::format(
            "the flow through '{}' is not steady: its rate in ten parts of the time from {:.4g} s to {:.4g} s deviates "
            "by "
            "{:.0f} % of the mean, {:.3g} kg/s; look at mass_through_{} and give a window of measure.planes",
            plane.name, window.start, window.stop, 100 * std::abs(fit.relativeDeviation), fit.rate, plane.name);
    }
    return result;
}

}  // namespace

nlohmann::json describeFlow(const std::filesystem::path& series, const std::vector<MeasuredPlane>& planes) {
    nlohmann::json all = nlohmann::json::object();
    for (const MeasuredPlane& plane : planes) {
        try {
            all[plane.name] = describePlane(readSeries(series), plane);
        } catch (const InputError& error) {
            all[plane.name] = {{"message", error.what()}};
        }
    }
    return all;
}

}  // namespace talus
