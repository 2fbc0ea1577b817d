#include "step/equilibrium/equilibrium.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "model/load.hpp"
#include "model/prescribed_motion.hpp"
#include "model/servo.hpp"

namespace talus {
namespace {

constexpr double noBound = std::numeric_limits<double>::infinity();
// Below some share of inertia in the stiffness problems are as hard as rigid ones, and forces lose digits: no less at
// first, and no less ever, unless the settings begin with less.
constexpr double leastInertiaAtFirst = 1e-5, leastInertia = 1e-7;
constexpr double trust = 1.2;            // by which the longest tau grows after a solve that went well
constexpr double roughTolerance = 1e-3;  // -, of solvers, far from equilibrium
constexpr double uncarried = 0.5;        // -, unbalanced force at the end of a body that nothing carries, however slow
constexpr int steadyBalances = 10;       // iterations in which forces balance, whatever goes on moving
constexpr double precision = 0.1;        // -, of the unbalanced force, that solvers are asked for then

// Free bodies start each iteration at rest.
void stopBodies(Bodies& b) {
    parallelFor(b.size(), [&](std::size_t i) {
        if (b.inverseMass[i] != 0) b.velocity[i] = b.spin[i] = b.midVelocity[i] = b.midSpin[i] = Vec3{};
    });
}

// Contacts see where the radii of drums go only after the move.
bool radiiMove(const WorldState& world) {
    return std::any_of(world.motions.begin(), world.motions.end(),
                       [](const Motion& m) { return isRadialServo(m) && m.servo.speed != 0; });
}

// A first iteration is too stiff for a radius that closes on all grains at once: its force is far above that of the
// equilibrium, and so would be the work.
void holdRadii(WorldState& world) {
    for (Motion& motion : world.motions) motion.servo.midSpeed = 0;
}

}  // namespace

Equilibrium::Equilibrium(WorldState& world, const StepSettings& settings, double end, StepWorkspace& ws)
    : world_(world),
      settings_(settings),
      wanted_(*settings.quasiStatic),
      end_(end),
      ws_(ws),
      scales_(measureScales(world, wanted_, settings.dt)),
      lastUnbalanced_(noBound) {
    tau_ = timeOf(wanted_.inertia);
    longest_ = std::max(tau_, timeOf(leastInertiaAtFirst));
    ws_.solverSettings.tolerance = settings_.contactDynamics.tolerance;
    if (!scales_.anyFree()) return;
    findContacts();  // bodies may have come or gone
    before_ = storedEnergy(world_);
}

bool Equilibrium::isSought() const {
    const EquilibriumReport& e = report_.equilibrium;
    return scales_.anyFree() && !failed() && !e.reached && e.iterations < wanted_.maxIterations;
}

// Alone a body goes as tau squared. One that goes nearly as far in less of it is carried by others, in the end by a
// prescribed one: then less would only make more of inertia.
void Equilibrium::solve() {
    ++report_.equilibrium.iterations;
    farthest_ = solveOnce();
    bool carried = false;
    while (farthest_.distance > farEnough() && !carried && !failed()) {
        const double before = farthest_.distance, shorter = std::max(0.1, 0.9 * std::sqrt(scales_.reach / before));
        tau_ *= shorter;
        farthest_ = solveOnce();
        carried = isFirst() && farthest_.distance > (1 - 0.5 * (1 - shorter * shorter)) * before &&
                  farthest_.distance < margin();
    }
}

void Equilibrium::move() {
    if (failed()) return;  // nothing to move by
    const TimeScheme time{tau_};
    predictVelocities(world_, tau_);
    applyReactions(world_, time, ws_.problem, SpringEnergy::leftOut);
    findStuckImpulses(world_, time, ws_.problem, stuck_);
    addWallWork(world_, tau_);
    world_.ledger.dissipated.normalDamping += inertialLoss(world_, tau_);
    ws_.moved = integratePositions(world_, time, settings_.orientation);
    isFresh_ = false;
    addLoadWork(world_, tau_);
    if (!isFirst()) return;
    movePrescribed(world_, end_, settings_.dt);
    predictPrescribed();
}

// In balance, and so near where contacts were found that turned normals and bent paths change forces by no more.
void Equilibrium::judge() {
    if (failed()) return;
    EquilibriumReport& e = report_.equilibrium;
    const Farthest worst = largestImbalance(world_, tau_);
    const double scale = forceScale(world_, tau_, ws_.problem);
    // What bent paths do to gaps is left to the next increment if the run is to go on in any case.
    const double pathForce = wanted_.proceed ? 0.0 : scales_.stiffness * farthest_.distance;
    const double turned = farthest_.distance / scales_.smallest * (scale + pathForce);
    e.unbalanced = scale > 0 ? worst.distance / scale : 0.0;
    e.worstBody = world_.bodies.id[worst.body];
    e.displacement = farthest_.distance;
    e.stillMoving = farthest_.distance > 0.1 * scales_.reach;
    const double tolerance = wanted_.tolerance, solved = ws_.solverSettings.tolerance;
    const bool balanced = worst.distance <= tolerance * scale;
    const bool exact = solved <= settings_.contactDynamics.tolerance;
    // Found anew at each place, balance does not depend on where the rest of the motion leads: what moves still
    // neither bears a load nor needs one that counts.
    const bool steady = balanced && !wanted_.proceed && solved <= precision * tolerance;
    balances_ = steady ? balances_ + 1 : 0;
    e.reached = (balanced && exact && turned <= tolerance * scale) || balances_ >= steadyBalances;
    if (scale == 0) e.reached = true;
    if (isFirst() && radiiMove(world_)) e.reached = false;
}

void Equilibrium::remember() {
    if (failed()) return;
    const EquilibriumReport& e = report_.equilibrium;
    const bool last = e.reached || e.iterations == wanted_.maxIterations;
    const bool flowing = !isFirst() && e.stillMoving;
    if (!last && !flowing) rememberImpulses(world_, ws_.problem, stuck_);
    movePoints(world_, tau_);
    turnMemory(world_, tau_, ws_.problem);
}

void Equilibrium::choosePace() {
    if (failed()) return;
    chooseTau();
    ws_.solverSettings.tolerance = solverTolerance();
    lastUnbalanced_ = report_.equilibrium.unbalanced;
}

StepOutcome Equilibrium::finish() {
    EquilibriumReport& e = report_.equilibrium;
    SolveStatus& status = report_.solve.status;
    if (!scales_.anyFree()) {
        e.reached = true;
        status = SolveStatus::converged;
        return report_;
    }
    const bool solved = status == SolveStatus::converged;
    e.stillMoving = !wanted_.proceed && !e.reached && (e.stillMoving || (solved && e.unbalanced > uncarried));
    stopBodies(world_.bodies);
    const StoredEnergy after = storedEnergy(world_);
    world_.ledger.dissipated.normalDamping -= after.normal - before_.normal;
    world_.ledger.dissipated.sliding -= after.tangential - before_.tangential;
    if (!e.reached && !failed()) status = e.stillMoving ? SolveStatus::unbounded : SolveStatus::iterationLimit;
    return report_;
}

void Equilibrium::predictPrescribed() {
    Bodies& b = world_.bodies;
    if (isFirst()) predictMotions(world_, world_.time, settings_.dt);
    const double speedUp = isFirst() ? settings_.dt / tau_ : 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (b.motion[i] == noMotion) continue;
        b.midVelocity[i] *= speedUp;
        b.midSpin[i] *= speedUp;
        world_.motions[b.motion[i]].servo.midSpeed *= speedUp;
    }
}

// Where bodies meet now, if they have moved.
void Equilibrium::findContacts() {
    if (isFresh_) return;
    isFresh_ = true;
    refreshLists(world_, ws_.neighbours, ws_.moved, margin());
    updateContactPoints(world_, margin(), ws_.points, OutlinePlaces::guarded);
    ws_.moved = 0;
}

Farthest Equilibrium::solveOnce() {
    stopIfAsked();
    stopBodies(world_.bodies);
    predictPrescribed();
    holdRadii(world_);
    findContacts();
    buildProblem(world_, settings_.contactDynamics, {tau_}, {.margin = margin(), .atRest = true}, ws_.problem);
    predictPrescribed();
    prepareSolver(world_, settings_.contactDynamics, ws_);
    const std::uint64_t before = report_.solve.iterations;
    const double seconds = report_.solve.seconds;
    report_.solve =
        take(talus::solve(ws_.problem.problem, ws_.problem.reactions, ws_.solverSettings, ws_.solver), ws_.problem);
    report_.solve.iterations += before;
    report_.solve.seconds += seconds;
    report_.contacts = ws_.problem.candidates.size();
    return farthestMove(world_, tau_, ws_.problem);
}

// Two bodies can go that far towards each other. A run that proceeds in any case leaves it to the next increment if
// both do, and solves smaller problems.
double Equilibrium::margin() const {
    const double approaching = wanted_.proceed ? 1 : 2;
    return approaching * (scales_.reach + scales_.prescribedTravel);
}

// How far a body may go, m.
double Equilibrium::farEnough() const { return wanted_.proceed ? margin() : scales_.reach; }

// s, in which the inertia of the lightest body is this share of the stiffness.
double Equilibrium::timeOf(double inertia) const { return std::sqrt(scales_.lightest / (inertia * scales_.stiffness)); }

// Longer where equilibrium comes slowly, as far as the solver can follow: the longer tau, the more like rigid contacts.
void Equilibrium::chooseTau() {
    const bool solved = report_.solve.status == SolveStatus::converged;
    if (!wanted_.proceed) {
        const double last = std::max(longest_, timeOf(leastInertia));
        longest_ = solved ? std::min(trust * longest_, last) : 0.5 * tau_;
    }
    if (solved && isSlow()) tau_ *= 2;
    tau_ = std::min(tau_, longest_);
}

// While bodies are on their way to other places a rough answer does, but one that does not itself set them off.
double Equilibrium::solverTolerance() const {
    const EquilibriumReport& e = report_.equilibrium;
    const double last = settings_.contactDynamics.tolerance;
    if (!e.stillMoving) return last;
    return wanted_.proceed ? roughTolerance
                           : std::clamp(precision * e.unbalanced, last, std::max(last, roughTolerance));
}

// Bodies on their way could go further at once, or balance hardly comes nearer than it was.
bool Equilibrium::isSlow() const {
    const EquilibriumReport& e = report_.equilibrium;
    return e.stillMoving ? e.displacement < 0.25 * scales_.reach : e.unbalanced > 0.25 * lastUnbalanced_;
}

}  // namespace talus
