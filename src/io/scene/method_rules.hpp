// Rules of methods and solvers: what contact dynamics and quasi-static loading know of contacts, joints and servos.
#pragma once

#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {

// For the settings in force, of the scene or of a stage (stage_scene.hpp).
void checkMethod(const Scene& inForce, Problems& problems);

}  // namespace talus
