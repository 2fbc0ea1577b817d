#include "solvers/interior/interior_point.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/best_answer.hpp"
#include "solvers/interior/central_path.hpp"

namespace talus {
namespace {

constexpr int patience = 12;  // steps without a better residual or less of an error of u = f(z), to give a path up

// What paths come by, offered in turn until it is time to stop.
class Search {
public:
    Search(const ContactProblem& problem, const SolverSettings& s, Solution& solution)
        : best_(problem, s.law, solution), stopping_(s, solution.report, Pace::every) {}

    // True if it is time to stop.
    bool offer(const std::vector<Vec3>& g) {
        relativeVelocities(best_.problem(), g, fresh_);
        return offer(g, fresh_);
    }
    // With the velocities that belong to them.
    bool offer(const std::vector<Vec3>& g, const std::vector<Vec3>& u) {
        latest_ = best_.offer(g, u);
        if (best_.lastIsBest()) found_ = iteration_ > 0;
        status_ = stopping_.check(iteration_++, latest_);
        // Numbers that go bad on the way do not spoil what was found before.
        if (status_ == SolveStatus::numericalError && found_) status_ = SolveStatus::stalled;
        if (status_ == SolveStatus::stalled && isPatient_) status_.reset();
        return status_.has_value();
    }
    // From now on it goes on until the tolerance or a limit is reached: the caller knows when there is no more to come.
    void bePatient() { isPatient_ = true; }

    double residual() const { return best_.residual(); }
    double latest() const { return latest_; }  // of what was offered last
    const ContactProblem& problem() const { return best_.problem(); }
    const Diagonals& diagonals() const { return best_.diagonals(); }
    std::optional<SolveStatus> status() const { return status_; }

private:
    BestAnswer best_;
    Stopping stopping_;
    std::vector<Vec3> fresh_;
    std::uint64_t iteration_ = 0;
    double latest_ = 0;
    bool found_ = false;  // something better than the guess
    bool isPatient_ = false;
    std::optional<SolveStatus> status_;
};

// To the end of the path of a problem, or until it gets no better; true if that was enough.
bool followPath(const ContactProblem& problem, FrictionLaw law, double tolerance, InteriorPointWorkspace& ws,
                Search& search) {
    CentralPath path(problem, law, ws);
    const bool isOwn = &problem == &search.problem();
    double lowest = std::numeric_limits<double>::infinity(), leastError = lowest, last = lowest;
    for (int waited = 0; waited < patience; ++waited) {
        path.evaluate();
        if (isOwn ? search.offer(ws.reactions, ws.velocities) : search.offer(ws.reactions)) return true;
        const double here =
            isOwn ? search.latest()
                  : measureResiduals(problem, law, search.diagonals(), ws.reactions, ws.velocities).naturalMap;
        if (here <= tolerance) return false;
        if (here < 0.9 * lowest || path.error() < 0.9 * leastError) waited = 0;
        lowest = std::min(lowest, here);
        leastError = std::min(leastError, path.error());
        if (!path.move(path.isNearRoundOff() && here < 0.5 * last ? CentralPath::Aim::middle
                                                                  : CentralPath::Aim::onward))
            return false;
        last = here;
    }
    return false;
}

// How many problems are worth it, and how much better each must be.
struct Patience {
    int most;
    double leastGain;  // -, of the residual
};
constexpr Patience afterPath{4, 0.7}, withoutPath{100, 1};

// Coulomb's law as a sequence of convex problems, each with the shift mu |u_t| of the last answer; the first has none.
void followShifts(const ContactProblem& problem, double tolerance, const Patience& rounds, InteriorPointWorkspace& ws,
                  Search& search) {
    ContactProblem shifted = problem;
    for (int round = 0; round < rounds.most; ++round) {
        const double before = search.residual();
        if (followPath(shifted, FrictionLaw::associated, 0.1 * tolerance, ws, search)) return;
        if (round > 0 && search.residual() > rounds.leastGain * before) return;
        for (std::size_t i = 0; i < problem.contactCount(); ++i) {
            shifted.offset[i].x = problem.offset[i].x + slipShift(problem.sets[i], ws.velocities[i]);
        }
    }
}

// Along the path on which the shift follows the slip (slip_path.hpp), with the care that suits most problems and then
// with others; true if that was enough. The residual may rest for hundreds of steps before it falls on.
// A loose tolerance is reached soon or is not worth it.
bool followSlip(const ContactProblem& problem, double tolerance, InteriorPointWorkspace& ws, Search& search) {
    constexpr int mostAtTheEnd = 30;
    const bool isTight = tolerance <= 1e-5;
    const int mostSteps = isTight ? 1100 : 150;
    search.bePatient();
    for (const double care : {1.0, 30.0, 3.0}) {
        SlipPath path(problem, care, ws.system, ws.slip);
        for (int step = 0, atTheEnd = 0; step < mostSteps; ++step) {
            path.evaluate();
            const double before = search.residual();
            if (search.offer(ws.slip.reactions, ws.slip.velocities)) return true;
            if (!std::isfinite(search.latest())) break;
            // Near the end round-off takes over: another solver may find the last digits.
            atTheEnd = path.isNearItsEnd() && search.residual() > 0.9 * before ? atTheEnd + 1 : 0;
            if (atTheEnd > mostAtTheEnd) return false;
            if (!path.move()) break;
        }
        if (!isTight) break;
    }
    return false;
}

// Whether there is a path for Coulomb's law: f takes the shift from the velocity of a cone, not from that of a ball.
bool hasPath(const ContactProblem& p, FrictionLaw law) {
    return law == FrictionLaw::associated || std::none_of(p.sets.begin(), p.sets.end(), [](const ReactionSet& s) {
               return s.isRounded() && s.friction > 0;
           });
}

// Reactions of contacts that are all open.
std::vector<Vec3> apexes(const ContactProblem& p) {
    std::vector<Vec3> g(p.contactCount());
    for (std::size_t i = 0; i < g.size(); ++i) g[i].x = p.sets[i].bilateral ? 0.0 : -p.sets[i].cohesion;
    return g;
}

}  // namespace

void solveInteriorPoint(const ContactProblem& problem, const SolverSettings& s, SolverWorkspace& workspace,
                        Solution& solution) {
    auto& ws = workspace.part<InteriorPointWorkspace>();
    const std::vector<Vec3> guess = solution.reactions;
    const bool warm = std::any_of(guess.begin(), guess.end(), [](const Vec3& g) { return g != Vec3{}; });
    Search search(problem, s, solution);
    ws.system.startCount();
    // A guess cannot be started from, since it lies on the border, but it may do; so may no reactions at all, of which
    // the inside of the cones falls short.
    bool done = search.offer(guess);
    if (!done && warm) done = search.offer(ws.reactions = apexes(problem));
    if (!done) {
        const bool direct = hasPath(problem, s.law);
        if (direct) done = followPath(problem, s.law, s.tolerance, ws, search);
        const bool isCoulomb = s.law == FrictionLaw::coulomb;
        if (!done && isCoulomb && SlipPath::fits(problem)) done = followSlip(problem, s.tolerance, ws, search);
        if (!done && isCoulomb) {
            followShifts(problem, s.tolerance, direct ? afterPath : withoutPath, ws, search);
        }
    }
    solution.report.status = search.status().value_or(SolveStatus::stalled);
    solution.report.factors = ws.system.factors();
}

}  // namespace talus
