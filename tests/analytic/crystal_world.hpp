// Crystals of equal spheres with 2 to 12 contacts each, pressed together, thrown into disorder: what the dashpots of
// several contacts of a grain do together.
#pragma once

#include "analytic/analytic_world.hpp"
#include "base/random.hpp"

namespace talus::analytic {

struct Crystal {
    int neighbours = 12;                    // 2 a chain, 4 diamond, 6 simple, 8 body-centred, 12 face-centred cubic
    double overlap = 0.01;                  // -, of a diameter
    double speed = 0.1;                     // m/s, largest along each axis; of the surfaces by spin twice that
    static constexpr double radius = 1e-3;  // m
};

struct CrystalCell {
    double edge;  // of the cell, in diameters
    std::vector<Vec3> places;
    int cells;  // along each axis
};

inline CrystalCell cellOf(int neighbours) {
    const std::vector<Vec3> faces{{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    if (neighbours == 4) {
        std::vector<Vec3> places = faces;
        for (const Vec3& place : faces) places.push_back(place + Vec3{0.25, 0.25, 0.25});
        return {4 / std::sqrt(3.0), places, 2};
    }
    if (neighbours == 8) return {2 / std::sqrt(3.0), {{0, 0, 0}, {0.5, 0.5, 0.5}}, 4};
    if (neighbours == 12) return {std::sqrt(2.0), faces, 3};
    return {1, {{0, 0, 0}}, neighbours == 2 ? 12 : 4};
}

// Periodic along all axes, a chain along x only.
inline WorldState makeCrystal(const Crystal& c, const Substance& substance) {
    WorldState world = makeWorld(substance);
    const CrystalCell cell = cellOf(c.neighbours);
    const bool chain = c.neighbours == 2;
    const double edge = 2 * Crystal::radius * (1 - c.overlap) * cell.edge, length = cell.cells * edge;
    Random random(1, 0);
    std::vector<BodyDefinition> grains;
    for (int k = 0; k < (chain ? cell.cells : cell.cells * cell.cells * cell.cells); ++k) {
        const Vec3 corner{1.0 * (k % cell.cells), 1.0 * (k / cell.cells % cell.cells),
                          1.0 * (k / cell.cells / cell.cells)};
        for (const Vec3& place : cell.places) {
            const Vec3 most{c.speed, c.speed, c.speed};
            grains.push_back({.radius = Crystal::radius,
                              .position = edge * (corner + place),
                              .velocity = random.inBox(-most, most),
                              .spin = (2 / Crystal::radius) * random.inBox(-most, most)});
        }
    }
    addGrains(world, grains);
    const double far = chain ? 1 : 0;
    world.domain = {.low = {0, -far, -far},
                    .high = {length, chain ? far : length, chain ? far : length},
                    .periodic = {true, !chain, !chain}};
    return world;
}

}  // namespace talus::analytic
