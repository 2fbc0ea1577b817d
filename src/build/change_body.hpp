// What can become of a body between two steps: held, let go, moved as prescribed, pushed by another load. Contact lists
// must be brought in line afterwards.
#pragma once

#include "model/world.hpp"

namespace talus {

// It stays where it is, without motion, load and guide.
void hold(WorldState& world, std::size_t body);

// A grain that was held moves freely, with the mass of its volume.
void letGo(WorldState& world, std::size_t grain, const Vec3& velocity, const Vec3& spin);

// It goes where forces move it, as the definition says (setFree()), from rest but for the velocity there.
void letGoGuided(WorldState& world, std::size_t body, const BodyDefinition& free);

// It follows this law from where it is, from now on.
void follow(WorldState& world, std::size_t body, std::uint16_t law);

// Times of this load count from now.
void pushBy(WorldState& world, std::size_t body, std::uint16_t load);

// Motions that no body follows any more go.
void dropUnusedMotions(WorldState& world);

}  // namespace talus
