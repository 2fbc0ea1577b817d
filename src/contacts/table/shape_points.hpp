// Where bodies that are not all spheres meet: finds the contact points of WorldState::contacts.shapes anew in each step
// and hands memory on from the points of the step before.
//
// A point inherits from the old point of its pair with the same feature; if there is none, from the nearest one that is
// left over and near. What it inherits turns with the normal.
#pragma once

#include <vector>

#include "contacts/table/ellipsoid_block.hpp"
#include "contacts/table/pair_watch.hpp"
#include "model/world.hpp"

namespace talus {

// The shape of a body where the body is.
inline ShapeInPlace shapeInPlace(const WorldState& world, std::size_t body) {
    const Bodies& b = world.bodies;
    const Pose pose{b.position[body], b.orientation[body]};
    const Shape& shape = world.shapes[b.shape[body]];
    if (body < b.grainCount) return {&shape, scaleOf(world, body), pose};
    return {&shape, 1, pose, wallNow(world, body).radius};
}

// The periodic image of it that is nearest to a point; walls have none.
inline ShapeInPlace shapeNear(const WorldState& world, std::size_t body, const Vec3& point) {
    ShapeInPlace place = shapeInPlace(world, body);
    if (body < world.bodies.grainCount && world.domain.anyPeriodic()) {
        place.pose.position = point - nearestImage(point - place.pose.position, world.domain.period());
    }
    return place;
}

// A contact that touched and has no successor: what its springs and its bond held becomes heat.
struct LostPoint {
    std::uint32_t pair;
    double radius, gap;  // m
    TangentSpring tangent;
    RollingSpring rolling;
    ContactStretch stretch;
};

// Scratch that survives between steps; holds no state of the simulation.
struct PointWorkspace {
    struct Block {
        std::vector<ContactPoint> points;
        std::vector<std::uint32_t> count;  // per pair
        std::vector<LostPoint> lost;
        EllipsoidBlock ellipsoids;
    };
    std::vector<Block> blocks;
    PairWatch watch;
    ShapeCandidates before;       // points of the step before
    ContactMemory memoryBefore;   // of these alone
    std::vector<LostPoint> lost;  // of the last call, in the order of the pairs; of springs, and of contacts that yield
    double seconds = 0;           // of wall clock, spent so far
};

// Points with a gap below the margin.
void updateContactPoints(WorldState& world, double margin, PointWorkspace& workspace,
                         OutlinePlaces places = OutlinePlaces::nearest);

// After a step of contact dynamics: points go on with the bodies, so that gaps are those of its end. They are found
// anew, with their normals, when the next step begins.
void movePoints(WorldState& world, double dt);

}  // namespace talus
