// The whole state of a simulation: what a step reads and writes, and what a checkpoint keeps.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shapes/shape.hpp"
#include "state/bodies.hpp"
#include "state/contacts.hpp"
#include "state/materials.hpp"
#include "state/motion.hpp"
#include "state/population.hpp"

namespace talus {

// The space of the scene. Periodic axes wrap between low and high; elsewhere a grain that leaves is lost.
struct Domain {
    Vec3 low{-1e30, -1e30, -1e30}, high{1e30, 1e30, 1e30};  // m
    std::array<bool, 3> periodic{};

    bool anyPeriodic() const { return periodic[0] || periodic[1] || periodic[2]; }
    // Edge lengths along periodic axes, infinity elsewhere: what nearestImage() wants.
    Vec3 period() const;
    // The image of a position that lies in the domain, along periodic axes; low is in it, high is not.
    Vec3 wrapped(Vec3 position) const;
};

// Energy that left or entered the mechanical energy of the grains since the start.
struct EnergyLedger {
    DissipatedEnergy dissipated;  // J, by contacts, by mechanism
    double wallWork = 0;          // J, done by moving walls and prescribed bodies on the grains
    double insertedEnergy = 0;    // J, kinetic + potential + elastic brought in by inserted bodies, less that taken out
};

struct World {
    Bodies bodies;
    std::vector<Shape> shapes{SphereShape{}};  // shape 0 is the sphere
    Materials materials;
    std::vector<Motion> motions;
    std::vector<std::string> groupNames{"grains"};
    Contacts contacts;
    std::vector<Source> sources;
    std::vector<Sink> sinks;

    Domain domain;
    Vec3 gravity{0, 0, -9.81};     // m/s^2
    Vec3 linearFreedom{1, 1, 1};   // 0 switches a translation off: planar scenes
    Vec3 angularFreedom{1, 1, 1};  // likewise for rotation

    double time = 0;  // s
    std::uint64_t step = 0;
    std::uint32_t nextId = 0;
    std::uint64_t seed = 1;
    EnergyLedger ledger;
};

// What makes a new body; inertia and mass follow from shape, radius and density.
struct BodyDefinition {
    std::uint16_t shape = 0;
    double radius = 0;  // m, spheres only
    Vec3 position;      // m
    Quat orientation;
    Vec3 velocity, spin;  // m/s, rad/s
    std::uint16_t material = 0, group = 0;
    std::uint16_t motion = noMotion;
    bool fixed = false;  // no motion of its own, whatever the force; walls always are
};

// Adds a body and returns its id. Grains go before the walls, so indices of walls move up by one.
std::uint32_t addBody(World& world, const BodyDefinition& definition);

// Adds many grains at once (in the given order); cheaper than one by one.
void addGrains(World& world, const std::vector<BodyDefinition>& definitions);

// Removes the grains whose flag is set (flags has one entry per grain); memory of the other contacts is kept.
void removeGrains(World& world, const std::vector<char>& remove);

// Hash of everything that determines the future of the run, bodies in order of id.
std::uint64_t stateHash(const World& world);

// Index of the body with this id, or size() if there is none. Linear in the number of bodies.
std::size_t indexOf(const Bodies& bodies, std::uint32_t id);

// v + the multiple of the period that makes each component smallest in size.
inline double wrap(double d, double period) {
    const double half = 0.5 * period;
    return d > half ? d - period : d < -half ? d + period : d;
}
inline Vec3 nearestImage(const Vec3& d, const Vec3& period) {
    return {wrap(d.x, period.x), wrap(d.y, period.y), wrap(d.z, period.z)};
}

}  // namespace talus
