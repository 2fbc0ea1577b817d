#include "solvers/interior/internal_forces.hpp"

#include <cmath>

#include "solvers/interior/interior_point.hpp"

namespace talus {
namespace {

constexpr double softness = 1e-7;  // -, e over W_ii

double softnessOf(const ContactProblem& p, std::size_t i) { return softness * trace(p.diagonal(i)) / 3; }

// A set that ends somewhere bears nothing of any size.
ReactionSet directionsOf(const ReactionSet& s) {
    if (!s.isUnbounded()) return {.cap = 0};
    return s.bilateral ? ReactionSet::free() : ReactionSet::coulomb(s.friction);
}

// The same contacts, pushed alike: cones with their apexes at zero.
ContactProblem pushedAlike(const ContactProblem& p) {
    ContactProblem pushed = p;
    pushed.skew.clear();
    pushed.compliance.resize(p.contactCount());
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        pushed.compliance[i] += softnessOf(p, i) * identity3();
        pushed.offset[i] = p.sets[i].bilateral ? Vec3{} : Vec3{-1, 0, 0};
        pushed.sets[i] = directionsOf(p.sets[i]);
    }
    return pushed;
}

}  // namespace

bool hasInternalForces(const ContactProblem& problem) {
    if (problem.contactCount() == 0) return false;
    const ContactProblem pushed = pushedAlike(problem);
    const SolverSettings settings{.kind = SolverKind::interiorPoint, .law = FrictionLaw::associated, .tolerance = 1e-6};
    SolverWorkspace workspace;
    Solution found;
    found.reactions.resize(problem.contactCount());
    solveInteriorPoint(pushed, settings, workspace, found);
    const std::vector<Vec3>&g = found.reactions, &u = found.velocities;
    for (std::size_t i = 0; i < g.size(); ++i) {
        if (problem.sets[i].bilateral || !problem.sets[i].isUnbounded()) continue;
        const Vec3 opening = u[i] - pushed.offset[i] - softnessOf(problem, i) * g[i];
        if (!(opening.x > slipShift(problem.sets[i], opening))) return true;
    }
    return false;
}

}  // namespace talus
