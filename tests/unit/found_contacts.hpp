// The contact points of two bodies, for tests of the narrow phase.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "contacts/narrow/contact_points.hpp"
#include "unit/sample_meshes.hpp"

namespace talus::samples {

// Points are always in the order of their features, and no two have the same one.
inline std::vector<ContactPoint> contactsOf(const ShapeInPlace& a, const ShapeInPlace& b, double margin) {
    std::vector<ContactPoint> points;
    findContactPoints(a, b, margin, points);
    for (std::size_t k = 1; k < points.size(); ++k) EXPECT_LT(points[k - 1].feature, points[k].feature);
    return points;
}

// A solid with a flat square base overlaps an open sheet of n x n squares by 1 mm, here and as far on its other side.
inline void expectPushedToItsSideOfASheet(const Shape& solid, int n, const Vec3& position) {
    const MeshInPlace sheet = makeSurface(sheetMesh(n, 1));
    const Shape surface = sheet.shape;
    for (const double side : {-1.0, 1.0}) {
        const Pose pose{{position.x, position.y, side * position.z}, {}};
        const auto found = contactsOf({&solid, 1, pose}, {&surface, 1, sheet.pose}, 0);
        ASSERT_EQ(found.size(), 4u);
        for (const ContactPoint& point : found) {
            EXPECT_NEAR(point.gap, -0.001, 1e-12);
            EXPECT_NEAR(point.normal.z, side, 1e-12);
        }
    }
}

}  // namespace talus::samples
