#include "step/solve_again.hpp"

#include "step/assembly/joint_step.hpp"
#include "step/jammed_drives.hpp"

namespace talus {
namespace {

SolveReport solveOnceMore(StepWorkspace& ws) {
    return take(solve(ws.problem.problem, ws.problem.reactions, ws.solverSettings, ws.solver), ws.problem);
}

void followJoints(const WorldState& world, const StepSettings& s, const TimeScheme& time, StepWorkspace& ws,
                  SolveReport& solved) {
    if (s.contactDynamics.fixedIterations > 0 || solved.status != SolveStatus::converged) return;
    if (!correctJointEntries(world, s.contactDynamics, time, ws.problem)) return;
    SolveReport second = solveOnceMore(ws);
    second.seconds += solved.seconds;
    second.iterations += solved.iterations;
    solved = second;
}

}  // namespace

bool solveAgain(const WorldState& world, const StepSettings& s, const TimeScheme& time, StepWorkspace& ws,
                SolveReport& solved) {
    followJoints(world, s, time, ws, solved);
    if (ws.solverSettings.fixedIterations > 0 || !haveJammed(world, time, ws.problem, solved)) return false;
    const double seconds = solved.seconds;
    letDrivesGiveWay(ws.problem);
    solved = solveOnceMore(ws);
    solved.seconds += seconds;
    return true;
}

}  // namespace talus
