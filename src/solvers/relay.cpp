// Solvers one after the other, each where the last one gave up (solveByChoice() in choice.hpp).
#include <algorithm>
#include <chrono>

#include "problem/contact_problem.hpp"
#include "solvers/choice.hpp"
#include "solvers/first_order/gauss_seidel.hpp"
#include "solvers/registry.hpp"

namespace talus {
namespace {

bool isSecondOrder(SolverKind kind) { return traitsOf(kind).order == SolverOrder::second; }

// Of a second-order solver that was chosen, before another one is. The last digits of Coulomb's law are at the end of
// the long path of the interior-point method; for fewer of them the others are sooner there if it takes long.
std::uint64_t mostFactorisations(const SolverSettings& s) {
    if (s.kind != SolverKind::interiorPoint || s.law != FrictionLaw::coulomb) return 100;
    return s.tolerance <= 1e-7 ? 3600 : s.tolerance <= 1e-5 ? 400 : 100;
}

// Who takes over where a second-order solver gives up.
std::vector<SolverKind> successorsOf(SolverKind first, const ContactProblem& problem, FrictionLaw law) {
    std::vector<SolverKind> kinds;
    if (!problem.skew.empty()) return kinds;
    if (first != SolverKind::newton) kinds.push_back(SolverKind::newton);
    kinds.push_back(law == FrictionLaw::coulomb ? SolverKind::gaussSeidel : SolverKind::apgd);
    return kinds;
}

class Relay {
public:
    Relay(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& ws, Solution& best)
        : problem_(problem), settings_(settings), ws_(ws), best_(best) {}

    bool hasTimeLeft() const {
        return best_.report.iterations < settings_.maxIterations && spent() < settings_.timeLimit;
    }

    // Keeps the better answer and the whole story.
    void run(SolverKind kind) {
        const double before = spent();
        SolverSettings s = whatIsLeft(kind, before);
        const bool isCut = isSecondOrder(kind) && s.maxIterations > mostFactorisations(s);
        if (isCut) s.maxIterations = mostFactorisations(s);
        Solution part{.reactions = guessFor(kind), .velocities = {}, .report = {}};
        runSolver(rowOf(kind), problem_, s, ws_, part);
        if (part.report.status == SolveStatus::iterationLimit && isCut) part.report.status = SolveStatus::stalled;
        keep(part, before);
    }

    // Sweeps from the guess, as long as they promise to be enough.
    void sweepFirst(std::uint64_t allowed) {
        constexpr double nothingSpent = 0;
        Solution part{.reactions = best_.reactions, .velocities = {}, .report = {}};
        part.report.solver = SolverKind::gaussSeidel;
        sweepWhileWorthwhile(problem_, whatIsLeft(SolverKind::gaussSeidel, nothingSpent), allowed, ws_, part);
        keep(part, nothingSpent);
    }

    bool hasConverged() const { return hasConverged_; }

private:
    // Sweeps get further from nothing than from where Newton's method stalled under Coulomb's law.
    std::vector<Vec3> guessFor(SolverKind kind) const {
        return kind == SolverKind::gaussSeidel ? std::vector<Vec3>(problem_.contactCount()) : best_.reactions;
    }

    SolverSettings whatIsLeft(SolverKind kind, double spentBefore) const {
        SolverSettings s = settings_;
        s.kind = kind;
        s.maxIterations -= std::min(s.maxIterations, best_.report.iterations);
        s.timeLimit -= spentBefore;
        return s;
    }

    void keep(Solution& part, double before) {
        hasConverged_ = part.report.status == SolveStatus::converged;
        append(part.report, before);
        if (isFirst_ || part.report.residuals.naturalMap < best_.report.residuals.naturalMap) take(part);
        isFirst_ = false;
    }

    void append(const SolveReport& part, double before) {
        SolveReport& whole = best_.report;
        for (const IterationRecord& r : part.history) {
            whole.history.push_back({r.iteration + whole.iterations, r.seconds + before, r.naturalMap});
        }
        whole.iterations += part.iterations;
        whole.factors.add(part.factors);
    }

    void take(Solution& part) {
        best_.reactions = std::move(part.reactions);
        best_.velocities = std::move(part.velocities);
        best_.report.solver = part.report.solver;
        best_.report.status = part.report.status;
        best_.report.residuals = part.report.residuals;
    }

    double spent() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }

    const ContactProblem& problem_;
    const SolverSettings& settings_;
    SolverWorkspace& ws_;
    Solution& best_;
    bool isFirst_ = true, hasConverged_ = false;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

void solveByChoice(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& ws,
                   Solution& solution) {
    const SolverChoice choice = chooseSolver(problem, settings);
    if (isSecondOrder(choice.solver)) {
        Relay relay(problem, settings, ws, solution);
        if (choice.sweepsFirst > 0) relay.sweepFirst(choice.sweepsFirst);
        solution.report.reason = relay.hasConverged() ? "sweeps were enough" : choice.reason;
        if (relay.hasConverged() || !relay.hasTimeLeft()) return;
        relay.run(choice.solver);
        for (const SolverKind next : successorsOf(choice.solver, problem, settings.law)) {
            if (relay.hasConverged() || !relay.hasTimeLeft()) break;
            relay.run(next);
            solution.report.reason = "the chosen second-order solver gave up";
        }
    } else {
        SolverSettings s = settings;
        s.kind = choice.solver;
        runSolver(rowOf(s.kind), problem, s, ws, solution);
        solution.report.reason = choice.reason;
    }
}

}  // namespace talus
