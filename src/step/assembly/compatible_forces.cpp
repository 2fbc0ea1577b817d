#include "step/assembly/compatible_forces.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "step/assembly/contact_search.hpp"

namespace talus {
namespace {

// The stiffness of the springs between two bodies that meet with this effective radius (m).
RelativeStiffness stiffnessOf(NormalLaw normal, const PairLaw& law, double radius) {
    if (normal == NormalLaw::hertz) {
        const double k = 4.0 / 3.0 * law.modulus * std::sqrt(radius);
        return {k, 4 * law.shearModulus / law.modulus * k};
    }
    const LinearStiffness k = linearStiffness(law, radius);
    return {k.normal, k.tangential};
}

// One per contact of the problem.
void findStiffnesses(const WorldState& world, const ProblemWorkspace& problem,
                     std::vector<RelativeStiffness>& stiffness) {
    const BodyView bodies = view(world.bodies);
    const Vec3 period = world.domain.period();
    stiffness.resize(problem.candidates.size());
    parallelFor(problem.candidates.size(), [&](std::size_t k) {
        const FoundContact found = lookAgain(world, bodies, period, problem.candidates[k], problem.places[k]);
        stiffness[k] = stiffnessOf(world.materials.kinds.normal, *found.law, found.radius);
    });
}

// What counts as solved counts as closed.
CompatibleSettings settingsOf(const WorldState& world, const ContactDynamicsSettings& s) {
    CompatibleSettings compatible;
    compatible.method = s.compatibleMethod;
    compatible.power = world.materials.kinds.normal == NormalLaw::hertz ? 2.5 : 2;
    compatible.closed = std::max(compatible.closed, s.tolerance);
    compatible.tolerance = s.tolerance;
    compatible.law = s.frictionLaw;
    return compatible;
}

}  // namespace

CompatibleReport makeForcesCompatible(const WorldState& world, const ContactDynamicsSettings& settings,
                                      ProblemWorkspace& problem, CompatibleForcesWorkspace& ws, SolveReport& solved) {
    if (settings.forces != ForceRule::compatible || solved.status == SolveStatus::numericalError) return {};
    const CompatibleSettings wanted = settingsOf(world, settings);
    if (!ws.solver || ws.solver->settings() != wanted) ws.solver.emplace(wanted);
    findStiffnesses(world, problem, ws.stiffness);
    const CompatibleReport report = ws.solver->replace(problem.problem, ws.stiffness, problem.reactions);
    solved.status = report.solve.status;
    solved.residuals = report.solve.residuals;
    return report;
}

}  // namespace talus
