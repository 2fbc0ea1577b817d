// Machines that are jammed: drives of joints that have no largest force, against bodies that cannot give way, and
// contacts that friction wedges. No motion satisfies all of it, however large the forces.
//
// In such a step drives give way: u - speed + E g = 0 with a small compliance E, a thousandth of the speed that
// an impulse gives the joint alone. A drive that is stopped by it pushes a thousand times as hard as it takes to bring
// its bodies from rest to that speed within the step. That force stands for any force; the motion is right, the drive
// stands. And overlaps stay as they are, other than in other steps: an arm whose tip is wedged between floor and hinge
// (friction mu above x/h for a tip that is x aside of the hinge and h below it) cannot be pushed out of the floor, as
// friction would press it in harder. What joints hold gives way, too, a thousand times less than drives: between an arm
// and a floor that touch to round-off there would be any force.
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
    bool stands = false;                             // misses most of the speed it should have

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

// Whether a machine whose problem was not solved may be one that is jammed: something can give way.
bool canGiveWay(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& workspace);

// What of a problem giving way changes, to take it back if there is no answer then either.
struct Stiff {
    std::vector<Vec3> offset, reactions;
    std::vector<Mat3> compliance;
};

// Changes the problem, for another solve from no reactions.
Stiff giveWay(const WorldState& world, const TimeScheme& time, ProblemWorkspace& workspace);
void takeBack(Stiff stiff, ProblemWorkspace& workspace);

// From the answer.
JammedDrive jammedDrive(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& workspace);

}  // namespace talus
