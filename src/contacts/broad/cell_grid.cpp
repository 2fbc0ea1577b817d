#include "contacts/broad/cell_grid.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "contacts/broad/radix_sort.hpp"

namespace talus {
namespace {

constexpr int levelShift = 57;  // above three coordinates of 19 bits
constexpr std::uint64_t emptyKey = ~std::uint64_t{0};

// Spreads the lowest 19 bits so that two free bits follow each.
std::uint64_t spreadBits(std::uint64_t v) {
    v &= 0x7FFFF;
    v = (v | v << 32) & 0x001F00000000FFFF;
    v = (v | v << 16) & 0x001F0000FF0000FF;
    v = (v | v << 8) & 0x100F00F00F00F00F;
    v = (v | v << 4) & 0x10C30C30C30C30C3;
    v = (v | v << 2) & 0x1249249249249249;
    return v;
}

std::uint64_t levelKey(int level) { return static_cast<std::uint64_t>(level) << levelShift; }

std::uint64_t scramble(std::uint64_t key) { return (key * 0x9E3779B97F4A7C15ull) >> 20; }

// Cell coordinate of a position; far or bad numbers are brought into range (they are found elsewhere).
std::int64_t coordinate(double offset, double size) {
    const double c = std::floor(offset / size);
    constexpr double farAway = 1e15;
    return c > -farAway && c < farAway ? static_cast<std::int64_t>(c) : 0;
}

}  // namespace

void CellGrid::configure(const Bodies& bodies, const Domain& domain, double skin) {
    skin_ = skin;
    double largest = 0;
    for (std::size_t i = 0; i < bodies.grainCount; ++i) largest = std::max(largest, bodies.radius[i]);
    coarsest_ = 2 * largest + skin;
    period_ = domain.period();
    periodic_ = domain.periodic;
    for (int axis = 0; axis < 3; ++axis) origin_[axis] = periodic_[axis] ? domain.low[axis] : 0.0;
    for (int level = 0; level < maxLevels; ++level) {
        const double size = coarsest_ / static_cast<double>(1 << level);
        for (int axis = 0; axis < 3; ++axis) {
            const double cells = periodic_[axis] ? std::max(1.0, std::floor(period_[axis] / size)) : 0;
            cellCount_[level][axis] = static_cast<std::int64_t>(cells);
            cellSize_[level][axis] = periodic_[axis] ? period_[axis] / cells : size;
        }
        const auto isShort = [](std::int64_t cells) { return cells == 1 || cells == 2; };
        shortPeriod_[level] = std::any_of(cellCount_[level].begin(), cellCount_[level].end(), isShort);
    }
}

int CellGrid::levelOf(double radius) const {
    const double wanted = 2 * radius + skin_;
    int level = 0;
    for (double size = 0.5 * coarsest_; size >= wanted && level + 1 < maxLevels; size *= 0.5) ++level;
    return level;
}

bool CellGrid::isNearBorder(const Vec3& position, double reach) const {
    for (int axis = 0; axis < 3; ++axis) {
        const double fromLow = position[axis] - origin_[axis];
        if (periodic_[axis] && (fromLow < reach || period_[axis] - fromLow < reach)) return true;
    }
    return false;
}

CellGrid::Cell CellGrid::cellAt(const Vec3& position, int level) const {
    const Vec3& size = cellSize_[level];
    return {coordinate(position.x - origin_.x, size.x), coordinate(position.y - origin_.y, size.y),
            coordinate(position.z - origin_.z, size.z)};
}

std::int64_t CellGrid::wrapped(std::int64_t c, int axis, int level) const {
    const std::int64_t n = cellCount_[level][axis];
    return n == 0 ? c : c < 0 ? c + n : c >= n ? c - n : c;
}

// Coordinates are taken modulo 2^19: cells that far apart may share a key, which costs distance tests only.
std::uint64_t CellGrid::spread(std::int64_t c, int axis, int level) const {
    return spreadBits(static_cast<std::uint64_t>(wrapped(c, axis, level))) << axis;
}

std::uint64_t CellGrid::keyOf(const Cell& c, int level) const {
    return levelKey(level) | spread(c.x, 0, level) | spread(c.y, 1, level) | spread(c.z, 2, level);
}

void CellGrid::sortedOrder(const Bodies& bodies, std::vector<std::uint32_t>& order) {
    const std::size_t n = bodies.grainCount;
    keys_.resize(n);
    order.resize(n);
    parallelFor(n, [&](std::size_t i) {
        const int level = levelOf(bodies.radius[i]);
        keys_[i] = keyOf(cellAt(bodies.position[i], level), level);
        order[i] = static_cast<std::uint32_t>(i);
    });
    radixSort(keys_, order);
}

void CellGrid::indexCells() {
    occupiedLevels_ = 0;
    std::size_t cells = 0;
    for (std::size_t i = 0; i < keys_.size(); ++i) cells += i == 0 || keys_[i] != keys_[i - 1];
    std::size_t capacity = 16;
    while (capacity < 2 * cells) capacity *= 2;
    tableKeys_.assign(capacity, emptyKey);
    tableRanges_.resize(capacity);
    for (std::size_t begin = 0; begin < keys_.size();) {
        std::size_t end = begin;
        while (end < keys_.size() && keys_[end] == keys_[begin]) ++end;
        std::size_t slot = scramble(keys_[begin]) & (capacity - 1);
        while (tableKeys_[slot] != emptyKey) slot = (slot + 1) & (capacity - 1);
        tableKeys_[slot] = keys_[begin];
        tableRanges_[slot] = {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
        occupiedLevels_ |= 1u << (keys_[begin] >> levelShift);
        begin = end;
    }
}

CellGrid::Range CellGrid::find(std::uint64_t key) const {
    const std::size_t mask = tableKeys_.size() - 1;
    for (std::size_t slot = scramble(key) & mask; tableKeys_[slot] != emptyKey; slot = (slot + 1) & mask) {
        if (tableKeys_[slot] == key) return tableRanges_[slot];
    }
    return {0, 0};
}

int CellGrid::neighbourKeys(const Vec3& position, double reach, int level, std::uint64_t* keys) const {
    const Cell low = cellAt(position - Vec3{reach, reach, reach}, level);
    const Cell high = cellAt(position + Vec3{reach, reach, reach}, level);
    int count = 0;
    for (std::int64_t z = low.z; z <= high.z; ++z) {
        const std::uint64_t keyZ = levelKey(level) | spread(z, 2, level);
        for (std::int64_t y = low.y; y <= high.y; ++y) {
            const std::uint64_t keyYZ = keyZ | spread(y, 1, level);
            for (std::int64_t x = low.x; x <= high.x; ++x) keys[count++] = keyYZ | spread(x, 0, level);
        }
    }
    if (!shortPeriod_[level]) return count;
    std::sort(keys, keys + count);
    return static_cast<int>(std::unique(keys, keys + count) - keys);
}

}  // namespace talus
