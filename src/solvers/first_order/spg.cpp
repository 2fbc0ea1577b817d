#include "solvers/first_order/spg.hpp"

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

struct AlongDirection {
    double slope = 0, curvature = 0, length = 0, productLength = 0;  // slope.d, d.W d, d.d, |W d|^2
    AlongDirection& operator+=(const AlongDirection& b) {
        slope += b.slope;
        curvature += b.curvature;
        length += b.length;
        productLength += b.productLength;
        return *this;
    }
};

// The direction for this step, its velocities, and how the objective runs along it.
AlongDirection findDirection(double step, SpgWorkspace& ws) {
    GradientProblem& p = ws.problem;
    parallelFor(p.size(), [&](std::size_t i) { ws.target[i] = p.step(i, step, ws.x[i], p.slope(i, ws.velocity[i])); });
    return p.velocitiesAndSum(ws.target, ws.velocityTarget, AlongDirection{}, [&](std::size_t i) -> AlongDirection {
        const Vec3 d = ws.target[i] - ws.x[i], wd = ws.velocityTarget[i] - ws.velocity[i];
        return {dot(p.slope(i, ws.velocity[i]), d), dot(d, wd), normSquared(d) / p.mass(i),
                normSquared(wd) * p.mass(i)};
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

// x + length d
void move(double length, SpgWorkspace& ws) {
    if (length != 1) {
        parallelFor(ws.x.size(), [&](std::size_t i) {
            ws.target[i] = ws.x[i] + length * (ws.target[i] - ws.x[i]);
            ws.velocityTarget[i] = ws.velocity[i] + length * (ws.velocityTarget[i] - ws.velocity[i]);
        });
    }
    ws.x.swap(ws.target);
    ws.velocity.swap(ws.velocityTarget);
}

void updateShift(SpgWorkspace& ws) {
    if (!ws.problem.hasShift()) return;
    parallelFor(ws.x.size(), [&](std::size_t i) { ws.problem.followSlip(i, 1, ws.velocity[i]); });
}

void startAt(const std::vector<Vec3>& reactions, const ContactProblem& problem, SpgWorkspace& ws) {
    const std::size_t n = ws.problem.size();
    for (auto* v : {&ws.x, &ws.target, &ws.velocity, &ws.velocityTarget}) v->resize(n);
    parallelFor(n, [&](std::size_t i) { ws.x[i] = project(problem.sets[i], reactions[i]); });
    ws.problem.velocitiesAndSum(ws.x, ws.velocity, 0, [](std::size_t) { return 0; });
}

}  // namespace

void solveSpg(const ContactProblem& problem, const SolverSettings& s, SolverWorkspace& workspace, Solution& solution) {
    auto& ws = workspace.part<SpgWorkspace>();
    Stopping stopping(s, solution.report);
    GradientProblem& p = ws.problem;
    p.load(problem, s.law, s.gradient.scaling);
    startAt(solution.reactions, problem, ws);
    double step = 1, value = 0;
    Memory memory;

    for (std::uint64_t iteration = 0;; ++iteration) {
        if (stopping.isDue(iteration)) {
            solution.report.residuals = measureResiduals(problem, s.law, p.diagonals(), ws.x, ws.velocity);
            if (const auto status = stopping.check(iteration, solution.report.residuals.naturalMap)) {
                solution.report.status = *status;
                solution.reactions = ws.x;
                solution.velocities = ws.velocity;
                return;
            }
        }
        // Another shift is another objective; only its differences matter.
        if (Stopping::isMilestone(iteration) && (p.hasShift() || iteration == 0)) {
            updateShift(ws);
            value = 0;
            memory.clear();
            memory.add(value);
        }

        const AlongDirection along = findDirection(step, ws);
        const double length = lineSearch(along, value, memory.largest());
        move(length, ws);
        value += length * (along.slope + 0.5 * length * along.curvature);
        memory.add(value);
        step = spectralStep(along, iteration);
    }
}

}  // namespace talus
