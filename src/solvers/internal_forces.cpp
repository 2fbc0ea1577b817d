#include "solvers/internal_forces.hpp"

#include "solvers/interior_point.hpp"
#include "solvers/solver.hpp"

namespace talus {
namespace {

constexpr double softness = 1e-7;  // -, e over W_ii

double softnessOf(const ContactProblem& p, std::size_t i) { return softness * trace(p.diagonal(i)) / 3; }

// The same contacts, pushed alike: cones with their apexes at zero.
ContactProblem pushedAlike(const ContactProblem& p) {
    ContactProblem pushed = p;
    pushed.skew.clear();
    pushed.compliance.resize(p.contactCount());
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        const bool isFree = p.sets[i].bilateral;
        pushed.compliance[i] += softnessOf(p, i) * identity3();
        pushed.offset[i] = isFree ? Vec3{} : Vec3{-1, 0, 0};
        pushed.sets[i] = isFree ? ReactionSet::free() : ReactionSet::coulomb(p.sets[i].friction);
    }
    return pushed;
}

}  // namespace

bool hasInternalForces(const ContactProblem& problem) {
    if (problem.contactCount() == 0) return false;
    const ContactProblem pushed = pushedAlike(problem);
    const SolverSettings settings{.kind = SolverKind::interiorPoint, .law = FrictionLaw::associated, .tolerance = 1e-6};
    InteriorPointWorkspace workspace;
    SolveReport report;
    std::vector<Vec3> g(problem.contactCount()), u;
    solveInteriorPoint(pushed, settings, workspace, g, u, report);
    for (std::size_t i = 0; i < g.size(); ++i) {
        if (problem.sets[i].bilateral) continue;
        const Vec3 opening = u[i] - pushed.offset[i] - softnessOf(problem, i) * g[i];
        if (!(opening.x > slipShift(problem.sets[i], opening))) return true;
    }
    return false;
}

}  // namespace talus
