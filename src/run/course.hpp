// A world on its course through the stages of its scene: what both `talus run` and the library advance.
//
// A run is a list of stages; a scene without stages is one stage. A stage begins with its changes, goes on step by step
// until its time is over or its conditions are met, and is followed by the next when beginNextStage() is called.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/scene/build_world.hpp"
#include "measure/series.hpp"
#include "run/conditions.hpp"
#include "run/dashpot_report.hpp"
#include "run/rewind.hpp"
#include "run/schedule.hpp"
#include "run/watch.hpp"
#include "step/diagnosis.hpp"
#include "step/method.hpp"
#include "talus/scene.hpp"
#include "talus/simulation.hpp"

namespace talus {

// What a course remembers besides the world; goes into checkpoints.
struct CourseState {
    std::size_t stage = 0;
    double dt = 0;                  // s
    std::string reason;             // of the step
    std::string ended;              // how the stage ended; empty while it goes on
    std::vector<double> heldSince;  // s, per condition
    std::vector<StageResult> done;  // stages that are over
    WatchState watch;
    DashpotWatch dashpots;
    SeriesState series;

    static constexpr auto fields() {
        return std::tuple{Field{"stage", &CourseState::stage},         Field{"dt", &CourseState::dt},
                          Field{"reason", &CourseState::reason},       Field{"ended", &CourseState::ended},
                          Field{"heldSince", &CourseState::heldSince}, Field{"done", &CourseState::done},
                          Field{"watch", &CourseState::watch},         Field{"dashpots", &CourseState::dashpots},
                          Field{"series", &CourseState::series}};
    }
};

// A step, and what it shows afterwards.
struct TakenStep {
    StepOutcome outcome;
    Diagnosis found;
};

class Course {
public:
    // At the start of the first stage, with contact lists and forces. Throws InputError for conditions that cannot be.
    explicit Course(const Scene& scene);
    // Where a checkpoint left it.
    Course(const Scene& scene, const CourseState& state, const std::filesystem::path& checkpoint);

    const WorldState& world() const { return built_.world; }
    WorldState& world() { return built_.world; }
    const StepSettings& step() const { return step_; }
    const std::string& stepReason() const { return state_.reason; }
    StepWorkspace& workspace() { return workspace_; }
    const Scene& inForce() const { return inForce_; }  // the scene as it stands in this stage

    // One step, which may be left open (StepEnd), and a look at the conditions if one is due.
    TakenStep takeStep();
    // The same, unless a stop is asked for in the middle of a long one (base/stop.hpp): the world is then as
    // before and there is no report.
    std::optional<TakenStep> takeStepUnlessStopped();
    // Before looking at velocities.
    void complete() { completeStep(built_.world, step_, workspace_); }
    // A row of the series of the present state.
    std::vector<SeriesValue> measure(const std::vector<ContactSample>& samples);
    // The same without a trace in what later rows measure.
    std::vector<SeriesValue> peek(const std::vector<ContactSample>& samples) const;

    // The contacts of the present state, completed; found once.
    const std::vector<ContactSample>& samples();
    // Looks at the present state as after a step, whatever its number; throws RunError if something is wrong.
    void check();
    // Whether this is one of the states at which the run as a whole is looked at: some 200, whatever is written.
    bool isLookedAt() const { return wholeLooks_.isDue(stepsInStage()); }
    double largestOverlap() const { return state_.watch.overlap; }
    // Of the whole run so far.
    const DashpotWatch& dashpots() const { return state_.dashpots; }
    // If the step has proved long for the speeds of this stage, for people; told once for about the same speed.
    std::optional<std::string> stepWarning() { return judgeStepLength(world(), step_, state_.watch); }

    // What is odd about the energy of the run so far, for people.
    std::vector<std::string> energyWarnings();
    // Why the energies of the run cannot be believed; empty if they can.
    std::string brokenLedger();

    std::size_t stage() const { return state_.stage; }
    const StageSettings& stageSettings() const { return stages_[state_.stage]; }
    std::uint64_t stepsInStage() const { return world().step - world().epoch.step; }
    bool stageIsOver() const { return !state_.ended.empty(); }
    bool hasNextStage() const { return state_.ended != endedByRunTime && state_.stage + 1 < stages_.size(); }
    // What to tell if the stage ran out of time before its conditions were met; else empty.
    std::string leftOpen() const;
    // The same if that is an error.
    std::string unfinished() const;
    void beginNextStage();

    // Of all stages so far, the present one included; empty if the scene has none.
    std::vector<StageResult> results() const;
    CourseState state() const;
    // Where the time of contact dynamics went since the course was made.
    StepSeconds seconds() const;

    static constexpr const char* endedByTime = "time";
    static constexpr const char* endedByConditions = "conditions";
    static constexpr const char* endedByRunTime = "run time";

private:
    void beginStage();
    void checkLaterSteps() const;
    void readSettings();
    void findAllConditions();
    TakenStep conclude(StepOutcome outcome);
    void watch(const TakenStep& step);
    void watchDashpots(const HeldDashpots& held);
    void lookAtEnergy();
    SeriesMemory energyMemory();
    void look();
    void endIfTimeIsOver();
    StageResult resultOfStage() const;
    std::vector<SeriesValue> rowOf(const std::vector<ContactSample>& samples, SeriesMemory& memory) const;

    Scene scene_;
    std::vector<StageSettings> stages_;
    BuiltScene built_;
    CourseState state_;

    // Of the present stage.
    Scene inForce_;
    StepSettings step_;
    StepWorkspace workspace_;
    Rewind rewind_;
    StepSeconds seconds_;                             // without those of the present workspace
    std::vector<std::vector<Condition>> conditions_;  // of each stage
    Schedule looks_, wholeLooks_;
    std::vector<ContactSample> samples_;
    std::optional<std::uint64_t> sampledStep_;
    std::uint64_t stageSteps_ = 0;
    bool cutByRunTime_ = false;

    SeriesSettings measured_;
    SeriesMemory seriesMemory_;
};

}  // namespace talus
