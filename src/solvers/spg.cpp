#include "solvers/spg.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr double sufficientDecrease = 1e-4;
constexpr double shortestStep = 1e-6, longestStep = 1e6;

// The largest of the last few values of the objective: what the next one is compared with.
class Memory {
public:
    void clear() { count_ = 0; }
    void add(double value) { values_[count_++ % values_.size()] = value; }
    double largest() const {
        return *std::max_element(values_.begin(), values_.begin() + std::min(count_, values_.size()));
    }

private:
    std::array<double, 10> values_{};
    std::size_t count_ = 0;
};

// x.W x/2 + q.x
double objective(const SpgWorkspace& ws) {
    return parallelSum(ws.x.size(), 0.0,
                       [&](std::size_t i) { return dot(ws.x[i], 0.5 * ws.product[i] + ws.problem.linear[i]); });
}

void findDirection(double step, SpgWorkspace& ws) {
    ScaledProblem& p = ws.problem;
    parallelFor(p.size(), [&](std::size_t i) {
        const Vec3 gradient = ws.product[i] + p.linear[i];
        ws.direction[i] = project(p.sets[i], ws.x[i] - step * gradient) - ws.x[i];
    });
    p.apply(ws.direction, ws.productDirection);
}

struct AlongDirection {
    double slope = 0, curvature = 0, length = 0, productLength = 0;  // g.d, d.W d, d.d, |W d|^2
    AlongDirection& operator+=(const AlongDirection& b) {
        slope += b.slope;
        curvature += b.curvature;
        length += b.length;
        productLength += b.productLength;
        return *this;
    }
};

AlongDirection measure(const SpgWorkspace& ws) {
    return parallelSum(ws.x.size(), AlongDirection{}, [&](std::size_t i) -> AlongDirection {
        const Vec3 &d = ws.direction[i], &wd = ws.productDirection[i];
        return {dot(ws.product[i] + ws.problem.linear[i], d), dot(d, wd), normSquared(d), normSquared(wd)};
    });
}

// Full if the objective stays below the largest remembered, else to the lowest point along the direction.
double lineSearch(const AlongDirection& along, double value, double largest) {
    const double full = value + along.slope + 0.5 * along.curvature;
    if (full <= largest + sufficientDecrease * along.slope || along.curvature <= 0) return 1;
    return std::clamp(-along.slope / along.curvature, 0.0, 1.0);
}

double spectralStep(const AlongDirection& along, std::uint64_t iteration) {
    if (!(along.curvature > 0)) return longestStep;
    const double step = iteration % 2 == 0 ? along.length / along.curvature : along.curvature / along.productLength;
    return std::clamp(step, shortestStep, longestStep);
}

}  // namespace

void solveSpg(const ContactProblem& problem, const SolverSettings& s, SpgWorkspace& ws, std::vector<Vec3>& reactions,
              std::vector<Vec3>& velocities, SolveReport& report) {
    Stopping stopping(s, report);
    ScaledProblem& p = ws.problem;
    p.load(problem, s.law);
    p.toScaled(reactions, ws.x);
    parallelFor(p.size(), [&](std::size_t i) { ws.x[i] = project(p.sets[i], ws.x[i]); });
    p.apply(ws.x, ws.product);
    ws.direction.resize(p.size());
    double step = 1, value = objective(ws);
    Memory memory;

    for (std::uint64_t iteration = 0;; ++iteration) {
        // Judge x, and let the shift of Coulomb's law follow.
        if (stopping.isDue(iteration)) {
            p.toReactions(ws.x, reactions);
            p.velocities(ws.product, velocities);
            report.residuals = measureResiduals(problem, s.law, p.meanDiagonal, reactions, velocities);
            if (const auto status = stopping.check(iteration, report.residuals.naturalMap)) {
                report.status = *status;
                return;
            }
            if (s.law == FrictionLaw::coulomb || iteration == 0) {
                p.updateShift(velocities);
                value = objective(ws);
                memory.clear();
                memory.add(value);
            }
        }

        findDirection(step, ws);
        const AlongDirection along = measure(ws);
        const double length = lineSearch(along, value, memory.largest());
        parallelFor(p.size(), [&](std::size_t i) {
            ws.x[i] += length * ws.direction[i];
            ws.product[i] += length * ws.productDirection[i];
        });
        value += length * (along.slope + 0.5 * length * along.curvature);
        memory.add(value);
        step = spectralStep(along, iteration);
    }
}

}  // namespace talus
