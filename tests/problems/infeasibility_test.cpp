// Problems without an answer are called so, and hard ones are not.
#include <gtest/gtest.h>

#include "problems/problem_collection.hpp"

namespace talus {
namespace {

// Grains of mass 1 in a row between two walls (body 0), each of which comes nearer by `closing`; a load across.
ContactProblem squeezedRow(std::uint32_t grains, double closing, ReactionSet set) {
    BodyContacts row;
    row.inverseMass.assign(grains + 1, 1.0);
    row.inverseInertia.assign(grains + 1, 10.0);
    row.inverseMass[0] = row.inverseInertia[0] = 0;
    ContactProblem p;
    const auto add = [&](std::uint32_t a, std::uint32_t b, double approach) {
        row.contacts.push_back({{1, 0, 0}, 0.5, 0.5, a, b});
        p.sets.push_back(set);
        p.offset.push_back({-approach, 0, 0.01});
    };
    add(1, 0, closing);
    for (std::uint32_t i = 1; i < grains; ++i) add(i + 1, i, 0);
    add(0, grains, closing);
    row.finish();
    p.contacts = std::move(row);
    return p;
}

SolveStatus statusBy(SolverKind kind, FrictionLaw law, const ContactProblem& p) {
    return solve(p, {.kind = kind, .law = law, .tolerance = 1e-9, .maxIterations = 3000}).report.status;
}

TEST(Infeasibility, OfGrainsBetweenClosingWallsIsProvenAfterEverySolver) {
    for (const SolverKind kind : allSolvers()) {
        for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
            for (const double friction : {0.0, 0.4}) {
                for (const std::uint32_t grains : {1u, 6u}) {
                    const ContactProblem p = squeezedRow(grains, 1, ReactionSet::coulomb(friction));
                    EXPECT_EQ(nameOf(statusBy(kind, law, p)), "infeasible")
                        << nameOf(kind) << " " << nameOf(law) << " " << friction << " " << grains;
                }
            }
        }
    }
}

// Nothing can be right then, but nothing may be thrown out either.
TEST(Infeasibility, LeavesVelocitiesOfTheSizeOfTheSqueeze) {
    for (const SolverKind kind : {SolverKind::interiorPoint, SolverKind::newton, SolverKind::automatic}) {
        for (const std::uint32_t grains : {1u, 6u}) {
            const ContactProblem p = squeezedRow(grains, 1, ReactionSet::coulomb(0.4));
            const Solution found = solve(p, {.kind = kind, .tolerance = 1e-9, .maxIterations = 3000});
            for (const Vec3& u : found.velocities) EXPECT_LT(norm(u), 3) << nameOf(kind) << " " << grains;
        }
    }
}

TEST(Infeasibility, IsNotClaimedWhereContactsGiveWayOrYield) {
    const double squeeze = 1;
    ContactProblem compliant = squeezedRow(6, squeeze, ReactionSet::coulomb(0.4));
    compliant.compliance.assign(compliant.contactCount(), 1e-5 * identity3());
    const ContactProblem capped = squeezedRow(6, squeeze, ReactionSet::cappedConePlusBall(0.4, 1e4, 0.1));
    for (const ContactProblem& p : {compliant, capped}) {
        for (const SolverKind kind : {SolverKind::gaussSeidel, SolverKind::apgd}) {
            EXPECT_NE(statusBy(kind, FrictionLaw::coulomb, p), SolveStatus::infeasible) << nameOf(kind);
        }
    }
}

// A row at rest under a push that the walls bear, with masses that differ by a million: far from solved by ten
// sweeps, and yet it has an answer.
TEST(Infeasibility, IsNotClaimedWhereMassesDifferAndTheSolverIsOnlySlow) {
    ContactProblem p = squeezedRow(6, 0, ReactionSet::coulomb(0.4));
    auto& row = std::get<BodyContacts>(p.contacts);
    for (std::uint32_t i = 1; i <= 6; ++i) row.inverseMass[i] = i % 2 == 0 ? 1e-6 : 1;
    row.finish();
    p.offset[0].x = -1;
    for (const SolverKind kind : {SolverKind::gaussSeidel, SolverKind::jacobi, SolverKind::apgd, SolverKind::spg}) {
        const SolverSettings settings{
            .kind = kind, .law = FrictionLaw::coulomb, .tolerance = 1e-12, .maxIterations = 10};
        const std::vector<Vec3> guess(p.contactCount(), Vec3{1e4, 0, 0});
        EXPECT_NE(solve(p, settings, guess).report.status, SolveStatus::infeasible) << nameOf(kind);
    }
}

}  // namespace
}  // namespace talus
