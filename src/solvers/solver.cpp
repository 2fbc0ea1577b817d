#include "solvers/solver.hpp"

#include <fmt/format.h>

#include <chrono>

#include "solvers/choice.hpp"
#include "solvers/first_order/apgd.hpp"
#include "solvers/first_order/gauss_seidel.hpp"
#include "solvers/first_order/jacobi.hpp"
#include "solvers/first_order/spg.hpp"
#include "solvers/interior/infeasibility.hpp"
#include "solvers/interior/interior_point.hpp"
#include "solvers/newton/newton.hpp"
#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {

struct Solver::Workspace {
    std::vector<Vec3> velocities;
    GaussSeidelWorkspace gaussSeidel;
    JacobiWorkspace jacobi;
    ApgdWorkspace apgd;
    SpgWorkspace spg;
    InteriorPointWorkspace interiorPoint;
    NewtonWorkspace newton;
    InfeasibilityWorkspace infeasibility;
};

namespace {

// Of a second-order solver that was chosen, before another one is. The last digits of Coulomb's law are at the end of
// the long path of the interior-point method; for fewer of them the others are sooner there if it takes long.
std::uint64_t mostFactorisations(const SolverSettings& s) {
    if (s.kind != SolverKind::interiorPoint || s.law != FrictionLaw::coulomb) return 100;
    return s.tolerance <= 1e-7 ? 3600 : s.tolerance <= 1e-5 ? 400 : 100;
}

bool isSecondOrder(SolverKind kind) { return kind == SolverKind::interiorPoint || kind == SolverKind::newton; }

bool hasGivenUp(const SolveReport& report) {
    return report.status == SolveStatus::stalled || report.status == SolveStatus::iterationLimit;
}

// To find out whether the problem has no answer: none where a user allows few iterations and expects no convergence.
std::uint64_t proofSweeps(const SolveReport& report) {
    constexpr std::uint64_t most = 500, fairTrial = 400, share = 8;
    if (isSecondOrder(report.solver)) return most;
    return report.iterations < fairTrial ? 0 : std::min(most, report.iterations / share);
}

}  // namespace

void validate(const SolverSettings& s) {
    const auto fail = [](const char* field, const char* rule, double value) {
        throw InputError(fmt::format("solver.{}: {}, got {}", field, rule, value));
    };
    if (!(s.tolerance >= 0)) fail("tolerance", "must be >= 0", s.tolerance);
    if (!(s.timeLimit > 0)) fail("time_limit", "must be > 0 s", s.timeLimit);
    if (!(s.relaxation >= 0 && s.relaxation <= 1)) fail("relaxation", "must be 0 to 1", s.relaxation);
    if (s.fixedIterations > 0 && (isSecondOrder(s.kind) || s.kind == SolverKind::automatic)) {
        fail("fixed_iterations", "is for sweeps and gradient steps", static_cast<double>(s.fixedIterations));
    }
}

Solver::Solver(SolverSettings settings) : settings_(std::move(settings)), workspace_(std::make_unique<Workspace>()) {
    validate(settings_);
}
Solver::~Solver() = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;

const std::vector<Vec3>& Solver::velocities() const { return workspace_->velocities; }

SolveReport Solver::solve(const ContactProblem& problem, std::vector<Vec3>& reactions) {
    const auto start = std::chrono::steady_clock::now();
    if (reactions.size() != problem.contactCount()) reactions.assign(problem.contactCount(), Vec3{});
    SolveReport report;
    if (settings_.kind == SolverKind::automatic) {
        solveByChoice(problem, reactions, report);
    } else {
        solveWith(settings_, problem, reactions, report);
    }
    if (hasGivenUp(report) && settings_.fixedIterations == 0 &&
        provesInfeasible(problem, settings_.law, reactions, report.residuals.naturalMap, proofSweeps(report),
                         workspace_->infeasibility)) {
        if (isSecondOrder(report.solver) && problem.skew.empty()) squeeze(problem, reactions, report);
        report.status = SolveStatus::infeasible;
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
}

// Where no motion satisfies the contacts, what a second-order solver leaves may be huge reactions that throw bodies
// out. A few sweeps from none push against each other as far as they go, and no further.
void Solver::squeeze(const ContactProblem& problem, std::vector<Vec3>& reactions, SolveReport& report) {
    constexpr std::uint64_t sweeps = 100;
    SolverSettings s = settings_;
    s.kind = SolverKind::gaussSeidel;
    s.fixedIterations = sweeps;
    reactions.assign(problem.contactCount(), Vec3{});
    SolveReport swept;
    solveWith(s, problem, reactions, swept);
    report.residuals = swept.residuals;
    report.iterations += swept.iterations;
}

// The chosen solver; if that is a second-order one and gives up, others go on from the best answer so far.
void Solver::solveByChoice(const ContactProblem& problem, std::vector<Vec3>& reactions, SolveReport& report) {
    const auto start = std::chrono::steady_clock::now();
    const SolverChoice choice = chooseSolver(problem, settings_);
    if (!isSecondOrder(choice.solver)) {
        SolverSettings s = settings_;
        s.kind = choice.solver;
        solveWith(s, problem, reactions, report);
        report.reason = choice.reason;
        return;
    }
    std::vector<SolverKind> kinds{choice.solver};
    if (problem.skew.empty()) {
        if (choice.solver != SolverKind::newton) kinds.push_back(SolverKind::newton);
        kinds.push_back(settings_.law == FrictionLaw::coulomb ? SolverKind::gaussSeidel : SolverKind::apgd);
    }
    report.reason = choice.reason;
    std::vector<Vec3> bestVelocities;
    for (const SolverKind kind : kinds) {
        const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        SolverSettings s = settings_;
        s.kind = kind;
        s.maxIterations -= std::min(s.maxIterations, report.iterations);
        s.timeLimit -= spent;
        if (kind != choice.solver && (s.maxIterations == 0 || !(s.timeLimit > 0))) break;
        const bool isCut = isSecondOrder(kind) && s.maxIterations > mostFactorisations(s);
        if (isCut) s.maxIterations = mostFactorisations(s);
        // Sweeps get further from nothing than from where Newton's method stalled under Coulomb's law.
        std::vector<Vec3> guess = kind == SolverKind::gaussSeidel ? std::vector<Vec3>(reactions.size()) : reactions;
        SolveReport part;
        solveWith(s, problem, guess, part);
        if (part.status == SolveStatus::iterationLimit && isCut) part.status = SolveStatus::stalled;

        // Keep the better answer and the whole story.
        for (IterationRecord r : part.history) {
            report.history.push_back({r.iteration + report.iterations, r.seconds + spent, r.naturalMap});
        }
        report.iterations += part.iterations;
        report.factors.add(part.factors);
        if (kind != choice.solver) report.reason = "the chosen second-order solver gave up";
        if (kind == choice.solver || part.residuals.naturalMap < report.residuals.naturalMap) {
            report.solver = kind;
            report.status = part.status;
            report.residuals = part.residuals;
            reactions = guess;
            bestVelocities = workspace_->velocities;
        }
        if (part.status == SolveStatus::converged) break;
    }
    workspace_->velocities = bestVelocities;
}

void Solver::solveWith(const SolverSettings& s, const ContactProblem& problem, std::vector<Vec3>& reactions,
                       SolveReport& report) {
    if (!problem.skew.empty() && s.kind != SolverKind::interiorPoint) {
        throw InputError(fmt::format("solver: {} does not know skewed laws; interior-point does", nameOf(s.kind)));
    }
    Workspace& ws = *workspace_;
    report.solver = s.kind;
    switch (s.kind) {
        case SolverKind::gaussSeidel:
            return solveGaussSeidel(problem, s, ws.gaussSeidel, reactions, ws.velocities, report);
        case SolverKind::jacobi:
            return solveJacobi(problem, s, ws.jacobi, reactions, ws.velocities, report);
        case SolverKind::apgd:
            return solveApgd(problem, s, ws.apgd, reactions, ws.velocities, report);
        case SolverKind::spg:
            return solveSpg(problem, s, ws.spg, reactions, ws.velocities, report);
        case SolverKind::interiorPoint:
            return solveInteriorPoint(problem, s, ws.interiorPoint, reactions, ws.velocities, report);
        case SolverKind::newton:
            return solveNewton(problem, s, ws.newton, reactions, ws.velocities, report);
        case SolverKind::automatic:
            break;
    }
}

std::string_view nameOf(SolverKind kind) {
    switch (kind) {
        case SolverKind::gaussSeidel:
            return "gauss-seidel";
        case SolverKind::jacobi:
            return "jacobi";
        case SolverKind::apgd:
            return "apgd";
        case SolverKind::spg:
            return "spg";
        case SolverKind::interiorPoint:
            return "interior-point";
        case SolverKind::newton:
            return "newton";
        case SolverKind::automatic:
            return "auto";
    }
    return "";
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
    for (int k = 0; !nameOf(static_cast<SolverKind>(k)).empty(); ++k) kinds.push_back(static_cast<SolverKind>(k));
    return kinds;
}

SolverKind solverNamed(std::string_view name) {
    std::vector<std::string> names;
    for (const SolverKind kind : allSolvers()) {
        if (nameOf(kind) == name) return kind;
        names.emplace_back(nameOf(kind));
    }
    throw InputError(
        fmt::format("solver: there is no '{}'{}; there are {}", name, didYouMean(name, names), fmt::join(names, ", ")));
}

FrictionLaw frictionLawNamed(std::string_view name) {
    for (const FrictionLaw law : {FrictionLaw::coulomb, FrictionLaw::associated}) {
        if (nameOf(law) == name) return law;
    }
    throw InputError(fmt::format("friction law: must be coulomb or associated, got '{}'", name));
}

}  // namespace talus
