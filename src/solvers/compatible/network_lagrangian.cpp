#include "solvers/compatible/network_lagrangian.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "problem/falling_root.hpp"

namespace talus {
namespace {

constexpr double growth = 1.02, shrinkage = 0.7;  // of the gradient step, as apgd has them
constexpr int mostTrials = 60;
constexpr double firstPenalty = 10, mostPenalty = 1e6;  // -, r times mass and compression of the mean contact
constexpr double harder = 4;                            // the penalty grows by this
constexpr double quick = 0.25;                          // -, fall of the imbalance in a round that needs no larger one
constexpr double firstError = 0.1, lastError = 1e-10;   // -, of compressions, at which a round ends
constexpr double finer = 0.1;                           // that error falls by this from round to round
constexpr double balanced = 1e-9;                       // -, imbalance at the end

// A gradient step from y to x+, each contact in its own metric 1/t_i.
struct Trial {
    double distance = 0;  // |x+ - y|^2
    double uphill = 0;    // (y - x+).(x+ - x)
    double slope = 0;     // (|x+ - y|/t)^2 summed: how far compressions are from those of the forces
    Trial& operator+=(const Trial& b) {
        distance += b.distance;
        uphill += b.uphill;
        slope += b.slope;
        return *this;
    }
};

// The f > 0 with (f/k)^(1/(p-1)) + (f - y)/t = 0; 0 if y <= 0.
double nearestForce(const ElasticNetwork& n, std::size_t i, double y, double t) {
    if (!(y > 0)) return 0;
    if (n.power == 2) return y / (1 + t / n.stiffness[i]);
    return fallingRootBetween([&](double f) { return y - f - t * n.compression(i, f); }, 0.0, y, y,
                              -t * n.compression(i, y));
}

class Rounds {
public:
    Rounds(const ElasticNetwork& network, NetworkLagrangianWorkspace& ws) : n_(network), ws_(ws) {
        for (auto* v : {&ws_.y, &ws_.fresh, &ws_.velocityY, &ws_.velocityFresh, &ws_.multiplier, &ws_.pull}) {
            v->assign(n_.size(), 0.0);
        }
        ws_.x = n_.load;
        ws_.velocityX = n_.effect;
        double loads = 0, loaded = 0;
        for (const double g : n_.load) {
            loads += g;
            loaded += g > 0;
        }
        penalty_ = firstPenalty;
        unit_ = loaded / loads;  // a compression over a velocity, times the contact's mass
        meanInverseMass_ = parallelSum(n_.size(), 0.0, [&](std::size_t i) { return n_.inverseMass[i]; }) /
                           static_cast<double>(n_.size());
    }

    // Gradient steps to this error; returns how many, at most this many.
    std::uint64_t minimise(double error, std::uint64_t most) {
        findPull();
        restart();
        for (std::uint64_t iteration = 0; iteration < most; ++iteration) {
            stopIfAsked();
            extrapolate();
            Trial trial = step();
            for (int k = 0; tooLong(trial) && k < mostTrials; ++k) {
                length_ *= shrinkage;
                trial = step();
            }
            ws_.x.swap(ws_.fresh);
            ws_.velocityX.swap(ws_.velocityFresh);
            length_ = std::min(growth * length_, longest);
            gainMomentum(trial);
            if (trial.slope <= error * error * static_cast<double>(n_.size())) return iteration + 1;
        }
        return most;
    }

    // m += r (f - g); returns the imbalance.
    double updateMultiplier() {
        const double r = penalty();
        parallelFor(n_.size(), [&](std::size_t i) { ws_.multiplier[i] += r * (ws_.x[i] - n_.load[i]); });
        parallelFor(n_.size(), [&](std::size_t i) { ws_.y[i] = ws_.velocityX[i] - n_.effect[i]; });
        return imbalance(n_, ws_.y);
    }

    void pressHarder() { penalty_ = std::min(harder * penalty_, mostPenalty); }
    const std::vector<double>& forces() const { return ws_.x; }

private:
    static constexpr double longest = 4;

    double penalty() const { return penalty_ * unit_ / meanInverseMass_; }
    double stepOf(std::size_t i) const { return length_ / (penalty() * n_.inverseMass[i]); }

    // W (m - r g)
    void findPull() {
        const double r = penalty();
        parallelFor(n_.size(), [&](std::size_t i) { ws_.y[i] = ws_.multiplier[i] - r * n_.load[i]; });
        ws_.motion.velocities(n_.problem, ws_.y, ws_.pull);
    }

    void restart() {
        theta_ = 1;
        momentum_ = 0;
        ws_.fresh = ws_.x;
        ws_.velocityFresh = ws_.velocityX;
    }

    // y = x + momentum (x - what x was before), which `fresh` holds.
    void extrapolate() {
        parallelFor(n_.size(), [&](std::size_t i) {
            ws_.y[i] = ws_.x[i] + momentum_ * (ws_.x[i] - ws_.fresh[i]);
            ws_.velocityY[i] = ws_.velocityX[i] + momentum_ * (ws_.velocityX[i] - ws_.velocityFresh[i]);
        });
    }

    Trial step() {
        const double r = penalty();
        const Trial trial = parallelSum(n_.size(), Trial{}, [&](std::size_t i) {
            ws_.fresh[i] = 0;
            if (!n_.isClosed(i)) return Trial{};
            const double t = stepOf(i), slope = r * ws_.velocityY[i] + ws_.pull[i];
            ws_.fresh[i] = nearestForce(n_, i, ws_.y[i] - t * slope, t);
            const double way = ws_.fresh[i] - ws_.y[i];
            return Trial{way * way / t, -way * (ws_.fresh[i] - ws_.x[i]) / t, way * way / (t * t)};
        });
        ws_.motion.velocities(n_.problem, ws_.fresh, ws_.velocityFresh);
        return trial;
    }

    // The curvature met on the way is more than the step allows for.
    bool tooLong(const Trial& trial) const {
        const double curvature = parallelSum(n_.size(), 0.0, [&](std::size_t i) {
            return (ws_.fresh[i] - ws_.y[i]) * (ws_.velocityFresh[i] - ws_.velocityY[i]);
        });
        return penalty() * curvature > trial.distance;
    }

    void gainMomentum(const Trial& trial) {
        const double square = theta_ * theta_;
        const double next = 0.5 * (std::sqrt(square * square + 4 * square) - square);
        momentum_ = theta_ * (1 - theta_) / (square + next);
        theta_ = next;
        if (trial.uphill > 0) {
            momentum_ = 0;
            theta_ = 1;
        }
    }

    const ElasticNetwork& n_;
    NetworkLagrangianWorkspace& ws_;
    double penalty_ = 0, unit_ = 1, meanInverseMass_ = 1;
    double length_ = 1, theta_ = 1, momentum_ = 0;
};

}  // namespace

NetworkForces balanceByLagrangian(const ElasticNetwork& network, std::uint64_t maxIterations,
                                  NetworkLagrangianWorkspace& ws) {
    NetworkForces found{.force = std::vector<double>(network.size()), .isExact = true};
    if (network.effectSize == 0) return found;
    Rounds rounds(network, ws);
    double error = firstError;
    found.imbalance = 1;
    found.isExact = false;
    while (found.iterations < maxIterations && !found.isExact) {
        found.iterations += rounds.minimise(error, maxIterations - found.iterations);
        const double before = found.imbalance;
        found.imbalance = rounds.updateMultiplier();
        found.isExact = found.imbalance <= balanced && error <= lastError;
        if (found.imbalance > quick * before && found.imbalance > balanced) rounds.pressHarder();
        error = std::max(finer * error, lastError);
    }
    found.force = rounds.forces();
    return found;
}

}  // namespace talus
