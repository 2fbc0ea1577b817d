// Penalty forces at the contact points of bodies that are not both spheres (WorldState::contacts.shapes).
//
// The law is that of spheres with the effective radius of the point. Forces are found point by point, then summed for
// each body in the order of the pairs: the same bits for any number of threads.
#pragma once

#include <vector>

#include "contacts/table/shape_points.hpp"
#include "step/forces/contact_forces.hpp"

namespace talus {

// Scratch that survives between steps; holds no state of the simulation.
struct ShapeForceWorkspace {
    struct OnPoint {
        Vec3 force;                   // N, on the first body
        Vec3 torqueA, torqueB;        // N m, on the two bodies, about their positions
        double rateA = 0, rateB = 0;  // 1/s, of their dashpots
    };
    struct Entry {
        std::uint32_t pair : 31, isFirst : 1;  // whether the body is the first of the pair
    };
    std::vector<OnPoint> points;
    std::vector<DissipatedEnergy> dissipated;  // at each point, if the ledger is on
    std::vector<std::uint32_t> entryStart;     // per body
    std::vector<Entry> entries;                // pairs of each body, in order
    std::uint64_t plannedFor = 0;              // rebuild of the lists that the entries belong to
};

// Adds to the forces, torques and rates of computeContactForces(). Springs of lost points become heat.
void addShapeForces(WorldState& world, double dt, Ledger ledger, const std::vector<LostPoint>& lost,
                    ShapeForceWorkspace& workspace, std::vector<double>& rates);

}  // namespace talus
