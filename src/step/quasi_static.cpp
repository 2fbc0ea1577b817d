// Quasi-static loading: from one state of equilibrium to the next, without inertia.
//
// In an increment the prescribed bodies go on by their motions, and then all free bodies move until the contacts
// balance their loads. Displacements d and contact forces p of equilibrium minimise
//
//     sum psi(contacts after d) - f.d        psi: energy of elastic contacts, with friction by the contact program
//
// which alone is singular: rattlers and rolling grains have no stiffness. So the same is solved by proximal steps: each
// adds 1/2 d.(M/tau^2) d, the inertia of the bodies in a pseudo-time tau, and starts where the last ended. This is a
// step of the theta method with theta = 1, h = tau and bodies at rest (step/assembly/build_problem.hpp). At its end the
// loads and the contact forces of each body differ by M d/tau^2, the unbalanced force, and nothing else; the steps end
// when that is small. The answer does not depend on tau.
//
// tau starts where inertia is a small share of the stiffness of contacts. It becomes shorter where a body would go too
// far for the contacts known or where the solver does not get there, and longer where equilibrium comes slowly. A body
// that nothing carries keeps moving: the report says so.
#include "model/load.hpp"
#include "model/prescribed_motion.hpp"
#include "model/servo.hpp"
#include "step/equilibrium/equilibrium.hpp"
#include "step/population.hpp"

namespace talus {

StepOutcome stepQuasiStatic(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    const double end = timeAfterStep(world, s.dt);
    updatePopulation(world);
    steerServos(world, s.dt);

    // The loads of the end of the increment.
    predictMotions(world, world.time, s.dt);
    setLoads(world, end);
    setOwnForces(world, s.ownForces);

    // Moves until all forces balance.
    Equilibrium equilibrium(world, s, end, ws);
    while (equilibrium.isSought()) {
        equilibrium.solve();
        equilibrium.move();
        equilibrium.judge();
        equilibrium.remember();
        equilibrium.choosePace();
    }
    const StepOutcome outcome = equilibrium.finish();

    movePrescribed(world, end, s.dt);
    world.time = end;
    ++world.step;
    return outcome;
}

}  // namespace talus
