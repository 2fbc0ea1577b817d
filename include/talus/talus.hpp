// All of Talus for programs: worlds and what moves them (world.hpp, stepper.hpp), measurements (measure.hpp), scenes
// and runs (scene.hpp, simulation.hpp), contact problems made by hand (problem.hpp, solver.hpp)
// or saved (solve.hpp). docs/library.md begins at the beginning.
#pragma once

#include "talus/measure.hpp"
#include "talus/problem.hpp"
#include "talus/results.hpp"
#include "talus/scene.hpp"
#include "talus/simulation.hpp"
#include "talus/solve.hpp"
#include "talus/solver.hpp"
#include "talus/stepper.hpp"
#include "talus/version.hpp"
#include "talus/world.hpp"
