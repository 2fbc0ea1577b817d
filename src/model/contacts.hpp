// The contact table: candidates of three kinds, and what each remembers.
//
// A candidate is a pair of bodies close enough to touch before the lists are rebuilt. Of spheres there are pairs, in
// rows: row i holds the partners that grain i owns (each pair once); and spheres near one face of a wall. Pairs in
// which one body is of another shape have a list of their own: where they meet is found anew in each step, at any
// number of points (contacts/table/shape_points).
//
// All candidates have one numbering, [pairs of spheres | spheres at walls | points of shapes], and each quantity that
// contacts remember is one array over it (contact_memory.hpp). Memory moves along when the lists are rebuilt
// (contacts/table/matching).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "geometry/contact_point.hpp"
#include "model/contact_memory.hpp"
#include "model/shapes.hpp"
#include "talus/vec3.hpp"

namespace talus {

struct GrainCandidates {
    std::vector<std::uint32_t> rowStart;  // size grains + 1; the last one is the number of pairs
    std::vector<std::uint32_t> partner;   // index of the other grain

    static constexpr auto fields() {
        return std::tuple{Field{"rowStart", &GrainCandidates::rowStart}, Field{"partner", &GrainCandidates::partner}};
    }
};

struct WallCandidate {
    std::uint32_t grain;  // index of the grain
    std::uint16_t wall;   // bodies index is grainCount + wall
    std::uint16_t face;
    bool operator==(const WallCandidate&) const = default;
    static constexpr auto fields() {
        return std::tuple{Field{"grain", &WallCandidate::grain}, Field{"wall", &WallCandidate::wall},
                          Field{"face", &WallCandidate::face}};
    }
};

struct WallCandidates {
    std::vector<std::uint32_t> rowStart;   // size grains + 1
    std::vector<WallCandidate> candidate;  // sorted by grain, wall, face

    static constexpr auto fields() {
        return std::tuple{Field{"rowStart", &WallCandidates::rowStart}, Field{"candidate", &WallCandidates::candidate}};
    }
};

// Two bodies, at least one of them no sphere. The lower id comes first, but walls always second: so the view of a pair
// stays the same however bodies are sorted.
struct ShapePair {
    std::uint32_t a, b;      // indices into Bodies
    std::uint32_t idA, idB;  // by which pairs are known when the lists are rebuilt

    static constexpr auto fields() {
        return std::tuple{Field{"a", &ShapePair::a}, Field{"b", &ShapePair::b}, Field{"idA", &ShapePair::idA},
                          Field{"idB", &ShapePair::idB}};
    }
};

struct ShapeCandidates {
    std::vector<ShapePair> pair;
    std::vector<std::uint32_t> pointStart;  // size pairs + 1
    std::vector<ContactPoint> point;        // of the last step; by feature within each pair

    static constexpr auto fields() {
        return std::tuple{Field{"pair", &ShapeCandidates::pair}, Field{"pointStart", &ShapeCandidates::pointStart},
                          Field{"point", &ShapeCandidates::point}};
    }
};

// Candidates as forEachInRow() shows them; of walls it is the WallCandidate.
struct SpherePair {
    std::uint32_t owner, partner;  // grains
};
struct PointOfPair {
    const ShapePair& pair;
    const ContactPoint& point;
};

struct ContactTable {
    GrainCandidates grains;
    WallCandidates walls;
    ShapeCandidates shapes;
    ContactMemory memory;

    // Numbers of candidates.
    std::uint32_t firstWall() const { return static_cast<std::uint32_t>(grains.partner.size()); }
    std::uint32_t firstPoint() const { return firstWall() + static_cast<std::uint32_t>(walls.candidate.size()); }
    std::uint32_t size() const { return firstPoint() + static_cast<std::uint32_t>(shapes.point.size()); }

    // Rows: first of the grains, then of the pairs of shapes.
    std::size_t grainRows() const { return grains.rowStart.empty() ? 0 : grains.rowStart.size() - 1; }
    std::size_t rows() const { return grainRows() + shapes.pair.size(); }

    // What is remembered; of the other models it must not be asked.
    bool keepsSprings() const { return std::holds_alternative<SpringMemory>(memory); }
    bool areRigid() const { return std::holds_alternative<RigidMemory>(memory); }
    bool areElastic() const { return std::holds_alternative<ElasticMemory>(memory) || areYielding(); }
    bool areYielding() const { return std::holds_alternative<YieldingMemory>(memory); }
    SpringMemory& springs() { return std::get<SpringMemory>(memory); }
    const SpringMemory& springs() const { return std::get<SpringMemory>(memory); }
    std::vector<Vec3>& impulses() { return impulsesOf(memory); }
    const std::vector<Vec3>& impulses() const { return impulsesOf(memory); }
    std::vector<ContactStretch>& stretches() { return std::get<YieldingMemory>(memory).stretch; }
    const std::vector<ContactStretch>& stretches() const { return std::get<YieldingMemory>(memory).stretch; }
    bool isActive(std::size_t candidate) const {
        return std::visit([&](const auto& m) { return m.isActive(candidate); }, memory);
    }
};

// Calls visit(number, candidate) for each candidate of a row, in the order of the numbers: the one way to run over all
// contacts. `visit` takes a SpherePair, a WallCandidate and a PointOfPair.
template <class Visit>
void forEachInRow(const ContactTable& table, std::size_t row, Visit&& visit) {
    if (row >= table.grainRows()) {
        const std::size_t p = row - table.grainRows();
        const std::uint32_t first = table.firstPoint();
        for (std::uint32_t k = table.shapes.pointStart[p]; k < table.shapes.pointStart[p + 1]; ++k) {
            visit(first + k, PointOfPair{table.shapes.pair[p], table.shapes.point[k]});
        }
        return;
    }
    for (std::uint32_t k = table.grains.rowStart[row]; k < table.grains.rowStart[row + 1]; ++k) {
        visit(k, SpherePair{static_cast<std::uint32_t>(row), table.grains.partner[k]});
    }
    const std::uint32_t first = table.firstWall();
    for (std::uint32_t k = table.walls.rowStart[row]; k < table.walls.rowStart[row + 1]; ++k) {
        visit(first + k, table.walls.candidate[k]);
    }
}

// A pair of bodies, by id, whose bond is lost for good. First the smaller id; spheres bond with each face of a wall.
struct BrokenBond {
    std::uint32_t first, second, face;
    auto operator<=>(const BrokenBond&) const = default;
    static constexpr auto fields() {
        return std::tuple{Field{"first", &BrokenBond::first}, Field{"second", &BrokenBond::second},
                          Field{"face", &BrokenBond::face}};
    }
};

struct Contacts : ContactTable {
    // Poses at the last rebuild, from which the distance moved since is measured.
    std::vector<Vec3> builtPosition;         // m, of every body
    std::vector<Quat> builtWallOrientation;  // of every wall
    std::vector<Quat> builtOrientation;      // of every grain; empty if all are spheres
    std::vector<double> wallReach;           // m, of every wall: distance of the grain farthest from its origin
    std::vector<Mantle> builtMantles;        // of every wall
    double skin = 0;                         // m, candidates are kept up to this gap
    double leastSkin = 0;                    // m, that the user asked for beside a margin; 0: chosen
    double impulseTime = 0;                  // s, that turns the impulses into forces
    std::vector<BrokenBond> brokenBonds;     // sorted
    bool stale = true;                       // bodies came or went: rebuild before the next use
    std::uint64_t rebuilds = 0;

    // Candidates and memory count in the hash together, in the order of the lists (model/state_hash.cpp).
    static constexpr auto fields() {
        constexpr Hashed no = Hashed::no;
        return std::tuple{Field{"grains", &Contacts::grains, no},
                          Field{"walls", &Contacts::walls, no},
                          Field{"shapes", &Contacts::shapes, no},
                          Field{"builtPosition", &Contacts::builtPosition, no},
                          Field{"builtWallOrientation", &Contacts::builtWallOrientation, no},
                          Field{"builtOrientation", &Contacts::builtOrientation, no},
                          Field{"wallReach", &Contacts::wallReach, no},
                          Field{"builtMantles", &Contacts::builtMantles, no},
                          Field{"skin", &Contacts::skin, no},
                          Field{"impulseTime", &Contacts::impulseTime, no},
                          Field{"stale", &Contacts::stale, no},
                          Field{"rebuilds", &Contacts::rebuilds, no},
                          Field{"brokenBonds", &Contacts::brokenBonds},
                          Field{"memory", &Contacts::memory}};
    }
};

}  // namespace talus
