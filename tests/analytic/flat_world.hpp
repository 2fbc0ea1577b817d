// Planar worlds of bodies with NURBS outlines, and the methods that move them.
#pragma once

#include <array>

#include "analytic/analytic_world.hpp"
#include "geometry/nurbs/outline.hpp"
#include "unit/curve_samples.hpp"

namespace talus::analytic {

constexpr double gravity = 9.81;  // m/s^2
constexpr double radius = 0.1;    // m

inline Substance stone(double friction, double restitution = 0.2) {
    return {.kinds = {.normal = NormalLaw::hooke},
            .elastic = {.youngsModulus = 1e7},
            .contact = {.friction = friction, .restitution = restitution, .stiffness = 1e6},
            .density = 1000};
}

// The plane of the scene is xy, gravity along -y.
inline WorldState flatWorld(const Substance& substance) {
    WorldState world = makeWorld(substance);
    world.linearFreedom = {1, 1, 0};
    world.angularFreedom = {0, 0, 1};
    world.gravity = {0, -gravity, 0};
    return world;
}

inline Shape outlineShape(const NurbsDefinition& definition, double tolerance = 0) {
    return makeOutlineShape(definition, {.gapTolerance = tolerance}).shape;
}

struct Start {
    Vec2 position, velocity;     // m, m/s
    double angle = 0, spin = 0;  // rad, rad/s
    bool fixed = false;
};

inline std::uint32_t addFlat(WorldState& world, const Shape& shape, const Start& s) {
    return addBody(world, {.shape = world.shapes.add(shape),
                           .radius = boundingRadius(shape),
                           .position = {s.position.x, s.position.y, 0},
                           .orientation = rotationBy({0, 0, s.angle}),
                           .velocity = {s.velocity.x, s.velocity.y, 0},
                           .spin = {0, 0, s.spin},
                           .fixed = s.fixed});
}

// The half space y < 0, or another one that this turn about z makes of it.
inline std::uint32_t addFlatFloor(WorldState& world, const Vec2& at = {}, double turn = 0) {
    return addBody(world, {.shape = world.shapes.add(PlaneWall{}),
                           .position = {at.x, at.y, 0},
                           .orientation = rotationBy({0, 0, turn}) * rotationBy({-test::pi / 2, 0, 0})});
}

enum class Kind { penalty, rigid, theta, quasiStatic };
constexpr std::array moving{Kind::penalty, Kind::rigid, Kind::theta};

inline ContactDynamicsSettings solver(ContactKind contacts) {
    return {.solver = SolverKind::gaussSeidel, .tolerance = 1e-10, .maxIterations = 100000, .contacts = contacts};
}

inline Trial start(WorldState world, Kind kind, double step = 1e-3) {
    if (kind == Kind::penalty) return Trial(std::move(world), 5e-5);
    if (kind == Kind::rigid) return Trial(std::move(world), step, solver(ContactKind::rigid));
    if (kind == Kind::quasiStatic) return Trial(std::move(world), step, solver(ContactKind::elastic), {});
    ContactDynamicsSettings settings = solver(ContactKind::elastic);
    settings.theta = 0.7;
    return Trial(std::move(world), step, settings);
}

inline double massOf(const Shape& shape) { return 1000 * massProperties(shape).volume; }

}  // namespace talus::analytic
