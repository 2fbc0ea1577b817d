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
    if (solved.status == SolveStatus::converged || ws.solverSettings.fixedIterations > 0) return false;
    const bool haveDrivesJammed = haveJammed(world, time, ws.problem, solved);
    if (!haveDrivesJammed && !canGiveWay(world, time, ws.problem)) return false;
    Stiff stiff = giveWay(world, time, ws.problem);
    SolveReport second = solveOnceMore(ws);
    second.seconds += solved.seconds;
    const bool isBetter =
        second.status == SolveStatus::converged || second.residuals.naturalMap < solved.residuals.naturalMap;
    if (!haveDrivesJammed && !isBetter) {
        takeBack(std::move(stiff), ws.problem);
        solved.seconds = second.seconds;
        return false;
    }
    solved = second;
    return haveDrivesJammed || jammedDrive(world, time, ws.problem).stands;
}

}  // namespace talus
