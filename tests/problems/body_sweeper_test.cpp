// Gauss-Seidel over bodies of any shape: the closed form at contacts of spheres, the 3 x 3 problem at others, each
// against sweeps that know no such difference.
#include <gtest/gtest.h>

#include <numeric>

#include "problems/sphere_problems.hpp"
#include "talus/solver.hpp"

namespace talus {
namespace {

ContactProblem pile() { return makeLatticePile({.jitter = 0.05, .velocity = {0.01, 0.004, 0}}, 2, 3, 2); }

ContactProblem withBodies(const ContactProblem& p, const BodyContacts& bodies) {
    ContactProblem other = p;
    other.contacts = bodies;
    return other;
}

std::vector<Vec3> sweep(const ContactProblem& p, FrictionLaw law) {
    SolverSettings settings;
    settings.law = law;
    settings.fixedIterations = 40;
    settings.gaussSeidel.sweep = SweepOrder::given;
    settings.gaussSeidel.order.resize(p.contactCount());
    std::iota(settings.gaussSeidel.order.rbegin(), settings.gaussSeidel.order.rend(), 0u);
    return solve(p, settings).reactions;
}

void expectSame(const ContactProblem& p, const ContactProblem& q) {
    for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
        const std::vector<Vec3> a = sweep(p, law), b = sweep(q, law);
        double size = 0;
        for (const Vec3& g : a) size = std::max(size, norm(g));
        ASSERT_GT(size, 0);
        for (std::size_t k = 0; k < a.size(); ++k) EXPECT_LT(norm(a[k] - b[k]), 1e-11 * size) << "contact " << k;
    }
}

// W written out, whose sweeps solve every contact as a 3 x 3 problem.
ContactProblem asMatrix(const ContactProblem& p) {
    ContactProblem matrix = p;
    std::visit([&](const auto& op) { matrix.contacts = asBlockMatrix(op); }, p.contacts);
    return matrix;
}

const BodyContacts& bodiesOf(const ContactProblem& p) { return std::get<BodyContacts>(p.contacts); }

TEST(BodySweeper, DoesTheSameByClosedFormAsContactByContact) {
    const ContactProblem p = pile();
    expectSame(p, withBodies(p, asBlocks(bodiesOf(p))));
    expectSame(p, withBodies(p, asArms(bodiesOf(p))));
    expectSame(p, asMatrix(p));
}

TEST(BodySweeper, DoesTheSameIfWhatCannotMoveIsTheFirstBody) {
    ContactProblem p = pile();
    auto& spheres = std::get<BodyContacts>(p.contacts);
    std::size_t turned = 0;
    for (std::size_t k = 0; k < p.contactCount(); ++k) {
        ContactRow& c = spheres.contacts[k];
        if (c.b != 0) continue;
        p.offset[k] = contactFrame(-c.normal).toLocal(-contactFrame(c.normal).toWorld(p.offset[k]));
        c = {-c.normal, 0, c.leverA, 0, c.a};
        ++turned;
    }
    ASSERT_GT(turned, 0u);
    spheres.finish();
    expectSame(p, asMatrix(p));
}

TEST(BodySweeper, MixesSpheresWithBodiesThatTurnUnevenly) {
    const ContactProblem p = pile();
    BodyContacts bodies = asArms(bodiesOf(p), 3);
    for (MassBlock& mass : bodies.masses) mass[28] *= 1.7;
    const ContactProblem mixed = withBodies(p, bodies);
    expectSame(mixed, asMatrix(mixed));
}

TEST(BodySweeper, MixesSpheresWithContactsBesideTheCentresOfBodies) {
    const ContactProblem p = pile();
    BodyContacts bodies = asArms(bodiesOf(p), 4);
    ASSERT_FALSE(bodies.arms.empty());
    for (BodyContacts::Arms& arms : bodies.arms) arms.a += Vec3{1e-4, -2e-4, 1e-4};
    const ContactProblem mixed = withBodies(p, bodies);
    expectSame(mixed, asMatrix(mixed));
}

TEST(BodySweeper, KnowsCompliantSpheresByClosedFormIfTangentsAreAlike) {
    ContactProblem p = pile();
    p.compliance.resize(p.contactCount());
    for (std::size_t k = 0; k < p.contactCount(); ++k) {
        const double w = p.diagonal(k)(0, 0), tangential = 0.03 * w * static_cast<double>(k % 3);
        p.compliance[k] = diagonal3({0.1 * w, tangential, tangential});
    }
    expectSame(p, asMatrix(p));
    p.compliance[2](2, 2) *= 1.5;  // no closed form any more
    expectSame(p, asMatrix(p));
}

TEST(BodySweeper, MixesSpheresWithBilateralRowsAndTheirCompliance) {
    ContactProblem p = pile();
    BodyContacts bodies = asArms(bodiesOf(p), 3);
    p.compliance.resize(p.contactCount());
    for (std::size_t k = 0; k < p.contactCount(); ++k) {
        if (bodies.kind(k) == RowKind::round) continue;
        p.sets[k] = ReactionSet::free();
        p.compliance[k] = diagonal3({1e3, 2e3, 3e3});
    }
    const ContactProblem mixed = withBodies(p, bodies);
    expectSame(mixed, asMatrix(mixed));
}

TEST(BodySweeper, SolvesCohesiveContactsBesidePlainOnes) {
    ContactProblem p = pile();
    for (std::size_t k = 0; k < p.contactCount(); k += 5) p.sets[k].cohesion = 1e-6;
    p.sets[1] = ReactionSet::free();
    expectSame(p, asMatrix(p));
    expectSame(p, withBodies(p, asBlocks(bodiesOf(p))));
}

}  // namespace
}  // namespace talus
