#include "solvers/apgd.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr double growth = 1.02, shrinkage = 0.7;
constexpr int mostTrials = 30;

struct Trial {
    double distance = 0;   // |x+ - y|^2
    double curvature = 0;  // (x+ - y).W (x+ - y)
    double uphill = 0;     // (W y + q).(x+ - x)
    Trial& operator+=(const Trial& b) {
        distance += b.distance;
        curvature += b.curvature;
        uphill += b.uphill;
        return *this;
    }
};

// One gradient step from y, and how good the model was.
Trial tryStep(double step, ApgdWorkspace& ws) {
    ScaledProblem& p = ws.problem;
    parallelFor(p.size(), [&](std::size_t i) {
        ws.gradient[i] = ws.productY[i] + p.linear[i];
        ws.fresh[i] = project(p.sets[i], ws.y[i] - step * ws.gradient[i]);
    });
    p.apply(ws.fresh, ws.productFresh);
    return parallelSum(p.size(), Trial{}, [&](std::size_t i) -> Trial {
        const Vec3 moved = ws.fresh[i] - ws.y[i];
        return {normSquared(moved), dot(moved, ws.productFresh[i] - ws.productY[i]),
                dot(ws.gradient[i], ws.fresh[i] - ws.x[i])};
    });
}

// Largest curvature along the gradient: a first guess of the step.
double firstStep(ApgdWorkspace& ws) {
    ScaledProblem& p = ws.problem;
    parallelFor(p.size(), [&](std::size_t i) { ws.gradient[i] = ws.productX[i] + p.linear[i]; });
    p.apply(ws.gradient, ws.productFresh);
    const double curvature = dotProduct(ws.gradient, ws.productFresh);
    return curvature > 0 ? dotProduct(ws.gradient, ws.gradient) / curvature : 1.0;
}

void extrapolate(double momentum, ApgdWorkspace& ws) {
    parallelFor(ws.x.size(), [&](std::size_t i) {
        ws.y[i] = ws.fresh[i] + momentum * (ws.fresh[i] - ws.x[i]);
        ws.productY[i] = ws.productFresh[i] + momentum * (ws.productFresh[i] - ws.productX[i]);
    });
    ws.x.swap(ws.fresh);
    ws.productX.swap(ws.productFresh);
}

}  // namespace

void solveApgd(const ContactProblem& problem, const SolverSettings& s, ApgdWorkspace& ws, std::vector<Vec3>& reactions,
               std::vector<Vec3>& velocities, SolveReport& report) {
    Stopping stopping(s, report);
    ScaledProblem& p = ws.problem;
    p.load(problem, s.law);
    p.toScaled(reactions, ws.x);
    p.apply(ws.x, ws.productX);
    for (auto* v : {&ws.fresh, &ws.productFresh, &ws.gradient}) v->resize(p.size());
    ws.y = ws.x;
    ws.productY = ws.productX;
    double step = firstStep(ws);
    double theta = 1;

    for (std::uint64_t iteration = 0;; ++iteration) {
        // Judge x, and let the shift of Coulomb's law follow.
        if (stopping.isDue(iteration)) {
            p.toReactions(ws.x, reactions);
            p.velocities(ws.productX, velocities);
            report.residuals = measureResiduals(problem, s.law, p.meanDiagonal, reactions, velocities);
            if (const auto status = stopping.check(iteration, report.residuals.naturalMap)) {
                report.status = *status;
                return;
            }
            p.updateShift(velocities);
        }

        // A gradient step short enough for the model to hold.
        Trial trial = tryStep(step, ws);
        for (int k = 0; k < mostTrials && step * trial.curvature > trial.distance; ++k) {
            step *= shrinkage;
            trial = tryStep(step, ws);
        }

        // Momentum, dropped when it points uphill.
        const double next = 0.5 * (std::sqrt(theta * theta * theta * theta + 4 * theta * theta) - theta * theta);
        double momentum = theta * (1 - theta) / (theta * theta + next);
        theta = next;
        if (trial.uphill > 0) {
            momentum = 0;
            theta = 1;
        }
        extrapolate(momentum, ws);
        step *= growth;
    }
}

}  // namespace talus
