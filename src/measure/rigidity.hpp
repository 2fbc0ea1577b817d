// How rigid a packing of rigid grains is when its contacts are solved by a few iterations per step.
//
// A sweep changes the impulse of a contact by the speed at which it closes over its mobility W (1/kg, the diagonal
// block of the contact problem), and speeds that are left close it. So contacts that start from the impulses of the
// last step act like springs (Unger, Brendel, Wolf and Kertesz, Phys. Rev. E 65, 2002; for a chain of grains of mass m
// and diameter d, with 2/m for W, N sweeps and steps of h):
//
//     k = 2 q N/(W h^2) = q m N/h^2         spring
//     c = d sqrt(k/m)   = d sqrt(q N)/h     speed of sound
//     l = c h           = d sqrt(q N)       how far a change of load gets in one step
//
//     q = 1          sweeps in the same order each time: list, coloured
//     q = 0.797      (4 sqrt(e) - 5)/2, another order in each sweep
//     q = 1/(2 w)    Jacobi, relaxed by w, the largest number of contacts of the contact's two bodies
//     q = N/100, 1/2 APGD, SPG: what packings show; chains are stiffer
//
// q = 1 holds for any network: with W = L + D + L^T, forces F in balance have F.W F = 0, and N sweeps add N F for a
// closing speed of (D + L) F, which does the work F.(D + L) F = F.D F/2 on them. The same sum gives how far a load
// sinks, by virtual work, without solving for displacements:
//
//     load x sinking = sum of force x give = h^2/(2 q N) F.D F      normal and tangential parts of F
//
// That is for few iterations. With more, the slowest mode of the packing, which loses s = 0.82 F.W F/F.D F of itself
// per unit of 2 q N, is solved within the step; the give is less by y/(e^y - 1), y = 2 q N s. F.W F is the sum over
// grains of contact force^2/mass, that is of weight^2/mass; pi^2/12 = 0.82 leads from the forces of a column to its
// slowest mode.
//
// Contacts that slide give way further than that. How far is not computed; 1 + the mobilised share of friction, by
// which the give is multiplied, is what packings show (docs/rigidity.md).
//
// What is not covered: grains that flow (the numbers are then those of the forces of one moment), loose packings that
// collapse, elastic contacts.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/contact_sample.hpp"
#include "talus/contact_dynamics.hpp"

namespace talus {

// The load that a packing carries at this moment, as far as it decides by how much it gives way.
struct LoadedNetwork {
    std::size_t contacts = 0;
    double size = 0;           // m, extent of the loaded grains along the load
    double height = 0;         // m, of their centre of mass above the low end
    double spacing = 0;        // m, mean distance of touching grains
    double mass = 0;           // kg, mean of the loaded grains that can move
    double bearing = 0;        // N m, load times height, over weights, or over contacts (F.l) if walls add to them
    double normalSquares = 0;  // N^2, sum of F_n^2
    double normalGive = 0;     // N^2/kg, the normal part of F.D F
    double give = 0;           // N^2/kg, F.D F
    double weight = 0;         // N^2/kg, F.W F of grains at rest
    double mobilisation = 0;   // -, tangential forces over what friction allows
    double overlapWork = 0;    // J, normal forces times the overlaps there are
    double balance = 0;        // -, of the work of contacts to that of weights: 1 if these are in balance with them

    static constexpr auto fields() {
        using N = LoadedNetwork;
        return std::tuple{Field{"contacts", &N::contacts},
                          Field{"size", &N::size},
                          Field{"height", &N::height},
                          Field{"spacing", &N::spacing},
                          Field{"mass", &N::mass},
                          Field{"bearing", &N::bearing},
                          Field{"normalSquares", &N::normalSquares},
                          Field{"normalGive", &N::normalGive},
                          Field{"give", &N::give},
                          Field{"weight", &N::weight},
                          Field{"mobilisation", &N::mobilisation},
                          Field{"overlapWork", &N::overlapWork},
                          Field{"balance", &N::balance}};
    }

    // -, mean strain that the overlaps are.
    double overlapStrain() const { return bearing > 0 ? overlapWork / bearing : 0.0; }
};

// A packing that swings is in the air now and then, so one moment does not tell. Moments since half of the run or
// earlier, in two stretches of steps of which the second has not ended.
struct LoadWatch {
    struct Stretch {
        LoadedNetwork network;     // the last one of those with most grains under load and best in balance
        double largestStrain = 0;  // -, of overlaps

        static constexpr auto fields() {
            return std::tuple{Field{"network", &Stretch::network}, Field{"largestStrain", &Stretch::largestStrain}};
        }
    };
    Stretch last, present;
    std::uint64_t end = 1;  // step with which the present stretch is over

    static constexpr auto fields() {
        return std::tuple{Field{"last", &LoadWatch::last}, Field{"present", &LoadWatch::present},
                          Field{"end", &LoadWatch::end}};
    }

    void add(std::uint64_t step, const LoadedNetwork& network);
    // Both together.
    Stretch all() const;
};

// How many times each contact's answer to a closing speed is weakened: as often as given, or by the crowd around it.
struct Relaxation {
    double weight = 1;
    bool byCrowd = false;
};
// `relaxation` is the setting of Jacobi, 0 if it chooses itself.
Relaxation relaxationOf(SolverKind solver, double relaxation);

// Along gravity; without it, along the axis that bears most. Samples are those of contact dynamics.
LoadedNetwork measureNetwork(const WorldState& world, const std::vector<ContactSample>& samples, Relaxation relaxation);

// What the steps do about their contacts.
struct IterativeSolves {
    SolverKind solver = SolverKind::gaussSeidel;
    SweepOrder sweep = SweepOrder::coloured;
    double iterations = 0;   // per step; 0: as many as it took
    double dt = 0;           // s
    double impulseTime = 0;  // s, that turns impulses into forces; dt unless theta < 1
    double steps = 0;        // in all
    Stabilisation stabilisation = Stabilisation::gap;
    double correction = 0.2;  // -
    bool warmStart = true;
};

// What becomes of the give.
enum class Softness {
    none,       // solved to tolerance, or by a second-order solver
    springs,    // the packing is shorter by it and stays so; its overlaps show by how much
    healing,    // overlaps are pushed apart within a few steps
    breathing,  // pushing apart is too quick for so soft a packing: it swings up and down by about the give
    loose,      // solved to a tolerance that lets overlaps grow, and nothing pushes apart: they are measured
    creeping,   // impulses start from zero and nothing pushes apart: it gives way anew in each step
};

struct Rigidity {
    Softness softness = Softness::none;
    double stiffness = 0;          // N/m, of a contact; weighted by the loads
    double soundSpeed = 0;         // m/s
    double diffusionLength = 0;    // m
    double networkSize = 0;        // m
    double shrinkage = 0;          // m, by which the centre of mass sinks, and stays or swings
    double relativeShrinkage = 0;  // -, of its height: the mean strain
    double iterationsNeeded = 0;   // per step, for a shrinkage that cannot be seen
    double expectedShrinkage = 0;  // m, by the theory above; the shrinkage itself is that of overlaps where these stay
    bool soft = false;             // the shrinkage can be seen
};

// A strain that can be seen.
inline constexpr double visibleShrinkage = 1e-3;  // -

// `largestStrain` is that of the overlaps of late, of this moment if not given.
Rigidity estimateRigidity(const LoadedNetwork& network, const IterativeSolves& solves, double largestStrain = 0);

}  // namespace talus
