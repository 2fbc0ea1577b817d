// The whole state of a simulation: what a step reads and writes, and what a checkpoint keeps.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "geometry/shape.hpp"
#include "model/bodies.hpp"
#include "model/contacts.hpp"
#include "model/joints.hpp"
#include "model/materials.hpp"
#include "model/motion.hpp"
#include "model/own_forces.hpp"
#include "model/population.hpp"
#include "model/shapes.hpp"
#include "talus/load.hpp"

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
    DissipatedEnergy dissipated;  // J, by contacts, by mechanism, less what is ahead
    DashpotHeat ahead;            // J, of contact dashpots in the half step to come (penalty method)
    double jointLoss = 0;         // J, dissipated by the stops and dampers of joints
    double wallWork = 0;          // J, done by walls that move as prescribed, by applied forces and by drives
    double insertedEnergy = 0;    // J, kinetic + potential + elastic brought in by inserted bodies, less that taken out

    static constexpr auto fields() {
        using L = EnergyLedger;
        return std::tuple{Field{"dissipated", &L::dissipated}, Field{"ahead", &L::ahead},
                          Field{"jointLoss", &L::jointLoss}, Field{"wallWork", &L::wallWork},
                          Field{"insertedEnergy", &L::insertedEnergy}};
    }
};

// Directions in which a body can move and turn, along and about the axes; 0 switches one off.
struct Freedom {
    Vec3 linear{1, 1, 1}, angular{1, 1, 1};
    bool operator==(const Freedom&) const = default;
    static constexpr auto fields() {
        return std::tuple{Field{"linear", &Freedom::linear}, Field{"angular", &Freedom::angular}};
    }
};

// Since when time is counted in steps of one length: the start of the run or of a stage.
struct Epoch {
    double time = 0;  // s
    std::uint64_t step = 0;

    static constexpr auto fields() { return std::tuple{Field{"time", &Epoch::time}, Field{"step", &Epoch::step}}; }
};

struct WorldState {
    Bodies bodies;
    Shapes shapes;
    std::vector<Mantle> mantles;  // of each wall
    Materials materials;
    std::vector<Motion> motions;
    std::vector<MotionLaw> motionLaws;  // every law that the scene can give to a body
    std::vector<ForceLaw> loads;
    std::vector<double> loadStart;  // s, from which the times of each load count; 0 where none is set
    std::vector<Vec3> loadForce;    // N, of each load now; by model/load.hpp
    OwnForces ownForces;            // of the program that steps the world; by step/own_forces.hpp
    std::vector<Freedom> guides;    // of bodies that cannot go wherever the scene would let them
    std::vector<double> facePush;   // N, sum of the normal forces on the first face of each wall; by the last step
    std::vector<std::string> groupNames{"grains"};
    Contacts contacts;
    Joints joints;
    IgnoredPairs ignoredPairs;  // bodies that do not touch each other
    std::vector<Source> sources;
    std::vector<Sink> sinks;
    bool wallsComeOrGo = false;  // in some stage of the scene

    Domain domain;
    Vec3 gravity{0, 0, -9.81};     // m/s^2
    Vec3 linearFreedom{1, 1, 1};   // 0 switches a translation off: planar scenes
    Vec3 angularFreedom{1, 1, 1};  // likewise for rotation

    double time = 0;  // s
    std::uint64_t step = 0;
    Epoch epoch;
    std::uint32_t nextId = 0;
    std::uint64_t seed = 1;
    EnergyLedger ledger;

    // What changes during a run: a checkpoint keeps it, and the state hash is made of it, in this order. All else is
    // made anew by the scene.
    static constexpr auto fields() {
        using W = WorldState;
        constexpr Hashed no = Hashed::no;
        return std::tuple{Field{"time", &W::time},
                          Field{"step", &W::step},
                          Field{"epoch", &W::epoch, no},
                          Field{"nextId", &W::nextId, no},
                          Field{"seed", &W::seed, no},
                          Field{"ledger", &W::ledger, no},
                          Field{"bodies", &W::bodies},
                          Field{"joints", &W::joints},
                          Field{"motions", &W::motions},
                          Field{"mantles", &W::mantles},
                          Field{"guides", &W::guides},
                          Field{"facePush", &W::facePush},
                          Field{"loadStart", &W::loadStart, no},
                          Field{"sources", &W::sources, no},
                          Field{"sinks", &W::sinks, no},
                          Field{"contacts", &W::contacts}};
    }
};

// What makes a new body; inertia and mass follow from shape, radius and density.
struct BodyDefinition {
    std::uint16_t shape = 0;
    double radius = 0;  // m, of the bounding sphere
    Vec3 position;      // m
    Quat orientation;
    Vec3 velocity, spin;  // m/s, rad/s
    std::uint16_t material = 0, group = 0;
    std::uint16_t motion = noMotion;
    std::uint16_t load = noLoad;
    bool fixed = false;  // no motion of its own, whatever the force; walls without mass always are

    // Walls that forces can move have a mass and a moment of inertia (0: does not turn), one for all axes: what is
    // switched off stays so however the wall turns. Solids have the mass of their volume if none is given, and the
    // inertia that goes with it.
    double mass = 0, inertia = 0;  // kg, kg m^2
    // Where it can go, if not wherever the scene lets it. A solid turns about all axes of the scene, one or none.
    std::optional<Freedom> guide;
};

inline WallNow wallNow(const WorldState& world, std::size_t wall) {
    return {&world.shapes[world.bodies.shape[wall]], world.mantles[wall - world.bodies.grainCount].radius};
}
// A wall that is a hollow cylinder, as it is now; nothing for other bodies.
inline std::optional<CylinderWall> drumOf(const WorldState& world, std::size_t body) {
    return body < world.bodies.grainCount ? std::nullopt : cylinderOf(wallNow(world, body));
}

// m, from the position of a body to its farthest point; 0 for a plane, which has no end.
inline double reachOf(const WorldState& world, std::size_t body) {
    return body < world.bodies.grainCount ? world.bodies.radius[body] : reachOf(wallNow(world, body));
}

// By this the lengths of its shape are multiplied; for a sphere it is the radius.
inline double scaleOf(const WorldState& world, std::size_t body) {
    const std::uint16_t shape = world.bodies.shape[body];
    return shape == 0 ? world.bodies.radius[body] : world.bodies.radius[body] / boundingRadius(world.shapes[shape]);
}

// Radius of the ball of the same volume, m.
inline double equivalentRadiusOf(const WorldState& world, std::size_t body) {
    const std::uint16_t shape = world.bodies.shape[body];
    return shape == 0 ? world.bodies.radius[body] : scaleOf(world, body) * equivalentRadius(world.shapes[shape]);
}

// Spheres have one moment of inertia, and their orientation matters to nobody's motion.
inline bool isSphere(const Bodies& bodies, std::size_t body) { return bodies.shape[body] == 0; }

// True if some grain is no sphere.
bool hasSolids(const WorldState& world);

// Adds a body and returns its id. Grains go before the walls, so indices of walls move up by one.
std::uint32_t addBody(WorldState& world, const BodyDefinition& definition);

// Adds many grains at once (in the given order); cheaper than one by one.
void addGrains(WorldState& world, const std::vector<BodyDefinition>& definitions);

// Removes the grains whose flag is set (flags has one entry per grain); memory of the other contacts is kept.
void removeGrains(WorldState& world, const std::vector<char>& remove);

// Removes the walls whose flag is set (flags has one entry per wall), and what contacts remember of them.
void removeWalls(WorldState& world, const std::vector<char>& remove);

// A grain gets the mass and inertia of its shape and material, as one that moves freely has.
void giveMass(WorldState& world, std::size_t grain);

// A body is free to go where this lets it. Its mass and inertia, if not those of its shape, are in the definition.
void setFree(WorldState& world, std::size_t body, const BodyDefinition& definition);

// The number of a guide like this one, a new one if there is none yet.
std::uint16_t findGuide(WorldState& world, const Freedom& freedom);

// s, when the next step of length dt ends; counted from the epoch, so that round-off does not add up.
inline double timeAfterStep(const WorldState& world, double dt) {
    return world.epoch.time + static_cast<double>(world.step + 1 - world.epoch.step) * dt;
}

// Hash of everything that determines the future of the run, bodies in order of id.
std::uint64_t stateHash(const WorldState& world);

inline bool isGuided(const WorldState& world, std::size_t body) {
    return !world.guides.empty() && world.bodies.guide[body] != noGuide;
}
inline const Vec3& linearFreedomOf(const WorldState& world, std::size_t body) {
    return isGuided(world, body) ? world.guides[world.bodies.guide[body]].linear : world.linearFreedom;
}
inline const Vec3& angularFreedomOf(const WorldState& world, std::size_t body) {
    return isGuided(world, body) ? world.guides[world.bodies.guide[body]].angular : world.angularFreedom;
}

// Held, or moved by a motion, be it with the force of a servo: such bodies do not touch each other.
inline bool isSteered(const Bodies& bodies, std::size_t body) {
    return bodies.inverseMass[body] == 0 || bodies.motion[body] != noMotion;
}

// Bounds and loads the grains rather than being one: walls, what is steered, and what moves in a guide.
inline bool isBoundary(const Bodies& bodies, std::size_t body) {
    return body >= bodies.grainCount || isSteered(bodies, body) || bodies.guide[body] != noGuide;
}

// N, from outside, beside gravity: by a load, by a servo that moves a wall by force, or by the program.
inline Vec3 appliedForce(const WorldState& world, std::size_t body) {
    Vec3 force;
    if (!world.loads.empty() && world.bodies.load[body] != noLoad) force = world.loadForce[world.bodies.load[body]];
    if (!world.motions.empty() && world.bodies.motion[body] != noMotion) {
        force += world.motions[world.bodies.motion[body]].servo.push;
    }
    if (!world.ownForces.empty()) force += world.ownForces.force[body];
    return force;
}

// N m, from outside: by the program alone.
inline Vec3 appliedTorque(const WorldState& world, std::size_t body) {
    return world.ownForces.empty() ? Vec3{} : world.ownForces.torque[body];
}
// N m, of that and of contacts.
inline Vec3 torqueOn(const WorldState& world, std::size_t body) {
    return world.ownForces.empty() ? world.bodies.torque[body]
                                   : world.bodies.torque[body] + world.ownForces.torque[body];
}

// What gravity and applied forces do to a free body in the directions it can go, m/s^2.
inline Vec3 outerAcceleration(const WorldState& world, std::size_t body) {
    return hadamard(linearFreedomOf(world, body),
                    world.gravity + world.bodies.inverseMass[body] * appliedForce(world, body));
}

// True for walls that move, by a prescribed motion or freely.
inline bool isMovingWall(const Bodies& bodies, std::size_t wall) {
    return bodies.motion[bodies.grainCount + wall] != noMotion || bodies.inverseMass[bodies.grainCount + wall] != 0;
}

bool hasFreeWalls(const WorldState& world);

// Calls visit(body) for each wall that forces can move.
template <class Visit>
void forEachFreeWall(const Bodies& bodies, Visit&& visit) {
    for (std::size_t i = bodies.grainCount; i < bodies.size(); ++i) {
        if (bodies.inverseMass[i] != 0) visit(i);
    }
}

// Index of the body with this id, or size() if there is none. Linear in the number of bodies.
std::size_t indexOf(const Bodies& bodies, std::uint32_t id);

inline constexpr Vec3 noPeriod{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::infinity()};

// v + the multiple of the period that makes each component smallest in size.
inline double wrap(double d, double period) {
    const double half = 0.5 * period;
    return d > half ? d - period : d < -half ? d + period : d;
}
inline Vec3 nearestImage(const Vec3& d, const Vec3& period) {
    return {wrap(d.x, period.x), wrap(d.y, period.y), wrap(d.z, period.z)};
}

}  // namespace talus
