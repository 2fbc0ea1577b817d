// A scene as a World and what moves it: to look at, to change and to step by a program.
//
//   SceneWorld made = worldOf(loadScene("settle.yaml"));
//   Stepper stepper(made.method, made.settings);
//   while (made.world.time() < made.time) stepper.step(made.world);      // the bits of `talus run settle.yaml`
//
// What a run has besides, its stages, outputs and checkpoints, stays behind: runScene() (simulation.hpp) knows them.
#pragma once

#include "talus/method.hpp"
#include "talus/scene.hpp"
#include "talus/world.hpp"

namespace talus {

struct SceneWorld {
    World world;
    StepMethod method;
    StepperSettings settings;
    double time = 0;  // s, that the scene lasts
};

// InputError if the scene makes no world, or if it has stages.
SceneWorld worldOf(const Scene& scene);

// Whether two worlds have the same materials, shapes, groups, motions, loads and joints, whatever made them: with equal
// stateHash() they are the same world.
bool areMadeAlike(const World& a, const World& b);

}  // namespace talus
