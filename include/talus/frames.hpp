// Frames of a run as arrays: what frames.pvd lists and frames/*.vtp keep, and the same of a scene before it runs.
//
//   for (const talus::FrameFiles& files : talus::listFrames("out/settle")) {
//       const talus::Frame frame = talus::readFrame(files);
//       const talus::FrameArray* radius = frame.bodies.find("radius");
//       for (std::size_t k = 0; k < frame.bodies.points.size(); ++k) use(frame.bodies.points[k], radius->values[k]);
//   }
//
// Which arrays there are, with their units: docs/output.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "talus/scene.hpp"
#include "talus/vec3.hpp"

namespace talus {

// `components` numbers per point, of bodies, contacts and joints, or per polygon, of walls and shapes.
struct FrameArray {
    std::string name;
    std::size_t components = 1;
    std::vector<double> values;
};

struct FramePart {
    std::vector<Vec3> points;            // m
    std::vector<std::uint32_t> corners;  // of one polygon after the other, index into points
    std::vector<std::uint32_t> ends;     // of each polygon, one past its last corner
    std::vector<FrameArray> arrays;

    const FrameArray* find(std::string_view name) const;  // nullptr if there is none
};

struct Frame {
    double time = 0;  // s
    FramePart bodies, contacts, walls, shapes, joints;
};

// Where a frame is; a name is empty if the frame has no such part.
struct FrameFiles {
    double time = 0;  // s
    std::filesystem::path bodies, contacts, walls, shapes, joints;
};

// The frames of a run, in order of time; none without frames.pvd. The names are those in the index, below the folder
// if they are relative, whether there are such files or not. InputError for an index that is none.
std::vector<FrameFiles> listFrames(const std::filesystem::path& folder);

// What of a frame is read: of a million bodies all of it takes seconds.
struct FrameWish {
    bool contacts = true;
    std::optional<std::set<std::string, std::less<>>> bodyArrays;  // by name; all if not given
};

// InputError if a file is missing or is not one that Talus wrote.
Frame readFrame(const FrameFiles& files, const FrameWish& wish = {});

// What the numbers in the arrays `group` and `material` stand for.
struct FrameNames {
    std::vector<std::string> groups, materials;
};

// A quantity of bodies that pictures can be coloured by: an array of the frame, the length of one (speed, force, spin),
// the pressure of the stress, or a coordinate.
struct FrameField {
    std::string name, label, unit;
    bool isCategory = false;  // numbers that stand for names
};
const std::vector<FrameField>& allFrameFields();
// The array that a field is made from: velocity for speed; a coordinate needs none and has its own name.
std::string_view arrayOfField(std::string_view field);
// Those that the bodies of a frame have.
std::vector<FrameField> frameFieldsOf(const FramePart& bodies);
// One value per body; InputError for a field that the frame lacks.
std::vector<double> fieldValues(const FramePart& bodies, std::string_view field);

// A scene before its first step.
struct SceneLook {
    Frame frame;
    FrameNames names;
    double stepLength = 0;   // s, of the first stage
    std::string stepReason;  // how it was chosen
};
SceneLook lookAtScene(const Scene& scene);

}  // namespace talus
