#include "problem/contact_response.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace talus {
namespace {

Mat3 randomCompliance(Random& random) {
    Mat3 a;
    for (double& entry : a.m) entry = random.uniform(-1, 1);
    return 0.3 * identity3() + 0.5 * (a * transpose(a));
}

const std::vector<ReactionSet> sets = {ReactionSet::coulomb(0.6), ReactionSet::frictionless(), ReactionSet::free(),
                                       ReactionSet::shiftedCone(0.4, 0.5)};

const std::vector<ReactionSet> yielding = {ReactionSet::cappedConePlusBall(0.6, 1.2, 0),
                                           {.friction = 0.4, .cohesion = 0.5, .cap = 0.7},
                                           {.cohesion = 0.4, .cap = 0.8},
                                           ReactionSet::conePlusBall(0.5, 0.4),
                                           {.friction = 0.4, .cohesion = 0.3, .cap = 0.9, .ball = 0.3},
                                           ReactionSet::ballOf(0.7)};

// How far the stiffness is from minus the derivative of the answer, by finite differences.
double stiffnessError(const ReactionSet& set, FrictionLaw law, const Mat3& c, const Vec3& w) {
    constexpr double h = 1e-6;
    const Mat3 stiffness = respond(set, law, c, w).stiffness;
    double worst = 0;
    for (int column = 0; column < 3; ++column) {
        Vec3 d;
        d[column] = h;
        const Vec3 slope = (respond(set, law, c, w + d).reaction - respond(set, law, c, w - d).reaction) / (2 * h);
        for (int row = 0; row < 3; ++row) worst = std::max(worst, std::abs(slope[row] + stiffness(row, column)));
    }
    return worst;
}

// At points of every kind: open, sticking and sliding.
TEST(ContactResponse, HasTheStiffnessOfFiniteDifferences) {
    Random random(1, 0);
    for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
        for (const ReactionSet& set : sets) {
            for (int k = 0; k < 300; ++k) {
                const Mat3 c = randomCompliance(random);
                EXPECT_LT(stiffnessError(set, law, c, 2 * random.inBox({-1.5, -1, -1}, {0.5, 1, 1})), 1e-6);
            }
        }
    }
}

// On caps, rims, balls and their borders; a few points lie within h of a kink.
TEST(ContactResponse, HasTheStiffnessOfFiniteDifferencesWithCapsAndBalls) {
    Random random(3, 0);
    for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
        for (const ReactionSet& set : yielding) {
            if (law == FrictionLaw::coulomb && set.ball > 0 && set.friction > 0) continue;
            int atKinks = 0;
            for (int k = 0; k < 300; ++k) {
                const Mat3 c = randomCompliance(random);
                const Vec3 w = 2 * random.inBox({-1.5, -1, -1}, {1, 1, 1});
                if (stiffnessError(set, law, c, w) > 1e-5) ++atKinks;
            }
            EXPECT_LE(atKinks, 1);
        }
    }
}

// g minimises 1/2 g.C g + w.g: its envelope has the slope -g, whose derivative S is symmetric and not negative.
TEST(ContactResponse, IsTheSlopeOfAConvexEnergyForTheAssociatedLaw) {
    Random random(2, 0);
    for (int k = 0; k < 1000; ++k) {
        const ReactionSet set = k % 2 == 0 ? ReactionSet::coulomb(0.6) : yielding[(k / 2) % yielding.size()];
        const Mat3 c = randomCompliance(random);
        const Vec3 w = 2 * random.inBox({-1.5, -1, -1}, {0.5, 1, 1});
        const Mat3 s = respond(set, FrictionLaw::associated, c, w).stiffness;
        const Vec3 d = random.inBox({-1, -1, -1}, {1, 1, 1});
        EXPECT_GE(dot(d, s * d), -1e-12);
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < row; ++column) EXPECT_NEAR(s(row, column), s(column, row), 1e-10);
        }
    }
}

}  // namespace
}  // namespace talus
