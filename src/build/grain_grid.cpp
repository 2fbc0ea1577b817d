#include "build/grain_grid.hpp"

#include <algorithm>

namespace talus {

GrainGrid::GrainGrid(const Vec3& period, const Vec3& low) : period_(period) {
    for (int axis = 0; axis < 3; ++axis) low_[axis] = std::isfinite(period[axis]) ? low[axis] : 0.0;
}

double GrainGrid::CellRange::count() const {
    double product = 1;
    for (int axis = 0; axis < 3; ++axis) product *= static_cast<double>(high[axis] - low[axis] + 1);
    return product;
}

std::int64_t GrainGrid::cellAlong(const Level& level, int axis, double coordinate) const {
    // Far beyond any scene all cells are one: a search stays right and the number fits.
    const double cell = std::floor((coordinate - low_[axis]) / level.cell[axis]);
    return static_cast<std::int64_t>(std::clamp(cell, -1e15, 1e15));
}

GrainGrid::CellRange GrainGrid::cellsWithin(const Level& level, const Vec3& position, double reach) const {
    CellRange range;
    for (int axis = 0; axis < 3; ++axis) {
        range.low[axis] = cellAlong(level, axis, position[axis] - reach);
        range.high[axis] = cellAlong(level, axis, position[axis] + reach);
        // Around a short period the same cells would come again.
        const std::int64_t cells = level.cells[axis];
        if (cells > 0) range.high[axis] = std::min(range.high[axis], range.low[axis] + cells - 1);
    }
    return range;
}

std::size_t GrainGrid::bucketOf(const Level& level, const Vec3& position) const {
    std::uint64_t mix = 0;
    for (int axis = 0; axis < 3; ++axis) mix ^= bucketShare(level, axis, cellAlong(level, axis, position[axis]));
    return mix & (level.heads.size() - 1);
}

GrainGrid::Level& GrainGrid::levelOf(double radius) {
    const int exponent = std::ilogb(radius);
    for (Level& level : levels_) {
        if (level.exponent == exponent) return level;
    }
    Level level;
    level.exponent = exponent;
    const double diameter = std::ldexp(1.0, exponent + 2);
    for (int axis = 0; axis < 3; ++axis) {
        level.cell[axis] = diameter;
        if (!std::isfinite(period_[axis])) continue;
        level.cells[axis] = static_cast<std::int64_t>(std::clamp(std::floor(period_[axis] / diameter), 1.0, 1e15));
        level.cell[axis] = period_[axis] / static_cast<double>(level.cells[axis]);
    }
    level.heads.assign(64, none);
    return levels_.emplace_back(std::move(level));
}

// Twice the buckets; every sphere of the level is linked anew.
void GrainGrid::rehash(Level& level) {
    std::vector<std::uint32_t> members;
    for (const std::uint32_t head : level.heads) {
        for (std::uint32_t k = head; k != none; k = spheres_[k].next) members.push_back(k);
    }
    level.heads.assign(2 * level.heads.size(), none);
    for (const std::uint32_t k : members) {
        PlacedSphere& sphere = spheres_[k];
        std::uint32_t& head = level.heads[bucketOf(level, sphere.position)];
        sphere.next = head;
        head = k;
    }
}

void GrainGrid::add(const Vec3& position, double radius) {
    Level& level = levelOf(radius);
    if (level.count >= level.heads.size() / 2) rehash(level);
    std::uint32_t& head = level.heads[bucketOf(level, position)];
    spheres_.push_back({position, radius, head});
    head = static_cast<std::uint32_t>(spheres_.size() - 1);
    ++level.count;
}

bool GrainGrid::isFree(const Vec3& position, double radius) const {
    bool free = true;
    forOverlapping({position, radius}, [&](std::uint32_t, double) { return free = false; });
    return free;
}

}  // namespace talus
