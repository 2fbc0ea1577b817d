// Rules of stages: what they change must be there, and fit what is in force by then.
#pragma once

#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {

void checkStages(const Scene& scene, Problems& problems);

}  // namespace talus
