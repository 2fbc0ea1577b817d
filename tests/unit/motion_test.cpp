#include "model/prescribed_motion.hpp"

#include <gtest/gtest.h>

namespace talus {
namespace {

const Pose start{{1, 2, 3}, rotationBy({0.1, 0.2, 0.3})};

const std::vector<MotionLaw> everyLaw{ConstantMotion{{1, -2, 0.5}, {0, 0, 3}}, SineMotion{{0.1, 0, 0.2}, 2.5, 0.4},
                                      RotationMotion{{1, 1, 0}, {0, 1, 1}, 2.0},
                                      TableMotion{{0, 1, 3}, {{0, 0, 0}, {2, 0, 1}, {-1, 0, 0}}}};

TEST(Motion, StartsAtTheBodysOwnPose) {
    for (const MotionLaw& law : everyLaw) {
        EXPECT_LT(norm(evaluateMotion({law, start}, 0).pose.position - start.position), 1e-14);
        const Vec3 axis = rotate(evaluateMotion({law, start}, 0).pose.orientation, Vec3{1, 0, 0});
        EXPECT_LT(norm(axis - rotate(start.orientation, Vec3{1, 0, 0})), 1e-14);
    }
}

TEST(Motion, HasTheVelocityAndSpinThatItsPoseShows) {
    const double h = 1e-5;
    for (const MotionLaw& law : everyLaw) {
        for (const double t : {0.2, 0.9, 1.7, 2.8, 3.5}) {
            const MotionState before = evaluateMotion({law, start}, t - h), after = evaluateMotion({law, start}, t + h);
            const MotionState now = evaluateMotion({law, start}, t);
            EXPECT_LT(norm((after.pose.position - before.pose.position) / (2 * h) - now.velocity), 1e-7);
            for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}}) {
                const Vec3 moved = rotate(after.pose.orientation, axis) - rotate(before.pose.orientation, axis);
                EXPECT_LT(norm(moved / (2 * h) - cross(now.spin, rotate(now.pose.orientation, axis))), 1e-7);
            }
        }
    }
}

TEST(Motion, OfATableIsTheAreaUnderItsVelocity) {
    const Motion motion{TableMotion{{0, 1, 3}, {{0, 0, 0}, {2, 0, 0}, {-1, 0, 0}}}, start};
    EXPECT_NEAR(evaluateMotion(motion, 1).pose.position.x - 1, 1, 1e-14);
    EXPECT_NEAR(evaluateMotion(motion, 3).pose.position.x - 1, 1 + 1, 1e-14);
    EXPECT_NEAR(evaluateMotion(motion, 5).pose.position.x - 1, 2 - 2, 1e-14) << "the last velocity goes on";
}

TEST(Motion, OfATableThatStartsLaterHasItsFirstVelocityUntilThen) {
    const Motion motion{TableMotion{{2, 4}, {{3, 0, 0}, {5, 0, 0}}}, start};
    EXPECT_NEAR(evaluateMotion(motion, 1).pose.position.x - 1, 3, 1e-14);
    EXPECT_NEAR(evaluateMotion(motion, 1).velocity.x, 3, 1e-14);
    EXPECT_NEAR(evaluateMotion(motion, 4).pose.position.x - 1, 6 + 8, 1e-14);
}

TEST(Motion, OfARotationKeepsTheDistanceFromItsAxis) {
    const Motion motion{RotationMotion{{0, 0, 2}, {1, 1, 0}, 0.5}, start};
    const MotionState quarter = evaluateMotion(motion, M_PI);
    EXPECT_LT(norm(quarter.pose.position - Vec3{0, 1, 3}), 1e-14) << "a quarter turn about (1, 1)";
    EXPECT_LT(norm(quarter.velocity - Vec3{0, -0.5, 0}), 1e-14);
}

}  // namespace
}  // namespace talus
