// Frames of a run for ParaView: frames.pvd and frames/{bodies,contacts,walls,shapes,joints}_NNNNNN.vtp.
//
// bodies    one point per grain, in order of id: id, radius [m], velocity [m/s], spin [rad/s], mass [kg],
//           force [N] (by contacts), group, material, coordination (contacts of the grain),
//           stress [Pa] (Love-Weber, compression positive: a third of its trace is the pressure; row by row);
//           with bodies that are no spheres, whose radius is that of the bounding sphere, also shape (0: sphere),
//           orientation (w, x, y, z) and held (1: no force moves it)
// contacts  one point per touching contact: force [N] on the owner, normal (unit, towards the owner), overlap [m],
//           normal_force [N] (positive pushes), owner and partner (ids of bodies)
// walls     polygons with cell arrays id, group and face; a plane is shown as large as the grains
// shapes    triangles of the bodies that are no spheres, with cell arrays id, group, material, velocity [m/s] and
//           spin [rad/s]; only if there are such bodies
// joints    one point per joint: first and second (ids of the bodies; 4294967295 is the world), kind (JointKind), axis
//           (unit), first_arm and second_arm [m] (from the centre of either body), force [N] and torque [N m] at the
//           point, on the first body; only if there are joints
//
// frames.pvd lists the times and files; it is written anew with a frame, whole or not at all and on the disk at once,
// but where frames follow each other fast only once a second: bringing it to the disk takes longer than a small frame.
// The files it lists are on the disk after flush(): resuming makes those behind the last checkpoint again.
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <vector>

#include "measure/contact_sample.hpp"
#include "model/world.hpp"
#include "talus/frames.hpp"

namespace talus {

// A frame as arrays in memory, without a file.
Frame frameOf(const WorldState& world, const std::vector<ContactSample>& contacts);
FrameNames frameNames(const WorldState& world);

class FrameWriter {
public:
    // folder: that of the run. With resumeTime, the frames up to this time stay in the index and later ones, which
    // the resumed run makes again, are dropped from it; without, the index starts empty.
    explicit FrameWriter(const std::filesystem::path& folder, std::optional<double> resumeTime = {});

    // A second frame at the time of the last one replaces it.
    void write(const WorldState& world, const std::vector<ContactSample>& contacts);

    // Brings the frames since the last call to the disk, and all of them into the index; before a checkpoint that
    // relies on them, and at the end.
    void flush();

    std::size_t frameCount() const { return entries_.size(); }
    bool endsAt(double time) const { return !entries_.empty() && entries_.back().time == time; }

private:
    using Clock = std::chrono::steady_clock;
    struct Entry {
        double time = 0;  // s
        bool walls = false, shapes = false, joints = false;
    };
    void readIndex(double resumeTime);
    void writeIndex();

    std::filesystem::path folder_;
    std::vector<Entry> entries_;  // entry k is frame k
    std::vector<std::filesystem::path> unflushed_;
    bool indexIsOld_ = false;
    Clock::time_point indexWritten_;
};

}  // namespace talus
