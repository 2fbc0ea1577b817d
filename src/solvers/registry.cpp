#include "solvers/registry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "problem/contact_problem.hpp"
#include "solvers/first_order/apgd.hpp"
#include "solvers/first_order/gauss_seidel.hpp"
#include "solvers/first_order/jacobi.hpp"
#include "solvers/first_order/spg.hpp"
#include "solvers/interior/interior_point.hpp"
#include "solvers/newton/newton.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

struct KindAndFunction {
    SolverKind kind;
    SolveFunction solve;
};
constexpr auto functions = std::to_array<KindAndFunction>({
    {SolverKind::gaussSeidel, solveGaussSeidel},
    {SolverKind::jacobi, solveJacobi},
    {SolverKind::apgd, solveApgd},
    {SolverKind::spg, solveSpg},
    {SolverKind::interiorPoint, solveInteriorPoint},
    {SolverKind::newton, solveNewton},
});

constexpr bool areInOrder() {
    for (std::size_t k = 0; k < functions.size(); ++k) {
        if (functions[k].kind != solverTraits[k].kind) return false;
    }
    return functions.size() + 1 == solverCount;
}
static_assert(areInOrder(), "one function per solver, in the order of their traits; none for automatic");

struct Refusal {
    bool SolverAbilities::*ability;
    bool (*isNeeded)(const ContactProblem&, const SolverSettings&);
    std::string_view what;
};
constexpr auto refusals = std::to_array<Refusal>({
    {&SolverAbilities::skew, [](const ContactProblem& p, const SolverSettings&) { return !p.skew.empty(); },
     "skewed laws"},
    {&SolverAbilities::coulomb,
     [](const ContactProblem& p, const SolverSettings& s) {
         const auto slides = [](const ReactionSet& set) { return !set.bilateral && set.friction > 0; };
         return s.law == FrictionLaw::coulomb && std::any_of(p.sets.begin(), p.sets.end(), slides);
     },
     "Coulomb's law"},
    {&SolverAbilities::rigid,
     [](const ContactProblem& p, const SolverSettings&) { return p.compliance.empty() && p.contactCount() > 0; },
     "rigid contacts"},
    {&SolverAbilities::bilateral,
     [](const ContactProblem& p, const SolverSettings&) {
         return std::any_of(p.sets.begin(), p.sets.end(), [](const ReactionSet& set) { return set.bilateral; });
     },
     "bilateral contacts"},
    {&SolverAbilities::capsAndBalls,
     [](const ContactProblem& p, const SolverSettings&) {
         return !std::all_of(p.sets.begin(), p.sets.end(), [](const ReactionSet& set) { return set.isConical(); });
     },
     "caps and balls"},
    {&SolverAbilities::fixedWork, [](const ContactProblem&, const SolverSettings& s) { return s.fixedIterations > 0; },
     "fixed_iterations"},
});

std::string solversWith(bool SolverAbilities::*ability) {
    std::vector<std::string_view> names;
    for (const SolverTraits& t : solverTraits) {
        if (t.kind != SolverKind::automatic && t.can.*ability) names.push_back(t.name);
    }
    return fmt::format("{} {}", fmt::join(names, ", "), names.size() == 1 ? "does" : "do");
}

}  // namespace

SolverRow rowOf(SolverKind kind) { return {traitsOf(kind), functions[static_cast<std::size_t>(kind)].solve}; }

void checkAbilities(const SolverRow& row, const ContactProblem& problem, const SolverSettings& s) {
    for (const Refusal& r : refusals) {
        if (row.traits.can.*r.ability || !r.isNeeded(problem, s)) continue;
        throw InputError(
            fmt::format("solver: {} does not know {}; {}", row.traits.name, r.what, solversWith(r.ability)));
    }
}

void runSolver(const SolverRow& row, const ContactProblem& problem, const SolverSettings& s, SolverWorkspace& ws,
               Solution& solution) {
    checkAbilities(row, problem, s);
    solution.report.solver = row.traits.kind;
    row.solve(problem, s, ws, solution);
}

}  // namespace talus
