// Solids of any shape, and trials of them with both methods.
#pragma once

#include "analytic/analytic_world.hpp"

namespace talus::analytic {

inline constexpr double gravity = 9.81;  // m/s^2

inline Substance wood(double friction, double restitution = 0.2) {
    return {.kinds = {.normal = NormalLaw::hooke},
            .elastic = {.youngsModulus = 1e7},
            .contact = {.friction = friction, .restitution = restitution, .stiffness = 1e6},
            .density = 800};
}

inline std::uint32_t addSolid(WorldState& world, const Shape& shape, const Vec3& position, const Quat& orientation = {},
                              const Vec3& velocity = {}, const Vec3& spin = {}) {
    return addBody(world, {.shape = world.shapes.add(shape),
                           .radius = boundingRadius(shape),
                           .position = position,
                           .orientation = orientation,
                           .velocity = velocity,
                           .spin = spin});
}

enum class Kind { penalty, rigid };
inline constexpr Kind both[] = {Kind::penalty, Kind::rigid};

struct Steps {
    double penalty, rigid;  // s
};

inline Trial start(WorldState world, Kind run, const Steps& steps) {
    if (run == Kind::penalty) return Trial(std::move(world), steps.penalty);
    return Trial(
        std::move(world), steps.rigid,
        ContactDynamicsSettings{.solver = SolverKind::gaussSeidel, .tolerance = 1e-10, .maxIterations = 100000});
}

inline double massOf(const WorldState& world, const Shape& shape) {
    return world.materials.list[0].density * massProperties(shape).volume;
}

}  // namespace talus::analytic
