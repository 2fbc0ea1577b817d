// All of Talus for programs: worlds and what moves them (world.hpp, stepper.hpp), measurements (measure.hpp), scenes
// and runs (scene.hpp, simulation.hpp), saved contact problems (solve.hpp). docs/library.md begins at the beginning.
#pragma once

#include "talus/measure.hpp"
#include "talus/results.hpp"
#include "talus/scene.hpp"
#include "talus/simulation.hpp"
#include "talus/solve.hpp"
#include "talus/stepper.hpp"
#include "talus/version.hpp"
#include "talus/world.hpp"
