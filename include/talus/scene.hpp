// A scene: everything a user can set, as plain structs with defaults, in SI units.
//
// The YAML file, the effective scene that is written back, the JSON schema and the reference page all follow from
// the field lists in io/scene/fields; a default stands here and nowhere else. Keys in a file are the names
// here in snake case. This header holds no bodies: buildWorld() (io/scene/build_world.hpp) makes those from a scene.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "talus/bodies.hpp"
#include "talus/contact_dynamics.hpp"
#include "talus/joint.hpp"
#include "talus/load.hpp"
#include "talus/material_settings.hpp"
#include "talus/motion.hpp"
#include "talus/quasi_static.hpp"
#include "talus/space.hpp"
#include "talus/vec3.hpp"

namespace talus {

// A number the program chooses itself when it is left at `auto`.
struct AutoValue {
    std::optional<double> value;
};

enum class Method { penalty, contactDynamics, quasiStatic };

// --- run, measurements, output -------------------------------------------------------------------------------------

struct RunSettings {
    double time = 0;             // s, of simulated time; with stages at most, and all that they take if not set
    AutoValue step;              // s
    double stepFraction = 0.05;  // -, of the shortest of the times that step: auto looks at; penalty
    AutoValue skin;              // m, how far neighbour lists look beyond contact
    std::uint64_t threads = 0;   // 0: one per core
    bool energyLedger = true;
    double maxOverlap = 0.25;     // -, of the smaller radius; the run stops beyond it
    double maxEnergyError = 0.1;  // -, of the energy turned over; the run fails beyond it
    bool orientation = false;     // spheres need none; switch on to see them turn
};

struct MeasuredRegion {
    std::string name;
    BoxRegion box;
    std::vector<std::string> between;  // groups whose walls and plates cut the box wherever they are
};

struct MeasuredPlane {
    std::string name;
    Vec3 point;                                     // m
    Vec3 normal{0, 0, 1};                           // direction that counts as positive, any length
    std::optional<std::array<double, 2>> window{};  // s, between which the flow rate is fitted; else found
};

struct MeasureSettings {
    std::vector<MeasuredRegion> regions;
    std::vector<MeasuredPlane> planes;
    bool walls = true;
};

struct OutputSettings {
    AutoValue series;  // s, between rows of series.csv; auto: time / 200
    AutoValue frames;  // s, between frames; auto: time / 50, 0: none
    bool contacts = true;
    double problems = 0;   // s, between contact problems saved as FCLIB files; 0: none; contact dynamics only
    AutoValue checkpoint;  // s, simulated; auto: every 60 s of wall clock and at the end, 0: none
    bool plots = true;
};

// --- stages --------------------------------------------------------------------------------------------------------

// Some keys of a mapping: `values` where `keys` (as in a file) names them, and whatever was there elsewhere.
template <class Settings>
struct Changes {
    std::vector<std::string> keys;
    Settings values;
};

// A number whose unit is that of what it is compared with: "100 N", 0.5.
struct QuantityText {
    std::string text;
};

// True while a column of the series is above or below a value.
struct StopCondition {
    std::string quantity;                      // name of the column
    std::optional<QuantityText> above, below;  // one of them
    double duration = 0;                       // s, for which it must have been true
};

// What a run does if the time of a stage is over before its conditions are met.
enum class Unfinished { error, proceed };

// What becomes of all bodies of a group.
struct GroupChange {
    std::string group;
    std::optional<std::string> on;     // a group onto which a single body is first let down, along gravity
    std::optional<bool> fixed;         // true: held where it is; false: it moves freely
    std::optional<Vec3> velocity;      // m/s, with which it sets out, fixed: false
    std::optional<MotionLaw> motion;   // from the present pose
    std::optional<FreeSettings> free;  // walls, and single bodies in a guide
    std::optional<ForceLaw> force;     // its times count from the start of the stage
};

// A part of a run. What it does not set stays as the stage before left it.
struct StageSettings {
    std::string name;
    double time = 0;                   // s, that it lasts at most
    std::vector<StopCondition> until;  // it ends when all are true
    Unfinished unfinished = Unfinished::error;
    AutoValue check;  // s, between looks at the conditions; auto: time / 1000

    std::optional<Method> method;
    std::optional<AutoValue> step;       // s; auto again if the method changes
    std::optional<double> stepFraction;  // -
    std::optional<Vec3> gravity;         // m/s^2
    std::map<std::string, ContactOverrides> materials;
    std::vector<PairSettings> pairs;
    Changes<ContactDynamicsSettings> contactDynamics;
    Changes<QuasiStaticSettings> quasiStatic;
    Changes<OutputSettings> output;
    std::optional<bool> sourcesOn, sinksOn;

    // At its start, in this order.
    std::vector<std::string> remove;  // groups
    std::vector<GroupChange> change;
    std::vector<BodySettings> bodies;  // new ones
};

// Where a scene came from; no setting. Errors found later can so still name the line.
struct SceneSource {
    std::string file;                                        // as the user gave it; empty for a scene made in memory
    std::filesystem::path folder;                            // what relative file names start from
    std::unordered_map<std::string, int> lines;              // path of a key to its line
    std::unordered_map<std::string, std::string> overrides;  // path of a key to the --set that gave it
};

struct Scene {
    std::string name, description;
    Method method = Method::penalty;
    std::uint64_t seed = 1;
    Vec3 gravity{0, 0, -9.81};  // m/s^2
    Planar planar = Planar::none;
    std::optional<DomainSettings> domain;
    std::map<std::string, MaterialSettings> materials;
    std::vector<PairSettings> pairs;
    ContactLawSettings contactLaw;
    ContactDynamicsSettings contactDynamics;
    QuasiStaticSettings quasiStatic;
    std::vector<BodySettings> bodies;
    std::vector<JointSettings> joints;
    std::vector<SourceSettings> sources;
    std::vector<SinkSettings> sinks;
    RunSettings run;
    MeasureSettings measure;
    OutputSettings output;
    std::vector<StageSettings> stages;

    std::shared_ptr<const SceneSource> source;
};

// Reads, checks and completes a scene. Each override is "path=value", as in "run.time=2 s" or
// "bodies[0].radius=2 mm". Throws InputError with up to ten findings, one per line.
Scene loadScene(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});
Scene parseScene(const std::string& text, const std::string& fileName, const std::filesystem::path& folder,
                 const std::vector<std::string>& overrides = {});

// What the user of a valid scene should know, one line each, with its place: keys that have no effect as things are.
std::vector<std::string> sceneNotes(const Scene& scene);

// The full effective scene, every default written out; parses back to the same scene.
std::string writeScene(const Scene& scene);
std::string sceneAsJson(const Scene& scene);

// The JSON schema (draft-07) of scene files, and the reference page in Markdown.
std::string sceneSchema();
std::string sceneReference();

}  // namespace talus
