#include "solvers/solver.hpp"

#include <fmt/format.h>

#include <chrono>

#include "solvers/apgd.hpp"
#include "solvers/gauss_seidel.hpp"
#include "solvers/jacobi.hpp"
#include "solvers/spg.hpp"
#include "talus/error.hpp"

namespace talus {

struct Solver::Workspace {
    std::vector<Vec3> velocities;
    GaussSeidelWorkspace gaussSeidel;
    JacobiWorkspace jacobi;
    ApgdWorkspace apgd;
    SpgWorkspace spg;
};

void validate(const SolverSettings& s) {
    const auto fail = [](const char* field, const char* rule, double value) {
        throw InputError(fmt::format("solver.{}: {}, got {}", field, rule, value));
    };
    if (!(s.tolerance >= 0)) fail("tolerance", "must be >= 0", s.tolerance);
    if (!(s.timeLimit > 0)) fail("time_limit", "must be > 0 s", s.timeLimit);
    if (!(s.relaxation >= 0 && s.relaxation <= 1)) fail("relaxation", "must be 0 to 1", s.relaxation);
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
    SolveReport report;
    Workspace& ws = *workspace_;
    if (reactions.size() != problem.contactCount()) reactions.assign(problem.contactCount(), Vec3{});
    switch (settings_.kind) {
        case SolverKind::gaussSeidel:
            solveGaussSeidel(problem, settings_, ws.gaussSeidel, reactions, ws.velocities, report);
            break;
        case SolverKind::jacobi:
            solveJacobi(problem, settings_, ws.jacobi, reactions, ws.velocities, report);
            break;
        case SolverKind::apgd:
            solveApgd(problem, settings_, ws.apgd, reactions, ws.velocities, report);
            break;
        case SolverKind::spg:
            solveSpg(problem, settings_, ws.spg, reactions, ws.velocities, report);
            break;
    }
    report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return report;
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
    }
    return "";
}

}  // namespace talus
