// From a scene to something that can be stepped: the world, the length of the step, what is measured.
#pragma once

#include "dynamics/step.hpp"
#include "dynamics/time_step.hpp"
#include "observables/series.hpp"
#include "talus/scene.hpp"

namespace talus {

struct Setup {
    World world;
    StepSettings step;
    StepChoice choice;             // how the step was chosen
    std::uint64_t totalSteps = 0;  // to the end of the run
};

// Builds the world at time 0; contact lists and forces are not yet made (prepareStep).
Setup setUp(const Scene& scene);

// Scratch memory for the steps of this setup.
StepWorkspace makeWorkspace(const Setup& setup);

// What a row of the series holds; needs the world for the groups of walls and fixed bodies.
SeriesSettings seriesSettings(const Scene& scene, const World& world);

// The number of steps of length dt that fill `duration`, to within round-off.
std::uint64_t stepsIn(double duration, double dt);

}  // namespace talus
