#include "talus/stepper.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "api/change.hpp"
#include "api/fingerprint.hpp"
#include "api/world_data.hpp"
#include "base/parallel.hpp"
#include "build/yield_check.hpp"
#include "contacts/table/neighbour_lists.hpp"
#include "measure/failure.hpp"
#include "model/load.hpp"
#include "run/solve_statistics.hpp"
#include "step/diagnosis.hpp"
#include "step/method.hpp"
#include "talus/error.hpp"

namespace talus {

// --- own forces

struct Forces::Data {
    const World::Data& world;
    OwnForces& sums;
};

void Forces::add(BodyId body, const Vec3& force, const Vec3& torque) {
    const std::size_t i = data_.world.indexOf(body, "Forces::add");
    data_.sums.force[i] += force;
    data_.sums.torque[i] += torque;
}

void Forces::addAt(BodyId body, const Vec3& point, const Vec3& force) {
    const std::size_t i = data_.world.indexOf(body, "Forces::addAt");
    const WorldState& w = data_.world.state();
    const Vec3 arm = nearestImage(point - w.bodies.position[i], w.domain.period());
    data_.sums.force[i] += force;
    data_.sums.torque[i] += cross(arm, force);
}

std::span<Vec3> Forces::force() { return data_.sums.force; }
std::span<Vec3> Forces::torque() { return data_.sums.torque; }

// --- steps

struct Stepper::Workspace {
    StepMethod method;
    StepperSettings settings;
    std::vector<OwnForce> forces;

    // What follows belongs to the world with this serial.
    std::uint64_t serial = 0;
    StepSettings step;
    StepWorkspace scratch;
    std::string reason;

    // What this step needs; from the present state if the world was changed by hand or moved by another method.
    void prepare(World& world);
    // Throws RunError if numbers went bad or grains are lost.
    void check(const WorldState& world, const StepOutcome& outcome) const;

private:
    void begin(WorldParts& parts, const ContactMemory& model, double theta);
    void readSettings(const WorldParts& parts);
    void bindForces(World& world);
    StepChoice choose(const WorldParts& parts, const std::optional<Going>& before) const;
};

namespace {

// Steps of the penalty method are short: trouble is looked for often enough that it is found near where it began.
constexpr std::uint64_t stepsBetweenLooks = 100;

void checkMethod(const StepMethod& method, const StepperSettings& settings) {
    const std::optional<double> step = givenStep(method);
    if (step && !(*step > 0 && std::isfinite(*step))) {
        throw InputError(fmt::format("Stepper.step: must be > 0 s, got {} s; leave it out to have one chosen", *step));
    }
    if (const auto* penalty = std::get_if<Penalty>(&method); penalty && !(penalty->stepFraction > 0)) {
        throw InputError(fmt::format("Stepper.stepFraction: must be > 0, got {}", penalty->stepFraction));
    }
    if (const auto* dynamics = std::get_if<ContactDynamics>(&method)) checkRanges("ContactDynamics", *dynamics);
    if (const auto* quasiStatic = std::get_if<QuasiStatic>(&method)) {
        checkRanges("QuasiStatic.equilibrium", quasiStatic->equilibrium);
        checkRanges("QuasiStatic.solving", quasiStatic->solving);
    }
    if (!(settings.horizon > 0 && std::isfinite(settings.horizon))) {
        throw InputError(fmt::format("StepperSettings.horizon: must be > 0 s, got {} s", settings.horizon));
    }
}

// Rules between the method and the world.
void checkWorld(const StepMethod& method, const WorldParts& parts) {
    const WorldState& w = parts.state;
    const LawKinds& kinds = parts.materials.law.kinds;
    if (hasElasticContacts(method) && kinds.normal != NormalLaw::hooke) {
        throw InputError(
            "Stepper: elastic contacts are linear: make the world with contactLaw.kinds.normal = "
            "NormalLaw::hooke");
    }
    if (std::holds_alternative<QuasiStatic>(method) && !w.joints.empty()) {
        throw InputError("Stepper: quasi-static loading knows no joints; use Penalty or ContactDynamics");
    }
    if (w.materials.list.empty()) throw InputError("Stepper: the world has no material; call addMaterial() first");
}

// The method goes on as the last step was taken, and nothing has changed.
bool goesOn(const WorldParts& parts, const StepMethod& method, const ContactMemory& model, double theta) {
    if (parts.changed || !parts.going) return false;
    const Going& going = *parts.going;
    const std::optional<double> step = givenStep(method);
    const bool sameStep = step ? *step == going.dt : going.chosen;
    return going.method == method.index() && going.model == model.index() && going.theta == theta && sameStep;
}

bool wereListsMade(const WorldState& world) { return !world.contacts.grains.rowStart.empty(); }

// Memory that is there is converted on lists of the bodies as they are now.
void convertLaws(WorldParts& parts, const ContactMemory& model) {
    Contacts& c = parts.state.contacts;
    if (c.memory.index() != model.index() && wereListsMade(parts.state)) {
        NeighbourWorkspace lists;
        PointWorkspace points;
        refreshLists(parts.state, lists, std::numeric_limits<double>::infinity());
        updateContactPoints(parts.state, 0.0, points);
        convertMemory(parts.state, model);
    }
    parts.going->model = model.index();
    adoptLaws(parts);
}

SolveSummary summaryOf(const SolveReport& solve) {
    const bool wasRun = solve.status != SolveStatus::notRun;
    return {.status = std::string(nameOf(solve.status)),
            .solver = wasRun ? std::string(nameOf(solve.solver)) : "",
            .residual = solve.residuals.naturalMap,
            .penetration = solve.residuals.penetration,
            .iterations = solve.iterations,
            .seconds = solve.seconds};
}

StepReport reportOf(const StepOutcome& outcome, const Diagnosis& found, const WorldParts& parts, double tolerance) {
    const WorldState& world = parts.state;
    StepReport report;
    report.solve = summaryOf(outcome.solve);
    report.contacts = outcome.contacts;
    const EquilibriumReport& e = outcome.equilibrium;
    report.equilibrium = {e.reached || e.iterations == 0, e.iterations, e.unbalanced, {e.worstBody}};
    if (found.jammed) report.jammed = JammedJoint{{parts.joints.ids[found.jammed->joint]}, found.jammed->force};
    if (!report.solve.converged()) {
        report.warnings.push_back(fmt::format(
            "the contact problem at t = {:.6g} s was left at a residual of {:.2g}, above the tolerance {:.2g} "
            "({}): contacts may yield too much; allow more iterations, or take a shorter step",
            world.time, report.solve.residual, tolerance, report.solve.status));
    }
    if (found.wedged) report.warnings.push_back("contacts that dilate may be wedged: their forces may have no end");
    if (found.jammed) {
        report.warnings.push_back(fmt::format(
            "the drive of the joint '{}' pushes with {:.3g} {} against bodies that "
            "cannot give way; give it a largest force",
            world.joints.list[found.jammed->joint].name, found.jammed->force, found.jammed->turning ? "N m" : "N"));
    }
    return report;
}

}  // namespace

Stepper::Stepper(StepMethod method, StepperSettings settings) : workspace_(std::make_unique<Workspace>()) {
    checkMethod(method, settings);
    workspace_->method = std::move(method);
    workspace_->settings = settings;
}
Stepper::~Stepper() = default;
Stepper::Stepper(Stepper&&) noexcept = default;
Stepper& Stepper::operator=(Stepper&&) noexcept = default;

void useThreads(int count) {
    if (count < 0) throw InputError(fmt::format("useThreads: must be >= 0, got {}", count));
    setThreadCount(count);
}

void Stepper::addForce(OwnForce force) {
    if (!force) throw InputError("Stepper::addForce: the function is empty");
    workspace_->forces.push_back(std::move(force));
}

// A step that was chosen stays until another method asks for one, or bodies or materials have come.
StepChoice Stepper::Workspace::choose(const WorldParts& parts, const std::optional<Going>& before) const {
    const bool keeps =
        !givenStep(method) && before && before->chosen && before->method == method.index() && !parts.grown;
    return keeps ? StepChoice{before->dt, {}, before->reason} : chooseStep(method, parts.state, settings.horizon);
}

void Stepper::Workspace::readSettings(const WorldParts& parts) {
    const WorldState& w = parts.state;
    const bool dilating = std::holds_alternative<ContactDynamics>(method) && hasDilation(parts.materials);
    reason = parts.going->reason;
    step = stepSettings(method, w, parts.going->dt, dilating);
    step.ledger = settings.energyLedger ? Ledger::on : Ledger::off;
    step.orientation = settings.trackSpheres ? SphereOrientation::tracked : SphereOrientation::ignored;
    scratch = makeWorkspace(step, w);
}

void Stepper::Workspace::bindForces(World& world) {
    step.ownForces = {};
    if (forces.empty()) return;
    step.ownForces = [this, &world](WorldState& state) {
        Forces::Data sums{world.data(), state.ownForces};
        Forces all(sums);
        for (const OwnForce& force : forces) force(world, all);
    };
}

// From the present state, as it was left by hand or by another method, to contact lists and forces for the first step.
void Stepper::Workspace::begin(WorldParts& parts, const ContactMemory& model, double theta) {
    WorldState& w = parts.state;
    checkWorld(method, parts);
    if (w.contacts.skin == 0) w.contacts.skin = w.contacts.leastSkin;
    const std::optional<Going> before = parts.going;
    parts.going = Going{.method = method.index(), .theta = theta};
    convertLaws(parts, model);
    if (w.contacts.areYielding()) checkCaps(parts.materials, w);
    setLoads(w, w.time);
    restServos(w);
    const StepChoice choice = choose(parts, before);
    parts.going->dt = choice.dt;
    parts.going->reason = choice.reason;
    parts.going->chosen = !givenStep(method);
    parts.grown = false;
}

void Stepper::Workspace::prepare(World& world) {
    WorldParts& parts = world.data().parts;
    WorldState& w = parts.state;
    const ContactMemory model = memoryOf(method, canYield(method) && hasYielding(parts.materials));
    const auto* dynamics = std::get_if<ContactDynamics>(&method);
    const double theta = dynamics != nullptr ? dynamics->theta : 1.0;
    const bool isGoing = goesOn(parts, method, model, theta);
    if (!isGoing) begin(parts, model, theta);
    if (!isGoing || serial != world.data().serial) readSettings(parts);
    serial = world.data().serial;
    bindForces(world);
    if (!isGoing) {
        beginSteps(w, method, step, scratch);
        if (const auto trouble = findTrouble(w, settings.maxOverlap)) {
            throw InputError(fmt::format("the world cannot start like this: {}", *trouble));
        }
        if (parts.energy && settings.energyLedger) w.ledger.insertedEnergy += mechanicalEnergy(w) - *parts.energy;
        parts.energy.reset();
        parts.changed = false;
    }
}

void Stepper::Workspace::check(const WorldState& w, const StepOutcome& outcome) const {
    checkSolve(w, outcome);
    const bool looks = !isPenalty(method) || w.step % stepsBetweenLooks == 0;
    if (const auto trouble = looks ? findTrouble(w, settings.maxOverlap) : std::nullopt) throw RunError(*trouble);
}

StepReport Stepper::step(World& world) {
    Workspace& ws = *workspace_;
    ws.prepare(world);
    WorldState& state = world.data().parts.state;
    const StepOutcome outcome = stepOf(state, ws.step)(state, ws.step, ws.scratch);
    ws.check(state, outcome);
    const Diagnosis found = diagnose(state, ws.step, outcome, ws.scratch);
    return reportOf(outcome, found, world.data().parts, ws.step.contactDynamics.tolerance);
}

StepReport Stepper::advance(World& world, std::uint64_t steps) {
    StepReport report;
    for (std::uint64_t k = 0; k < steps && report.warnings.empty(); ++k) report = step(world);
    return report;
}

const ContactProblem* Stepper::problem() const {
    const bool solves = !isPenalty(workspace_->method) && workspace_->scratch.problem.problem.contactCount() > 0;
    return solves ? &workspace_->scratch.problem.problem : nullptr;
}
const std::vector<Vec3>& Stepper::reactions() const { return workspace_->scratch.problem.reactions; }

double Stepper::stepLength() const { return workspace_->step.dt; }
const std::string& Stepper::stepReason() const { return workspace_->reason; }

}  // namespace talus
