// Small worlds for tests of what is measured: made by hand, with contact lists found by comparing all pairs.
//
// A second way to the lists that the collision layer makes, on purpose as plain as possible.
#pragma once

#include <cmath>
#include <vector>

#include "contacts/narrow/spheres.hpp"
#include "measure/contact_sample.hpp"
#include "model/world.hpp"

namespace talus::test {

struct TestLaw {
    NormalLaw normal = NormalLaw::hooke;
    double stiffness = 1000;  // N/m
    double modulus = 1e6;     // Pa
    double friction = 0.5;
};

// A world of one material without gravity.
inline WorldState makeWorld(const TestLaw& choice = {}) {
    WorldState world;
    world.gravity = {};
    world.materials.kinds = {.normal = choice.normal};
    world.materials.list = {{.name = "glass", .density = 2500}};
    PairLaw law;
    law.stiffness = choice.normal == NormalLaw::hooke ? choice.stiffness : 0;
    law.modulus = choice.modulus;
    law.shearModulus = 0.3 * choice.modulus;
    law.friction = choice.friction;
    world.materials.laws = {law};
    return world;
}

inline std::uint32_t addSphere(WorldState& world, const Vec3& position, double radius, bool fixed = false) {
    return addBody(world, {.radius = radius, .position = position, .fixed = fixed});
}

// A plane whose free side is up.
inline std::uint32_t addFloor(WorldState& world, double height, std::uint16_t group = 0) {
    const std::uint16_t shape = world.shapes.add(PlaneWall{});
    return addBody(world, {.shape = shape, .position = {0, 0, height}, .group = group});
}

inline double contactRadius(const WorldState& world, double radius, double overlap) {
    return world.materials.kinds.normal == NormalLaw::hertz ? std::sqrt(radius * overlap) : radius;
}

// Fills the contact lists with every pair that overlaps, tangential springs at rest.
inline void findContacts(WorldState& world) {
    const Bodies& b = world.bodies;
    const BodyView bodies = view(b);
    GrainCandidates& grains = world.contacts.grains = {};
    WallCandidates& walls = world.contacts.walls = {};
    std::vector<TangentSpring> ofPairs, ofWalls;
    grains.rowStart = walls.rowStart = {0};
    for (std::uint32_t i = 0; i < b.grainCount; ++i) {
        for (std::uint32_t j = i + 1; j < b.grainCount; ++j) {
            const double distance = norm(nearestImage(b.position[i] - b.position[j], world.domain.period()));
            const double overlap = b.radius[i] + b.radius[j] - distance;
            if (overlap <= 0 || (b.inverseMass[i] == 0 && b.inverseMass[j] == 0)) continue;
            const double radius = b.radius[i] * b.radius[j] / (b.radius[i] + b.radius[j]);
            grains.partner.push_back(j);
            ofPairs.push_back({.contactRadius = contactRadius(world, radius, overlap)});
        }
        for (std::uint16_t w = 0; w < b.wallCount(); ++w) {
            const auto index = static_cast<std::uint32_t>(b.grainCount + w);
            const WallNow wall = wallNow(world, index);
            for (std::uint16_t face = 0; face < faceCount(*wall.shape); ++face) {
                const WallApproach approach = wallApproach(bodies, wall, index, face, b.position[i]);
                const double overlap = b.radius[i] - approach.distance;
                if (overlap <= 0 || b.inverseMass[i] == 0) continue;
                walls.candidate.push_back({i, w, face});
                ofWalls.push_back({.contactRadius = contactRadius(world, b.radius[i], overlap)});
            }
        }
        grains.rowStart.push_back(static_cast<std::uint32_t>(grains.partner.size()));
        walls.rowStart.push_back(static_cast<std::uint32_t>(walls.candidate.size()));
    }
    ofPairs.insert(ofPairs.end(), ofWalls.begin(), ofWalls.end());
    world.contacts.memory = SpringMemory{.tangent = ofPairs, .rolling = {}};
    world.contacts.stale = false;
}

// A block of a simple cubic lattice, spacing by axis, first sphere at half a spacing from the origin; the domain is
// the block, periodic where told.
struct Lattice {
    std::array<int, 3> count{4, 4, 4};
    Vec3 spacing{2, 2, 2};  // m
    double radius = 1;      // m
    std::array<bool, 3> periodic{true, true, true};

    Vec3 edge() const { return {count[0] * spacing.x, count[1] * spacing.y, count[2] * spacing.z}; }
};

inline void addLattice(WorldState& world, const Lattice& lattice) {
    std::vector<BodyDefinition> grains;
    for (int z = 0; z < lattice.count[2]; ++z) {
        for (int y = 0; y < lattice.count[1]; ++y) {
            for (int x = 0; x < lattice.count[0]; ++x) {
                const Vec3 place = hadamard(lattice.spacing, Vec3{x + 0.5, y + 0.5, z + 0.5});
                grains.push_back({.radius = lattice.radius, .position = place});
            }
        }
    }
    addGrains(world, grains);
    world.domain = {.low = {}, .high = lattice.edge(), .periodic = lattice.periodic};
}

}  // namespace talus::test
