#include "solvers/exact_motion.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr double soft = 1e-9;    // -, of its own inverse mass: the compliance that a pushing contact is lent
constexpr double slack = 1e30;   // -, the same for others
constexpr double exact = 1e-12;  // -, natural map
constexpr double close = 1e-7;   // -, natural map
constexpr std::uint64_t closerSteps = 2000;
constexpr std::size_t many = 1000;  // bodies, from which on conjugate gradients are tried
constexpr double atRest = 1e-13;    // -, velocities that are left, of those that the reactions make
constexpr double leastTolerance = 1e-13, mostTolerance = 1e-3;  // -, of conjugate gradients for that
constexpr std::uint64_t mostGradients = 500;
constexpr double held = 1e-12;  // -, added to the diagonal of F^T S F, about one: for bodies that nothing holds
constexpr std::uint64_t mostFactorisations = 100, mostGradientSteps = 50'000;

}  // namespace

bool ExactMotion::bringToRest(const ContactProblem& p, std::vector<Vec3>& g, std::vector<Vec3>& u) {
    const std::size_t n = p.contactCount();
    relativeVelocities(p, g, u);
    inverseMass_.resize(n);
    pushed_.resize(n);
    pushes_.resize(n);
    effect_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        inverseMass_[i] = p.diagonal(i)(0, 0);
        pushes_[i] = inverseMass_[i] * (g[i].x + p.sets[i].cohesion) > std::abs(u[i].x);
        pushed_[i] = pushes_[i] ? u[i].x : 0.0;
        effect_[i] = u[i].x - p.offset[i].x;
    }
    const BodyContacts* spheres = roundContacts(p);
    const bool byGradients = spheres != nullptr && spheres->bodyCount() >= many && findChangeByGradients(*spheres);
    if (!byGradients && !findChangeByFactors(p)) return false;
    parallelFor(n, [&](std::size_t i) { g[i].x -= change_[i]; });
    relativeVelocities(p, g, u);
    return true;
}

// Round-off of the gaps may forbid that all of them come to rest: as nearly as they can then, in the mean. First the
// motion of the bodies that does it, least |S^1/2 (F y - u)|, then impulses x = S F z that make this motion, with
// S = 1/W_ii where a contact pushes: two systems with the same matrix F^T S F.
bool ExactMotion::findChangeByGradients(const BodyContacts& spheres) {
    const std::size_t n = spheres.contactCount();
    normals_.load(spheres);
    springs_.resize(n);
    change_.resize(n);
    parallelFor(n, [&](std::size_t i) { springs_[i] = pushes_[i] ? 1 / inverseMass_[i] : 0.0; });
    sphereStiffness_.load(spheres, springs_, held);
    const auto sizeOf = [&](const std::vector<double>& u) {
        return std::sqrt(parallelSum(n, 0.0, [&](std::size_t i) { return u[i] * u[i] / inverseMass_[i]; }));
    };
    const double tolerance = std::clamp(atRest * sizeOf(effect_) / sizeOf(pushed_), leastTolerance, mostTolerance);
    const auto solve = [&](const std::vector<double>& right, std::vector<double>& answer) {
        return solveByConjugateGradients(sphereStiffness_, right, tolerance, mostGradients, gradients_, answer);
    };
    parallelFor(n, [&](std::size_t i) { change_[i] = springs_[i] * pushed_[i]; });
    normals_.gather(change_, push_);
    if (!solve(push_, motion_) || !solve(motion_, displacement_)) return false;
    parallelFor(n, [&](std::size_t i) { change_[i] = springs_[i] * normals_.velocity(displacement_, i); });
    return true;
}

bool ExactMotion::findChangeByFactors(const ContactProblem& p) {
    const std::size_t n = p.contactCount();
    stiffness_.resize(n);
    compliance_.resize(n);
    rigid_.resize(n);
    right_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
        const double w = inverseMass_[i], none = slack * w;
        right_[i] = {pushed_[i], 0, 0};
        stiffness_[i] = {diagonal3({pushes_[i] ? 1 / (soft * w) : 0.0, 0, 0})};
        compliance_[i] = diagonal3({pushes_[i] ? soft * w : none, none, none});
        rigid_[i] = diagonal3({pushes_[i] ? 0.0 : none, none, none});
    }
    system_.load(p);
    if (!system_.factorise(stiffness_, compliance_, Symmetry::symmetric)) return false;
    system_.solveRefined(right_, rigid_, x_);
    change_.resize(n);
    for (std::size_t i = 0; i < n; ++i) change_[i] = x_[i].x;
    return true;
}

std::uint64_t ExactMotion::comeCloser(const ContactProblem& p, std::vector<Vec3>& g) {
    Solution found = talus::solve(
        p, {.kind = SolverKind::apgd, .law = FrictionLaw::associated, .tolerance = close, .maxIterations = closerSteps},
        g);
    g = std::move(found.reactions);
    return found.report.iterations;
}

SolveReport ExactMotion::solve(const ContactProblem& p, SolverKind kind, double timeLimit, std::vector<Vec3>& g,
                               std::vector<Vec3>& u) {
    const bool byFactors = kind == SolverKind::interiorPoint;
    Solution found = talus::solve(p,
                                  {.kind = kind,
                                   .law = FrictionLaw::associated,
                                   .tolerance = exact,
                                   .maxIterations = byFactors ? mostFactorisations : mostGradientSteps,
                                   .timeLimit = timeLimit},
                                  g);
    g = std::move(found.reactions);
    u = std::move(found.velocities);
    return found.report;
}

}  // namespace talus
