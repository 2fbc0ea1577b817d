// Small machines with known answers, for both methods.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "analytic/analytic_world.hpp"
#include "model/joint_geometry.hpp"
#include "model/joint_state.hpp"

namespace talus::analytic {

inline constexpr double gravity = 9.81;  // m/s^2

// Gravity down along z; bodies do not meet unless a test wants them to.
inline WorldState machineWorld() {
    WorldState world = makeWorld({.kinds = {.normal = NormalLaw::hooke}, .contact = {.stiffness = 1e5}});
    world.gravity = {0, 0, -gravity};
    return world;
}

// Moment of inertia of a sphere.
inline double inertiaOf(double radius) { return 0.4 * massOf(radius) * radius * radius; }

// Both methods, for tests that hold for either.
enum class Way { penalty, contactDynamics };
inline const auto bothWays = testing::Values(Way::penalty, Way::contactDynamics);
inline std::string nameOfWay(const testing::TestParamInfo<Way>& way) {
    return way.param == Way::penalty ? "Penalty" : "ContactDynamics";
}

inline ContactDynamicsSettings machineSettings(SolverKind solver = SolverKind::automatic) {
    return {.solver = solver, .tolerance = 1e-9, .maxIterations = 100000};
}

inline Trial trialOf(WorldState world, Way way, double dt) {
    if (way == Way::penalty) return {std::move(world), dt};
    return {std::move(world), dt, machineSettings()};
}

inline JointCoordinates coordinates(const WorldState& world, std::size_t joint) {
    std::vector<JointIndices> indices;
    findJointBodies(world, indices);
    return coordinatesOf(world, joint, indices[joint]);
}

// How far the worst joint is off in what it holds, m and rad together.
inline double worstError(const WorldState& world) {
    std::vector<JointIndices> indices;
    findJointBodies(world, indices);
    double worst = 0;
    for (std::size_t j = 0; j < world.joints.size(); ++j) {
        const auto end = [&](std::uint32_t i) { return i == theWorld ? JointEnd{} : endOf(world.bodies, i); };
        const Joint& joint = world.joints.list[j];
        const JointPlace place = placeOf(joint, end(indices[j][0]), end(indices[j][1]), world.domain.period());
        for (const HeldRows& rows : {heldDirections(joint, place), heldTurns(joint, place)}) {
            for (std::size_t k = 0; k < rows.count; ++k) worst = std::max(worst, std::abs(rows.error[k]));
        }
    }
    return worst;
}

}  // namespace talus::analytic
