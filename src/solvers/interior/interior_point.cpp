#include "solvers/interior/interior_point.hpp"

#include <algorithm>
#include <cmath>

#include "solvers/interior/central_path.hpp"

namespace talus {
namespace {

constexpr int patience = 12;  // steps without a better residual or less of an error of u = f(z), to give a path up

// The best reactions seen so far, judged by the problem that is to be solved.
class BestAnswer {
public:
    BestAnswer(const ContactProblem& problem, const SolverSettings& s, std::vector<Vec3>& reactions,
               std::vector<Vec3>& velocities, SolveReport& report)
        : problem_(problem),
          law_(s.law),
          reactions_(reactions),
          velocities_(velocities),
          report_(report),
          stopping_(s, report, Pace::every) {
        diagonals_.measure(problem);
    }

    // True if it is time to stop.
    bool offer(const std::vector<Vec3>& g) {
        relativeVelocities(problem_, g, fresh_);
        return offer(g, fresh_);
    }
    // With the velocities that belong to them.
    bool offer(const std::vector<Vec3>& g, const std::vector<Vec3>& u) {
        const Residuals residuals = measureResiduals(problem_, law_, diagonals_, g, u);
        latest_ = residuals.naturalMap;
        if (iteration_ == 0 || residuals.naturalMap < report_.residuals.naturalMap) {
            report_.residuals = residuals;
            reactions_ = g;
            velocities_ = u;
            found_ = iteration_ > 0;
        }
        status_ = stopping_.check(iteration_++, residuals.naturalMap);
        // Numbers that go bad on the way do not spoil what was found before.
        if (status_ == SolveStatus::numericalError && found_) status_ = SolveStatus::stalled;
        if (status_ == SolveStatus::stalled && isPatient_) status_.reset();
        return status_.has_value();
    }
    // From now on it goes on until the tolerance or a limit is reached: the caller knows when there is no more to come.
    void bePatient() { isPatient_ = true; }

    double residual() const { return report_.residuals.naturalMap; }
    double latest() const { return latest_; }  // of what was offered last
    const ContactProblem& problem() const { return problem_; }
    const Diagonals& diagonals() const { return diagonals_; }
    std::optional<SolveStatus> status() const { return status_; }

private:
    const ContactProblem& problem_;
    FrictionLaw law_;
    Diagonals diagonals_;
    std::vector<Vec3>&reactions_, &velocities_, fresh_;
    SolveReport& report_;
    Stopping stopping_;
    std::uint64_t iteration_ = 0;
    double latest_ = 0;
    bool found_ = false;  // something better than the guess
    bool isPatient_ = false;
    std::optional<SolveStatus> status_;
};

// To the end of the path of a problem, or until it gets no better; true if that was enough.
bool followPath(const ContactProblem& problem, FrictionLaw law, double tolerance, InteriorPointWorkspace& ws,
                BestAnswer& best) {
    CentralPath path(problem, law, ws);
    const bool isOwn = &problem == &best.problem();
    double lowest = std::numeric_limits<double>::infinity(), leastError = lowest, last = lowest;
    for (int waited = 0; waited < patience; ++waited) {
        path.evaluate();
        if (isOwn ? best.offer(ws.reactions, ws.velocities) : best.offer(ws.reactions)) return true;
        const double here =
            isOwn ? best.latest()
                  : measureResiduals(problem, law, best.diagonals(), ws.reactions, ws.velocities).naturalMap;
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
                  BestAnswer& best) {
    ContactProblem shifted = problem;
    for (int round = 0; round < rounds.most; ++round) {
        const double before = best.residual();
        if (followPath(shifted, FrictionLaw::associated, 0.1 * tolerance, ws, best)) return;
        if (round > 0 && best.residual() > rounds.leastGain * before) return;
        for (std::size_t i = 0; i < problem.contactCount(); ++i) {
            shifted.offset[i].x = problem.offset[i].x + slipShift(problem.sets[i], ws.velocities[i]);
        }
    }
}

// Along the path on which the shift follows the slip (slip_path.hpp), with the care that suits most problems and then
// with others; true if that was enough. The residual may rest for hundreds of steps before it falls on.
// A loose tolerance is reached soon or is not worth it.
bool followSlip(const ContactProblem& problem, double tolerance, InteriorPointWorkspace& ws, BestAnswer& best) {
    constexpr int mostAtTheEnd = 30;
    const bool isTight = tolerance <= 1e-5;
    const int mostSteps = isTight ? 1100 : 150;
    best.bePatient();
    for (const double care : {1.0, 30.0, 3.0}) {
        SlipPath path(problem, care, ws.system, ws.slip);
        for (int step = 0, atTheEnd = 0; step < mostSteps; ++step) {
            path.evaluate();
            const double before = best.residual();
            if (best.offer(ws.slip.reactions, ws.slip.velocities)) return true;
            if (!std::isfinite(best.latest())) break;
            // Near the end round-off takes over: another solver may find the last digits.
            atTheEnd = path.isNearItsEnd() && best.residual() > 0.9 * before ? atTheEnd + 1 : 0;
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
               return !s.bilateral && s.ball > 0 && s.friction > 0;
           });
}

// Reactions of contacts that are all open.
std::vector<Vec3> apexes(const ContactProblem& p) {
    std::vector<Vec3> g(p.contactCount());
    for (std::size_t i = 0; i < g.size(); ++i) g[i].x = p.sets[i].bilateral ? 0.0 : -p.sets[i].cohesion;
    return g;
}

}  // namespace

void solveInteriorPoint(const ContactProblem& problem, const SolverSettings& s, InteriorPointWorkspace& ws,
                        std::vector<Vec3>& reactions, std::vector<Vec3>& velocities, SolveReport& report) {
    const bool warm = std::any_of(reactions.begin(), reactions.end(), [](const Vec3& g) { return g != Vec3{}; });
    BestAnswer best(problem, s, reactions, velocities, report);
    ws.system.startCount();
    // A guess cannot be started from, since it lies on the border, but it may do; so may no reactions at all, of which
    // the inside of the cones falls short.
    bool done = best.offer(ws.reactions = reactions);
    if (!done && warm) done = best.offer(ws.reactions = apexes(problem));
    if (!done) {
        const bool direct = hasPath(problem, s.law);
        if (direct) done = followPath(problem, s.law, s.tolerance, ws, best);
        const bool isCoulomb = s.law == FrictionLaw::coulomb;
        if (!done && isCoulomb && SlipPath::fits(problem)) done = followSlip(problem, s.tolerance, ws, best);
        if (!done && isCoulomb) {
            followShifts(problem, s.tolerance, direct ? afterPath : withoutPath, ws, best);
        }
    }
    report.status = best.status().value_or(SolveStatus::stalled);
    report.factors = ws.system.factors();
}

}  // namespace talus
