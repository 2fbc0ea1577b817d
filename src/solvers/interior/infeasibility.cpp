#include "solvers/interior/infeasibility.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr double suspicious = 100;  // -, reactions beyond what would stop each contact alone: worth a closer look
constexpr double bad = 1e-2;        // -, natural map: the same
constexpr double hopeless = 1e9;    // -, the same: there is no answer

// What the set of a contact bears at any size, next to g. Coulomb's law allows sliding that opens: only normals count.
Vec3 unlimited(const ReactionSet& set, FrictionLaw law, const Vec3& g) {
    if (set.bilateral) return g;
    if (!set.isUnbounded()) return {};
    return law == FrictionLaw::coulomb ? Vec3{std::max(0.0, g.x), 0, 0} : projectOnPlainCone(set.friction, g);
}

// What would stop each contact if it were alone.
double ownImpulses(const ContactProblem& p) {
    return parallelSum(p.contactCount(), 0.0, [&](std::size_t i) { return norm(p.offset[i]) / p.diagonal(i)(0, 0); });
}

// The sum of |g_i| that every answer has at least, from a direction of reactions.
double leastReactions(const ContactProblem& p, FrictionLaw law, const std::vector<Vec3>& direction,
                      InfeasibilityWorkspace& ws) {
    std::vector<Vec3>& d = ws.direction;
    d.resize(p.contactCount());
    parallelFor(d.size(), [&](std::size_t i) { d[i] = unlimited(p.sets[i], law, direction[i]); });
    const double closing = parallelSum(d.size(), 0.0, [&](std::size_t i) { return -dot(p.offset[i], d[i]); });
    if (!(closing > 0)) return 0;
    const double moved = std::visit(
        [&](const auto& op) {
            auto& state = ws.states.of(op);
            op.start(d, state);
            return parallelMax(d.size(),
                               [&](std::size_t i) { return norm(op.velocity(state, i) + p.complianceTimes(i, d[i])); });
        },
        p.contacts);
    return closing / moved;  // infinite if nothing moves
}

}  // namespace

// Reactions that grow without end grow along the self-stress: if they have not grown enough to be the proof, the growth
// in later sweeps of a solve from zero is purer than they are.
bool provesInfeasible(const ContactProblem& p, FrictionLaw law, const std::vector<Vec3>& reactions, double naturalMap,
                      std::uint64_t sweeps, InfeasibilityWorkspace& ws) {
    if (!p.skew.empty() || sweeps == 0) return false;
    const double own = ownImpulses(p), least = leastReactions(p, law, reactions, ws);
    if (!(least > suspicious * own || naturalMap > bad)) return false;
    if (least > hopeless * own) return true;
    const SolverSettings settings{.kind = SolverKind::gaussSeidel, .law = law, .fixedIterations = sweeps};
    std::vector<Vec3>& later = ws.sweeps.reactions;
    later.assign(p.contactCount(), Vec3{});
    solveGaussSeidel(p, settings, ws.gaussSeidel, ws.sweeps);
    ws.growth = later;
    solveGaussSeidel(p, settings, ws.gaussSeidel, ws.sweeps);
    for (std::size_t i = 0; i < ws.growth.size(); ++i) ws.growth[i] = later[i] - ws.growth[i];
    return leastReactions(p, law, ws.growth, ws) > hopeless * own;
}

}  // namespace talus
