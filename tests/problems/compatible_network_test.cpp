// The two-step form of compatible reactions against closed forms, dense algebra and its own conditions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "problems/redundant_problems.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

const BodyContacts& spheresOf(const ContactProblem& p) { return std::get<BodyContacts>(p.contacts); }

std::vector<Vec3> compatible(const ContactProblem& p, const std::vector<RelativeStiffness>& k, double power,
                             std::vector<Vec3> g, CompatibleMethod method = CompatibleMethod::newton) {
    CompatibleSolver solver({.method = method, .power = power, .tolerance = 1e-8});
    const CompatibleReport report = solver.redistribute(p, k, g);
    EXPECT_EQ(nameOf(report.solve.status), "converged") << "power " << power;
    return g;
}

double largestForce(const std::vector<Vec3>& g) { return normalParts(g).maxCoeff(); }

// A bar of mass 3 on supports at given places, stopped from 1 m/s: three impulses add up to 3.
ContactProblem makeBeam(const std::vector<double>& places, double mass = 3) {
    BodyContacts contacts;
    MassBlock inverseMass{};
    for (int k = 0; k < 6; ++k) inverseMass[static_cast<std::size_t>(7 * k)] = k < 3 ? 1 / mass : 0.5;
    contacts.addBody(inverseMass);
    ContactProblem p;
    for (const double x : places) {
        BlockRow c{.a = 0};
        c.blockA = {0, 0, 1, 0, -x, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, x};
        contacts.add(c);
        p.sets.push_back(ReactionSet::frictionless());
        p.offset.push_back({-1, 0, 0});
    }
    contacts.finish();
    p.contacts = contacts;
    return p;
}

TEST(BeamOnThreeSupports, SharesItsWeightByStiffnessWhateverThePower) {
    const ContactProblem beam = makeBeam({-1, 0, 1}, 10);
    const std::vector<Vec3> unequal{{5, 0, 0}, {0, 0, 0}, {5, 0, 0}};
    for (const double power : {1.2, 1.5, 2.0, 2.5, 4.0}) {
        for (const Vec3& g : compatible(beam, {{1}, {1}, {1}}, power, unequal)) EXPECT_NEAR(g.x, 10.0 / 3, 1e-12);
        const std::vector<Vec3> g = compatible(beam, {{1}, {3}, {1}}, power, unequal);
        EXPECT_NEAR(g[0].x, 2, 1e-11);
        EXPECT_NEAR(g[1].x, 6, 1e-11);
        EXPECT_NEAR(g[2].x, 2, 1e-11);
    }
}

// Compressions are a + b x. Balance of moments about the middle of the beam gives b/a, that of forces a.
TEST(TiltedBeam, FollowsHookeAndHertzInClosedForm) {
    const ContactProblem beam = makeBeam({-1, 0, 2});
    const std::vector<Vec3> hooke = compatible(beam, {{1}, {1}, {1}}, 2, {{2, 0, 0}, {0, 0, 0}, {1, 0, 0}});
    EXPECT_NEAR(hooke[0].x, 18.0 / 14, 1e-12);
    EXPECT_NEAR(hooke[1].x, 15.0 / 14, 1e-12);
    EXPECT_NEAR(hooke[2].x, 9.0 / 14, 1e-12);

    const double s = std::pow(2.0, 2.0 / 3), tilt = (1 - s) / (1 + 2 * s);
    const double left = std::pow(1 - tilt, 1.5), right = std::pow(1 + 2 * tilt, 1.5), unit = 3 / (left + 1 + right);
    const std::vector<Vec3> hertz = compatible(beam, {{1}, {1}, {1}}, 2.5, {{2, 0, 0}, {0, 0, 0}, {1, 0, 0}});
    EXPECT_NEAR(hertz[0].x, left * unit, 1e-12);
    EXPECT_NEAR(hertz[1].x, unit, 1e-12);
    EXPECT_NEAR(hertz[2].x, right * unit, 1e-12);
}

// The soft support under the heavy end would be lifted by linear springs that also pull: it bears nothing.
TEST(TiltedBeam, LiftsOffWhereSpringsWouldHaveToPull) {
    const ContactProblem beam = makeBeam({-1, 0.1, 0.2, 6});
    const std::vector<RelativeStiffness> k{{1}, {100}, {100}, {1e-3}};
    const std::vector<Vec3> classic = solveBy(SolverKind::apgd, beam, 1e-10);
    const std::vector<Vec3> g = compatible(beam, k, 2, classic);
    double sum = 0, moment = 0;
    const double places[] = {-1, 0.1, 0.2, 6};
    for (int i = 0; i < 4; ++i) {
        EXPECT_GE(g[static_cast<std::size_t>(i)].x, 0);
        sum += g[static_cast<std::size_t>(i)].x;
        moment += places[i] * g[static_cast<std::size_t>(i)].x;
    }
    EXPECT_NEAR(sum, 3, 1e-11);
    EXPECT_NEAR(moment, 0, 1e-11);
}

TEST(Pyramid, MeetsEveryConditionOfCompatibility) {
    for (const int base : {2, 4, 6}) {
        const ContactProblem p = makePyramid(base);
        const std::vector<Vec3> classic = solveBy(SolverKind::interiorPoint, p, 1e-13);
        for (const double decades : {0.0, 1.0, 2.0}) {
            const std::vector<RelativeStiffness> k = randomStiffness(p.contactCount(), decades);
            for (const double power : {1.5, 2.0, 2.5, 4.0}) {
                const std::vector<Vec3> g = compatible(p, k, power, classic);
                const CompatibilityErrors e =
                    compatibilityErrors(spheresOf(p), k, power, normalParts(classic), normalParts(g));
                EXPECT_LT(e.worst(), 1e-9) << base << ' ' << decades << ' ' << power << ": balance " << e.balance
                                           << " compression " << e.compression << " pressing " << e.pressing;
            }
        }
    }
}

TEST(Pyramid, HasTheForcesOfDenseNonNegativeLeastSquares) {
    for (const double decades : {0.0, 1.0}) {
        const ContactProblem p = makePyramid(4);
        const std::vector<RelativeStiffness> k = randomStiffness(p.contactCount(), decades);
        const std::vector<Vec3> classic = solveBy(SolverKind::interiorPoint, p, 1e-13);
        const Eigen::VectorXd expected = denseCompatibleForces(spheresOf(p), k, normalParts(classic));
        const Eigen::VectorXd found = normalParts(compatible(p, k, 2, classic));
        EXPECT_LT((found - expected).cwiseAbs().maxCoeff(), 1e-7 * found.maxCoeff());
    }
}

TEST(CompatibleForces, DoNotDependOnTheSolverBeforeThemNorOnItsTolerance) {
    const ContactProblem p = makePyramid(5);
    const std::vector<RelativeStiffness> k = randomStiffness(p.contactCount(), 1);
    const std::vector<Vec3> best = compatible(p, k, 2.5, solveBy(SolverKind::interiorPoint, p, 1e-12));
    for (const SolverKind kind : {SolverKind::gaussSeidel, SolverKind::apgd, SolverKind::jacobi, SolverKind::newton}) {
        for (const double tolerance : {1e-3, 1e-6}) {
            const std::vector<Vec3> g = compatible(p, k, 2.5, solveBy(kind, p, tolerance));
            EXPECT_LT(largestDifference(g, best), 1e-10 * largestForce(best)) << nameOf(kind) << ' ' << tolerance;
        }
    }
}

TEST(CompatibleForces, AreTheSameForSpheresBodiesAndAGivenMatrix) {
    const ContactProblem p = makePyramid(4);
    ContactProblem bodies = p, matrix = p;
    bodies.contacts = asBlocks(spheresOf(p));
    matrix.contacts = asBlockMatrix(spheresOf(p));
    const std::vector<RelativeStiffness> k = randomStiffness(p.contactCount(), 1);
    const std::vector<Vec3> classic = solveBy(SolverKind::apgd, p, 1e-6);
    for (const double power : {2.0, 2.5}) {
        const std::vector<Vec3> g = compatible(p, k, power, classic);
        EXPECT_LT(largestDifference(g, compatible(bodies, k, power, classic)), 1e-11 * largestForce(g));
        EXPECT_LT(largestDifference(g, compatible(matrix, k, power, classic)), 1e-8 * largestForce(g));
    }
}

// Many spheres go by conjugate gradients, other bodies by factors; at rest, and while the base spreads on the floor.
TEST(CompatibleForces, OfManySpheresAreThoseOfAsManyBodies) {
    for (const bool isBaseFixed : {true, false}) {
        const ContactProblem p = makePyramid(14, isBaseFixed);
        ASSERT_GT(spheresOf(p).bodyCount(), 1000u);
        ContactProblem bodies = p;
        bodies.contacts = asBlocks(spheresOf(p));
        const std::vector<RelativeStiffness> k = randomStiffness(p.contactCount(), 0.3);
        const std::vector<Vec3> classic = solveBy(SolverKind::apgd, p, 1e-4);
        const std::vector<Vec3> g = compatible(p, k, 2.5, classic);
        EXPECT_LT(largestDifference(g, compatible(bodies, k, 2.5, classic)), 1e-9 * largestForce(g)) << isBaseFixed;
    }
}

TEST(CompatibleForces, AreTheSameByNewtonAndByTheAugmentedLagrangian) {
    const ContactProblem p = makePyramid(4);
    ContactProblem matrix = p;
    matrix.contacts = asBlockMatrix(spheresOf(p));
    const std::vector<RelativeStiffness> k = randomStiffness(p.contactCount(), 0.5);
    const std::vector<Vec3> classic = solveBy(SolverKind::apgd, p, 1e-6);
    for (const double power : {1.5, 2.0, 2.5, 4.0}) {
        const std::vector<Vec3> g = compatible(p, k, power, classic);
        const auto byGradients = CompatibleMethod::augmentedLagrangian;
        EXPECT_LT(largestDifference(g, compatible(p, k, power, classic, byGradients)), 1e-7 * largestForce(g));
        EXPECT_LT(largestDifference(g, compatible(matrix, k, power, classic, byGradients)), 1e-7 * largestForce(g));
    }
}

TEST(CompatibleForces, AreTheSameInOneStepAndInTwo) {
    const ContactProblem p = makePyramid(4);
    std::vector<RelativeStiffness> k = randomStiffness(p.contactCount(), 0.3);
    ContactProblem springs = p;
    for (const RelativeStiffness& one : k) springs.compliance.push_back((1 / one.normal) * identity3());
    for (const double power : {2.0, 2.5}) {
        const std::vector<Vec3> g = compatible(p, k, power, solveBy(SolverKind::apgd, p, 1e-6));
        std::vector<Vec3> oneStep;
        solveCompatible(springs, {.law = FrictionLaw::associated, .tolerance = 1e-8, .maxIterations = 200}, oneStep,
                        power);
        EXPECT_LT(largestDifference(g, oneStep), 1e-6 * largestForce(g)) << power;
    }
}

// The base spreads on the floor: neighbours part, and only what still touches bears.
TEST(SpreadingPyramid, KeepsItsMotionAndLeavesOpenContactsWithoutForce) {
    for (const double massSpread : {0.0, 3.0}) {
        const ContactProblem p = makePyramid(5, false, massSpread);
        std::vector<Vec3> before, after;
        const std::vector<Vec3> classic = solveBy(SolverKind::interiorPoint, p, 1e-13);
        relativeVelocities(p, classic, before);
        const std::vector<Vec3> g = compatible(p, randomStiffness(p.contactCount(), 1), 2.5, classic);
        relativeVelocities(p, g, after);
        double largest = 0;
        std::size_t open = 0;
        for (const Vec3& u : before) largest = std::max(largest, u.x);
        for (std::size_t i = 0; i < g.size(); ++i) {
            EXPECT_NEAR(after[i].x, before[i].x, 1e-9 * largest);
            if (before[i].x < 1e-3 * largest) continue;
            EXPECT_EQ(g[i].x, 0);
            ++open;
        }
        EXPECT_GT(open, 10u);
    }
}

TEST(CompatibleForces, CarryMassesOfAllSizes) {
    const ContactProblem p = makePyramid(5, true, 3);
    const std::vector<RelativeStiffness> k = randomStiffness(p.contactCount(), 1);
    const std::vector<Vec3> classic = solveBy(SolverKind::interiorPoint, p, 1e-13);
    for (const double power : {2.0, 2.5}) {
        const std::vector<Vec3> g = compatible(p, k, power, classic);
        const CompatibilityErrors e = compatibilityErrors(spheresOf(p), k, power, normalParts(classic), normalParts(g));
        EXPECT_LT(e.worst(), 1e-8) << "balance " << e.balance << " compression " << e.compression << " pressing "
                                   << e.pressing;
    }
}

// A square of four discs, nothing fixed, squeezed by two more that come from both sides.
ContactProblem makeSqueezedCluster() {
    const Vec3 centre[] = {
        {-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {-1 - std::sqrt(3.0), 0, 0}, {1 + std::sqrt(3.0), 0, 0}};
    BodyContacts contacts;
    contacts.linearFreedom = {1, 1, 0};
    contacts.angularFreedom = {0, 0, 1};
    contacts.inverseMass = {1, 2, 1, 0.5, 1, 3};
    contacts.inverseInertia = contacts.inverseMass;
    ContactProblem p;
    for (std::uint32_t a = 0; a < 6; ++a) {
        for (std::uint32_t b = a + 1; b < 6; ++b) {
            const Vec3 d = centre[a] - centre[b];
            if (norm(d) > 2.0001) continue;
            contacts.contacts.push_back({normalized(d), 1, 1, a, b});
            p.sets.push_back(ReactionSet::frictionless());
            const auto velocity = [](std::uint32_t i) { return Vec3{i == 4 ? 1.0 : i == 5 ? -2.0 : 0.0, 0, 0}; };
            p.offset.push_back(contactFrame(normalized(d)).toLocal(velocity(a) - velocity(b)));
        }
    }
    contacts.finish();
    p.contacts = std::move(contacts);
    return p;
}

TEST(FloatingCluster, InACollisionIsBalancedWithoutAnythingToHoldIt) {
    const ContactProblem p = makeSqueezedCluster();
    const std::vector<RelativeStiffness> k = randomStiffness(p.contactCount(), 1);
    const std::vector<Vec3> classic = solveBy(SolverKind::interiorPoint, p, 1e-13);
    const std::vector<Vec3> g = compatible(p, k, 2, classic);
    const Eigen::VectorXd balance = balanceMatrix(spheresOf(p)) * (normalParts(g) - normalParts(classic));
    EXPECT_LT(balance.cwiseAbs().maxCoeff(), 1e-12 * largestForce(g));
    const Eigen::VectorXd expected = denseCompatibleForces(spheresOf(p), k, normalParts(classic));
    EXPECT_LT((normalParts(g) - expected).cwiseAbs().maxCoeff(), 1e-8 * largestForce(g));
}

TEST(Rattler, ThatTouchesWithoutLoadGetsNoForce) {
    ContactProblem p = makePyramid(3);
    auto contacts = spheresOf(p);
    const auto rattler = static_cast<std::uint32_t>(contacts.bodyCount());
    contacts.inverseMass.push_back(1);
    contacts.inverseInertia.push_back(10);
    // It flies along with what it touches: a fixed sphere and a free one, both at rest.
    for (const std::uint32_t other : {1u, rattler - 1}) {
        contacts.contacts.push_back({{1, 0, 0}, 0.5, 0.5, rattler, other});
        p.sets.push_back(ReactionSet::frictionless());
        p.offset.push_back(other == 1 ? Vec3{} : Vec3{contactFrame({1, 0, 0}).toLocal({0, 0, 1})});
    }
    contacts.finish();
    p.contacts = contacts;
    const std::size_t n = p.contactCount();
    const std::vector<Vec3> g = compatible(p, randomStiffness(n, 1), 2.5, solveBy(SolverKind::apgd, p, 1e-8));
    EXPECT_LT(std::abs(g[n - 1].x) + std::abs(g[n - 2].x), 1e-12 * largestForce(g));
}

// Squeezed from nowhere, contacts may press against each other without moving anything: springs would let go.
TEST(SelfStress, OfTheFirstSolverIsTakenOut) {
    ContactProblem p = makeBeam({-1, 1});
    auto contacts = std::get<BodyContacts>(p.contacts);
    BlockRow above{.a = 0, .blockA = contacts.blocks[0].a};
    above.blockA[2] = -1;  // against the first
    above.blockA[4] = -above.blockA[4];
    contacts.add(above);
    contacts.finish();
    p.contacts = contacts;
    p.sets.push_back(ReactionSet::frictionless());
    p.offset.push_back({1, 0, 0});
    const std::vector<Vec3> g = compatible(p, {{1}, {1}, {1}}, 2, {{101.5, 0, 0}, {1.5, 0, 0}, {100, 0, 0}});
    EXPECT_NEAR(g[0].x, 1.5, 1e-11);
    EXPECT_NEAR(g[1].x, 1.5, 1e-11);
    EXPECT_NEAR(g[2].x, 0, 1e-11);
}

TEST(CohesiveContacts, ShareThePullAndTheWeight) {
    ContactProblem p = makeBeam({-1, 0, 1}, 10);
    for (ReactionSet& set : p.sets) set = ReactionSet::shiftedCone(0, 2);
    // Springs bear weight and pull, 10 + 3 x 2, by stiffness 1 : 3 : 1; contacts that much less the pull of each.
    const std::vector<Vec3> g = compatible(p, {{1}, {3}, {1}}, 2, solveBy(SolverKind::interiorPoint, p, 1e-12));
    EXPECT_NEAR(g[0].x, 3.2 - 2, 1e-10);
    EXPECT_NEAR(g[1].x, 9.6 - 2, 1e-10);
    EXPECT_NEAR(g[2].x, 3.2 - 2, 1e-10);
}

RC_GTEST_PROP(RandomPile, HasTheForcesOfDenseNonNegativeLeastSquares, ()) {
    const int cells = *rc::gen::inRange(1, 3);
    const Vec3 velocity{*rc::gen::inRange(-10, 11) / 10.0, *rc::gen::inRange(-10, 11) / 10.0, 0};
    const double jitter = *rc::gen::element(0.0, 0.02);
    const ContactProblem p = makeLatticePile({.friction = 0,
                                              .step = 0.1,
                                              .radius = 0.5,
                                              .density = 2,
                                              .jitter = jitter,
                                              .gravity = {0, 0, -10},
                                              .velocity = velocity},
                                             cells, 1, cells);
    const std::vector<RelativeStiffness> k =
        randomStiffness(p.contactCount(), 1, static_cast<std::uint32_t>(*rc::gen::inRange(1, 1000)));
    const std::vector<Vec3> classic = solveBy(SolverKind::interiorPoint, p, 1e-13);
    std::vector<Vec3> g = solveBy(SolverKind::apgd, p, 1e-5);
    CompatibleSolver solver({.tolerance = 1e-8});
    RC_ASSERT(solver.redistribute(p, k, g).solve.status == SolveStatus::converged);
    // Contacts that part cannot bear.
    std::vector<Vec3> u;
    relativeVelocities(p, classic, u);
    BodyContacts closed = spheresOf(p);
    std::vector<RelativeStiffness> springs = k;
    for (std::size_t i = 0; i < u.size(); ++i) {
        if (u[i].x > 1e-4) springs[i].normal = 1e-14;
    }
    const Eigen::VectorXd expected = denseCompatibleForces(closed, springs, normalParts(classic));
    RC_ASSERT((normalParts(g) - expected).cwiseAbs().maxCoeff() < 1e-6 * (1 + largestForce(g)));
}

TEST(TwoStepForm, RefusesFrictionAndNamesTheOneStepForm) {
    CompatibleSolver solver({});
    std::vector<Vec3> g;
    const ContactProblem rough = makeSmallPile(0.5);
    try {
        solver.redistribute(rough, std::vector<RelativeStiffness>(rough.contactCount()), g);
        FAIL() << "accepted";
    } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("frictionless"), std::string::npos) << message;
        EXPECT_NE(message.find("one-step"), std::string::npos) << message;
    }
}

TEST(TwoStepForm, RefusesStiffnessesAndPowersThatCannotBe) {
    const ContactProblem p = makePyramid(2);
    std::vector<Vec3> g(p.contactCount());
    CompatibleSolver solver({});
    EXPECT_THROW(solver.redistribute(p, {}, g), InputError);
    EXPECT_THROW(solver.redistribute(p, std::vector<RelativeStiffness>(p.contactCount(), {0.0}), g), InputError);
    EXPECT_THROW(CompatibleSolver({.power = 1}), InputError);
    EXPECT_THROW(solver.redistribute(withCompliance(p, identity3()), randomStiffness(p.contactCount(), 0), g),
                 InputError);
}

}  // namespace
}  // namespace talus
