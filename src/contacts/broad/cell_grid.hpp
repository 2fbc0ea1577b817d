// Broad phase: sorts grains by cell of a hierarchical grid and lists the pairs that are close.
//
// Level k has cells of edge c_k = c_0 / 2^k, c_0 = largest diameter + skin; a grain lives on the finest level whose
// cells hold its diameter plus the skin. Two grains of levels k >= m can touch only if the cell of the finer one,
// looked up on level m, is next to the cell of the coarser one. So each grain searches its own level and the
// coarser ones, and the work is linear in the number of grains whatever the ratio of their sizes.
// (Ogarko and Luding, Comput. Phys. Commun. 183, 2012.)
//
// Cells are not stored as a dense array but as the sorted keys of those that are occupied, found by hashing: one
// grain far away costs nothing. Keys interleave the bits of the cell coordinates (Morton order), which also makes
// the order of the grains local in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "model/world.hpp"

namespace talus {

class CellGrid {
public:
    // Chooses levels and cell sizes for these grains; `skin` is the largest gap at which a pair is listed.
    void configure(const Bodies& bodies, const Domain& domain, double skin);

    // order[k] is the present index of the grain that comes k-th in space.
    void sortedOrder(const Bodies& bodies, std::vector<std::uint32_t>& order);

    // Call after the bodies have been put in sortedOrder().
    void indexCells();

    // Calls found(j) for each grain j that grain i has to be paired with: closer than the sum of the radii plus the
    // skin. Each pair is found from one side only, in a fixed order. Bodies in sorted order.
    template <class Found>
    void forEachPartner(const Bodies& bodies, std::uint32_t i, Found&& found) const;

    // Calls visit(begin, end) for each cell in which grain i looks for partners; all grains of that range are to be
    // compared with it. The range is empty if nothing lives in the cell. What forEachPartner() goes through.
    template <class Visit>
    void forEachNearCell(const Bodies& bodies, std::uint32_t i, Visit&& visit) const;

private:
    struct Cell {
        std::int64_t x, y, z;
    };
    struct Range {
        std::uint32_t begin, end;
    };
    static constexpr int maxLevels = 24;

    int levelOf(double radius) const;
    // True if partners within `reach` may be on the other side of a periodic border.
    bool isNearBorder(const Vec3& position, double reach) const;
    Cell cellAt(const Vec3& position, int level) const;
    std::uint64_t keyOf(const Cell& cell, int level) const;
    Range find(std::uint64_t key) const;
    std::int64_t wrapped(std::int64_t coordinate, int axis, int level) const;

    std::uint64_t spread(std::int64_t coordinate, int axis, int level) const;

    // Distinct keys of the cells on `level` that touch the cube of half-edge `reach` around a point.
    int neighbourKeys(const Vec3& position, double reach, int level, std::uint64_t* keys) const;

    double skin_ = 0, coarsest_ = 0;
    Vec3 origin_, period_;
    std::array<bool, 3> periodic_{};
    std::array<Vec3, maxLevels> cellSize_;                          // m, per level and axis (stretched to fit a period)
    std::array<std::array<std::int64_t, 3>, maxLevels> cellCount_;  // along periodic axes
    std::array<bool, maxLevels> shortPeriod_{};                     // one or two cells along a periodic axis
    std::uint32_t occupiedLevels_ = 0;                              // bit k: level k has grains
    std::vector<std::uint64_t> keys_;                               // sorted, one per grain
    std::vector<std::uint64_t> tableKeys_;                          // open addressing
    std::vector<Range> tableRanges_;
};

template <class Found>
void CellGrid::forEachPartner(const Bodies& bodies, std::uint32_t i, Found&& found) const {
    const Vec3 position = bodies.position[i];
    const double radius = bodies.radius[i];
    const bool images = isNearBorder(position, radius + coarsest_);
    forEachNearCell(bodies, i, [&](std::uint32_t begin, std::uint32_t end) {
        for (std::uint32_t j = begin; j < end; ++j) {
            Vec3 d = position - bodies.position[j];
            if (images) d = nearestImage(d, period_);
            const double limit = radius + bodies.radius[j] + skin_;
            if (normSquared(d) < limit * limit) found(j);
        }
    });
}

template <class Visit>
void CellGrid::forEachNearCell(const Bodies& bodies, std::uint32_t i, Visit&& visit) const {
    const std::uint64_t own = keys_[i];
    const double radius = bodies.radius[i];
    const int ownLevel = levelOf(radius);
    for (int level = ownLevel; level >= 0; --level) {
        if (!(occupiedLevels_ >> level & 1)) continue;
        const double reach = radius + 0.5 * skin_ + 0.5 * coarsest_ / static_cast<double>(1 << level);
        std::uint64_t cells[64];
        const int count = neighbourKeys(bodies.position[i], reach, level, cells);
        for (int k = 0; k < count; ++k) {
            // On the own level only what comes later in the order: the rest of the own cell and later cells.
            if (level == ownLevel && cells[k] < own) continue;
            const Range range = find(cells[k]);
            visit(cells[k] == own ? i + 1 : range.begin, range.end);
        }
    }
}

}  // namespace talus
