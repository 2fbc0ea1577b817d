// Every solver on every problem: it reaches its tolerance, and all agree where the answer is unique.
#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "problems/problem_collection.hpp"

namespace talus {
namespace {

std::string describe(const NamedProblem& problem, const SolverSettings& s) {
    return problem.name + ", " + std::string(nameOf(s.kind)) + ", sweep " + std::to_string(int(s.sweep)) + ", " +
           std::string(nameOf(s.law));
}

// The residual the slow way: W column by column, nothing shared with the solvers but the projection.
double slowNaturalMap(const ContactProblem& p, FrictionLaw law, const std::vector<Vec3>& g) {
    const std::size_t n = p.contactCount();
    const std::vector<Mat3> dense = std::visit([](const auto& op) { return denseMatrix(op); }, p.contacts);
    double sum = 0, load = 0, offsets = 0, velocities = 0;
    const double scale = 1 / meanDiagonal(p);
    for (std::size_t i = 0; i < n; ++i) {
        Vec3 u = p.offset[i] + p.complianceTimes(i, g[i]);
        for (std::size_t j = 0; j < n; ++j) u += dense[i * n + j] * g[j];
        velocities += normSquared(scale * u);
        if (law == FrictionLaw::coulomb && !p.sets[i].bilateral) u.x += p.sets[i].friction * std::hypot(u.y, u.z);
        sum += normSquared(g[i] - project(p.sets[i], g[i] - scale * u));
        load += normSquared(g[i]);
        offsets += normSquared(scale * p.offset[i]);
    }
    return std::sqrt(sum / std::max({load, offsets, velocities}));
}

// Coulomb's law with friction far above one is not promised: the residual then holds mu times the slip. Nor is it by
// the second-order solvers where many redundant contacts slide at once (solver: auto takes another one then).
bool isPromised(const NamedProblem& problem, FrictionLaw law, SolverKind kind) {
    const bool isSecondOrder = kind == SolverKind::interiorPoint || kind == SolverKind::newton;
    return law == FrictionLaw::associated ||
           (problem.name != "rough pile" && !(isSecondOrder && problem.name.starts_with("moving pile")));
}

// Slow ones only so far.
double toleranceOf(const NamedProblem& problem, const SolverSettings& s) {
    return s.kind == SolverKind::jacobi || problem.name == "rough pile" ? 1e-4 : 1e-6;
}

TEST(EverySolver, ReachesItsToleranceOnEveryProblem) {
    for (const NamedProblem& problem : everyProblem()) {
        for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
            for (SolverSettings s : everySolver()) {
                if (!isPromised(problem, law, s.kind)) continue;
                s.law = law;
                s.tolerance = toleranceOf(problem, s);
                s.maxIterations = 100'000;
                const Answer answer = solveFromZero(problem.problem, s);
                EXPECT_EQ(nameOf(answer.report.status), "converged") << describe(problem, s);
                EXPECT_LE(answer.report.residuals.naturalMap, s.tolerance) << describe(problem, s);
                const double slow = slowNaturalMap(problem.problem, law, answer.reactions);
                EXPECT_NEAR(slow, answer.report.residuals.meanMap, 1e-12) << describe(problem, s);
                std::vector<Vec3> fresh;
                relativeVelocities(problem.problem, answer.reactions, fresh);
                EXPECT_LT(largestDifference(fresh, answer.velocities), 1e-12) << describe(problem, s);
            }
        }
    }
}

TEST(EverySolver, AgreesOnVelocitiesWithoutFriction) {
    for (const NamedProblem& problem : everyProblem()) {
        if (problem.name.find("frictionless") == std::string::npos) continue;
        std::vector<Vec3> expected;
        for (SolverSettings s : everySolver()) {
            s.tolerance = 1e-11;
            s.maxIterations = 1'000'000;
            const Answer answer = solveFromZero(problem.problem, s);
            EXPECT_EQ(nameOf(answer.report.status), "converged") << describe(problem, s);
            if (expected.empty()) expected = answer.velocities;
            EXPECT_LT(largestDifference(answer.velocities, expected), 1e-8) << describe(problem, s);
        }
    }
}

// The associated law is a strictly convex program in the velocities: they are unique although reactions are not. An
// objective within e of its least has velocities within the order of sqrt(e).
TEST(EverySolver, AgreesOnVelocitiesWithTheAssociatedLaw) {
    for (const NamedProblem& problem : everyProblem()) {
        std::vector<Vec3> expected;
        for (SolverSettings s : everySolver()) {
            const bool slow = s.kind == SolverKind::jacobi || problem.name == "rough pile";
            s.law = FrictionLaw::associated;
            s.tolerance = slow ? 1e-5 : 1e-8;
            s.maxIterations = 1'000'000;
            const Answer answer = solveFromZero(problem.problem, s);
            EXPECT_EQ(nameOf(answer.report.status), "converged") << describe(problem, s);
            if (expected.empty()) expected = answer.velocities;
            EXPECT_LT(largestDifference(answer.velocities, expected), 5 * std::sqrt(s.tolerance))
                << describe(problem, s);
        }
    }
}

TEST(EverySolver, FindsTheSameForSpheresBodiesAndMatrix) {
    const ContactProblem spheres = makeSmallPile(0.5, {1.5, 0.5, -0.3});
    ContactProblem bodies = spheres, matrix = spheres;
    bodies.contacts = asBodyContacts(std::get<SphereContacts>(spheres.contacts));
    matrix.contacts = asBlockMatrix(std::get<SphereContacts>(spheres.contacts));
    for (SolverSettings s : firstOrderSolvers()) {
        if (s.sweep == SweepOrder::coloured && s.kind == SolverKind::gaussSeidel)
            continue;  // other colours, other path
        for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
            s.law = law;
            s.fixedIterations = 30;
            s.relaxation = 0.1;  // what Jacobi would choose differs: a matrix knows no bodies
            const Answer a = solveFromZero(spheres, s), b = solveFromZero(bodies, s), c = solveFromZero(matrix, s);
            EXPECT_LT(largestDifference(a.reactions, b.reactions), 1e-9) << nameOf(s.kind);
            EXPECT_LT(largestDifference(a.reactions, c.reactions), 1e-9) << nameOf(s.kind);
        }
    }
}

TEST(EverySolver, HasNothingToDoWithoutContacts) {
    ContactProblem p;
    p.contacts = SphereContacts{};
    for (const SolverSettings& s : everySolver()) {
        const Answer answer = solveFromZero(p, s);
        EXPECT_EQ(answer.report.status, SolveStatus::converged);
        EXPECT_EQ(answer.report.iterations, 0u);
    }
}

TEST(EverySolver, GivesTheSameBitsOnOneToFourThreads) {
    const ContactProblem spheres =
        makeLatticePile({.jitter = 0.02, .velocity = {0.02, 0.01, 0}}, 9, 9, 9);  // several blocks in every loop
    const ContactProblem compliant = withCompliance(spheres, diagonal3({0.1, 0.1, 0.1}));
    ContactProblem bodies = spheres;
    bodies.contacts = asBodyContacts(std::get<SphereContacts>(spheres.contacts));
    ASSERT_GT(spheres.contactCount(), 4000u);
    for (const ContactProblem* p : {&spheres, &compliant, &std::as_const(bodies)}) {
        for (SolverSettings s : firstOrderSolvers()) {
            s.fixedIterations = 15;
            setThreadCount(1);
            const Answer expected = solveFromZero(*p, s);
            for (const int threads : {2, 3, 4}) {
                setThreadCount(threads);
                const Answer answer = solveFromZero(*p, s);
                EXPECT_EQ(answer.reactions, expected.reactions) << nameOf(s.kind) << ' ' << threads;
                EXPECT_EQ(answer.velocities, expected.velocities) << nameOf(s.kind) << ' ' << threads;
                EXPECT_EQ(answer.report.residuals.naturalMap, expected.report.residuals.naturalMap);
            }
            setThreadCount(1);
        }
    }
}

TEST(EverySolver, FindsAnAnswerItIsGivenAtOnce) {
    for (const NamedProblem& problem : everyProblem()) {
        for (SolverSettings s : everySolver()) {
            if (!isPromised(problem, FrictionLaw::coulomb, s.kind)) continue;
            s.tolerance = 1e-4;
            s.maxIterations = 100'000;
            const Answer answer = solveFromZero(problem.problem, s);
            s.tolerance = 1.001e-4;  // SPG projects its first guess, which may cost the last bits
            const Answer again = solveFrom(answer.reactions, problem.problem, s);
            EXPECT_EQ(nameOf(again.report.status), "converged") << describe(problem, s);
            EXPECT_LE(again.report.iterations, 1u) << describe(problem, s);
        }
    }
}

}  // namespace
}  // namespace talus
