// Running a scene, as a program or step by step.
//
//   talus::Scene scene = talus::loadScene("settle.yaml");
//   talus::Simulation sim(scene);
//   while (sim.time() < 0.1) sim.advance(100);
//   for (const talus::BodyState& body : sim.bodies()) ...
//
// runScene() and resumeRun() are what `talus run` and `talus resume` do: outputs, checkpoints, signals, summary.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "talus/frames.hpp"
#include "talus/scene.hpp"
#include "talus/vec3.hpp"

namespace talus {

struct BodyState {
    std::uint32_t id = 0;
    std::string group;
    double radius = 0;    // m; 0 for walls
    double mass = 0;      // kg; 0 for fixed and prescribed bodies and walls
    Vec3 position;        // m
    Quat orientation;     // body to world
    Vec3 velocity, spin;  // m/s, rad/s
    Vec3 force, torque;   // N, N m, by contacts, as the last step used them
};

// The law's force for the present positions and velocities; damped contacts differ a little from what the last step
// used, which predicted the velocities.
struct ContactState {
    std::uint32_t owner = 0, partner = 0;  // ids
    Vec3 point, normal;                    // m; unit, from partner to owner
    Vec3 force;                            // N, on the owner
    double overlap = 0;                    // m
};

struct EnergyState {
    double kinetic = 0, potential = 0, elastic = 0;     // J
    double dissipated = 0, wallWork = 0, inserted = 0;  // J, since the start
    // Parts of what is elastic; cohesion counts from the moment of touch and is negative.
    double elasticNormal = 0, elasticCohesion = 0, elasticTangential = 0;  // J
    double dissipatedSliding = 0;                                          // J, part of what is dissipated
};

// How a stage of the scene went.
struct StageResult {
    std::string name;
    double start = 0, time = 0;  // s, when it began and how long it took
    std::uint64_t steps = 0;
    std::string ended;  // by its "time", its "conditions", or the "run time"; empty while it goes on
};

// A scene in memory, advanced step by step. Writes no files.
class Simulation {
public:
    explicit Simulation(const Scene& scene);
    ~Simulation();
    Simulation(Simulation&&) noexcept;
    Simulation& operator=(Simulation&&) noexcept;

    // Advances by this many steps, from stage to stage; the last stage goes on for as long as it is advanced. Throws
    // RunError if numbers go bad, a grain is lost, overlaps grow too large, or a stage runs out of time before its
    // conditions are met (unless it says unfinished: continue).
    void advance(std::uint64_t steps = 1);

    double time() const;        // s
    double stepLength() const;  // s
    std::uint64_t stepCount() const;
    const std::string& stepReason() const;  // how the step was chosen
    std::vector<BodyState> bodies() const;  // in order of id
    std::vector<ContactState> contacts() const;
    EnergyState energy() const;
    std::uint64_t stateHash() const;  // the same for any number of threads

    bool finished() const;                    // the last stage, or the run, is over
    std::vector<StageResult> stages() const;  // those so far, with the present one; empty if the scene has none
    double measured(const std::string& column) const;  // of the series, now; InputError if there is no such column

private:
    struct State;
    std::unique_ptr<State> state_;
};

// A run between two of its steps, as who looks on sees it. Looking changes nothing of what the run finds.
class RunLook {
public:
    virtual std::filesystem::path folder() const = 0;
    virtual double time() const = 0;     // s, simulated
    virtual double endTime() const = 0;  // s
    virtual std::uint64_t steps() const = 0;
    // The present state as a frame; takes about as long as writing one.
    virtual Frame frame() = 0;

protected:
    ~RunLook() = default;
};

// What who looks on wants. After a pause or a checkpoint the run asks again before it takes a step; to stop is to be
// interrupted as by SIGTERM.
enum class RunWish { goOn, pause, checkpoint, stop };

struct RunOptions {
    std::filesystem::path
        folder;              // where results go; made if missing. Empty: out/NAME, or the first free out/NAME-2, ...
    bool overwrite = false;  // replace the results of an earlier run in that folder
    int threads = 0;         // 0: as the scene says
    double maxTime = std::numeric_limits<double>::infinity();  // s of wall clock, after which the run is interrupted
    std::function<void(const std::string&)> say = [](const std::string&) {};  // lines for the user
    std::function<RunWish(RunLook&)> look;  // called after each step, in the thread of the run, if there is one
};

struct RunOutcome {
    std::string status;            // finished, interrupted, failed
    std::string message;           // for people
    std::string summary;           // the text of summary.json
    int signal = 0;                // that interrupted the run; SIGTERM stands for its time limit
    std::filesystem::path folder;  // where results are
};

// Runs the scene to its end, or until SIGINT, SIGTERM, SIGHUP or the time limit. Throws InputError before anything is
// written, RunError if another process has the folder; a run that goes bad later ends as `failed` with its last good
// checkpoint kept.
RunOutcome runScene(const Scene& scene, const RunOptions& options);

// Goes on from the latest checkpoint of the folder, bit for bit as if never interrupted.
RunOutcome resumeRun(const RunOptions& options);

// Seconds from a text with a unit, as times in scenes are written: "2 h", "90 min", "3600". InputError otherwise.
double parseDuration(const std::string& text);

// PNG plots of the series of a run, in folder/plots, and a picture of its latest checkpoint; returns what was made.
std::vector<std::filesystem::path> plotResults(const std::filesystem::path& folder);

// Builds the scene and says what a run would do (bodies, step and its reason), without running it.
std::string describeScene(const Scene& scene);

}  // namespace talus
