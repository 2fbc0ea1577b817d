// The stages of a scene, and the scene as it stands in each of them.
#pragma once

#include "talus/scene.hpp"

namespace talus {

// Those of the scene; one without a name that lasts for run.time if it has none.
std::vector<StageSettings> stagesOf(const Scene& scene);

// The settings in force in a stage: method, gravity, contact laws, solver, step and output as this stage and those
// before it have left them; run.time is the time of the stage. Bodies, sources and sinks are those of the scene.
Scene sceneInStage(const Scene& scene, std::size_t stage);

}  // namespace talus
