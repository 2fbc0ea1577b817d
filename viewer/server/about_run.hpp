// What a page says about a run or a scene beside the picture, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "talus/frames.hpp"
#include "talus/scene.hpp"
#include "viewer/server/run_files.hpp"

namespace talus::view {

// Any text, also one that is no UTF-8.
std::string textOf(const nlohmann::json& value);

nlohmann::json aboutRun(RunFiles& files);
nlohmann::json aboutScene(const Scene& scene, const SceneLook& look);

}  // namespace talus::view
