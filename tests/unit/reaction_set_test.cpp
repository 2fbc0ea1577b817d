#include "problem/reaction_set.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/matrix3.hpp"
#include "base/random.hpp"
#include "problem/contact_problem.hpp"
#include "problem/plane_problem.hpp"

namespace talus {
namespace {

// Every kind of set, ordinary and extreme parameters.
std::vector<ReactionSet> everySet() {
    return {ReactionSet::frictionless(),
            ReactionSet::free(),
            ReactionSet::coulomb(0.5),
            ReactionSet::coulomb(1e-6),
            ReactionSet::coulomb(1e4),
            ReactionSet::shiftedCone(0.3, 0.7),
            ReactionSet::shiftedCone(0.8, 0.0),
            ReactionSet::conePlusBall(0.4, 0.6),
            ReactionSet::conePlusBall(0.0, 0.6),
            ReactionSet::cappedConePlusBall(0.7, 0.9, 0.3),
            ReactionSet::cappedConePlusBall(0.7, 0.9, 0.0),
            ReactionSet::ballOf(0.8)};
}

struct Sampler {
    explicit Sampler(std::uint32_t stream) : random(7, stream) {}
    Vec3 vector() { return random.inBox({-3, -3, -3}, {3, 3, 3}); }
    // Symmetric, positive definite, condition up to about a hundred.
    Mat3 metric() {
        const Quat q = rotationBy(vector());
        Mat3 w;
        const Vec3 axes[] = {rotate(q, {1, 0, 0}), rotate(q, {0, 1, 0}), rotate(q, {0, 0, 1})};
        for (const Vec3& axis : axes) w += std::pow(10.0, random.uniform(-1, 1)) * outer(axis, axis);
        return w;
    }
    Random random;
};

// Points of the set, among them many of its surface.
Vec3 memberOf(const ReactionSet& set, Sampler& sample) { return project(set, sample.vector()); }

TEST(ReactionSet, ProjectingTwiceIsProjectingOnce) {
    Sampler sample(1);
    for (const ReactionSet& set : everySet()) {
        for (int k = 0; k < 200; ++k) {
            const Vec3 p = project(set, sample.vector());
            EXPECT_LT(norm(project(set, p) - p), 1e-12);
            EXPECT_LT(violation(set, p), 1e-12);
        }
    }
}

TEST(ReactionSet, ProjectionBringsNoTwoPointsFurtherApart) {
    Sampler sample(2);
    for (const ReactionSet& set : everySet()) {
        for (int k = 0; k < 200; ++k) {
            const Vec3 a = sample.vector(), b = sample.vector();
            EXPECT_LE(norm(project(set, a) - project(set, b)), norm(a - b) * (1 + 1e-12));
        }
    }
}

TEST(ReactionSet, ProjectionMakesNoAcuteAngleWithAnyMember) {
    Sampler sample(3);
    for (const ReactionSet& set : everySet()) {
        for (int k = 0; k < 200; ++k) {
            const Vec3 x = sample.vector(), p = project(set, x), member = memberOf(set, sample);
            EXPECT_LE(dot(x - p, member - p), 1e-9);
        }
    }
}

TEST(ReactionSet, DerivativeOfProjectionAgreesWithDifferences) {
    Sampler sample(4);
    constexpr double h = 1e-6;
    for (const ReactionSet& set : everySet()) {
        for (int k = 0; k < 100; ++k) {
            const Vec3 x = sample.vector();
            const Mat3 derivative = projectionDerivative(set, x);
            for (int axis = 0; axis < 3; ++axis) {
                Vec3 step;
                step[axis] = h;
                // Not across a kink, where the two sides differ.
                const Vec3 forward = (project(set, x + step) - project(set, x)) / h;
                const Vec3 backward = (project(set, x) - project(set, x - step)) / h;
                if (norm(forward - backward) > 1e-4) continue;
                for (int row = 0; row < 3; ++row) EXPECT_NEAR(derivative(row, axis), forward[row], 1e-4);
            }
        }
    }
}

TEST(ReactionSet, SupportIsTheLargestProductWithAnyMember) {
    Sampler sample(5);
    for (const ReactionSet& set : everySet()) {
        for (int k = 0; k < 100; ++k) {
            const Vec3 u = sample.vector();
            const double largest = support(set, u);
            EXPECT_GE(largest, dot(memberOf(set, sample), u) - 1e-9);
            // A normal of the set at one of its points: there the bound is met.
            const Vec3 x = sample.vector(), p = project(set, x);
            Vec3 normal = x - p;
            if (norm(normal) < 1e-9) continue;
            normal.x -= 1e-12 * norm(x);  // round-off must not tip it towards where the set has no end
            EXPECT_NEAR(support(set, normal), dot(p, normal), 1e-9 * (1 + norm(p) + support(set, normal)));
        }
    }
}

TEST(ReactionSet, MinimiserSatisfiesTheVariationalInequality) {
    Sampler sample(6);
    for (const ReactionSet& set : everySet()) {
        for (int k = 0; k < 200; ++k) {
            const Mat3 w = sample.metric();
            const Vec3 q = sample.vector();
            const Vec3 g = minimise(set, w, q), slope = w * g + q;
            const double scale = norm(q) + norm(w * g);
            EXPECT_LT(violation(set, g), 1e-10 * (1 + norm(g)));
            // The natural map in the plain metric: zero just at the minimiser.
            EXPECT_LT(norm(g - project(set, g - slope / trace(w))), 1e-8 * scale)
                << "mu " << set.friction << " c " << set.cohesion << " cap " << set.cap << " ball " << set.ball;
        }
    }
}

TEST(ReactionSet, MetricOfOneIsThePlainProjection) {
    Sampler sample(7);
    for (const ReactionSet& set : everySet()) {
        for (int k = 0; k < 100; ++k) {
            const Vec3 x = sample.vector();
            EXPECT_LT(norm(minimise(set, identity3(), -x) - project(set, x)), 1e-9 * (1 + set.friction));
        }
    }
}

// Stretched tangents make the metric Euclidean and the cone another one.
TEST(ReactionSet, DiagonalMetricIsThePlainProjectionOnAStretchedSet) {
    Sampler sample(8);
    for (const ReactionSet& set : everySet()) {
        if (set.ball > 0) continue;
        for (int k = 0; k < 100; ++k) {
            const double normal = sample.random.uniform(0.1, 3), tangent = sample.random.uniform(0.1, 3);
            const double stretch = std::sqrt(tangent / normal);
            const Vec3 x = sample.vector(), scale{1, stretch, stretch};
            const Mat3 metric = diagonal3({normal, tangent, tangent});
            ReactionSet stretched = set;
            stretched.friction *= stretch;
            const Vec3 expected = hadamard({1, 1 / stretch, 1 / stretch}, project(stretched, hadamard(scale, x)));
            EXPECT_LT(norm(minimise(set, metric, -(metric * x)) - expected), 1e-9 * (1 + set.friction) * (1 + norm(x)));
        }
    }
}

TEST(ReactionSet, ParametersTendToTheSimplerSets) {
    Sampler sample(9);
    for (int k = 0; k < 100; ++k) {
        const Vec3 x = sample.vector();
        const Vec3 cone = project(ReactionSet::coulomb(0.5), x);
        EXPECT_EQ(project(ReactionSet::shiftedCone(0.5, 0), x), cone);
        EXPECT_EQ(project(ReactionSet::conePlusBall(0.5, 0), x), cone);
        EXPECT_EQ(project(ReactionSet::cappedConePlusBall(0.5, 1e300, 0), x), cone);
        EXPECT_LT(norm(project(ReactionSet::conePlusBall(0.5, 1e-9), x) - cone), 2e-9);
        const Vec3 line = project(ReactionSet::coulomb(0), x);
        EXPECT_EQ(line, (Vec3{std::max(0.0, x.x), 0, 0}));
        const Vec3 huge = project(ReactionSet::coulomb(1e12), x);  // a half-space
        EXPECT_LT(norm(huge - Vec3{std::max(0.0, x.x), x.y, x.z}), 1e-9);
    }
}

TEST(ReactionSet, FrictionlessContactsNeverPull) {
    EXPECT_EQ(project(ReactionSet::frictionless(), Vec3{-1, 0, 0}), Vec3{});
    EXPECT_EQ(project(ReactionSet::frictionless(), Vec3{-1, 2, 0}), Vec3{});
    EXPECT_EQ(project(ReactionSet::frictionless(), Vec3{1, 0, 0}), (Vec3{1, 0, 0}));
    EXPECT_EQ(violation(ReactionSet::frictionless(), Vec3{-1, 0, 0}), 1);
}

TEST(ReactionSet, OtherUnitsScaleTheSet) {
    Sampler sample(10);
    for (const ReactionSet& set : everySet()) {
        const Vec3 x = sample.vector();
        const ReactionSet scaled{set.friction, set.cohesion / 4, set.cap / 4, set.ball / 4, set.bilateral};
        EXPECT_LT(norm(4.0 * project(scaled, x / 4.0) - project(set, x)), 1e-12 * (1 + norm(x)));
    }
}

TEST(CoulombContact, ObeysSignoriniAndCoulomb) {
    Sampler sample(11);
    for (const double mu : {0.0, 1e-6, 0.1, 0.5, 1.0}) {
        for (int k = 0; k < 500; ++k) {
            // Normal and tangential directions coupled as in real contacts, not so that the law has no solution.
            Mat3 w = sample.metric();
            w(0, 1) *= 0.3, w(1, 0) *= 0.3, w(0, 2) *= 0.3, w(2, 0) *= 0.3;
            const Vec3 q = sample.vector();
            const Vec3 g = solveCoulomb(mu, w, q), u = w * g + q;
            const double tiny = 1e-9 * (norm(q) + norm(w * g)), slip = std::hypot(u.y, u.z);
            EXPECT_GE(u.x, -tiny);
            EXPECT_GE(g.x, 0);
            EXPECT_NEAR(u.x * g.x, 0, tiny * (1 + g.x));
            EXPECT_LE(std::hypot(g.y, g.z), mu * g.x + 1e-12 * (1 + g.x));
            // Friction opposes the slip with all its strength.
            EXPECT_NEAR(g.y * u.y + g.z * u.z, -mu * g.x * slip, tiny * (1 + norm(g)));
        }
    }
}

// The reaction is the point of the set that the law's velocity presses against, however strong friction is.
TEST(CoulombContact, WithACapOrABallObeysTheLawOfItsOwnSlip) {
    Sampler sample(13);
    for (const double mu : {0.1, 0.5, 1.0, 2.0, 5.0}) {
        for (const ReactionSet& set :
             {ReactionSet::conePlusBall(mu, 0.6), ReactionSet::cappedConePlusBall(mu, 0.9, 0.3),
              ReactionSet::cappedConePlusBall(mu, 0.9, 0.0)}) {
            for (int k = 0; k < 200; ++k) {
                Mat3 w = sample.metric();
                w(0, 1) *= 0.3, w(1, 0) *= 0.3, w(0, 2) *= 0.3, w(2, 0) *= 0.3;
                const Vec3 q = sample.vector();
                const Vec3 g = solveContact(set, FrictionLaw::coulomb, w, q), u = w * g + q;
                const Vec3 seen = u + Vec3{slipShift(set, u), 0, 0};
                EXPECT_LT(norm(project(set, g - seen) - g), 1e-9 * (1 + norm(g) + norm(seen))) << "mu " << mu;
            }
        }
    }
}

TEST(CoulombContact, AndTheAssociatedLawAgreeWhereNothingSlides) {
    Sampler sample(12);
    int sticking = 0;
    for (int k = 0; k < 200; ++k) {
        const Mat3 w = sample.metric();
        const Vec3 q = sample.vector();
        const Vec3 convex = solveContact(ReactionSet::coulomb(0.6), FrictionLaw::associated, w, q);
        if (norm(w * convex + q) > 1e-9) continue;
        ++sticking;
        EXPECT_LT(norm(convex - solveContact(ReactionSet::coulomb(0.6), FrictionLaw::coulomb, w, q)), 1e-9);
    }
    EXPECT_GT(sticking, 5);
}

// Impulses that fade from step to step get there.
TEST(FaintImpact, OfTheSmallestNumbersHasAFiniteReaction) {
    const Mat3 w = diagonal3({2, 3, 3});
    for (const double approach : {1e-300, 1e-310, 5e-324}) {
        for (const Vec3& g :
             {solveCoulomb(0.05, w, {-approach, 0.1, 0.2}), minimiseOnPlainCone(1e-310, w, {-approach, 0.1, 0.2})}) {
            EXPECT_TRUE(std::isfinite(g.x) && std::isfinite(g.y) && std::isfinite(g.z)) << approach;
            EXPECT_GE(g.x, 0);
        }
    }
}

}  // namespace
}  // namespace talus
