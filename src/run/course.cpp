#include "run/course.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/stop.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/scene/scene_rules.hpp"
#include "io/scene/stage_scene.hpp"
#include "measure/energy.hpp"
#include "model/load.hpp"
#include "run/energy_report.hpp"
#include "run/setup.hpp"
#include "run/solve_statistics.hpp"
#include "run/stage_start.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

std::string pathOf(std::size_t stage) { return fmt::format("stages[{}]", stage); }

double mechanicalEnergy(const WorldState& world) { return measureEnergy(world, sampleContacts(world)).mechanical(); }

}  // namespace

Course::Course(const Scene& scene)
    : scene_(scene), stages_(stagesOf(scene)), built_(buildScene(scene)), inForce_(sceneInStage(scene, 0)) {
    measured_ = seriesSettings(scene_, built_);
    beginStage();
    checkLaterSteps();
    const std::vector<ContactSample> samples = sampleContacts(world());
    seriesMemory_ = startMeasuring(world(), samples, measured_);
    findAllConditions();
}

Course::Course(const Scene& scene, const CourseState& state, const std::filesystem::path& checkpoint)
    : scene_(scene), stages_(stagesOf(scene)), built_(buildScene(scene)), state_(state) {
    measured_ = seriesSettings(scene_, built_);
    if (state.stage >= stages_.size()) throw InputError("checkpoint: its stage is none of the scene");
    inForce_ = sceneInStage(scene_, state.stage);
    adoptStage(world(), scene_, state.stage);
    loadCheckpoint(checkpoint, world());
    setLoads(world(), world().time);
    readSettings();
    seriesMemory_ = restoreMemory(world(), measured_, state.series);
    findAllConditions();
}

// From the changes to contact lists and forces. The step is chosen for the bodies as they are then.
void Course::beginStage() {
    WorldState& w = world();
    if (w.contacts.skin == 0) w.contacts.skin = w.contacts.leastSkin;
    if (!built_.stages.empty()) {
        applyStage(w, inForce_, stageSettings(), built_.stages[state_.stage], pathOf(state_.stage));
    }
    restServos(w);
    const StepMethod method = methodOf(inForce_);
    const StepChoice choice = chooseStep(method, w, inForce_.run.time);
    checkStepCount(scene_, state_.stage, choice.dt);
    checkStepLength(scene_, state_.stage, w, choice.dt);
    state_.dt = choice.dt;
    state_.reason = choice.reason;
    state_.ended.clear();
    state_.heldSince.clear();
    w.epoch = {w.time, w.step};
    readSettings();
    beginSteps(w, method, step_, workspace_);
    beginWatch(w, step_, state_.watch);
    sampledStep_.reset();
}

// Those of later stages, as far as they are known: given, or chosen like the first.
void Course::checkLaterSteps() const {
    for (std::size_t k = 1; k < scene_.stages.size(); ++k) {
        const Scene later = sceneInStage(scene_, k);
        const std::optional<double>& given = later.run.step.value;
        if (given || later.method == inForce_.method) checkStepCount(scene_, k, given.value_or(state_.dt));
    }
}

void Course::readSettings() {
    step_ = stepSettings(inForce_, world(), state_.dt);
    const bool leads = inForce_.method == Method::contactDynamics;
    measured_.lead = leads ? (step_.contactDynamics.theta - 0.5) * state_.dt : 0.0;
    step_.end = StepEnd::open;
    seconds_ += secondsOf(workspace_);
    workspace_ = makeWorkspace(step_, world());
    rewind_.forget();
    looks_ = Schedule::fromInterval(stageSettings().check.value.value_or(stageSettings().time / 1000), state_.dt);

    // As often as rows are written where the scene does not say.
    wholeLooks_ = Schedule::fromInterval(scene_.run.time / 200, state_.dt);

    const double all = std::accumulate(stages_.begin(), stages_.end(), 0.0,
                                       [](double sum, const StageSettings& s) { return sum + s.time; });
    const double left = scene_.run.time - world().epoch.time;
    cutByRunTime_ = scene_.run.time < all * (1 - 1e-9) && left < stageSettings().time * (1 - 1e-9);
    stageSteps_ = stepsIn(cutByRunTime_ ? std::max(left, 0.0) : stageSettings().time, state_.dt);
}

void Course::findAllConditions() {
    const std::vector<SeriesValue> row = peek(sampleContacts(world()));
    for (std::size_t k = 0; k < stages_.size(); ++k) {
        try {
            conditions_.push_back(findConditions(stages_[k], pathOf(k), row));
        } catch (const InputError& error) {
            const std::string file = scene_.source ? scene_.source->file : "";
            throw InputError(file.empty() ? error.what() : fmt::format("{}: {}", file, error.what()));
        }
    }
}

TakenStep Course::takeStep() { return conclude(stepOf(world(), step_)(world(), step_, workspace_)); }

std::optional<TakenStep> Course::takeStepUnlessStopped() {
    if (inForce_.method == Method::penalty) return takeStep();  // always short
    rewind_.beforeStep(world());
    StepOutcome outcome;
    try {
        const StopAllowed inHere;
        outcome = stepOf(world(), step_)(world(), step_, workspace_);
    } catch (const Stopped&) {
        seconds_ += secondsOf(workspace_);
        workspace_ = makeWorkspace(step_, world());
        rewind_.undoStep(world(), step_, workspace_);
        sampledStep_.reset();
        return {};
    }
    return conclude(std::move(outcome));
}

// What comes after each step.
TakenStep Course::conclude(StepOutcome outcome) {
    checkSolve(world(), outcome);
    seconds_ += secondsOf(outcome);
    const Diagnosis found = diagnose(world(), step_, outcome, workspace_);
    TakenStep taken{std::move(outcome), found};
    watch(taken);
    watchDashpots(taken.outcome.held);
    if (!measured_.planes.empty()) followFlow(world(), seriesMemory_);
    if (isLookedAt() && measured_.energy) lookAtEnergy();
    if (!conditions_[state_.stage].empty() && looks_.isDue(stepsInStage())) look();
    endIfTimeIsOver();
    return taken;
}

void Course::watch(const TakenStep& step) {
    const WatchedStep watched{step.found.overlap, step.outcome.moved};
    if (!watchStep(world(), watched, step_, inForce_.run.maxOverlap, state_.watch)) return;
    complete();
    judge(world(), step_, inForce_.run.maxOverlap, watched, state_.watch);
}

void Course::watchDashpots(const HeldDashpots& held) {
    if (held.bodies == 0) return;
    state_.dashpots.add(held);
    if (isLookedAt()) state_.dashpots.addContacts(world(), samples());
}

void Course::check() {
    complete();
    const WatchedStep watched{.overlap = findDeepestOverlap(world(), workspace_.sizes).fraction};
    watchStep(world(), watched, step_, inForce_.run.maxOverlap, state_.watch);
    judge(world(), step_, inForce_.run.maxOverlap, watched, state_.watch);
}

const std::vector<ContactSample>& Course::samples() {
    complete();
    if (sampledStep_ != world().step) samples_ = sampleContacts(world());
    sampledStep_ = world().step;
    return samples_;
}

void Course::lookAtEnergy() { followEnergy(world(), samples(), measured_, seriesMemory_); }

void Course::look() {
    const std::vector<SeriesValue> row = measure(samples());
    if (!lookAtConditions(conditions_[state_.stage], row, world().time, state_.heldSince)) return;
    state_.ended = endedByConditions;
}

void Course::endIfTimeIsOver() {
    if (stageIsOver() || stepsInStage() < stageSteps_) return;
    state_.ended = cutByRunTime_ ? endedByRunTime : endedByTime;
}

std::string Course::leftOpen() const {
    const StageSettings& stage = stageSettings();
    if (state_.ended != endedByTime || stage.until.empty()) return "";
    return fmt::format("the stage '{}' ran out of its {:.6g} s before this was true: {}", stage.name, stage.time,
                       describeConditions(stage));
}

std::string Course::unfinished() const {
    const std::string open = leftOpen();
    if (open.empty() || stageSettings().unfinished == Unfinished::proceed) return "";
    return fmt::format("{}; give it more time, or set {}.unfinished: continue", open, pathOf(state_.stage));
}

// What the changes do to the energy counts as inserted.
void Course::beginNextStage() {
    complete();
    followFlow(world(), seriesMemory_);  // before grains go
    state_.done.push_back(resultOfStage());
    ++state_.stage;
    inForce_ = sceneInStage(scene_, state_.stage);
    const double before = mechanicalEnergy(world());
    beginStage();
    world().ledger.insertedEnergy += mechanicalEnergy(world()) - before;
    markStart(world(), measured_, seriesMemory_);
}

std::vector<SeriesValue> Course::measure(const std::vector<ContactSample>& samples) {
    return rowOf(samples, seriesMemory_);
}

std::vector<SeriesValue> Course::peek(const std::vector<ContactSample>& samples) const {
    SeriesMemory scratch = seriesMemory_;
    return rowOf(samples, scratch);
}

// With the present state; what looks on their schedule find stays as it is.
SeriesMemory Course::energyMemory() {
    SeriesMemory memory = seriesMemory_;
    followEnergy(world(), samples(), measured_, memory);
    return memory;
}

std::vector<std::string> Course::energyWarnings() {
    const EnergyBalance now = measureEnergy(world(), samples());
    const SeriesMemory memory = energyMemory();
    std::vector<std::string> warnings;
    const auto add = [&](const std::string& text) {
        if (!text.empty()) warnings.push_back(text);
    };
    add(describeCreatedEnergy(now, memory.largestTurnover, step_.contactDynamics.frictionLaw));
    if (measured_.energy) add(describeOpenLedger(worstEnergyError(memory), scene_.run.maxEnergyError));
    return warnings;
}

std::string Course::brokenLedger() {
    return measured_.energy ? describeBrokenLedger(worstEnergyError(energyMemory()), scene_.run.maxEnergyError) : "";
}

std::vector<SeriesValue> Course::rowOf(const std::vector<ContactSample>& samples, SeriesMemory& memory) const {
    std::vector<SeriesValue> row = measureSeries(world(), samples, measured_, memory);
    if (!scene_.stages.empty()) {
        constexpr long behindStep = 2;
        row.insert(row.begin() + behindStep, {"stage", "", static_cast<double>(state_.stage + 1)});
    }
    return row;
}

StageResult Course::resultOfStage() const {
    return {stageSettings().name, world().epoch.time, world().time - world().epoch.time, stepsInStage(), state_.ended};
}

std::vector<StageResult> Course::results() const {
    if (scene_.stages.empty()) return {};
    std::vector<StageResult> all = state_.done;
    all.push_back(resultOfStage());
    return all;
}

StepSeconds Course::seconds() const {
    StepSeconds all = seconds_;
    all += secondsOf(workspace_);
    return all;
}

CourseState Course::state() const {
    CourseState state = state_;
    state.series = saveMemory(seriesMemory_);
    return state;
}

}  // namespace talus
