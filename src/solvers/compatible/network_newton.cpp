#include "solvers/compatible/network_newton.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr double held = 1e-9;          // -, e, of the mean stiffness of the springs
constexpr double heldByMatrix = 1e-5;  // -, the same where W is given: what is near zero in it is round-off
constexpr double mostGiven = 1e-6;     // -, of its stiffness at unit compression that a slack spring is given
constexpr double balanced = 1e-12;     // -, imbalance that is as good as none
constexpr double good = 1e-9;          // -, imbalance that will do where round-off is larger
constexpr std::uint64_t mostSteps = 120;
constexpr std::uint64_t patience = 3;  // steps without gain after which round-off is to blame, if it is good
constexpr double firstLinear = 1, lastLinear = 1e-14, lessLinear = 0.1;  // -, compressions, p < 2
constexpr double rough = 1e-2;  // -, imbalance at which it goes on to the next of them
constexpr int mostRough = 30;
constexpr std::size_t many = 1000;  // bodies
constexpr double loose = 1e-2;      // -, error of a step by conjugate gradients at most
constexpr std::uint64_t mostGradients = 300;
constexpr std::uint64_t mostStepsByGradients = 12;  // networks that need more of them are too ill-conditioned
constexpr double rigid = 1e30;                      // kg^-1 in place of 1/0

class Iteration {
public:
    Iteration(const ElasticNetwork& network, NetworkNewtonWorkspace& ws) : n_(network), ws_(ws) {
        const BodyContacts* spheres = roundContacts(n_.problem);
        byGradients_ = spheres != nullptr && spheres->bodyCount() >= many;
        if (byGradients_) ws_.normals.load(*spheres);
        for (auto* v : {&ws_.compression, &ws_.change, &ws_.force, &ws_.difference}) {
            v->assign(n_.size(), 0.0);
        }
        ws_.difference = n_.load;
        ws_.stiffness.resize(n_.size());
        ws_.compliance.resize(n_.size());
        ws_.impulses.resize(n_.size());
    }

    // Springs that also pull, with the stiffness of unit compression, then as large as fits the load.
    bool start() {
        const auto atUnity = [&](std::size_t i) { return n_.tangent(i, 1.0); };
        if (!findChange(atUnity)) return false;
        ws_.compression = ws_.change;
        const double work = sumOver([&](std::size_t i) { return n_.load[i] * ws_.change[i]; });
        const double energy = sumOver([&](std::size_t i) { return n_.force(i, ws_.change[i]) * ws_.change[i]; });
        if (work > 0 && energy > 0) {
            const double scale = std::pow(work / energy, 1 / (n_.power - 1));
            for (double& c : ws_.compression) c *= scale;
        }
        measure();
        return true;
    }

    double imbalance() const { return imbalance_; }
    const std::vector<double>& forces() const { return ws_.force; }

    bool step() {
        const double little = std::min(mostGiven, imbalance_);
        const auto present = [&](std::size_t i) {
            const double slack = little * n_.tangent(i, 1.0), c = ws_.compression[i];
            return c > 0 ? std::max(slack, tangent(i, c)) : slack;
        };
        if (!findChange(present)) return false;
        const double length = minimisingLength();
        parallelFor(n_.size(), [&](std::size_t i) { ws_.compression[i] += length * ws_.change[i]; });
        measure();
        return true;
    }

    // Springs are linear up to this compression from now on.
    void makeLinearBelow(double compression) {
        linearBelow_ = compression;
        measure();
    }

private:
    template <class Term>
    double sumOver(const Term& term) const {
        return parallelSum(n_.size(), 0.0, [&](std::size_t i) { return n_.isClosed(i) ? term(i) : 0.0; });
    }

    double force(std::size_t i, double c) const {
        return c > 0 && c < linearBelow_ ? c / linearBelow_ * n_.force(i, linearBelow_) : n_.force(i, c);
    }
    double tangent(std::size_t i, double c) const {
        return c < linearBelow_ ? n_.force(i, linearBelow_) / linearBelow_ : n_.tangent(i, c);
    }

    // Forces of the present compressions, and how far they are from balance.
    void measure() {
        parallelFor(n_.size(), [&](std::size_t i) {
            ws_.force[i] = n_.isClosed(i) ? force(i, ws_.compression[i]) : 0.0;
            ws_.difference[i] = n_.load[i] - ws_.force[i];
        });
        ws_.motion.velocities(n_.problem, ws_.difference, ws_.velocity);
        imbalance_ = talus::imbalance(n_, ws_.velocity);
    }

    // dc for given stiffnesses of the springs.
    template <class Stiffness>
    bool findChange(const Stiffness& stiffnessOf) {
        ws_.springs.resize(n_.size());
        parallelFor(n_.size(), [&](std::size_t i) { ws_.springs[i] = n_.isClosed(i) ? stiffnessOf(i) : 0.0; });
        const double sum = sumOver([&](std::size_t i) { return ws_.springs[i] * n_.inverseMass[i]; });
        const double mean = sum / std::max(1.0, sumOver([](std::size_t) { return 1.0; }));
        if (byGradients_) byGradients_ = ++changes_ <= mostStepsByGradients && findChangeByGradients(held * mean);
        return byGradients_ || findChangeByFactors((hasBodies() ? held : heldByMatrix) * mean);
    }

    bool hasBodies() const { return !std::holds_alternative<BlockMatrix>(n_.problem.contacts); }

    bool findChangeByFactors(double e) {
        if (!isLoaded_) ws_.system.load(n_.problem);
        isLoaded_ = true;
        parallelFor(n_.size(), [&](std::size_t i) {
            const double s = ws_.springs[i] / e, none = rigid * n_.inverseMass[i];
            ws_.stiffness[i] = {diagonal3({s, 0, 0})};
            ws_.compliance[i] = diagonal3({s > 0 ? 1 / s : none, none, none});
            ws_.impulses[i] = {(n_.load[i] - ws_.force[i]) / e, 0, 0};
        });
        if (!ws_.system.factorise(ws_.stiffness, ws_.compliance, Symmetry::symmetric)) return false;
        ws_.system.resistedVelocities(ws_.impulses, ws_.moved);
        parallelFor(n_.size(), [&](std::size_t i) { ws_.change[i] = ws_.moved[i].x; });
        return true;
    }

    bool findChangeByGradients(double e) {
        SphereStiffness& stiffness = ws_.sphereStiffness;
        stiffness.load(*roundContacts(n_.problem), ws_.springs, e);
        ws_.normals.gather(ws_.difference, ws_.push);
        if (!solveByConjugateGradients(stiffness, ws_.push, std::min(loose, imbalance_), mostGradients, ws_.gradients,
                                       ws_.displacement)) {
            return false;
        }
        parallelFor(n_.size(), [&](std::size_t i) { ws_.change[i] = ws_.normals.velocity(ws_.displacement, i); });
        return true;
    }

    // Of the objective along the step: rises from a negative value.
    double slope(double length) const {
        return sumOver([&](std::size_t i) {
            return (force(i, ws_.compression[i] + length * ws_.change[i]) - n_.load[i]) * ws_.change[i];
        });
    }

    // Where the slope is zero, roughly: the objective is least there.
    double minimisingLength() const {
        const double first = slope(0), enough = 0.1 * std::abs(first);
        if (!(first < 0)) return 1;  // round-off
        double low = 0, high = 1, atLow = first, atHigh = slope(1);
        while (atHigh < -enough && high < 64) {
            low = high, atLow = atHigh;
            high *= 2;
            atHigh = slope(high);
        }
        double length = high;
        if (std::abs(atHigh) <= enough || atHigh < 0) return length;
        if (low == 1 && std::abs(atLow) <= enough) return 1;
        for (int k = 0; k < 60; ++k) {
            length = k % 3 == 2 ? 0.5 * (low + high) : (low * atHigh - high * atLow) / (atHigh - atLow);
            const double here = slope(length);
            if (std::abs(here) <= enough) break;
            (here < 0 ? low : high) = length;
            (here < 0 ? atLow : atHigh) = here;
        }
        return length;
    }

    const ElasticNetwork& n_;
    NetworkNewtonWorkspace& ws_;
    double imbalance_ = 1, linearBelow_ = 0;
    std::uint64_t changes_ = 0;
    bool byGradients_ = false, isLoaded_ = false;
};

}  // namespace

NetworkForces balanceByNewton(const ElasticNetwork& network, NetworkNewtonWorkspace& ws) {
    NetworkForces best{.force = std::vector<double>(network.size()), .isExact = true};
    if (network.effectSize == 0) return best;
    Iteration newton(network, ws);
    bool going = newton.start();
    std::uint64_t step = 1;

    // Springs that are stiffest when hardly compressed: linear there at first, then less and less so.
    if (network.power < 2) {
        for (double below = firstLinear; going && below > lastLinear; below *= lessLinear) {
            newton.makeLinearBelow(below);
            for (int k = 0; going && k < mostRough && newton.imbalance() > rough; ++k, ++step) going = newton.step();
        }
        newton.makeLinearBelow(0);
    }

    best.imbalance = 1;
    std::uint64_t bestStep = step;
    for (const std::uint64_t first = step; going; ++step) {
        if (newton.imbalance() < best.imbalance) {
            best.force = newton.forces();
            best.imbalance = newton.imbalance();
            bestStep = step;
        }
        const bool isRoundOff = best.imbalance <= good && step >= bestStep + patience;
        if (best.imbalance <= balanced || isRoundOff || step - first > mostSteps) break;
        going = newton.step();
    }
    best.iterations = step;
    best.isExact = best.imbalance <= good;
    return best;
}

}  // namespace talus
