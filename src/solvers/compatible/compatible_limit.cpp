// The one-step form of compatible reactions (compatible.hpp).
#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "solvers/compatible/compatible.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double smallness = 1e-4;   // -, of W, that e C is
constexpr double exactness = 1e-12;  // -, residual at which the reactions of that are known to 1e-8 or so
constexpr double lineError = 1e-10;  // -, residual of the rigid problem that the straight line to e = 0 can leave
constexpr double smaller = 0.1;      // -, the next e, if that was too large
constexpr int mostAttempts = 4;      // with e
constexpr double leastTime = 1e-3;   // s, that a solve gets
constexpr int mostRounds = 40;       // of powers other than 2
constexpr int mostFailures = 3;      // of these in a row: the limit cannot be found here, and more rounds will not
constexpr double settled = 1e-7;     // -, change of the reactions in the last round
constexpr double leastForce = 1e-3;  // -, of the mean one, that a spring is taken to bear

double meanTrace(const std::vector<Mat3>& blocks) {
    double sum = 0;
    for (const Mat3& block : blocks) sum += trace(block);
    return sum / static_cast<double>(std::max<std::size_t>(1, blocks.size()));
}

// The limit e -> 0 of linear springs, compliance e C, from a first guess for the first e (empty: none): e is made
// smaller while contacts change between sticking, sliding and opening on the way to zero, where the straight line
// misses it.
SolveReport solveLimitFrom(std::vector<Vec3> whole, ContactProblem problem, const ContactProblem& rigid,
                           const SolverSettings& settings, std::vector<Vec3>& reactions) {
    // Newton's last steps are exact: the distribution of the load is seen only in what e C g moves.
    SolverSettings s = settings;
    s.kind = SolverKind::newton;
    s.tolerance = exactness;
    const auto scale = [&](double factor) {
        for (Mat3& c : problem.compliance) c *= factor;
    };
    SolveReport report;
    std::vector<Vec3> half;
    double spent = 0;
    std::uint64_t iterations = 0;
    for (int attempt = 0; attempt < mostAttempts; ++attempt, scale(2 * smaller)) {
        const auto solve = [&](std::vector<Vec3>& g) {
            s.timeLimit = std::max(leastTime, settings.timeLimit - spent);
            Solution found = talus::solve(problem, s, g);
            g = std::move(found.reactions);
            report = std::move(found.report);
            spent += report.seconds;
            iterations += report.iterations;
            return report.residuals.naturalMap;
        };
        const double first = solve(whole);
        half = whole;
        scale(0.5);
        const double reached = std::max(first, solve(half));

        // Linear in e for small e, as long as the same contacts hold: go on to zero.
        reactions.resize(half.size());
        for (std::size_t i = 0; i < half.size(); ++i) {
            reactions[i] = project(problem.sets[i], 2 * half[i] - whole[i]);
        }
        report.residuals = measureResiduals(rigid, s.law, reactions);
        const bool isExact = reached <= std::max(exactness, smallness * settings.tolerance);
        const bool isStraight = report.residuals.naturalMap <= std::max(lineError, settings.tolerance);
        if (isExact && isStraight) {
            report.status = SolveStatus::converged;
        } else if (report.status == SolveStatus::converged) {
            report.status = SolveStatus::stalled;
        }
        if (!isExact || isStraight || spent >= settings.timeLimit) break;
        whole = half;
    }
    report.iterations = iterations;
    report.seconds = spent;
    return report;
}

// With Coulomb's law some loads can be borne at rest or by sliding, each a solution. Springs that are loaded bit by bit
// stand if they can; so does the associated law, whose motion is the least. The search begins there, and from nothing
// only if that leads nowhere.
SolveReport solveLimit(ContactProblem problem, const ContactProblem& rigid, const SolverSettings& settings,
                       std::vector<Vec3>& reactions) {
    const double first = smallness * 3 * meanDiagonal(rigid) / meanTrace(problem.compliance);
    for (Mat3& c : problem.compliance) c *= first;
    if (settings.law == FrictionLaw::associated) return solveLimitFrom({}, problem, rigid, settings, reactions);

    SolverSettings convex = settings;
    convex.kind = SolverKind::newton;
    convex.law = FrictionLaw::associated;
    convex.tolerance = exactness;
    Solution standing = solve(problem, convex);
    SolveReport all = std::move(standing.report);
    for (const std::vector<Vec3>& start : {standing.reactions, std::vector<Vec3>{}}) {
        const double left = settings.timeLimit - all.seconds;
        if (!(left > 0)) break;
        SolverSettings rest = settings;
        rest.timeLimit = left;
        const SolveReport part = solveLimitFrom(start, problem, rigid, rest, reactions);
        const double seconds = all.seconds + part.seconds;
        const std::uint64_t iterations = all.iterations + part.iterations;
        all = part;
        all.seconds = seconds;
        all.iterations = iterations;
        if (part.status == SolveStatus::converged) break;
    }
    return all;
}

double largestOf(const std::vector<Vec3>& g) {
    return parallelMax(g.size(), [&](std::size_t i) { return norm(g[i]); });
}

// c/f of springs f = k c^(p-1) is k^(-1/(p-1)) f^((2-p)/(p-1)): what linear springs of the same effect would have.
class SecantCompliance {
public:
    SecantCompliance(const std::vector<Mat3>& inverseStiffness, double power)
        : inverseStiffness_(inverseStiffness), power_(power), logarithm_(inverseStiffness.size(), 0.0) {
        for (std::size_t i = 0; i < logarithm_.size(); ++i) logarithm_[i] = ownPart(i);
    }

    // Moves towards that of these reactions, by a share under which the rounds settle fastest.
    void follow(const std::vector<Vec3>& g) {
        double mean = 0;
        for (const Vec3& one : g) mean += norm(one) / static_cast<double>(g.size());
        if (mean == 0) return;  // nothing is loaded: any compliance will do
        const double exponent = (2 - power_) / (power_ - 1), share = 1 / (1 + 0.5 * exponent);
        for (std::size_t i = 0; i < g.size(); ++i) {
            const double force = std::max(std::abs(g[i].x) / mean, leastForce);
            logarithm_[i] += share * (ownPart(i) + exponent * std::log(force) - logarithm_[i]);
        }
    }

    std::vector<Mat3> blocks() const {
        std::vector<Mat3> list = inverseStiffness_;
        for (std::size_t i = 0; i < list.size(); ++i) list[i] *= std::exp(logarithm_[i]) / inverseStiffness_[i](0, 0);
        return list;
    }

private:
    double ownPart(std::size_t i) const { return std::log(inverseStiffness_[i](0, 0)) / (power_ - 1); }

    const std::vector<Mat3>& inverseStiffness_;
    double power_;
    std::vector<double> logarithm_;  // of the normal compliance
};

}  // namespace

SolveReport solveCompatible(ContactProblem problem, const SolverSettings& settings, std::vector<Vec3>& reactions,
                            double power) {
    if (problem.compliance.size() != problem.contactCount()) {
        throw InputError("compatible reactions: each contact needs a compliance, of which the ratios count");
    }
    ContactProblem rigid = problem;
    rigid.compliance.clear();
    reactions.clear();
    if (power == 2) return solveLimit(std::move(problem), rigid, settings, reactions);

    const std::vector<Mat3> inverseStiffness = problem.compliance;
    SecantCompliance secant(inverseStiffness, power);
    SolveReport report;
    double seconds = 0;
    std::uint64_t iterations = 0;
    bool isSettled = false;
    int failures = 0;
    for (int round = 0; round < mostRounds && failures < mostFailures && !isSettled && seconds < settings.timeLimit;
         ++round) {
        // From the beginning: that is what Newton does best.
        const std::vector<Vec3> last = std::exchange(reactions, {});
        problem.compliance = secant.blocks();
        report = solveLimit(problem, rigid, settings, reactions);
        seconds += report.seconds;
        iterations += report.iterations;
        failures = report.status == SolveStatus::converged ? 0 : failures + 1;
        double change = last.empty() ? 1.0 : 0.0;
        for (std::size_t i = 0; i < last.size(); ++i) change = std::max(change, norm(reactions[i] - last[i]));
        const double largest = largestOf(reactions);
        isSettled = largest == 0 || change <= settled * largest;
        if (!isSettled) secant.follow(reactions);
    }
    if (!isSettled && report.status == SolveStatus::converged) {
        report.status = seconds < settings.timeLimit ? SolveStatus::stalled : SolveStatus::timeLimit;
    }
    report.seconds = seconds;
    report.iterations = iterations;
    return report;
}

}  // namespace talus
