// Gauss-Seidel where it takes many sweeps: leaps, over-relaxation, and that both keep out where sweeps are wanted as
// such.
#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "io/fclib/fclib.hpp"
#include "problems/problem_collection.hpp"
#include "source_folder.hpp"
#include "talus/solver.hpp"

namespace talus {
namespace {

// Redundant contacts, some of which slide: sweeps creep here.
ContactProblem creepingPile() { return makeLatticePile({.jitter = 0.02}, 6, 6, 6); }

ContactProblem compliantPile(double share) {
    ContactProblem p = makeLatticePile({.jitter = 0.02, .velocity = {0.05, 0, 0}}, 4, 4, 4);
    std::vector<Mat3> compliance(p.contactCount());
    for (std::size_t i = 0; i < p.contactCount(); ++i) compliance[i] = (share / 3 * trace(p.diagonal(i))) * identity3();
    p.compliance = compliance;
    return p;
}

TEST(LongSweeps, NeverEndWorseThanBeforeTheLastLeap) {
    const ContactProblem p = creepingPile();
    const auto residualAfter = [&](std::uint64_t sweeps) {
        return solve(p, {.tolerance = 1e-14, .maxIterations = sweeps}).report.residuals.naturalMap;
    };
    // The leap is after 1600 sweeps.
    EXPECT_LE(residualAfter(2405), 1.0001 * residualAfter(1600));
}

// Boxes on boxes: 45,000 sweeps without leaps.
TEST(LongSweeps, AreFewerByLeaps) {
    const ContactProblem p = readFclib(sourceFolder() / "tests/problems/data/BoxesStack1-i100000-32.hdf5").problem;
    const Solution leaping = solve(p, {.maxIterations = 100'000});
    ASSERT_EQ(nameOf(leaping.report.status), "converged");
    const Solution plain = solve(p, {.fixedIterations = leaping.report.iterations});
    EXPECT_GT(plain.report.residuals.naturalMap, 2 * leaping.report.residuals.naturalMap);
}

TEST(LongSweeps, AreSpedUpByCompliance) {
    const ContactProblem p = compliantPile(1e-3);
    const Solution fast = solve(p, {.law = FrictionLaw::associated, .maxIterations = 100'000});
    ASSERT_EQ(nameOf(fast.report.status), "converged");
    const Solution plain = solve(p, {.law = FrictionLaw::associated, .fixedIterations = fast.report.iterations});
    EXPECT_GT(plain.report.residuals.naturalMap, 3 * fast.report.residuals.naturalMap);
    // Another solver agrees, as compliant contacts have one answer.
    const Solution other =
        solve(p, {.kind = SolverKind::interiorPoint, .law = FrictionLaw::associated, .tolerance = 1e-10});
    double largest = 0;
    for (const Vec3& g : other.reactions) largest = std::max(largest, norm(g));
    EXPECT_LT(largestDifference(fast.reactions, other.reactions), 1e-2 * largest);
}

TEST(LongSweeps, GiveTheSameBitsForAnyNumberOfThreads) {
    const ContactProblem p = creepingPile();
    std::vector<Vec3> first;
    for (const int threads : {1, 2, 3}) {
        setThreadCount(threads);
        const Solution answer = solve(p, {.tolerance = 1e-14, .maxIterations = 1300});
        if (threads == 1) first = answer.reactions;
        EXPECT_EQ(answer.reactions, first) << threads << " threads";
    }
    setThreadCount(1);
}

}  // namespace
}  // namespace talus
