// The flow rate through every plane of a run, for its summary: read back from the series, so that a run that was
// interrupted and resumed reports all of it.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "talus/scene.hpp"

namespace talus {

// By the name of the plane: rate and deviation in kg/s as measure/flow_fit.hpp fits them, relative_deviation, when the
// flow began and for how long it went on, and the window of the fit, in s; `warning` if the flow was not steady there.
// Where no rate can be told, `message` says why instead.
nlohmann::json describeFlow(const std::filesystem::path& series, const std::vector<MeasuredPlane>& planes);

}  // namespace talus
