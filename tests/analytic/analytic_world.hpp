// Small worlds with known answers, and the loop that runs them.
//
// One material, no gravity unless a test sets it. Bodies are named by id, as the engine sorts them in space.
#pragma once

#include <cmath>
#include <cstdint>
#include <utility>

#include "contacts/table/matching.hpp"
#include "laws/pair_law.hpp"
#include "measure/contact_sample.hpp"
#include "measure/energy.hpp"
#include "model/prescribed_motion.hpp"
#include "model/world.hpp"
#include "step/assembly/convert_memory.hpp"
#include "step/diagnosis.hpp"

namespace talus::analytic {

struct Substance {
    LawKinds kinds;
    ElasticProperties elastic;  // 10 MPa, 0.3
    ContactProperties contact;
    double density = 2500;  // kg/m^3
};

inline WorldState makeWorld(const Substance& s) {
    WorldState world;
    world.gravity = {};
    world.materials.kinds = s.kinds;
    world.materials.list = {{"glass", s.density, s.elastic.youngsModulus, s.elastic.poissonRatio}};
    world.materials.laws = {makePairLaw(s.kinds, DampingLaw::restitution, s.elastic, s.elastic, s.contact)};
    return world;
}

inline const PairLaw& lawOf(const WorldState& world) { return world.materials.laws.front(); }

// The half space z < 0.
inline std::uint32_t addFloor(WorldState& world) { return addBody(world, {.shape = world.shapes.add(PlaneWall{})}); }

// A wall that a servo moves from this pose.
inline std::uint32_t addServo(WorldState& world, const Shape& shape, const Pose& pose, const MotionLaw& law) {
    world.motionLaws.push_back(law);
    const std::uint16_t shapeNumber = world.shapes.add(shape);
    const auto motion = startMotion(world, static_cast<std::uint16_t>(world.motionLaws.size() - 1), pose);
    return addBody(
        world, {.shape = shapeNumber, .position = pose.position, .orientation = pose.orientation, .motion = motion});
}

inline double massOf(double radius, double density = 2500) { return density * 4.0 / 3.0 * M_PI * std::pow(radius, 3); }

// Overlap at which a Hertz contact carries this force.
inline double hertzOverlap(double force, double radius, double modulus) {
    return std::pow(0.75 * force / (modulus * std::sqrt(radius)), 2.0 / 3.0);
}

// A world and what a step needs. Positions and the rest are of the body with the given id.
struct Trial {
    WorldState world;
    StepSettings settings;
    StepWorkspace workspace;

    Trial(WorldState start, double dt) : world(std::move(start)) {
        settings.dt = dt;
        prepareStep(world, settings, workspace);
    }
    // Contact dynamics instead of the penalty method.
    Trial(WorldState start, double dt, const ContactDynamicsSettings& rigid) : world(std::move(start)) {
        rememberImpulses(rigid.contacts == ContactKind::elastic);
        settings.dt = dt;
        settings.contactDynamics = rigid;
        workspace.solverSettings = solverSettings(rigid, world.seed);
        prepareStep(world, settings, workspace);
    }
    // Quasi-static increments.
    Trial(WorldState start, double dt, ContactDynamicsSettings solver, const QuasiStaticSettings& quasiStatic)
        : world(std::move(start)) {
        rememberImpulses(true);
        settings.dt = dt;
        settings.contactDynamics = solver;
        settings.quasiStatic = quasiStatic;
        workspace.solverSettings = solverSettings(solver, world.seed);
        prepareStep(world, settings, workspace);
    }
    // Unless its contacts yield.
    void rememberImpulses(bool elastic) {
        if (world.contacts.areYielding()) return;
        if (elastic) {
            remember<ElasticMemory>();
        } else {
            remember<RigidMemory>();
        }
    }
    template <class Model>
    void remember() {
        if (!world.contacts.keepsSprings()) return convertMemory(world, Model{});
        world.contacts.memory.emplace<Model>();
        makeRoom(world, world.contacts.size(), world.contacts.memory);
    }
    StepOutcome step() { return stepOf(world, settings)(world, settings, workspace); }
    Diagnosis diagnose(const StepOutcome& outcome) { return talus::diagnose(world, settings, outcome, workspace); }
    void advance(double duration) {
        for (long left = std::lround(duration / settings.dt); left > 0; --left) step();
    }
    std::size_t at(std::uint32_t id) const { return indexOf(world.bodies, id); }
    Vec3 position(std::uint32_t id) const { return world.bodies.position[at(id)]; }
    Vec3 velocity(std::uint32_t id) const { return world.bodies.velocity[at(id)]; }
    Vec3 spin(std::uint32_t id) const { return world.bodies.spin[at(id)]; }
    EnergyBalance energy() const { return measureEnergy(world, sampleContacts(world)); }
};

}  // namespace talus::analytic
