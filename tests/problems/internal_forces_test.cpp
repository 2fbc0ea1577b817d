#include "solvers/interior/internal_forces.hpp"

#include <gtest/gtest.h>

#include "problems/problem_collection.hpp"

namespace talus {
namespace {

// A ball of 2 kg that touches fixed planes with these normals.
ContactProblem ballBetween(const std::vector<Vec3>& normals, double friction) {
    BodyContacts contacts;
    contacts.inverseMass = {0.5, 0};
    contacts.inverseInertia = {1.25, 0};
    for (const Vec3& normal : normals) contacts.contacts.push_back({normal, 1, 0, 0, 1});
    contacts.finish();
    ContactProblem p;
    p.contacts = contacts;
    p.sets.assign(normals.size(), ReactionSet::coulomb(friction));
    p.offset.assign(normals.size(), Vec3{-1, 0, 0});
    return p;
}

// The planes of a groove; their normals rise by this angle.
ContactProblem ballInGroove(double angle, double friction) {
    const double c = std::cos(angle), s = std::sin(angle);
    return ballBetween({{c, 0, s}, {-c, 0, s}}, friction);
}

TEST(InternalForces, AreThereBetweenPlatesButNotOnAFloor) {
    for (const double friction : {0.0, 0.3}) {
        EXPECT_FALSE(hasInternalForces(ballBetween({{0, 0, 1}}, friction)));
        EXPECT_TRUE(hasInternalForces(ballBetween({{0, 0, 1}, {0, 0, -1}}, friction)));
    }
}

// Forces along the line between the two points of contact lie within the cones if the friction angle is larger.
TEST(InternalForces, AreThereInAGrooveThatIsSteeperThanFriction) {
    for (const double angle : {0.1, 0.4, 0.8}) {
        EXPECT_TRUE(hasInternalForces(ballInGroove(angle, 1.05 * std::tan(angle)))) << angle;
        EXPECT_FALSE(hasInternalForces(ballInGroove(angle, 0.95 * std::tan(angle)))) << angle;
        EXPECT_FALSE(hasInternalForces(ballInGroove(angle, 0))) << angle;
    }
}

TEST(InternalForces, AreNotThereWithCompliance) {
    EXPECT_FALSE(
        hasInternalForces(withCompliance(ballBetween({{0, 0, 1}, {0, 0, -1}}, 0.3), diagonal3({0.1, 0.1, 0.1}))));
}

// A body-centred lattice between the sides of a box without a lid: it can be pushed out upwards unless it is rough.
TEST(InternalForces, AreFoundInRoughPilesOfManySpheres) {
    EXPECT_TRUE(hasInternalForces(makeSmallPile(2, {}, 3)));
    EXPECT_FALSE(hasInternalForces(makeSmallPile(0, {}, 3)));
    EXPECT_FALSE(hasInternalForces(ContactProblem{}));
}

}  // namespace
}  // namespace talus
