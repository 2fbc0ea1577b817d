// The run loop: steps, and between them what is due: rows, frames, checkpoints, checks, signals, the progress line.
//
// Everything that is written is due at numbers of steps, so a resumed run writes the same things at the same states.
// Only checkpoints may follow the wall clock; they change nothing in the world.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <thread>

#include "base/parallel.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/fclib/fclib.hpp"
#include "io/results/frames.hpp"
#include "io/results/picture/picture.hpp"
#include "io/results/plots.hpp"
#include "io/results/progress.hpp"
#include "io/results/reports.hpp"
#include "io/results/series.hpp"
#include "io/scene/stage_scene.hpp"
#include "measure/failure.hpp"
#include "measure/overlap.hpp"
#include "run/course.hpp"
#include "run/flow_report.hpp"
#include "run/population_report.hpp"
#include "run/rigidity_report.hpp"
#include "run/run_folder.hpp"
#include "run/run_memory.hpp"
#include "run/setup.hpp"
#include "run/signals.hpp"
#include "run/time_limit.hpp"
#include "step/forces/grain_forces.hpp"
#include "talus/error.hpp"
#include "talus/simulation.hpp"
#include "talus/version.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::uint64_t stepsBetweenClockLooks = 100;
constexpr std::chrono::milliseconds betweenLooksInPause{20};
constexpr double secondsBetweenCheckpoints = 60, secondsBetweenLooks = 1;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

RunFacts factsOf(const Scene& scene, const WorldState& world, int threads) {
    RunFacts facts;
    facts.scene = nlohmann::json::parse(sceneAsJson(scene));
    facts.version = version();
    facts.seed = scene.seed;
    facts.threads = threads;
    facts.innerLoop = grainForceVariant().name;
    facts.names = frameNames(world);
    return facts;
}

// Why a run should stop before its end.
struct StopRequest {
    SignalWatch signals;
    const TimeLimit& limit;
    bool isWished = false;  // by who looks on

    bool came() const { return signals.received() != 0 || limit.isOver() || isWished; }
    int signal() const { return signals.received() != 0 ? signals.received() : SIGTERM; }
    std::string reason() const {
        if (signals.received() != 0) return "";
        return isWished ? " by who looked on" : " by the limit of its wall-clock time";
    }
};

// The picture of the latest checkpoint of a folder; false if there is none.
bool renderCheckpoint(const fs::path& folder) {
    if (!fs::exists(folder / "checkpoint.h5")) return false;
    const FoundCheckpoint found = latestCheckpoint(folder);
    const RunMemory memory = readMemory(found.extra.extra);
    const Scene scene = parseScene(found.extra.scene, found.file.string(), memory.sceneFolder);
    renderPicture(Course(scene, memory.course, found.file).world(), folder / "picture.png");
    return true;
}

// One run from its first or its checkpointed step to its end.
class Run : public RunLook {
public:
    Run(const Scene& scene, const RunOptions& options, RunFolder folder, Course course, RunMemory memory)
        : scene_(scene),
          options_(options),
          folder_(std::move(folder)),
          course_(std::move(course)),
          memory_(std::move(memory)) {
        for (std::size_t k = 0; k < std::max<std::size_t>(1, scene.stages.size()); ++k) {
            const Method method = sceneInStage(scene, k).method;
            solves_ = solves_ || method != Method::penalty;
            findsEquilibria_ = findsEquilibria_ || method == Method::quasiStatic;
        }
        schedule();
    }

    enum class From { start, checkpoint };
    RunOutcome run(From from, const TimeLimit& limit);

    // What who looks on sees.
    fs::path folder() const override { return folder_.path(); }
    double time() const override { return course_.world().time; }
    double endTime() const override { return scene_.run.time; }
    std::uint64_t steps() const override { return course_.world().step; }
    Frame frame() override { return frameOf(world(), samples()); }

private:
    WorldState& world() { return course_.world(); }
    bool solvesContacts() const { return course_.inForce().method != Method::penalty; }

    void schedule();
    bool runStage(StopRequest& stop);
    void heedOnlooker(StopRequest& stop);
    void beginNextStage();
    void begin();
    void goOn();
    void openSeries(std::optional<double> resumeTime);
    bool takeStep();
    std::vector<SeriesValue> measure();
    std::vector<SeriesValue> withSolves(std::vector<SeriesValue> row) const;
    nlohmann::json describeSolves() const;
    void complete();
    std::vector<std::string> findWarnings(Summary& summary);
    void writeWhatIsDue();
    void writeRow();
    void writeFrame();
    void writeLastFrame();
    void writeProblem();
    void writeCheckpoint();
    void showProgress();
    void warnOnce(const std::string& warning);  // about steps
    void tell(const std::string& event);        // that came from outside
    void lookAfterFolder();
    bool isGone(const char* file) const;
    RunOutcome finish(const std::string& status, const std::string& message, int signal);
    void writePictures();
    void closeOutput(RunOutcome& outcome);
    Summary summarise(const RunOutcome& outcome);
    RunOutcome fail(std::string message);
    void leaveLastLook();
    const std::vector<ContactSample>& samples() { return course_.samples(); }
    bool writesFrames() const;

    const Scene& scene_;
    const RunOptions& options_;
    RunFolder folder_;
    Course course_;
    RunMemory memory_;
    bool solves_ = false, findsEquilibria_ = false;  // in some stage
    Schedule rows_, frames_, problems_, checkpoints_;
    bool checkpointsByClock_ = true, checkpointsOn_ = true;
    std::optional<SeriesWriter> seriesWriter_;
    std::optional<FrameWriter> frameWriter_;
    std::vector<SeriesValue> lastRow_;
    Progress progress_;
    std::vector<std::string> events_;
    Clock::time_point started_ = Clock::now(), lastCheckpoint_ = Clock::now(), lastLook_ = Clock::now();
};

// In numbers of steps of the stage; the auto values are shares of the whole run.
void Run::schedule() {
    const OutputSettings& output = course_.inForce().output;
    const double dt = course_.step().dt, whole = scene_.run.time;
    rows_ = Schedule::fromInterval(output.series.value.value_or(whole / 200), dt);
    frames_ = Schedule::fromInterval(output.frames.value.value_or(whole / 50), dt);
    problems_ = Schedule::fromInterval(solvesContacts() ? output.problems : 0, dt);
    checkpoints_ = Schedule::fromInterval(output.checkpoint.value.value_or(0), dt);
    checkpointsByClock_ = !output.checkpoint.value;
    checkpointsOn_ = checkpointsByClock_ || checkpoints_.isOn();
}

// Whatever looks at velocities comes after this.
void Run::complete() { course_.complete(); }

// In some stage.
bool Run::writesFrames() const {
    const auto writes = [&](const OutputSettings& output) { return output.frames.value.value_or(1) > 0; };
    bool any = writes(scene_.output);
    for (std::size_t k = 0; k < scene_.stages.size(); ++k) any = any || writes(sceneInStage(scene_, k).output);
    return any;
}

void Run::openSeries(std::optional<double> resumeTime) {
    std::vector<SeriesColumn> columns;
    for (std::size_t k = 1; k < lastRow_.size(); ++k) columns.push_back({lastRow_[k].name, lastRow_[k].unit});
    seriesWriter_.emplace(folder_.path() / "series.csv", columns, resumeTime);
    if (writesFrames()) frameWriter_.emplace(folder_.path(), resumeTime);
}

// The first state is measured and written before the first step, even if it is one that no run can start from.
void Run::begin() {
    lastRow_ = measure();
    openSeries({});
    writeRow();
    if (frameWriter_ && frames_.isOn()) writeFrame();
    course_.check();
    if (checkpointsOn_) writeCheckpoint();
}

void Run::goOn() {
    lastRow_ = withSolves(course_.peek(samples()));
    if (isGone("series.csv")) tell("series.csv is gone; a new one begins at the checkpoint");
    if (writesFrames() && isGone("frames.pvd"))
        tell("frames.pvd is gone; a new one, and frames, begin at the checkpoint");
    openSeries(world().time);
    lookAfterFolder();
}

// False if a signal came in the middle; the step is then undone.
bool Run::takeStep() {
    std::optional<TakenStep> taken;
    try {
        taken = course_.takeStepUnlessStopped();
    } catch (const UnboundedMotion&) {
        ++memory_.solves.unbounded;
        throw;
    }
    if (taken && solvesContacts()) {
        memory_.solves.add(taken->outcome, taken->found, course_.step().dt);
        if (course_.isLookedAt()) watchLoads(world(), samples(), course_.step(), memory_.solves, memory_.loads);
    }
    if (const auto warning = course_.stepWarning()) warnOnce(*warning);
    return taken.has_value();
}

std::vector<SeriesValue> Run::measure() { return withSolves(course_.measure(samples())); }

std::vector<SeriesValue> Run::withSolves(std::vector<SeriesValue> row) const {
    if (solves_) addSolveColumns(memory_.solves, row);
    if (findsEquilibria_) addEquilibriumColumns(memory_.solves, row);
    return row;
}

void Run::tell(const std::string& event) {
    events_.push_back(event);
    progress_.finish();
    options_.say("warning: " + event);
}

void Run::warnOnce(const std::string& warning) {
    if (!memory_.warnings.empty()) return;
    memory_.warnings.push_back(warning);
    progress_.finish();
    options_.say("warning: " + warning);
}

bool Run::isGone(const char* file) const {
    std::error_code error;
    return !fs::exists(folder_.path() / file, error);
}

// What others did to the folder meanwhile. A run whose folder is no longer its own must not write there.
void Run::lookAfterFolder() {
    lastLook_ = Clock::now();
    folder_.requireMine();
    if (seriesWriter_ && seriesWriter_->restoreIfGone())
        tell("series.csv was removed or replaced while the run went on; it was written again with all of its rows");
    if (!isGone("run.json")) return;
    writeRunJson(folder_.path(), factsOf(scene_, world(), threadCount()));
    tell("run.json was removed; it was written again");
}

void Run::writeRow() {
    if (secondsSince(lastLook_) > secondsBetweenLooks) lookAfterFolder();
    lastRow_ = measure();
    std::vector<double> values;
    for (std::size_t k = 1; k < lastRow_.size(); ++k) values.push_back(lastRow_[k].value);
    seriesWriter_->write(world().time, values);
}

void Run::writeFrame() {
    static const std::vector<ContactSample> none;
    frameWriter_->write(world(), course_.inForce().output.contacts ? samples() : none);
}

// How a stage ends is shown, whether a frame is due then or not.
void Run::writeLastFrame() {
    if (frameWriter_ && frames_.isOn() && !frameWriter_->endsAt(world().time)) writeFrame();
}

// The problem of the last step, with the answer that was used.
void Run::writeProblem() {
    const fs::path folder = folder_.path() / "problems";
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) throw RunError(fmt::format("{}: the folder cannot be made: {}", folder.string(), error.message()));
    FclibContent content;
    content.form = FclibForm::global;
    content.info.title = scene_.name;
    content.info.description = fmt::format("step {}, time {} s", world().step, world().time);
    content.solution = course_.workspace().problem.reactions;
    writeFclib(folder / fmt::format("step{:08}.hdf5", world().step), course_.workspace().problem.problem, content);
}

void Run::writeCheckpoint() {
    complete();
    memory_.course = course_.state();
    lookAfterFolder();
    if (frameWriter_) frameWriter_->flush();
    seriesWriter_->flush();
    RunMemory memory = memory_;
    memory.wallSeconds += secondsSince(started_);
    memory.seconds += course_.seconds();
    saveCheckpoint(folder_.path() / "checkpoint.h5", world(), {writeScene(scene_), writeMemory(memory)});
    lastCheckpoint_ = Clock::now();
}

void Run::writeWhatIsDue() {
    const std::uint64_t step = course_.stepsInStage();
    if (rows_.isDue(step)) writeRow();
    if (frameWriter_ && frames_.isDue(step)) writeFrame();
    if (problems_.isDue(step)) writeProblem();
    if (!checkpointsOn_) return;
    const bool clockDue = checkpointsByClock_ && step % stepsBetweenClockLooks == 0 &&
                          secondsSince(lastCheckpoint_) > secondsBetweenCheckpoints;
    if (clockDue || checkpoints_.isDue(step)) writeCheckpoint();
}

void Run::showProgress() {
    if (!progress_.due()) return;
    const bool staged = !scene_.stages.empty();
    progress_.update({.stage = staged ? course_.stageSettings().name : "",
                      .time = world().time - world().epoch.time,
                      .endTime = course_.stageSettings().time,
                      .step = world().step,
                      .grains = world().bodies.grainCount,
                      .contacts = samples().size(),
                      .largestOverlap = findDeepestOverlap(world()).fraction});
}

// Shows the state between two steps, and does what is wished; waits for as long as a pause is.
void Run::heedOnlooker(StopRequest& stop) {
    if (!options_.look) return;
    while (!stop.came()) {
        const RunWish wish = options_.look(*this);
        if (wish == RunWish::goOn) return;
        if (wish == RunWish::checkpoint) writeCheckpoint();
        if (wish == RunWish::pause) std::this_thread::sleep_for(betweenLooksInPause);
        stop.isWished = wish == RunWish::stop;
    }
}

// False if it was to stop before the end of the stage.
bool Run::runStage(StopRequest& stop) {
    while (!course_.stageIsOver() && !stop.came() && takeStep()) {
        writeWhatIsDue();
        showProgress();
        heedOnlooker(stop);
    }
    if (course_.stageIsOver() && course_.unfinished().empty() && !course_.leftOpen().empty()) {
        progress_.finish();
        options_.say("note: " + course_.leftOpen());
    }
    return course_.stageIsOver();
}

void Run::beginNextStage() {
    course_.check();
    writeRow();
    writeLastFrame();
    course_.beginNextStage();
    schedule();
    progress_.finish();
    options_.say(
        fmt::format("stage {} from {:.6g} s: {}", course_.stageSettings().name, world().time, course_.stepReason()));
}

RunOutcome Run::run(From from, const TimeLimit& limit) {
    StopRequest stop{.signals = {}, .limit = limit};
    if (from == From::checkpoint) goOn();  // before anything of what is there is changed
    try {
        if (from == From::start) begin();
        while (runStage(stop) && course_.unfinished().empty() && course_.hasNextStage()) beginNextStage();
        course_.check();
        if (checkpointsOn_) writeCheckpoint();
        if (stop.came()) {
            const std::string message = fmt::format("interrupted{} at {:.6g} s; go on with: talus resume {}",
                                                    stop.reason(), world().time, folder_.path().string());
            return finish("interrupted", message, stop.signal());
        }
        writeRow();
        writeLastFrame();
        if (const std::string message = course_.unfinished(); !message.empty()) return fail(message);
        if (const std::string message = course_.brokenLedger(); !message.empty()) return fail(message);
        return finish("finished", {}, 0);
    } catch (const RunError& error) {
        return fail(error.what());
    } catch (const InputError& error) {  // what no rule foresaw
        return fail(error.what());
    }
}

// The state that went wrong is the last row and frame and in the picture, if it can be shown at all: else the picture
// is that of the last checkpoint, which was good.
void Run::leaveLastLook() {
    complete();
    if (!folder_.isMine()) return;
    const bool canBeShown = isAllFinite(world());
    if (canBeShown && seriesWriter_) writeRow();
    if (canBeShown) writeLastFrame();
    if (frameWriter_) frameWriter_->flush();
    if (!scene_.output.plots) return;
    if (canBeShown) {
        renderPicture(world(), folder_.path() / "picture.png");
    } else {
        renderCheckpoint(folder_.path());
    }
}

RunOutcome Run::fail(std::string message) {
    try {
        leaveLastLook();
    } catch (const std::exception& error) {
        message += fmt::format("\n{}", error.what());
    }
    return finish("failed", message, 0);
}

nlohmann::json Run::describeSolves() const {
    nlohmann::json solves = asResults(memory_.solves);
    solves["name"] = nameOf(course_.step().contactDynamics.solver.value_or(SolverKind::gaussSeidel));
    solves["friction_law"] = nameOf(course_.inForce().contactDynamics.frictionLaw);
    solves["tolerance"] = course_.step().contactDynamics.tolerance;
    return solves;
}

// What is wrong with the run as a whole. Results have it, and the user is told.
std::vector<std::string> Run::findWarnings(Summary& summary) {
    std::vector<std::string> warnings = course_.energyWarnings();
    for (const std::string& text : describeSources(world())) warnings.push_back(text);
    if (const std::string text = describeHeldDashpots(course_.dashpots(), world().step); !text.empty())
        warnings.push_back(text);
    if (const std::string text = describeFallen(world()); !text.empty()) warnings.push_back(text);
    if (!solves_) return warnings;
    const SolveStatistics& solves = memory_.solves;
    if (solvesContacts()) {
        watchLoads(world(), samples(), course_.step(), solves, memory_.loads);
        if (const auto report = checkRigidity(world(), memory_.loads, course_.step(), solves)) {
            summary.results["rigidity"] = asResults(*report);
            if (report->rigidity.soft) warnings.push_back(describe(*report));
        }
        const bool isFixed = course_.inForce().contactDynamics.fixedIterations > 0;
        if (!isFixed && hasManyUnconverged(solves))
            warnings.push_back(describeUnconverged(solves, course_.step().contactDynamics));
    }
    if (const std::string text = describeUnbalanced(solves, course_.inForce().quasiStatic.tolerance); !text.empty())
        warnings.push_back(text);
    if (solves.infeasible > 0) warnings.push_back(describeInfeasible(solves));
    if (solves.jammed > 0) warnings.push_back(describeJams(solves, world()));
    if (solves.wedged > 0) warnings.push_back(describeWedges(solves));
    return warnings;
}

// A run has done what it was for without them: what they lack is told, and `talus plot` makes them later.
void Run::writePictures() {
    if (!scene_.output.plots) return;
    const auto later = [&](const std::string& reason) {
        tell(fmt::format("plots are missing: {}; talus plot {} makes them", reason, folder_.path().string()));
    };
    try {
        const StopAllowed inHere;
        stopIfAsked();
        renderPicture(world(), folder_.path() / "picture.png");
        plotRun(folder_.path());
    } catch (const Stopped&) {
        later("the program was asked to stop");
    } catch (const RunError& error) {
        later(error.what());
    } catch (const InputError& error) {
        later(error.what());
    }
}

void addFailure(RunOutcome& outcome, const std::string& message) {
    if (outcome.status == "finished") outcome.status = "failed";
    if (outcome.message != message) outcome.message += (outcome.message.empty() ? "" : "\n") + message;
}

// The last things that are written beside the summary.
void Run::closeOutput(RunOutcome& outcome) {
    try {
        lookAfterFolder();
        if (frameWriter_) frameWriter_->flush();
    } catch (const RunError& error) {
        addFailure(outcome, error.what());
    }
}

Summary Run::summarise(const RunOutcome& outcome) {
    Summary summary;
    summary.status = outcome.status;
    summary.time = world().time;
    summary.steps = world().step;
    summary.wall_seconds = memory_.wallSeconds + secondsSince(started_);
    summary.threads = threadCount();
    summary.state_hash = hexHash(stateHash(world()));
    summary.bodies = world().bodies.size();
    summary.contacts = samples().size();
    summary.max_overlap = course_.largestOverlap();
    summary.unconverged_steps = memory_.solves.unconverged;
    summary.message = outcome.message;
    summary.results["step_length"] = course_.step().dt;
    summary.results["step_reason"] = course_.stepReason();
    summary.results["list_rebuilds"] = world().contacts.rebuilds;
    summary.results["warnings"] = memory_.warnings;
    for (const std::string& warning : findWarnings(summary)) {
        summary.results["warnings"].push_back(warning);
        options_.say("warning: " + warning);
    }
    if (course_.dashpots().steps > 0) summary.results["dashpots"] = asResults(course_.dashpots(), world().step);
    for (const StageResult& stage : course_.results()) {
        summary.results["stages"].push_back({{"name", stage.name},
                                             {"start", stage.start},
                                             {"time", stage.time},
                                             {"steps", stage.steps},
                                             {"ended", stage.ended}});
    }
    if (solves_) {
        StepSeconds s = memory_.seconds;
        s += course_.seconds();
        summary.results["solver"] = describeSolves();
        summary.timings = {{"collision", s.collision}, {"assembly", s.assembly}, {"solve", s.solve}};
        if (course_.inForce().contactDynamics.forces == ForceRule::compatible)
            summary.timings["compatible"] = s.compatible;
    }
    if (!scene_.measure.planes.empty()) {
        summary.results["flow"] = describeFlow(folder_.path() / "series.csv", scene_.measure.planes);
        for (const nlohmann::json& flow : summary.results["flow"]) {
            if (!flow.contains("warning")) continue;
            summary.results["warnings"].push_back(flow["warning"]);
            options_.say("warning: " + flow["warning"].get<std::string>());
        }
    }
    for (const SeriesValue& value : lastRow_) summary.results[value.name] = value.value;
    return summary;
}

RunOutcome Run::finish(const std::string& status, const std::string& message, int signal) {
    progress_.finish();
    complete();
    RunOutcome outcome{status, message, {}, signal, folder_.path()};
    closeOutput(outcome);
    Summary summary = summarise(outcome);
    const auto write = [&] {
        for (const std::string& event : events_) summary.results["warnings"].push_back(event);
        events_.clear();
        outcome.summary = asText(summary);
        if (folder_.isMine()) writeSummary(folder_.path(), summary);
    };
    try {
        write();
        if (outcome.status == "finished") writePictures();
        if (!events_.empty()) write();
    } catch (const RunError& error) {
        addFailure(outcome, error.what());
    }
    return outcome;
}

// out/NAME, by the name of the scene or of its file.
RunFolder folderFor(const Scene& scene, const RunOptions& options) {
    if (!options.folder.empty()) {
        return RunFolder::forNewRun(options.folder,
                                    options.overwrite ? RunFolder::Replace::allowed : RunFolder::Replace::refused);
    }
    const fs::path file = scene.source ? scene.source->file : "";
    return RunFolder::firstFree(fs::path("out") / (!scene.name.empty() ? scene.name : file.stem().string()));
}

void noteUnlocked(const RunFolder& folder, const RunOptions& options) {
    if (folder.isLocked()) return;
    options.say(fmt::format("note: the file system of {} has no locks; see to it that no other run writes there",
                            folder.path().string()));
}

int chooseThreads(const Scene& scene, const RunOptions& options) {
    return setThreadCount(options.threads > 0 ? options.threads : static_cast<int>(scene.run.threads));
}

}  // namespace

RunOutcome runScene(const Scene& scene, const RunOptions& options) {
    const TimeLimit limit(options.maxTime);
    const int threads = chooseThreads(scene, options);
    Course course(scene);
    options.say(fmt::format("{} grains, {} walls, {} threads", course.world().bodies.grainCount,
                            course.world().bodies.wallCount(), threads));
    options.say(course.stepReason());
    for (const std::string& note : notesAtStart(scene, course.world())) options.say("note: " + note);
    RunFolder folder = folderFor(scene, options);
    noteUnlocked(folder, options);
    writeRunJson(folder.path(), factsOf(scene, course.world(), threads));
    RunMemory memory;
    memory.sceneFolder = scene.source ? scene.source->folder.string() : "";
    Run run(scene, options, std::move(folder), std::move(course), std::move(memory));
    return run.run(Run::From::start, limit);
}

RunOutcome resumeRun(const RunOptions& options) {
    const TimeLimit limit(options.maxTime);
    RunFolder folder = RunFolder::toGoOn(options.folder);
    noteUnlocked(folder, options);
    const FoundCheckpoint found = latestCheckpoint(folder.path());
    if (!found.warning.empty()) options.say("warning: " + found.warning);
    RunMemory memory = readMemory(found.extra.extra);
    const Scene scene = parseScene(found.extra.scene, found.file.string(), memory.sceneFolder);
    chooseThreads(scene, options);
    Course course(scene, memory.course, found.file);
    options.say(
        fmt::format("resuming {} at {:.6g} s of {:.6g} s", found.file.string(), course.world().time, scene.run.time));
    Run run(scene, options, std::move(folder), std::move(course), std::move(memory));
    return run.run(Run::From::checkpoint, limit);
}

SceneLook lookAtScene(const Scene& scene) {
    setThreadCount(static_cast<int>(scene.run.threads));
    Course course(scene);
    return {frameOf(course.world(), course.samples()), frameNames(course.world()), course.step().dt,
            course.stepReason()};
}

std::vector<fs::path> plotResults(const fs::path& folder) {
    std::vector<fs::path> made = plotRun(folder);
    if (renderCheckpoint(folder)) made.push_back(folder / "picture.png");
    return made;
}

}  // namespace talus
