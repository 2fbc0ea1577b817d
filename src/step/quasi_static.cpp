#include "step/quasi_static.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/stop.hpp"
#include "measure/contact_sample.hpp"
#include "model/load.hpp"
#include "model/prescribed_motion.hpp"
#include "model/servo.hpp"
#include "step/population.hpp"
#include "step/rotation.hpp"
#include "step/timed.hpp"

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

// What stays the same during an increment.
struct Scales {
    double stiffness = 0;         // N/m, of the stiffest contact
    double lightest = noBound;    // kg, of the free grains; of free walls where there are none
    double smallest = noBound;    // m, radius of the free bodies
    double prescribedTravel = 0;  // m, how far prescribed bodies go in the increment
    double reach = 0;             // m, how far free ones may go in an iteration

    bool anyFree() const { return lightest < noBound; }
};

// The largest displacement of a point of a prescribed body that contacts can see.
double prescribedTravel(const WorldState& world, double dt) {
    const Bodies& b = world.bodies;
    double largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (b.motion[i] == noMotion) continue;
        const std::size_t wall = i - b.grainCount;
        const double reach = i < b.grainCount                         ? b.radius[i]
                             : wall < world.contacts.wallReach.size() ? world.contacts.wallReach[wall]
                                                                      : 0.0;
        const Motion& motion = world.motions[b.motion[i]];
        const double closing = isRadialServo(motion) ? std::abs(motion.servo.midSpeed) : 0.0;
        largest = std::max(largest, dt * (norm(b.midVelocity[i]) + reach * norm(b.midSpin[i]) + closing));
    }
    return largest;
}

Scales measureScales(const WorldState& world, const QuasiStaticSettings& s, double dt) {
    const Bodies& b = world.bodies;
    Scales scales;
    double largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (i < b.grainCount) largest = std::max(largest, b.radius[i]);
        if (b.inverseMass[i] == 0) continue;
        // Walls come after the grains. A light one has little fictitious inertia, and keeps its load so much better.
        if (i >= b.grainCount && scales.smallest < noBound) break;
        scales.lightest = std::min(scales.lightest, 1 / b.inverseMass[i]);
        if (i < b.grainCount) scales.smallest = std::min(scales.smallest, b.radius[i]);
    }
    if (scales.smallest == noBound) scales.smallest = largest;  // free walls alone
    for (const PairLaw& law : world.materials.laws) {
        scales.stiffness = std::max(scales.stiffness, linearStiffness(law, largest).normal);
    }
    scales.prescribedTravel = prescribedTravel(world, dt);
    const double carried = s.proceed ? 1 : 2;
    scales.reach = std::max(s.maxDisplacement * scales.smallest, carried * scales.prescribedTravel);
    return scales;
}

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

// Prescribed bodies go their whole way within the pseudo-time of the first iteration, and rest afterwards.
enum class Prescribed { moving, resting };

void predictPrescribed(WorldState& world, Prescribed how, double dt, double tau) {
    Bodies& b = world.bodies;
    if (how == Prescribed::moving) predictMotions(world, world.time, dt);
    const double speedUp = how == Prescribed::moving ? dt / tau : 0.0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (b.motion[i] == noMotion) continue;
        b.midVelocity[i] *= speedUp;
        b.midSpin[i] *= speedUp;
        world.motions[b.motion[i]].servo.midSpeed *= speedUp;
    }
}

// A first iteration is too stiff for a radius that closes on all grains at once: its force is far above that of the
// equilibrium, and so would be the work.
void holdRadii(WorldState& world) {
    for (Motion& motion : world.motions) motion.servo.midSpeed = 0;
}

// From the centre of a body to the farthest place where something touches it, m.
double reachOf(const WorldState& world, std::size_t body) {
    const Bodies& b = world.bodies;
    return body < b.grainCount ? b.radius[body] : world.contacts.wallReach[body - b.grainCount];
}

// How far the answer of the problem would move a free body, its surface included, and which one goes furthest.
struct Farthest {
    double distance = 0;
    std::size_t body = 0;
    Farthest& operator+=(const Farthest& other) {
        if (other.distance > distance) *this = other;
        return *this;
    }
};

Farthest farthestMove(const WorldState& world, double tau, ProblemWorkspace& ws) {
    const Bodies& b = world.bodies;
    findChanges(ws);
    return parallelSum(b.size(), Farthest{}, [&](std::size_t i) -> Farthest {
        if (b.inverseMass[i] == 0) return {};
        const BodyChange change = changeOf(ws, i);
        const double turning = reachOf(world, i) * norm(change.spin);
        return {tau * std::max(norm(change.velocity + tau * outerAcceleration(world, i)), turning), i};
    });
}

// The largest force or couple over radius by which a free body is out of balance, N; velocities are those of the move.
Farthest largestImbalance(const WorldState& world, double tau) {
    const Bodies& b = world.bodies;
    return parallelSum(b.size(), Farthest{}, [&](std::size_t i) -> Farthest {
        if (b.inverseMass[i] == 0) return {};
        const double force = norm(b.velocity[i]) / (tau * b.inverseMass[i]);
        const double momentum = norm(angularMomentum(b, i, b.spin[i]));
        return {std::max(force, momentum > 0 ? momentum / (tau * reachOf(world, i)) : 0.0), i};
    });
}

// The mean force of loaded contacts, or, where there are none, the mean weight; N.
double forceScale(const WorldState& world, double tau, const ProblemWorkspace& ws) {
    struct Sum {
        double force = 0;
        std::size_t count = 0;
        Sum& operator+=(const Sum& other) {
            force += other.force;
            count += other.count;
            return *this;
        }
    };
    const Sum contacts = parallelSum(ws.reactions.size(), Sum{}, [&](std::size_t k) -> Sum {
        const double force = norm(ws.reactions[k]) / tau;
        return {force, force > 0 ? std::size_t{1} : std::size_t{0}};
    });
    if (contacts.count > 0) return contacts.force / static_cast<double>(contacts.count);
    const Bodies& b = world.bodies;
    const Sum weights = parallelSum(b.size(), Sum{}, [&](std::size_t i) -> Sum {
        if (b.inverseMass[i] == 0) return {};
        return {norm(outerAcceleration(world, i)) / b.inverseMass[i], 1};
    });
    return weights.count > 0 ? weights.force / static_cast<double>(weights.count) : 0.0;
}

// What the fictitious inertia takes beyond what applyReactions() counts: bodies are stopped after each move.
double inertialLoss(const WorldState& world, double tau) {
    const Bodies& b = world.bodies;
    return parallelSum(b.size(), 0.0, [&](std::size_t i) {
        if (b.inverseMass[i] == 0) return 0.0;
        const Vec3 fall = tau * outerAcceleration(world, i);
        const double turning = dot(b.spin[i], angularMomentum(b, i, b.spin[i]));
        return 0.5 * (dot(b.velocity[i], b.velocity[i] + fall) / b.inverseMass[i] + turning);
    });
}

StoredEnergy storedEnergy(const WorldState& world) {
    const std::vector<ContactSample> samples = sampleContacts(world);
    return parallelSum(samples.size(), StoredEnergy{}, [&](std::size_t k) { return samples[k].energy; });
}

// The proximal iterations of one increment.
class Equilibrium {
public:
    Equilibrium(WorldState& world, const StepSettings& settings, double end, StepWorkspace& ws)
        : world_(world), settings_(settings), end_(end), ws_(ws) {
        predictMotions(world, world.time, settings.dt);
        setLoads(world, end);
        scales_ = measureScales(world, *settings.quasiStatic, settings.dt);
        tau_ = timeOf(settings.quasiStatic->inertia);
        longest_ = std::max(tau_, timeOf(leastInertiaAtFirst));
    }

    StepReport find() {
        if (!scales_.anyFree()) {
            report_.equilibrium.reached = true;
            report_.solve.status = SolveStatus::converged;
            return report_;
        }
        refresh();  // bodies may have come or gone
        const StoredEnergy before = storedEnergy(world_);
        Prescribed how = Prescribed::moving;
        double last = noBound;
        ws_.solver.setTolerance(settings_.contactDynamics.tolerance);
        for (std::uint64_t k = 0; k < settings_.quasiStatic->maxIterations && !report_.equilibrium.reached; ++k) {
            ++report_.equilibrium.iterations;
            iterate(how);
            if (report_.solve.status == SolveStatus::numericalError) break;
            how = Prescribed::resting;
            chooseTau(last);
            ws_.solver.setTolerance(solverTolerance());
            last = report_.equilibrium.unbalanced;
        }
        EquilibriumReport& e = report_.equilibrium;
        const bool solved = report_.solve.status == SolveStatus::converged;
        e.stillMoving =
            !settings_.quasiStatic->proceed && !e.reached && (e.stillMoving || (solved && e.unbalanced > uncarried));
        stopBodies(world_.bodies);
        const StoredEnergy after = storedEnergy(world_);
        world_.ledger.dissipated.normalDamping -= after.normal - before.normal;
        world_.ledger.dissipated.sliding -= after.tangential - before.tangential;
        if (!report_.equilibrium.reached && report_.solve.status != SolveStatus::numericalError) {
            report_.solve.status = e.stillMoving ? SolveStatus::unbounded : SolveStatus::iterationLimit;
        }
        return report_;
    }

private:
    // Solves for a move that no body makes too far, and makes it. Alone a body goes as tau squared. One that goes
    // nearly as far in less of it is carried by others, in the end by a prescribed one: then less would only make more
    // of inertia.
    void iterate(Prescribed how) {
        Farthest farthest = solve(how);
        bool carried = false;
        while (farthest.distance > farEnough() && !carried && report_.solve.status != SolveStatus::numericalError) {
            const double before = farthest.distance, shorter = std::max(0.1, 0.9 * std::sqrt(scales_.reach / before));
            tau_ *= shorter;
            farthest = solve(how);
            carried = how == Prescribed::moving && farthest.distance > (1 - 0.5 * (1 - shorter * shorter)) * before &&
                      farthest.distance < margin();
        }
        if (report_.solve.status == SolveStatus::numericalError) return;  // nothing to move by
        move(how);
        judge(farthest);
        if (how == Prescribed::moving && radiiMove(world_)) report_.equilibrium.reached = false;
        remember(how);
    }

    // Two bodies can go that far towards each other. A run that proceeds in any case leaves it to the next increment if
    // both do, and solves smaller problems.
    double margin() const {
        const double approaching = settings_.quasiStatic->proceed ? 1 : 2;
        return approaching * (scales_.reach + scales_.prescribedTravel);
    }

    // How far a body may go, m.
    double farEnough() const { return settings_.quasiStatic->proceed ? margin() : scales_.reach; }

    // Where bodies meet now, if they have moved.
    void refresh() {
        if (isFresh_) return;
        isFresh_ = true;
        timed(ws_.seconds.collision, [&] {
            refreshLists(world_, ws_.neighbours, ws_.moved, margin());
            updateContactPoints(world_, margin(), ws_.points, OutlinePlaces::guarded);
        });
        ws_.moved = 0;
    }

    Farthest solve(Prescribed how) {
        stopIfAsked();
        stopBodies(world_.bodies);
        predictPrescribed(world_, how, settings_.dt, tau_);
        holdRadii(world_);
        refresh();
        timed(ws_.seconds.assembly, [&] {
            buildProblem(world_, settings_.contactDynamics, {tau_}, {.margin = margin(), .atRest = true}, ws_.problem);
        });
        predictPrescribed(world_, how, settings_.dt, tau_);
        prepareSolver(world_, settings_.contactDynamics, ws_);
        const std::uint64_t before = report_.solve.iterations;
        const double seconds = report_.solve.seconds;
        report_.solve = ws_.solver.solve(ws_.problem.problem, ws_.problem.reactions);
        ws_.seconds.solve += report_.solve.seconds;
        report_.solve.iterations += before;
        report_.solve.seconds += seconds;
        report_.contacts = ws_.problem.sources.size();
        return farthestMove(world_, tau_, ws_.problem);
    }

    void move(Prescribed how) {
        const TimeScheme time{tau_};
        predictVelocities(world_, tau_);
        applyReactions(world_, time, ws_.problem, SpringEnergy::leftOut);
        findStuckImpulses(world_, time, ws_.problem, stuck_);
        addWallWork(world_, tau_);
        world_.ledger.dissipated.normalDamping += inertialLoss(world_, tau_);
        ws_.moved = integratePositions(world_, time, settings_.orientation);
        isFresh_ = false;
        addLoadWork(world_, tau_);
        if (how == Prescribed::moving) {
            movePrescribed(world_, end_, settings_.dt);
            predictPrescribed(world_, how, settings_.dt, tau_);
        }
    }

    // Friction depends on the way since the last equilibrium, not on those of single iterations: until balance is
    // reached contacts remember what they would bear if they had not slid in this increment. Where bodies are on their
    // way to other places, the way itself counts.
    void remember(Prescribed how) {
        const EquilibriumReport& e = report_.equilibrium;
        const bool last = e.reached || e.iterations == settings_.quasiStatic->maxIterations;
        const bool flowing = how == Prescribed::resting && e.stillMoving;
        if (!last && !flowing) rememberImpulses(world_, ws_.problem, stuck_);
        movePoints(world_, tau_);
        turnMemory(world_, tau_, ws_.problem);
    }

    // In balance, and so near where contacts were found that turned normals and bent paths change forces by no more.
    void judge(const Farthest& farthest) {
        EquilibriumReport& e = report_.equilibrium;
        const Farthest worst = largestImbalance(world_, tau_);
        const double scale = forceScale(world_, tau_, ws_.problem);
        // What bent paths do to gaps is left to the next increment if the run is to go on in any case.
        const double bent = settings_.quasiStatic->proceed ? 0.0 : scales_.stiffness * farthest.distance;
        const double turned = farthest.distance / scales_.smallest * (scale + bent);
        e.unbalanced = scale > 0 ? worst.distance / scale : 0.0;
        e.worstBody = world_.bodies.id[worst.body];
        e.displacement = farthest.distance;
        e.stillMoving = farthest.distance > 0.1 * scales_.reach;
        const double tolerance = settings_.quasiStatic->tolerance, solved = ws_.solver.settings().tolerance;
        const bool balanced = worst.distance <= tolerance * scale;
        const bool exact = solved <= settings_.contactDynamics.tolerance;
        // Found anew at each place, balance does not depend on where the rest of the motion leads: what moves still
        // neither bears a load nor needs one that counts.
        const bool steady = balanced && !settings_.quasiStatic->proceed && solved <= precision * tolerance;
        balances_ = steady ? balances_ + 1 : 0;
        e.reached = (balanced && exact && turned <= tolerance * scale) || balances_ >= steadyBalances;
        if (scale == 0) e.reached = true;
    }

    // s, in which the inertia of the lightest body is this share of the stiffness.
    double timeOf(double inertia) const { return std::sqrt(scales_.lightest / (inertia * scales_.stiffness)); }

    // Longer where equilibrium comes slowly, as far as the solver can follow: the longer tau, the more like rigid
    // contacts.
    void chooseTau(double lastUnbalanced) {
        const bool solved = report_.solve.status == SolveStatus::converged;
        if (!settings_.quasiStatic->proceed) {
            const double last = std::max(longest_, timeOf(leastInertia));
            longest_ = solved ? std::min(trust * longest_, last) : 0.5 * tau_;
        }
        if (solved && isSlow(lastUnbalanced)) tau_ *= 2;
        tau_ = std::min(tau_, longest_);
    }

    // While bodies are on their way to other places a rough answer does, but one that does not itself set them off.
    double solverTolerance() const {
        const EquilibriumReport& e = report_.equilibrium;
        const double last = settings_.contactDynamics.tolerance;
        if (!e.stillMoving) return last;
        return settings_.quasiStatic->proceed
                   ? roughTolerance
                   : std::clamp(precision * e.unbalanced, last, std::max(last, roughTolerance));
    }

    // Bodies on their way could go further at once, or balance hardly comes nearer than it was.
    bool isSlow(double lastUnbalanced) const {
        const EquilibriumReport& e = report_.equilibrium;
        return e.stillMoving ? e.displacement < 0.25 * scales_.reach : e.unbalanced > 0.25 * lastUnbalanced;
    }

    WorldState& world_;
    const StepSettings& settings_;
    double end_;  // s
    StepWorkspace& ws_;
    Scales scales_;
    double tau_ = 0, longest_ = 0;  // s
    std::vector<Vec3> stuck_;       // N s, per contact
    bool isFresh_ = false;          // contacts are those of the present positions
    int balances_ = 0;              // iterations in a row at whose end forces balanced
    StepReport report_;
};

}  // namespace

StepReport stepQuasiStatic(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    const double end = timeAfterStep(world, s.dt);
    updatePopulation(world);
    steerServos(world, s.dt);
    StepReport report = Equilibrium(world, s, end, ws).find();
    report.overlap = findDeepestOverlap(world, ws.sizes).fraction;
    movePrescribed(world, end, s.dt);
    world.time = end;
    ++world.step;
    return report;
}

}  // namespace talus
