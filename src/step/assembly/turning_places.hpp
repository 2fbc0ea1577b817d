// Contacts of solids that turn: how their slip changes within a step.
//
// A step knows where bodies touch at its start. Forces act there, and half a step before and after that moment weigh
// the same, so energies close. But what sticks has to stick on the way to the end, where
//
//     u = v_a + w_a x r_a - v_b - w_b x r_b
//
// changes though no force acts: the place of contact goes on over both surfaces (a coin rolls on its rim), and the spin
// of a body with different moments of inertia turns with it. With the slip at the start alone a force t does the work
// t.du/2 in each step, of first order in its length h, and a coin that rolls gains energy. So friction sees the mean
//
//     u + k,   k = (u(on) - u)/2
//
// with u(on) where both bodies would be if they went on as in the last step. Momentum is what impulses make of it: that
// of the start, with one line for both bodies. Only directions across the normal have the term: gaps are measured anew
// in each step, and what they are off by is not carried on.
//
// Contacts of spheres with each other and with walls are left as they are: a sphere touches as far from its centre
// wherever it has rolled to, and has one moment of inertia; what remains is its spin about a normal that turns.
// Contacts with springs have none of it either, nor have they with theta < 1, where the mean velocity does the work.
#pragma once

#include "step/assembly/build_problem.hpp"

namespace talus {

// Adds k to the offsets of the contacts of solids that held on already. `margin`: as far as points are looked for, m.
void addTurning(const WorldState& world, const TimeScheme& time, double margin, ProblemWorkspace& workspace);

}  // namespace talus
