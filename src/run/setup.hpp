// From a scene to what its steps need: their length, their settings, what is measured. The scene is that in force in
// the stage (io/scene/stage_scene.hpp).
#pragma once

#include "io/scene/build_world.hpp"
#include "measure/series.hpp"
#include "step/method.hpp"
#include "talus/scene.hpp"

namespace talus {

StepMethod methodOf(const Scene& scene);

StepSettings stepSettings(const Scene& scene, const WorldState& world, double dt);

// What a row of the series holds in every stage; needs the world for the groups of walls and fixed bodies.
SeriesSettings seriesSettings(const Scene& scene, const BuiltScene& built);

// What the user should know before the first step: the notes of the scene, bodies that start inside each other, and
// scenes in which nothing can touch.
std::vector<std::string> notesAtStart(const Scene& scene, const WorldState& world);

// Throws InputError if a stage of this step would take more steps than any run can.
void checkStepCount(const Scene& scene, std::size_t stage, double dt);

// Throws InputError if this step (s), given by the scene, is one of the penalty method that cannot be right.
void checkStepLength(const Scene& scene, std::size_t stage, const WorldState& world, double dt);

// The number of steps of length dt that fill `duration`, to within round-off.
std::uint64_t stepsIn(double duration, double dt);

}  // namespace talus
