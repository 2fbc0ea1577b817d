#include "run/flow_report.hpp"

#include <algorithm>

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

nlohmann::json describePlane(const Series& series, const std::string& plane) {
    const std::vector<double>& times = series.values.front();
    const std::vector<double>& masses = columnOf(series, "mass_through_" + plane);
    const FlowWindow whole = findFlowWindow(times, masses, {0, 1});
    const FlowFit fit = fitFlowRate(times, masses, findFlowWindow(times, masses));
    return {{"rate", fit.rate},
            {"deviation", fit.deviation},
            {"relative_deviation", fit.relativeDeviation},
            {"start", whole.start},
            {"duration", whole.stop - whole.start}};
}

}  // namespace

nlohmann::json describeFlow(const std::filesystem::path& series, const std::vector<MeasuredPlane>& planes) {
    nlohmann::json all = nlohmann::json::object();
    for (const MeasuredPlane& plane : planes) {
        try {
            all[plane.name] = describePlane(readSeries(series), plane.name);
        } catch (const InputError& error) {
            all[plane.name] = {{"message", error.what()}};
        }
    }
    return all;
}

}  // namespace talus
