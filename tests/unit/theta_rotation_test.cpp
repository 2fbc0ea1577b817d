#include "step/theta_rotation.hpp"

#include <gtest/gtest.h>

#include "step/integrate.hpp"

namespace talus {
namespace {

struct Top {
    Vec3 inertia, spin, torque;
    Quat orientation = rotationBy({0.3, -0.2, 0.5});

    Vec3 momentum() const { return applyInBodyFrame(orientation, inertia, spin); }
    double energy() const { return 0.5 * dot(momentum(), spin); }
    void advance(double dt, double theta, int steps) {
        for (int k = 0; k < steps; ++k) {
            const RotationStep step = rotateByTheta(orientation, spin, inertia, torque, dt, theta);
            orientation = step.orientation;
            spin = step.spin;
        }
    }
};

constexpr Vec3 tumbling{0.1, 2, 0.3};  // near the middle axis of {1, 2, 3}

TEST(ThetaRotation, KeepsEnergyAndLengthOfTheMomentumWithThetaOneHalf) {
    Top top{{1, 2, 3}, tumbling, {}};
    const double energy = top.energy(), length = norm(top.momentum());
    top.advance(0.02, 0.5, 5000);
    EXPECT_NEAR(top.energy(), energy, 1e-11 * energy);
    EXPECT_NEAR(norm(top.momentum()), length, 1e-11 * length);
}

TEST(ThetaRotation, KeepsTheMomentumInTheWorldToItsOrder) {
    const auto error = [](double theta, double dt) {
        Top top{{1, 2, 3}, tumbling, {}};
        const Vec3 before = top.momentum();
        top.advance(dt, theta, static_cast<int>(std::lround(10 / dt)));
        return norm(top.momentum() - before) / norm(before);
    };
    EXPECT_NEAR(std::log2(error(0.5, 0.01) / error(0.5, 0.005)), 2, 0.1);
    EXPECT_NEAR(std::log2(error(0.8, 0.005) / error(0.8, 0.0025)), 1, 0.2);
    EXPECT_LT(error(0.5, 0.005), 1e-4);
}

TEST(ThetaRotation, LosesEnergyWithThetaAboveOneHalf) {
    for (const double theta : {0.6, 0.8, 1.0}) {
        Top top{{1, 2, 3}, tumbling, {}};
        double last = top.energy();
        for (int k = 0; k < 1000; ++k) {
            top.advance(0.05, theta, 1);
            EXPECT_LE(top.energy(), last * (1 + 1e-13));
            last = top.energy();
        }
    }
}

// The axis of a symmetric top goes around its angular momentum L at the rate L / I1.
TEST(ThetaRotation, LetsASymmetricTopPrecessAtTheKnownRate) {
    const auto error = [](double dt) {
        Top top{{2, 2, 0.5}, {1, 0.5, 3}, {}};
        const Vec3 momentum = top.momentum(), start = rotate(top.orientation, Vec3{0, 0, 1});
        top.advance(dt, 0.5, static_cast<int>(std::lround(4 / dt)));
        return norm(rotate(top.orientation, Vec3{0, 0, 1}) - rotate(rotationBy((4 / 2.0) * momentum), start));
    };
    EXPECT_LT(error(1e-3), 1e-5);
    EXPECT_NEAR(std::log2(error(2e-3) / error(1e-3)), 2, 0.1);
}

// The body turns over again and again, with a step of a thirtieth of a turn, for as long as one likes.
TEST(ThetaRotation, FlipsABodyAboutItsMiddleAxisForever) {
    Top top{{1, 2, 3}, {0, 6, 0}, {}};
    top.orientation = {};
    top.spin.x = 1e-3;
    int flips = 0;
    double side = 1;
    for (int k = 0; k < 100000; ++k) {
        top.advance(1.0 / 30, 0.5, 1);
        const double along = rotateBack(top.orientation, top.spin).y;
        if (along * side < -1) {
            side = -side;
            ++flips;
        }
    }
    EXPECT_GT(flips, 100);
    EXPECT_NEAR(top.energy(), 36, 1e-6);
}

TEST(ThetaRotation, ConvergesUnderATorqueOfConstantDirection) {
    const auto error = [](double theta, double dt) {
        Top top{{1, 2, 3}, tumbling, {0.3, -0.2, 0.1}};
        const Vec3 before = top.momentum();
        top.advance(dt, theta, static_cast<int>(std::lround(5 / dt)));
        return norm(top.momentum() - before - 5.0 * top.torque);
    };
    EXPECT_NEAR(std::log2(error(0.5, 0.01) / error(0.5, 0.005)), 2, 0.1);
    EXPECT_LT(error(0.5, 0.005), 1e-4);
}

TEST(ThetaRotation, OfABodyOfTheWorldIsTheSame) {
    WorldState world;
    world.gravity = {};
    world.materials.list = {{}};
    world.shapes.add(SphereShape{});
    Top top{{1, 2, 3}, tumbling, {0.3, -0.2, 0.1}};
    addBody(world, {.shape = 1, .radius = 0.1, .orientation = top.orientation, .spin = top.spin});
    world.bodies.inverseInertia[0] = inverseOf(top.inertia);
    world.bodies.torque[0] = top.torque;
    const TimeScheme time{0.01, 0.7};
    Bodies& b = world.bodies;
    for (int k = 0; k < 10; ++k) {
        // What reactions do to the mean spin of the step comes before the move.
        b.spin[0] += time.impulseTime() * applyInBodyFrame(b.orientation[0], b.inverseInertia[0], b.torque[0]);
        integratePositions(world, time, SphereOrientation::ignored);
    }
    top.advance(0.01, 0.7, 10);
    EXPECT_LT(norm(world.bodies.spin[0] - top.spin), 1e-14);
    EXPECT_NEAR(world.bodies.orientation[0].w, top.orientation.w, 1e-14);
}

}  // namespace
}  // namespace talus
