#include "solvers/exact_motion.hpp"

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr double soft = 1e-9;    // -, of its own inverse mass: the compliance that a pushing contact is lent
constexpr double slack = 1e30;   // -, the same for others
constexpr double exact = 1e-12;  // -, natural map
constexpr std::uint64_t mostFactorisations = 100, mostGradientSteps = 50'000;

}  // namespace

bool ExactMotion::bringToRest(const ContactProblem& p, std::vector<Vec3>& g, std::vector<Vec3>& u) {
    const std::size_t n = p.contactCount();
    relativeVelocities(p, g, u);
    stiffness_.resize(n);
    compliance_.resize(n);
    rigid_.resize(n);
    right_.resize(n);
    parallelFor(n, [&](std::size_t i) {
        const double w = p.diagonal(i)(0, 0);
        const bool pushes = w * (g[i].x + p.sets[i].cohesion) > std::abs(u[i].x);
        right_[i] = {pushes ? u[i].x : 0.0, 0, 0};
        stiffness_[i] = {diagonal3({pushes ? 1 / (soft * w) : 0.0, 0, 0})};
        compliance_[i] = diagonal3({pushes ? soft * w : slack * w, slack * w, slack * w});
        rigid_[i] = diagonal3({pushes ? 0.0 : slack * w, slack * w, slack * w});
    });
    system_.load(p);
    if (!system_.factorise(stiffness_, compliance_, Symmetry::symmetric)) return false;
    system_.solveRefined(right_, rigid_, change_);
    parallelFor(n, [&](std::size_t i) { g[i].x -= change_[i].x; });
    relativeVelocities(p, g, u);
    return true;
}

SolveReport ExactMotion::solve(const ContactProblem& p, SolverKind kind, std::vector<Vec3>& g, std::vector<Vec3>& u) {
    const bool byFactors = kind == SolverKind::interiorPoint;
    Solver solver({.kind = kind,
                   .law = FrictionLaw::associated,
                   .tolerance = exact,
                   .maxIterations = byFactors ? mostFactorisations : mostGradientSteps});
    SolveReport report = solver.solve(p, g);
    u = solver.velocities();
    return report;
}

}  // namespace talus
