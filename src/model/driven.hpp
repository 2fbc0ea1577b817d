// Bodies that a servo moves with a force (model/servo.hpp). Their mass stands for a drag: they start each step
// from rest, and have no energy of their own.
#pragma once

#include "model/bodies.hpp"

namespace talus {

inline bool isDriven(const Bodies& bodies, std::size_t body) {
    return bodies.motion[body] != noMotion && bodies.inverseMass[body] != 0;
}

}  // namespace talus
