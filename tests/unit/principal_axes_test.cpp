// Principal axes: the choice of the frame, and that it diagonalises.
#include "geometry/mass/principal_axes.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace talus {
namespace {

Mat3 inAxes(const Mat3& symmetric, const Mat3& axes) { return transpose(axes) * symmetric * axes; }

Mat3 turned(const Vec3& values, const Quat& q) {
    Mat3 m;
    for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        m += values[k] * outer(rotate(q, axis), rotate(q, axis));
    }
    return m;
}

Vec3 columnOf(const Mat3& a, int k) { return {a(0, k), a(1, k), a(2, k)}; }

TEST(PrincipalAxes, OfRandomMatricesMakeThemDiagonalInARightHandedFrame) {
    Random random(1, 0);
    for (int n = 0; n < 200; ++n) {
        const Vec3 values = random.inBox({0.1, 0.1, 0.1}, {3, 3, 3});
        const Mat3 m = turned(values, rotationBy(random.inBox({-3, -3, -3}, {3, 3, 3})));
        const PrincipalAxes p = principalAxes(m);
        const Mat3 d = inAxes(m, p.axes);
        for (int i = 0; i < 3; ++i) {
            EXPECT_NEAR(d(i, i), p.values[i], 1e-13);
            EXPECT_NEAR(d(i, (i + 1) % 3), 0, 1e-13);
        }
        EXPECT_NEAR(dot(cross(columnOf(p.axes, 0), columnOf(p.axes, 1)), columnOf(p.axes, 2)), 1, 1e-13);
    }
}

TEST(PrincipalAxes, OfABodyDrawnAlongTheAxesAreTheAxesInTheirOrder) {
    for (const Vec3 values : {Vec3{3, 1, 2}, Vec3{1, 2, 3}, Vec3{2, 2, 1}, Vec3{1, 2, 2}, Vec3{2, 2, 2}}) {
        EXPECT_EQ(principalAxes(diagonal3(values)).axes, identity3());
    }
}

TEST(PrincipalAxes, OfEqualMomentsDoNotHangOnRoundOff) {
    Random random(2, 0);
    for (int n = 0; n < 50; ++n) {
        Mat3 cube = diagonal3({1, 1, 1});
        Mat3 prism = diagonal3({1, 1, 2});
        for (int i = 0; i < 3; ++i) {
            const double noise = random.uniform(-1e-13, 1e-13);
            const int j = (i + 1) % 3;
            cube(i, j) = cube(j, i) = noise;
            prism(i, j) = prism(j, i) = noise;
        }
        EXPECT_EQ(principalAxes(cube).axes, identity3());
        const Mat3 axes = principalAxes(prism).axes;
        for (int k = 0; k < 9; ++k) EXPECT_NEAR(axes.m[k], identity3().m[k], 1e-12);
    }
}

TEST(PrincipalAxes, OfATiltedPrismHaveTheirFreeAxisFromTheFrame) {
    const Mat3 m = turned({1, 1, 2}, rotationBy({0.3, 0.4, 0}));
    const PrincipalAxes p = principalAxes(m);
    const Mat3 d = inAxes(m, p.axes);
    EXPECT_NEAR(d(0, 1), 0, 1e-9);
    EXPECT_NEAR(d(1, 2), 0, 1e-9);
    EXPECT_NEAR(p.values.z, 2, 1e-12);
    EXPECT_NEAR(norm(columnOf(p.axes, 2) - rotate(rotationBy({0.3, 0.4, 0}), {0, 0, 1})), 0, 1e-12);
}

TEST(PrincipalAxes, RotationsFromColumnsTurnTheAxesIntoThem) {
    Random random(3, 0);
    for (int n = 0; n < 200; ++n) {
        const Quat q = rotationBy(random.inBox({-3, -3, -3}, {3, 3, 3}));
        Mat3 axes;
        for (int k = 0; k < 3; ++k) {
            Vec3 axis;
            axis[k] = 1;
            const Vec3 image = rotate(q, axis);
            for (int row = 0; row < 3; ++row) axes(row, k) = image[row];
        }
        const Vec3 v = random.inBox({-1, -1, -1}, {1, 1, 1});
        EXPECT_NEAR(norm(rotate(rotationWithColumns(axes), v) - rotate(q, v)), 0, 1e-14);
    }
}

TEST(MassMoments, OfASolidInPlaceGiveItsOwnFrameBack) {
    const MassProperties brick{2, {3, 4, 5}};
    const Pose pose{{1, -2, 3}, rotationBy({0.2, -0.3, 0.1})};
    const PrincipalFrame frame = principalFrame(momentsInPlace(brick, pose));
    EXPECT_NEAR(norm(frame.pose.position - pose.position), 0, 1e-14);
    EXPECT_NEAR(norm(frame.mass.inertia - brick.inertia), 0, 1e-12);
    EXPECT_NEAR(norm(rotate(frame.pose.orientation, {1, 2, 3}) - rotate(pose.orientation, {1, 2, 3})), 0, 1e-12);
}

}  // namespace
}  // namespace talus
