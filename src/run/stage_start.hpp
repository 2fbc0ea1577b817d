// What happens to a world when a stage begins: walls and bodies go, change and come, contacts get other laws or another
// method. What that adds to or takes from the energy counts as inserted.
#pragma once

#include "io/scene/build_world.hpp"
#include "talus/scene.hpp"

namespace talus {

// `inForce`: the scene as it stands in this stage. Throws RunError naming the key that cannot be done.
void applyStage(WorldState& world, const Scene& inForce, const StageSettings& stage, const StagePlan& plan,
                const std::string& path);

// The part of it that follows from the scene alone and is not in a checkpoint: for a world that is about to be loaded.
// Memory of contacts is marked, not converted.
void adoptStage(WorldState& world, const Scene& scene, std::size_t stage);

}  // namespace talus
