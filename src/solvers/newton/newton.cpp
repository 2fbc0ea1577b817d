#include "solvers/newton/newton.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "problem/contact_response.hpp"
#include "solvers/best_answer.hpp"
#include "solvers/first_order/apgd.hpp"
#include "solvers/interior/interior_point.hpp"
#include "solvers/registry.hpp"
#include "solvers/stopping.hpp"

namespace talus {
namespace {

constexpr double firstStiffness = 100;  // c at first: of a contact's own mass
constexpr double mostStiffness = 1e8, leastStiffness = 1e-3;
constexpr double faster = 4;                   // c grows by this after a good round and shrinks after a bad one
constexpr double growing = 1.5;                // by which the most that c may be grows again, once it was too much
constexpr int mostSteps = 12, quickSteps = 4;  // of Newton in one round
constexpr double good = 0.1;                   // -, of the movement: an error small enough for one round
constexpr double locked = 1e-8;                // -, of a contact's stiffness, for directions in which it has none
constexpr int mostHalvings = 6;
constexpr std::uint64_t pathSteps = 30, gradientSteps = 200;
constexpr double roughly = 1e-5;  // -, natural map to begin from

// How far another solver goes.
struct RoughPhase {
    std::uint64_t steps;
    double tolerance;
    bool factorises;
};

class Iteration {
public:
    Iteration(const ContactProblem& problem, FrictionLaw law, NewtonWorkspace& ws)
        : problem_(problem), law_(law), ws_(ws), mass_(problem.contactCount()) {
        ws_.system.load(problem);
        for (std::size_t i = 0; i < size(); ++i) mass_[i] = 3 / trace(problem.diagonal(i));
        for (auto* v :
             {&ws_.p, &ws_.g, &ws_.error, &ws_.right, &ws_.x, &ws_.dp, &ws_.pull, &ws_.change, &ws_.w, &ws_.trial}) {
            v->assign(size(), Vec3{});  // what an earlier problem left there must not count
        }
        ws_.compliance.resize(size());
        ws_.flexible.resize(size());
        ws_.stiffness.resize(size());
    }

    // A round holds on to these reactions and starts there.
    void beginRound(const std::vector<Vec3>& reactions, double c) {
        parallelFor(size(), [&](std::size_t i) {
            ws_.compliance[i] = problem_.compliance.empty() ? Mat3{} : problem_.compliance[i];
            const double more = 1 / (c * mass_[i]);
            ws_.compliance[i] += more * identity3();
            ws_.pull[i] = more * reactions[i];
        });
        ws_.p = reactions;
        product(ws_.p, ws_.w);
        parallelFor(size(), [&](std::size_t i) { ws_.w[i] += problem_.offset[i]; });
        error_ = answer(0, ws_.g);
    }

    double error() const { return error_; }
    // How far the answer is from what the round holds on to.
    double movement(const std::vector<Vec3>& start) const {
        return std::sqrt(
            parallelSum(size(), 0.0, [&](std::size_t i) { return normSquared(ws_.g[i] - start[i]) / mass_[i]; }));
    }
    const std::vector<Vec3>& reactions() const { return ws_.g; }

    // One step of Newton; false if there is none.
    bool step() {
        parallelFor(size(), [&](std::size_t i) {
            const ContactResponse r = respond(problem_.sets[i], law_, ws_.compliance[i], ws_.w[i] - ws_.pull[i]);
            ws_.error[i] = ws_.p[i] - r.reaction;
            ws_.stiffness[i] = {r.stiffness};
            const double most = std::max({r.stiffness(0, 0), r.stiffness(1, 1), r.stiffness(2, 2)});
            ws_.flexible[i] = inverse(r.stiffness + std::max(locked * most, 1e-12 * mass_[i]) * identity3());
        });
        const Symmetry symmetry = law_ == FrictionLaw::coulomb ? Symmetry::general : Symmetry::symmetric;
        if (!ws_.system.factorise(ws_.stiffness, ws_.flexible, symmetry)) return false;
        product(ws_.error, ws_.right);
        ws_.system.solve(ws_.right, ws_.x);
        parallelFor(size(), [&](std::size_t i) { ws_.dp[i] = ws_.x[i] - ws_.error[i]; });
        product(ws_.dp, ws_.change);

        const double length = law_ == FrictionLaw::coulomb ? fallingLength() : minimisingLength();
        parallelFor(size(), [&](std::size_t i) {
            ws_.p[i] += length * ws_.dp[i];
            ws_.w[i] += length * ws_.change[i];
        });
        error_ = answer(0, ws_.g);
        return true;
    }

private:
    std::size_t size() const { return mass_.size(); }

    // W g without E.
    void product(const std::vector<Vec3>& g, std::vector<Vec3>& u) {
        relativeVelocities(problem_, g, u);
        parallelFor(size(), [&](std::size_t i) { u[i] -= problem_.offset[i] + problem_.complianceTimes(i, g[i]); });
    }

    // g at a length along the step, and the size of p - g there (as an energy).
    double answer(double length, std::vector<Vec3>& g) {
        return std::sqrt(parallelSum(size(), 0.0, [&](std::size_t i) {
            const Vec3 w = ws_.w[i] + length * ws_.change[i] - ws_.pull[i];
            g[i] = solveContact(problem_.sets[i], law_, ws_.compliance[i], w);
            return normSquared(ws_.p[i] + length * ws_.dp[i] - g[i]) / mass_[i];
        }));
    }

    // Slope of the objective along the step: rises from a negative value.
    double slope(double length) {
        answer(length, ws_.trial);
        return parallelSum(size(), 0.0, [&](std::size_t i) {
            return dot(ws_.change[i], ws_.p[i] + length * ws_.dp[i] - ws_.trial[i]);
        });
    }

    // Where the slope is zero, roughly: the objective is least there.
    double minimisingLength() {
        const double first = slope(0), full = slope(1);
        if (!(first < 0)) return 1;  // round-off
        if (std::abs(full) <= 0.1 * std::abs(first)) return 1;
        double low = 0, high = 1, slopeLow = first, slopeHigh = full;
        if (full < 0) return 1;  // a step longer than Newton's is not tried
        double length = 1;
        for (int k = 0; k < 20; ++k) {
            length = (low * slopeHigh - high * slopeLow) / (slopeHigh - slopeLow);
            if (k % 3 == 2) length = 0.5 * (low + high);
            const double here = slope(length);
            if (std::abs(here) <= 0.1 * std::abs(first)) break;
            (here < 0 ? low : high) = length;
            (here < 0 ? slopeLow : slopeHigh) = here;
        }
        return length;
    }

    // The first of 1, 1/2, 1/4, ... with a smaller error.
    double fallingLength() {
        double length = 1;
        for (int k = 0; k < mostHalvings; ++k) {
            if (answer(length, ws_.trial) < (1 - 1e-4 * length) * error_) return length;
            length *= 0.5;
        }
        return length;
    }

    const ContactProblem& problem_;
    FrictionLaw law_;
    NewtonWorkspace& ws_;
    std::vector<double> mass_;
    double error_ = 0;
};

}  // namespace

void solveNewton(const ContactProblem& problem, const SolverSettings& s, SolverWorkspace& workspace,
                 Solution& solution) {
    auto& ws = workspace.part<NewtonWorkspace>();
    ContactSystem& systemOfPath = workspace.part<InteriorPointWorkspace>().system;
    Stopping stopping(s, solution.report, Pace::every);
    Iteration newton(problem, s.law, ws);
    BestAnswer best(problem, s.law, solution);
    std::vector<Vec3>& held = ws.held;
    held = solution.reactions;
    const bool warm = std::any_of(held.begin(), held.end(), [](const Vec3& g) { return g != Vec3{}; });
    double c = firstStiffness, most = mostStiffness;
    std::uint64_t iteration = 0;
    std::optional<SolveStatus> status;

    const auto judge = [&](const std::vector<Vec3>& g) {
        relativeVelocities(problem, g, ws.velocities);
        status = stopping.check(iteration, best.offer(g, ws.velocities));
    };
    // Others find out roughly which contacts hold, where Newton's steps would go astray. Factorisations count as
    // iterations, gradient steps do not: one for all.
    const auto begin = [&](SolveFunction solveRoughly, const RoughPhase& phase) {
        SolverSettings rough = s;
        rough.tolerance = std::max(phase.tolerance, s.tolerance);
        rough.maxIterations = std::min(phase.steps, s.maxIterations - iteration);
        rough.fixedIterations = 0;
        rough.history = false;
        rough.timeLimit = std::max(1e-3, s.timeLimit - stopping.seconds());
        ws.rough.report = {};
        ws.rough.reactions = solution.reactions;
        solveRoughly(problem, rough, workspace, ws.rough);
        iteration += phase.factorises ? std::max<std::uint64_t>(1, ws.rough.report.iterations) : 1;
        held = ws.rough.reactions;
        judge(held);
    };
    ws.system.startCount();
    systemOfPath.startCount();
    judge(held);
    // First along a path inside the cones, where all sets are cones; that is costly, so only once.
    bool isPathLeft =
        std::all_of(problem.sets.begin(), problem.sets.end(), [](const ReactionSet& set) { return set.isConical(); });
    const auto beginAnew = [&](double tolerance) {
        if (isPathLeft) {
            begin(solveInteriorPoint, {pathSteps, tolerance, true});
        } else {
            begin(solveApgd, {gradientSteps, tolerance, false});
        }
        isPathLeft = false;
    };
    if (!status && !warm) beginAnew(roughly);

    while (!status) {
        newton.beginRound(held, c);
        int steps = 0;
        bool done = false;
        while (!status && !done && steps < mostSteps && newton.step()) {
            ++steps;
            ++iteration;
            judge(newton.reactions());
            done = newton.error() <= good * newton.movement(held);
        }
        if (status) break;
        if (done) {
            held = newton.reactions();
            if (steps <= quickSteps) c = std::min(faster * c, most);
            most = std::min(growing * most, mostStiffness);
        } else {
            most = std::max(c / faster, leastStiffness);
            c = std::max(most / faster, leastStiffness);
            beginAnew(0);
        }
    }
    solution.report.status = *status;
    solution.report.factors = together(ws.system.factors(), systemOfPath.factors());
}

}  // namespace talus
