// Every solver on every problem: it reaches its tolerance, and all agree where the answer is unique.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

#include "base/parallel.hpp"
#include "problems/problem_collection.hpp"

namespace talus {
namespace {

std::string describe(const NamedProblem& problem, const SolverSettings& s) {
    return problem.name + ", " + std::string(nameOf(s.kind)) + ", sweep " + std::to_string(int(s.gaussSeidel.sweep)) +
           ", " + std::string(nameOf(s.law));
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

// Coulomb's law with friction far above one is not promised by any: the residual then holds mu times the slip. Where
// many redundant contacts slide at once, it is by those alone that say so (talus/solver_kind.hpp, docs/solvers.md).
bool isPromised(const NamedProblem& problem, FrictionLaw law, SolverKind kind) {
    if (law == FrictionLaw::associated) return true;
    const bool slides = problem.name.starts_with("moving pile");
    return problem.name != "rough pile" && (!slides || traitsOf(kind).can.slidingCoulomb);
}

// Slow ones only so far.
double toleranceOf(const NamedProblem& problem, const SolverSettings& s) {
    return s.kind == SolverKind::jacobi || problem.name == "rough pile" ? 1e-4 : 1e-6;
}

struct Case {
    NamedProblem problem;
    SolverSettings settings;
};

std::vector<Case> casesThatAre(bool promised) {
    std::vector<Case> cases;
    for (const NamedProblem& problem : everyProblem()) {
        for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
            for (SolverSettings s : everySolver()) {
                if (isPromised(problem, law, s.kind) != promised) continue;
                s.law = law;
                s.tolerance = toleranceOf(problem, s);
                s.maxIterations = promised ? 100'000 : 2'000;
                cases.push_back({problem, s});
            }
        }
    }
    return cases;
}

std::string nameOfCase(const testing::TestParamInfo<Case>& info) {
    const SolverSettings& s = info.param.settings;
    std::string name = info.param.problem.name + " by " + std::string(nameOf(s.kind));
    if (s.kind == SolverKind::gaussSeidel) {
        const char* sweeps[] = {" listed", " given", " random", " coloured"};
        name += sweeps[static_cast<std::size_t>(s.gaussSeidel.sweep)];
    }
    name += " " + std::string(nameOf(s.law));
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
    return name;
}
void PrintTo(const Case& c, std::ostream* stream) { *stream << describe(c.problem, c.settings); }

// What an answer says of itself is so: residual and velocities are those of its reactions.
void expectHonest(const ContactProblem& p, const SolverSettings& s, const Solution& answer) {
    const double slow = slowNaturalMap(p, s.law, answer.reactions);
    EXPECT_NEAR(slow, answer.report.residuals.meanMap, 1e-12 + 1e-9 * slow);
    std::vector<Vec3> fresh;
    relativeVelocities(p, answer.reactions, fresh);
    EXPECT_LT(largestDifference(fresh, answer.velocities), 1e-12);
    EXPECT_EQ(answer.report.status == SolveStatus::converged, answer.report.residuals.naturalMap <= s.tolerance);
}

class Promised : public testing::TestWithParam<Case> {};
TEST_P(Promised, ProblemIsSolvedToItsTolerance) {
    const auto& [problem, settings] = GetParam();
    const Solution answer = solve(problem.problem, settings);
    EXPECT_EQ(nameOf(answer.report.status), "converged");
    expectHonest(problem.problem, settings, answer);
}
INSTANTIATE_TEST_SUITE_P(EverySolver, Promised, testing::ValuesIn(casesThatAre(true)), nameOfCase);

class NotPromised : public testing::TestWithParam<Case> {};
TEST_P(NotPromised, ProblemIsSolvedOrTheReportSaysItIsNot) {
    const auto& [problem, settings] = GetParam();
    expectHonest(problem.problem, settings, solve(problem.problem, settings));
}
INSTANTIATE_TEST_SUITE_P(EverySolver, NotPromised, testing::ValuesIn(casesThatAre(false)), nameOfCase);

TEST(EverySolver, AgreesOnVelocitiesWithoutFriction) {
    for (const NamedProblem& problem : everyProblem()) {
        if (problem.name.find("frictionless") == std::string::npos) continue;
        std::vector<Vec3> expected;
        for (SolverSettings s : everySolver()) {
            s.tolerance = 1e-11;
            s.maxIterations = 1'000'000;
            const Solution answer = solve(problem.problem, s);
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
            const Solution answer = solve(problem.problem, s);
            EXPECT_EQ(nameOf(answer.report.status), "converged") << describe(problem, s);
            if (expected.empty()) expected = answer.velocities;
            EXPECT_LT(largestDifference(answer.velocities, expected), 5 * std::sqrt(s.tolerance))
                << describe(problem, s);
        }
    }
}

TEST(EverySolver, FindsTheSameForSpheresBodiesAndMatrix) {
    const ContactProblem spheres = makeSmallPile(0.5, {1.5, 0.5, -0.3});
    ContactProblem bodies = spheres, mixed = spheres, matrix = spheres;
    bodies.contacts = asBlocks(std::get<BodyContacts>(spheres.contacts));
    mixed.contacts = asArms(std::get<BodyContacts>(spheres.contacts), 3);
    matrix.contacts = asBlockMatrix(std::get<BodyContacts>(spheres.contacts));
    for (SolverSettings s : firstOrderSolvers()) {
        if (s.gaussSeidel.sweep == SweepOrder::coloured && s.kind == SolverKind::gaussSeidel)
            continue;  // other colours, other path
        for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
            s.law = law;
            s.fixedIterations = 30;
            s.jacobi.relaxation = 0.1;  // what Jacobi would choose differs: a matrix knows no bodies
            const Solution a = solve(spheres, s), b = solve(bodies, s), c = solve(matrix, s);
            const Solution d = solve(mixed, s);
            EXPECT_LT(largestDifference(a.reactions, d.reactions), 1e-9) << nameOf(s.kind);
            EXPECT_LT(largestDifference(a.reactions, b.reactions), 1e-9) << nameOf(s.kind);
            EXPECT_LT(largestDifference(a.reactions, c.reactions), 1e-9) << nameOf(s.kind);
        }
    }
}

TEST(EverySolver, HasNothingToDoWithoutContacts) {
    const ContactProblem p;
    for (const SolverSettings& s : everySolver()) {
        const Solution answer = solve(p, s);
        EXPECT_EQ(answer.report.status, SolveStatus::converged);
        EXPECT_EQ(answer.report.iterations, 0u);
    }
}

TEST(EverySolver, GivesTheSameBitsOnOneToFourThreads) {
    const ContactProblem spheres =
        makeLatticePile({.jitter = 0.02, .velocity = {0.02, 0.01, 0}}, 9, 9, 9);  // several blocks in every loop
    const ContactProblem compliant = withCompliance(spheres, diagonal3({0.1, 0.1, 0.1}));
    ContactProblem bodies = spheres;
    bodies.contacts = asBlocks(std::get<BodyContacts>(spheres.contacts));
    ASSERT_GT(spheres.contactCount(), 4000u);
    for (const ContactProblem* p : {&spheres, &compliant, &std::as_const(bodies)}) {
        for (SolverSettings s : firstOrderSolvers()) {
            s.fixedIterations = 15;
            setThreadCount(1);
            const Solution expected = solve(*p, s);
            for (const int threads : {2, 3, 4}) {
                setThreadCount(threads);
                const Solution answer = solve(*p, s);
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
            const Solution answer = solve(problem.problem, s);
            s.tolerance = 1.001e-4;  // SPG projects its first guess, which may cost the last bits
            const Solution again = solve(problem.problem, s, answer.reactions);
            EXPECT_EQ(nameOf(again.report.status), "converged") << describe(problem, s);
            EXPECT_LE(again.report.iterations, 1u) << describe(problem, s);
        }
    }
}

}  // namespace
}  // namespace talus
