#include "solvers/first_order/apgd.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr double growth = 1.02, shrinkage = 0.7;
constexpr int mostTrials = 30;

// A gradient step from y to x+.
struct Trial {
    double distance = 0;  // |x+ - y|^2
    double uphill = 0;    // slope(y).(x+ - x)
    Trial& operator+=(const Trial& b) {
        distance += b.distance;
        uphill += b.uphill;
        return *this;
    }
};

// How far the shift of Coulomb's law goes towards that of the present slip: all the way at first, then a tenth.
double shiftPart(const GradientProblem& p, std::uint64_t iteration) {
    return p.hasShift() ? std::max(0.1, 5 / (5 + static_cast<double>(iteration))) : 0.0;
}

Trial stepContact(std::size_t i, double step, ApgdWorkspace& ws) {
    const GradientProblem& p = ws.problem;
    const Vec3 slope = p.slope(i, ws.velocityY[i]);
    ws.fresh[i] = p.step(i, step, ws.y[i], slope);
    return {normSquared(ws.fresh[i] - ws.y[i]) / p.mass(i), dot(slope, ws.fresh[i] - ws.x[i])};
}

// y = x + momentum (x - what x was before), then a step from there. On entry `fresh` is that older x.
Trial extrapolateAndStep(double momentum, double step, double shiftPart, ApgdWorkspace& ws) {
    return parallelSum(ws.x.size(), Trial{}, [&](std::size_t i) {
        if (shiftPart > 0) ws.problem.followSlip(i, shiftPart, ws.velocityX[i]);
        ws.y[i] = ws.x[i] + momentum * (ws.x[i] - ws.fresh[i]);
        ws.velocityY[i] = ws.velocityX[i] + momentum * (ws.velocityX[i] - ws.velocityFresh[i]);
        return stepContact(i, step, ws);
    });
}

// Another step from the same y.
Trial stepAgain(double step, ApgdWorkspace& ws) {
    return parallelSum(ws.x.size(), Trial{}, [&](std::size_t i) { return stepContact(i, step, ws); });
}

// Velocities of x+, and the curvature (x+ - y).W (x+ - y) met on the way.
double findVelocities(ApgdWorkspace& ws) {
    return ws.problem.velocitiesAndSum(ws.fresh, ws.velocityFresh, 0.0, [&](std::size_t i) {
        return dot(ws.fresh[i] - ws.y[i], ws.velocityFresh[i] - ws.velocityY[i]);
    });
}

// A first guess of the step: one over the curvature along the slope at x. Uses fresh and y as scratch.
double firstStep(ApgdWorkspace& ws) {
    const GradientProblem& p = ws.problem;
    const double length = parallelSum(p.size(), 0.0, [&](std::size_t i) {
        const Vec3 along = p.mass(i) * p.slope(i, ws.velocityX[i]);
        ws.y[i] = ws.x[i];
        ws.velocityY[i] = ws.velocityX[i];
        ws.fresh[i] = ws.x[i] + along;
        return normSquared(along) / p.mass(i);
    });
    const double curvature = findVelocities(ws);
    return curvature > 0 ? length / curvature : 1.0;
}

void startAt(const std::vector<Vec3>& reactions, ApgdWorkspace& ws) {
    const std::size_t n = ws.problem.size();
    for (auto* v : {&ws.y, &ws.fresh, &ws.velocityX, &ws.velocityY, &ws.velocityFresh}) v->resize(n);
    ws.x = reactions;
    ws.problem.velocitiesAndSum(ws.x, ws.velocityX, 0, [](std::size_t) { return 0; });
}

}  // namespace

void solveApgd(const ContactProblem& problem, const SolverSettings& s, SolverWorkspace& workspace, Solution& solution) {
    auto& ws = workspace.part<ApgdWorkspace>();
    Stopping stopping(s, solution.report);
    GradientProblem& p = ws.problem;
    p.load(problem, s.law, s.gradient.scaling);
    startAt(solution.reactions, ws);
    double step = firstStep(ws), theta = 1, momentum = 0;

    for (std::uint64_t iteration = 0;; ++iteration) {
        if (stopping.isDue(iteration)) {
            solution.report.residuals = measureResiduals(problem, s.law, p.diagonals(), ws.x, ws.velocityX);
            if (const auto status = stopping.check(iteration, solution.report.residuals.naturalMap)) {
                solution.report.status = *status;
                solution.reactions = ws.x;
                solution.velocities = ws.velocityX;
                return;
            }
        }

        // A gradient step short enough for the model to hold.
        Trial trial = extrapolateAndStep(momentum, step, shiftPart(p, iteration), ws);
        for (int k = 0; step * findVelocities(ws) > trial.distance && k < mostTrials; ++k) {
            step *= shrinkage;
            trial = stepAgain(step, ws);
        }
        ws.x.swap(ws.fresh);
        ws.velocityX.swap(ws.velocityFresh);
        step *= growth;

        // Momentum, dropped when it points uphill.
        const double next = 0.5 * (std::sqrt(theta * theta * theta * theta + 4 * theta * theta) - theta * theta);
        momentum = theta * (1 - theta) / (theta * theta + next);
        theta = next;
        if (trial.uphill > 0) {
            momentum = 0;
            theta = 1;
        }
    }
}

}  // namespace talus
