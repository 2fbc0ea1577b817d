// What must hold between the joints of a scene and its bodies and settings.
#pragma once

#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {

inline constexpr const char* nameOfTheWorld = "world";

void checkJoints(const Scene& scene, Problems& problems);

// Those rules that depend on the method, as far as a stage can change it.
void checkJointMethod(const Scene& scene, Problems& problems);

// Whether two entries of bodies: are joined so that they do not touch each other.
bool passThrough(const Scene& scene, std::size_t entry, std::size_t other);

}  // namespace talus
