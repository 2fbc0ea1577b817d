// How the forces of joints turn with their bodies within a step: what keeps a taut chain from whipping itself up.
//
// A force F that a joint exerts at the arm a from the centre of a body turns it by a x F. While the body turns by r,
// the arm goes with it, and the couple changes by (r x a) x F = -K r; a rod of length L that pulls with T changes its
// force by T/L of how its ends move across it:
//
//     K = (a.F) 1 - (a F^T + F a^T)/2,     K = (T/L) (1 - d d^T)
//
// This geometric stiffness makes links, as those of a chain with a heavy end, oscillate across it with a frequency
// w^2 = K/I that grows with the tension. A step h that takes F at the start of the step follows them up to h w = 2, and
// above blows them up without end. So what exceeds a share of that acts as at the end of the step, as springs do that
// steps do not follow: the entry
//
//     u + E g = 0,    E = 1/(h^2 K*),    K* = (K - share I/h^2) (1 + slow h^2 K/I)   along principal directions, K* > 0
//
// with u the rate at which the two bodies of a joint turn against each other, where the joint lets them, or the speed
// of the ends of the rod across it. K* at a joint is the sum of those of its bodies; bodies that can only turn together
// count as one. The force itself is unknown within the step and finds its own direction; F in K is that of the last
// step. I is the least that can follow: the body's own inertia and that of the mass at the end of its longest arm.
// The last factor is for waves along a chain in which neighbours turn nearly alike (docs/joints.md).
//
// What such an entry takes is lost in the joint. It keeps momentum, and angular momentum but for rods, is of first
// order in the step, and nothing at all where a step is less than a thirtieth of the period.
#pragma once

#include "step/assembly/joint_entries.hpp"

namespace talus {

// Adds to the entries of all joints, of which these are the bodies.
void addPullEntries(const WorldState& world, const JointTiming& timing, const std::vector<JointPair>& bodies,
                    std::vector<PulledBody>& pulled, std::vector<JointEntry>& entries);

}  // namespace talus
