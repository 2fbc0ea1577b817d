// Contacts of compounds: those of their parts, each with a name of its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "contacts/narrow/contact_points.hpp"
#include "contacts/narrow/convex/features.hpp"
#include "geometry/mass/principal_axes.hpp"
#include "geometry/mesh/mesh.hpp"
#include "geometry/solids/compound.hpp"
#include "unit/found_contacts.hpp"

namespace talus {
namespace {

CompoundBody::Part sphereAt(const Vec3& centre, double radius) { return {SphereShape{}, radius, {centre, {}}}; }

using samples::contactsOf;

std::vector<CompoundBody::Part> manySpheres(int count) {
    Random random(3, 0);
    std::vector<CompoundBody::Part> parts;
    for (int k = 0; k < count; ++k) {
        parts.push_back(sphereAt(random.inBox({-1, -1, -1}, {1, 1, 1}), random.uniform(0.1, 0.3)));
    }
    return parts;
}

TEST(CompoundContacts, OfClumpsAreThoseOfAllPairsOfSpheres) {
    const CompoundInPlace clump = makeCompound(manySpheres(40));
    const Shape shape = clump.shape;
    const ShapeInPlace a{&shape, 1, {{0, 0, 0}, rotationBy({0.1, 0.2, 0.3})}};
    const ShapeInPlace b{&shape, 0.5, {{1.2, 0.3, 0.4}, rotationBy({0.5, -0.2, 0.1})}};
    const auto found = contactsOf(a, b, 0.02);
    const auto worldOf = [&](const ShapeInPlace& body, const CompoundBody::Part& part) {
        return outOfFrame(body.pose, body.scale * part.pose.position);
    };
    std::vector<double> expected;
    for (const CompoundBody::Part& p : clump.shape.parts->parts) {
        for (const CompoundBody::Part& q : clump.shape.parts->parts) {
            const double gap = norm(worldOf(a, p) - worldOf(b, q)) - p.scale - 0.5 * q.scale;
            if (gap < 0.02) expected.push_back(gap);
        }
    }
    std::vector<double> gaps;
    for (const ContactPoint& point : found) gaps.push_back(point.gap);
    std::sort(gaps.begin(), gaps.end());
    std::sort(expected.begin(), expected.end());
    ASSERT_GT(expected.size(), 5u);
    ASSERT_EQ(gaps.size(), expected.size());
    for (std::size_t k = 0; k < gaps.size(); ++k) EXPECT_NEAR(gaps[k], expected[k], 1e-13);
}

TEST(CompoundContacts, OnAPlaneAreOnePerSphereBelowTheMargin) {
    const CompoundInPlace clump = makeCompound({sphereAt({-1, 0, 0}, 0.5), sphereAt({1, 0, 0}, 0.5)});
    const Shape shape = clump.shape, plane = PlaneWall{};
    const auto found = contactsOf({&shape, 1, {{0, 0, 0.499}, {}}}, {&plane}, 0);
    ASSERT_EQ(found.size(), 2u);
    for (const ContactPoint& point : found) {
        EXPECT_NEAR(point.gap, -0.001, 1e-13);
        EXPECT_NEAR(point.radius, 0.5, 1e-13);
        EXPECT_NEAR(std::abs(point.position.x), 1, 1e-13);
    }
    // The same names when it has moved.
    const auto later = contactsOf({&shape, 1, {{3, 0, 0.498}, {}}}, {&plane}, 0);
    ASSERT_EQ(later.size(), 2u);
    for (int k = 0; k < 2; ++k) EXPECT_EQ(found[k].feature, later[k].feature);
}

TEST(CompoundContacts, WithMeshesAndSolidsAreThoseOfTheParts) {
    const MeshInPlace floor = makeSurface(sheetMesh(10, 2));
    const CompoundInPlace table = makeCompound({{BoxShape{{0.5, 0.5, 0.05}}, 1, {{0, 0, 0.5}, {}}},
                                                {BoxShape{{0.05, 0.05, 0.25}}, 1, {{0.4, 0.4, 0.2}, {}}},
                                                {BoxShape{{0.05, 0.05, 0.25}}, 1, {{-0.4, 0.4, 0.2}, {}}},
                                                {BoxShape{{0.05, 0.05, 0.25}}, 1, {{0.4, -0.4, 0.2}, {}}},
                                                {BoxShape{{0.05, 0.05, 0.25}}, 1, {{-0.4, -0.4, 0.2}, {}}}});
    const Shape ground = floor.shape, body = table.shape, sphere = SphereShape{};
    Pose pose = table.pose;
    pose.position.z += 0.05 - 0.001;
    EXPECT_EQ(contactsOf({&body, 1, pose}, {&ground, 1, floor.pose}, 0).size(), 16u);
    const auto onTop = contactsOf({&sphere, 0.1, {{0.1, 0.2, 0.55 + 0.1 + 0.05 - 0.002}, {}}}, {&body, 1, pose}, 0);
    ASSERT_EQ(onTop.size(), 1u);
    EXPECT_NEAR(onTop[0].gap, -0.001, 1e-12);
    EXPECT_NEAR(onTop[0].normal.z, 1, 1e-12);
    const auto other = contactsOf({&body, 1, pose}, {&sphere, 0.1, {{0.1, 0.2, 0.55 + 0.1 + 0.05 - 0.002}, {}}}, 0);
    ASSERT_EQ(other.size(), 1u);
    EXPECT_NEAR(other[0].normal.z, -1, 1e-12);
}

TEST(CompoundContacts, LeastDistanceIsNeverMoreThanTheDistance) {
    const CompoundInPlace clump = makeCompound(manySpheres(30));
    const Shape shape = clump.shape, sphere = SphereShape{};
    Random random(9, 0);
    for (int n = 0; n < 300; ++n) {
        const Vec3 centre = random.inBox({-3, -3, -3}, {3, 3, 3});
        double least = 1e9;
        for (const CompoundBody::Part& part : clump.shape.parts->parts) {
            least = std::min(least, norm(centre - part.pose.position) - part.scale - 0.2);
        }
        EXPECT_LE(leastDistance({&sphere, 0.2, {centre, {}}}, {&shape, 1, {}}), std::max(0.0, least) + 1e-12);
    }
}

TEST(JoinedFeature, TellsOrdersAndNeighboursApart) {
    std::set<std::uint64_t> names;
    for (std::uint64_t a = 0; a < 100; ++a) {
        for (std::uint64_t b = 0; b < 100; ++b) names.insert(joinedFeature(a, b));
    }
    EXPECT_EQ(names.size(), 10000u);
}

}  // namespace
}  // namespace talus
