// Drives of joints that have no largest force, against bodies that cannot give way: no motion satisfies both, however
// large the forces.
//
// In such a step these drives give way: u - speed + E g = 0 with a small compliance E, a thousandth of the speed that
// an impulse gives the joint alone. A drive that is stopped by it pushes a thousand times as hard as it takes to bring
// its bodies from rest to that speed within the step. That force stands for any force; the motion is right, the drive
// stands.
#pragma once

#include <optional>

#include "step/assembly/build_problem.hpp"

namespace talus {

// The drive that misses its speed by most.
struct JammedDrive {
    std::uint32_t joint = 0;  // in WorldState::joints
    bool turning = false;
    double force = 0;                                // N or N m, its size
    std::optional<std::array<std::uint32_t, 2>> at;  // ids of the bodies that are pressed together most

    static constexpr auto fields() {
        return std::tuple{Field{"joint", &JammedDrive::joint}, Field{"turning", &JammedDrive::turning},
                          Field{"force", &JammedDrive::force}, Field{"at", &JammedDrive::at}};
    }
};

// True if there are such drives and the problem has no answer: proven, or not found and one of them pushes as hard. As
// hard as for the speed it should have, or that its bodies have or gain in the step by their weight alone: a drive that
// only holds its load in a step that did not reach the tolerance has not jammed.
bool haveJammed(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& workspace,
                const SolveReport& solved);

// Changes the problem, for another solve from no reactions.
void letDrivesGiveWay(ProblemWorkspace& workspace);

// From the answer.
JammedDrive jammedDrive(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& workspace);

}  // namespace talus
