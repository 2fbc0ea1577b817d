// From a problem to its solution: the solver that was asked for or chosen, and what to say where none got there.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/parallel.hpp"
#include "problem/contact_problem.hpp"
#include "solvers/choice.hpp"
#include "solvers/interior/infeasibility.hpp"
#include "solvers/registry.hpp"
#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

bool isSecondOrder(const SolveReport& report) { return traitsOf(report.solver).order == SolverOrder::second; }

// Scratch of mayThrowBodiesOut().
struct ThrowCheck {
    std::vector<Vec3> velocities;
};

bool hasGivenUp(const SolveReport& report) {
    return report.status == SolveStatus::stalled || report.status == SolveStatus::iterationLimit;
}

// To find out whether the problem has no answer: none where a user allows few iterations and expects no convergence.
std::uint64_t proofSweeps(const SolveReport& report) {
    constexpr std::uint64_t most = 500, fairTrial = 400, share = 8;
    if (isSecondOrder(report)) return most;
    return report.iterations < fairTrial ? 0 : std::min(most, report.iterations / share);
}

bool isInfeasible(const ContactProblem& problem, const SolverSettings& s, const Solution& solution,
                  SolverWorkspace& ws) {
    if (!hasGivenUp(solution.report) || s.fixedIterations > 0) return false;
    return provesInfeasible(problem, s.law, solution.reactions, solution.report.residuals.naturalMap,
                            proofSweeps(solution.report), ws.part<InfeasibilityWorkspace>());
}

// Where no motion satisfies the contacts, what a second-order solver leaves may be huge reactions that throw bodies
// out. A few sweeps from none push against each other as far as they go, and no further; no more than the user allows.
void pressTogether(const ContactProblem& problem, SolverSettings s, SolverWorkspace& ws, Solution& solution) {
    constexpr std::uint64_t sweeps = 100;
    s.kind = SolverKind::gaussSeidel;
    s.fixedIterations = std::min<std::uint64_t>(sweeps, s.maxIterations);
    SolveReport report = std::move(solution.report);
    solution.report = {};
    solution.reactions.assign(problem.contactCount(), Vec3{});
    runSolver(rowOf(s.kind), problem, s, ws, solution);
    report.residuals = solution.report.residuals;
    report.iterations += solution.report.iterations;
    solution.report = std::move(report);
}

// No answer has more than no reactions at all of
//
//     q(g) = g.(W + E) g/2 + g.b = sum g.(u + b)/2,
//
// since g.u <= 0 and g.(W + E) g >= 0 there. Those that have may give bodies any energy. Where q <= 0 the velocities dv
// that reactions give have dv.M dv <= -2 g.b: they are no larger than twice those that the offsets b ask for.
bool mayThrowBodiesOut(const ContactProblem& problem, const Solution& solution, std::vector<Vec3>& velocities) {
    relativeVelocities(problem, solution.reactions, velocities);
    const auto sum = [&](double share) {
        return parallelSum(velocities.size(), 0.0, [&](std::size_t i) {
            return 0.5 * dot(solution.reactions[i], velocities[i] + share * problem.offset[i]);
        });
    };
    constexpr double roundOff = 1e-3;  // -, of the first term
    return !(sum(1) <= roundOff * sum(-1));
}

void begin(const ContactProblem& problem, const std::vector<Vec3>& guess, Solution& solution) {
    solution.report = {};
    solution.reactions = guess;
    if (guess.size() != problem.contactCount()) solution.reactions.assign(problem.contactCount(), Vec3{});
}

}  // namespace

const Solution& solve(const ContactProblem& problem, const std::vector<Vec3>& guess, const SolverSettings& s,
                      SolverWorkspace& ws) {
    const auto start = std::chrono::steady_clock::now();
    validate(s);
    auto& solution = ws.part<Solution>();
    begin(problem, guess, solution);
    if (s.kind == SolverKind::automatic) {
        solveByChoice(problem, s, ws, solution);
    } else {
        const SolverRow row = rowOf(s.kind);
        checkAbilities(row, problem, s);
        solution.report.solver = s.kind;
        row.solve(problem, s, ws, solution);
    }
    if (isInfeasible(problem, s, solution, ws)) {
        if (isSecondOrder(solution.report) && problem.skew.empty()) pressTogether(problem, s, ws, solution);
        solution.report.status = SolveStatus::infeasible;
    } else if (hasGivenUp(solution.report) && isSecondOrder(solution.report) && problem.skew.empty() &&
               mayThrowBodiesOut(problem, solution, ws.part<ThrowCheck>().velocities)) {
        pressTogether(problem, s, ws, solution);
    }
    solution.report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return solution;
}

Solution solve(const ContactProblem& problem, const SolverSettings& settings, const std::vector<Vec3>& guess) {
    SolverWorkspace workspace;
    return solve(problem, guess, settings, workspace);
}

void validate(const SolverSettings& s) {
    const auto fail = [](const char* field, const char* rule, double value) {
        throw InputError(fmt::format("solver.{}: {}, got {}", field, rule, value));
    };
    if (!(s.tolerance >= 0)) fail("tolerance", "must be >= 0", s.tolerance);
    if (!(s.timeLimit > 0)) fail("time_limit", "must be > 0 s", s.timeLimit);
    if (!(s.jacobi.relaxation >= 0 && s.jacobi.relaxation <= 1)) {
        fail("relaxation", "must be 0 to 1", s.jacobi.relaxation);
    }
    if (s.fixedIterations > 0 && !traitsOf(s.kind).can.fixedWork) {
        fail("fixed_iterations", "is for sweeps and gradient steps", static_cast<double>(s.fixedIterations));
    }
}

std::string_view nameOf(FrictionLaw law) { return law == FrictionLaw::coulomb ? "coulomb" : "associated"; }

std::string_view nameOf(SolveStatus status) {
    switch (status) {
        case SolveStatus::notRun:
            return "not run";
        case SolveStatus::converged:
            return "converged";
        case SolveStatus::stalled:
            return "stalled";
        case SolveStatus::iterationLimit:
            return "iteration limit";
        case SolveStatus::timeLimit:
            return "time limit";
        case SolveStatus::numericalError:
            return "numerical error";
        case SolveStatus::infeasible:
            return "infeasible";
        case SolveStatus::unbounded:
            return "unbounded";
    }
    return "";
}

std::vector<SolverKind> allSolvers() {
    std::vector<SolverKind> kinds;
    for (const SolverTraits& traits : solverTraits) kinds.push_back(traits.kind);
    return kinds;
}

SolverKind solverNamed(std::string_view name) {
    std::vector<std::string> names;
    for (const SolverTraits& traits : solverTraits) {
        if (traits.name == name) return traits.kind;
        names.emplace_back(traits.name);
    }
    throw InputError(
        fmt::format("solver: there is no '{}'{}; there are {}", name, didYouMean(name, names), fmt::join(names, ", ")));
}

FrictionLaw frictionLawNamed(std::string_view name) {
    for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
        if (nameOf(law) == name) return law;
    }
    throw InputError(fmt::format("friction law: there is no '{}'; there are associated, coulomb", name));
}

}  // namespace talus
