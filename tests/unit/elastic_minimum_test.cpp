#include "experiments/olsen2018/pyramid/elastic_minimum.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus::reproduce {
namespace {

// One body of weight 1 on supports whose springs push along the given normals.
SpringNetwork bodyOn(const std::vector<Spring>& springs, double power) {
    SpringNetwork network{.load = {{0, 0, -1}}, .fixed = {false}, .springs = springs, .power = power};
    for (std::size_t k = 0; k < springs.size(); ++k) {
        network.load.push_back({});
        network.fixed.push_back(true);
        network.springs[k].a = 0;
        network.springs[k].b = k + 1;
    }
    return network;
}

// Three legs: one straight up, two aslant, so that every direction is held.
std::vector<Spring> tripod(double stiffnessOfTheMiddle) {
    const double s = std::sqrt(0.5), t = std::sqrt(0.75);
    return {{.normal = {0, 0, 1}, .stiffness = stiffnessOfTheMiddle},
            {.normal = {s, 0, s}},
            {.normal = {-s * 0.5, s * t, s}},
            {.normal = {-s * 0.5, -s * t, s}}};
}

TEST(ElasticMinimum, SharesALoadAsSpringsInParallelDo) {
    // A descent u shortens the middle leg by u, the others by u/sqrt(2): forces k u and u/sqrt(2), heights k u and u/2.
    const NetworkForces answer = minimiseElasticEnergy(bodyOn(tripod(3), 2));
    const double descent = 1 / (3 + 1.5);
    EXPECT_NEAR(answer.force[0], 3 * descent, 1e-12);
    for (std::size_t k = 1; k < 4; ++k) EXPECT_NEAR(answer.force[k], descent * std::sqrt(0.5), 1e-12);
    EXPECT_LT(answer.unbalanced, 1e-12);
}

TEST(ElasticMinimum, SharesALoadByHertzsPower) {
    // Now forces are k u^1.5 and (u/sqrt(2))^1.5.
    const NetworkForces answer = minimiseElasticEnergy(bodyOn(tripod(1), 2.5));
    const double slanted = std::pow(0.5, 0.75), total = 1 + 3 * slanted * std::sqrt(0.5);
    EXPECT_NEAR(answer.force[0], 1 / total, 1e-12);
    EXPECT_NEAR(answer.force[1], slanted / total, 1e-12);
}

TEST(ElasticMinimum, LeavesSpringsThatWouldPullWithoutForce) {
    std::vector<Spring> legs = tripod(1);
    legs.push_back({.normal = {0, 0, -1}});  // above the body, which goes down
    const NetworkForces answer = minimiseElasticEnergy(bodyOn(legs, 2));
    EXPECT_EQ(answer.force[4], 0);
    EXPECT_NEAR(answer.force[0], 1 / 2.5, 1e-9);
}

}  // namespace
}  // namespace talus::reproduce
