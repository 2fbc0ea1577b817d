// The JSON schema of scene files as a JSON value; the reference page is written from it.
#pragma once

#include <nlohmann/json.hpp>

namespace talus {

// Draft-07. Beside the standard words it has "x-unit" (SI symbol) and "x-quantity" (its name) on numbers.
nlohmann::ordered_json makeSceneSchema();

}  // namespace talus
