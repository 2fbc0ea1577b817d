#include "step/diagnosis.hpp"

#include <algorithm>

#include "solvers/interior/internal_forces.hpp"

namespace talus {
namespace {

double deepestOverlap(const WorldState& world, StepWorkspace& ws) {
    if (!world.contacts.keepsSprings()) return findDeepestOverlap(world, ws.sizes).fraction;
    return std::max(ws.forces.deepestOverlap(), findDeepestOfShapes(world, ws.sizes).fraction);
}

}  // namespace

Diagnosis diagnose(const WorldState& world, const StepSettings& s, const StepOutcome& outcome, StepWorkspace& ws) {
    Diagnosis found{.overlap = deepestOverlap(world, ws)};
    // Rigid contacts that slide at angles of their own surely have a solution only if none of them are wedged.
    const ContactProblem& problem = ws.problem.problem;
    found.wedged = !problem.skew.empty() && !world.contacts.areElastic() && hasInternalForces(problem);
    if (outcome.drivesGaveWay) found.jammed = jammedDrive(world, {s.dt, s.contactDynamics.theta}, ws.problem);
    return found;
}

StepSeconds& StepSeconds::operator+=(const StepSeconds& other) {
    visitFields([](const auto&, double& sum, double more) { sum += more; }, *this, other);
    return *this;
}

StepSeconds secondsOf(const StepOutcome& outcome) {
    return {.solve = outcome.solve.seconds, .compatible = outcome.compatible.solve.seconds};
}

StepSeconds secondsOf(const StepWorkspace& ws) {
    return {.collision = ws.neighbours.seconds + ws.points.seconds, .assembly = ws.problem.seconds};
}

}  // namespace talus
