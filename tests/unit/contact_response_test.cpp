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

// Its stiffness is minus the derivative of its answer, at points of every kind: open, sticking and sliding.
TEST(ContactResponse, HasTheStiffnessOfFiniteDifferences) {
    Random random(1, 0);
    constexpr double h = 1e-6;
    for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
        for (const ReactionSet& set : sets) {
            for (int k = 0; k < 300; ++k) {
                const Mat3 c = randomCompliance(random);
                const Vec3 w = 2 * random.inBox({-1.5, -1, -1}, {0.5, 1, 1});
                const ContactResponse here = respond(set, law, c, w);
                for (int column = 0; column < 3; ++column) {
                    Vec3 d;
                    d[column] = h;
                    const Vec3 slope =
                        (respond(set, law, c, w + d).reaction - respond(set, law, c, w - d).reaction) / (2 * h);
                    for (int row = 0; row < 3; ++row) EXPECT_NEAR(slope[row], -here.stiffness(row, column), 1e-6);
                }
            }
        }
    }
}

// g minimises 1/2 g.C g + w.g: its envelope has the slope -g, whose derivative S is symmetric and not negative.
TEST(ContactResponse, IsTheSlopeOfAConvexEnergyForTheAssociatedLaw) {
    Random random(2, 0);
    for (int k = 0; k < 1000; ++k) {
        const Mat3 c = randomCompliance(random);
        const Vec3 w = 2 * random.inBox({-1.5, -1, -1}, {0.5, 1, 1});
        const Mat3 s = respond(ReactionSet::coulomb(0.6), FrictionLaw::associated, c, w).stiffness;
        const Vec3 d = random.inBox({-1, -1, -1}, {1, 1, 1});
        EXPECT_GE(dot(d, s * d), -1e-12);
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < row; ++column) EXPECT_NEAR(s(row, column), s(column, row), 1e-10);
        }
    }
}

TEST(ContactResponse, KnowsConesButNoCapsAndBalls) {
    for (const ReactionSet& set : sets) EXPECT_TRUE(hasResponse(set));
    EXPECT_FALSE(hasResponse(ReactionSet::conePlusBall(0.5, 1)));
    EXPECT_FALSE(hasResponse(ReactionSet::cappedConePlusBall(0.5, 1, 0)));
}

}  // namespace
}  // namespace talus
