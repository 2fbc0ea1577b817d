// Candidate contacts and what each remembers.
//
// A candidate is a pair of bodies close enough to touch before the lists are rebuilt. Grain pairs are stored in
// rows: row i holds the partners that grain i owns (each pair once). Wall candidates name a grain, a wall and one
// of its faces. Memory moves along when the lists are rebuilt (collision/matching).
//
// These two are for spheres. Pairs in which one is of another shape have their own list; where such bodies meet is
// found anew in each step, at any number of points, and memory goes from point to point (collision/shape_points).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "geometry/contact_point.hpp"
#include "laws/contact_law.hpp"
#include "laws/yield_law.hpp"
#include "talus/vec3.hpp"

namespace talus {

// What contacts remember from step to step: the penalty method its springs, contact dynamics its impulses.
enum class ContactMemory { springs, impulses };

// Memory is from the owner's view: stretch and turn of the owner (grain, for walls) relative to the partner, impulse on
// the owner. Arrays of the other kind of memory are empty.
struct GrainContacts {
    std::vector<std::uint32_t> rowStart;  // size grains + 1; the last one is the number of candidates
    std::vector<std::uint32_t> partner;   // index of the other grain
    std::vector<TangentSpring> tangent;   // one per candidate; contactRadius 0 means not touching
    std::vector<RollingSpring> rolling;   // one per candidate, empty if the law has no rolling spring
    std::vector<Vec3> impulse;            // N s, one per candidate, of the last step; 0 means not touching
    std::vector<ContactStretch> stretch;  // one per candidate, empty unless contacts yield
};

struct WallCandidate {
    std::uint32_t grain;  // index of the grain
    std::uint16_t wall;   // bodies index is grainCount + wall
    std::uint16_t face;
    bool operator==(const WallCandidate&) const = default;
};

struct WallContacts {
    std::vector<WallCandidate> candidate;  // sorted by grain, wall, face
    std::vector<std::uint32_t> rowStart;   // size grains + 1
    std::vector<TangentSpring> tangent;
    std::vector<RollingSpring> rolling;
    std::vector<Vec3> impulse;
    std::vector<ContactStretch> stretch;
};

// Two bodies, at least one of them no sphere. The lower id comes first, but walls always second: so the view of a pair
// stays the same however bodies are sorted.
struct ShapePair {
    std::uint32_t a, b;      // indices into Bodies
    std::uint32_t idA, idB;  // by which pairs are known when the lists are rebuilt
};

struct ShapeContacts {
    std::vector<ShapePair> pair;
    std::vector<std::uint32_t> pointStart;  // size pairs + 1
    std::vector<ContactPoint> point;        // of the last step; by feature within each pair
    // One per point, as above; the first body is the owner.
    std::vector<TangentSpring> tangent;
    std::vector<RollingSpring> rolling;
    std::vector<Vec3> impulse;
    std::vector<ContactStretch> stretch;
};

// True if candidate k of the list transmits a force (springs, and contacts that yield: touches).
template <class List>
bool isActive(const List& list, std::size_t k) {
    if (list.impulse.empty()) return list.tangent[k].contactRadius > 0;
    return list.impulse[k] != Vec3{} || (!list.stretch.empty() && list.stretch[k].touching > 0);
}

// A pair of bodies, by id, whose bond is lost for good. First the smaller id; spheres bond with each face of a wall.
struct BrokenBond {
    std::uint32_t first, second, face;
    auto operator<=>(const BrokenBond&) const = default;
};

struct Contacts {
    GrainContacts grains;
    WallContacts walls;
    ShapeContacts shapes;
    // Poses at the last rebuild, from which the distance moved since is measured.
    std::vector<Vec3> builtPosition;         // m, of every body
    std::vector<Quat> builtWallOrientation;  // of every wall
    std::vector<Quat> builtOrientation;      // of every grain; empty if all are spheres
    std::vector<double> wallReach;           // m, of every wall: distance of the grain farthest from its origin
    std::vector<double> builtWallRadius;     // m, of every drum; 0 of other walls
    double skin = 0;                         // m, candidates are kept up to this gap
    double leastSkin = 0;                    // m, that the user asked for beside a margin; 0: chosen
    ContactMemory memory = ContactMemory::springs;
    double impulseTime = 0;               // s, that turns the impulses into forces
    bool elastic = false;                 // contact dynamics: contacts have the springs of Hooke's law, not rigid
    bool yielding = false;                // elastic, and some are damped, hold on or yield (laws/yield_law.hpp)
    std::vector<BrokenBond> brokenBonds;  // sorted
    bool stale = true;                    // bodies came or went: rebuild before the next use
    std::uint64_t rebuilds = 0;
};

}  // namespace talus
