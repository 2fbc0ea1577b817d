#include "solvers/compatible.hpp"

#include <algorithm>

#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double smallness = 1e-4;   // -, of W, that e C is
constexpr double exactness = 1e-12;  // -, residual at which the reactions of that are known to 1e-8 or so

double meanTrace(const std::vector<Mat3>& blocks) {
    double sum = 0;
    for (const Mat3& block : blocks) sum += trace(block);
    return sum / static_cast<double>(std::max<std::size_t>(1, blocks.size()));
}

}  // namespace

SolveReport solveCompatible(ContactProblem problem, const SolverSettings& settings, std::vector<Vec3>& reactions) {
    if (problem.compliance.size() != problem.contactCount()) {
        throw InputError("compatible reactions: each contact needs a compliance, of which the ratios count");
    }
    ContactProblem rigid = problem;
    rigid.compliance.clear();
    const double factor = smallness * 3 * meanDiagonal(rigid) / meanTrace(problem.compliance);
    for (Mat3& c : problem.compliance) c *= factor;

    // Newton's last steps are exact: the distribution of the load is seen only in what e C g moves.
    SolverSettings s = settings;
    s.kind = SolverKind::newton;
    s.tolerance = exactness;
    Solver solver(s);
    std::vector<Vec3> half;
    reactions.clear();
    const SolveReport first = solver.solve(problem, reactions);
    half = reactions;
    for (Mat3& c : problem.compliance) c *= 0.5;
    SolveReport report = solver.solve(problem, half);

    // Linear in e for small e, as long as the same contacts hold: go on to zero.
    for (std::size_t i = 0; i < half.size(); ++i) {
        reactions[i] = project(problem.sets[i], 2 * half[i] - reactions[i]);
    }
    const double reached = std::max(first.residuals.naturalMap, report.residuals.naturalMap);
    report.residuals = measureResiduals(rigid, s.law, reactions);
    report.iterations += first.iterations;
    report.seconds += first.seconds;
    if (report.status == SolveStatus::stalled && reached <= smallness * settings.tolerance) {
        report.status = SolveStatus::converged;
    }
    return report;
}

}  // namespace talus
