// Finds spheres near a point among many of any sizes, in periodic space too: for placing bodies without overlap.
//
// Spheres are kept in levels by size, a factor of two each, every level with cells as large as its largest sphere,
// hashed into buckets. So a search looks at few spheres even if sizes differ a thousandfold. Made for setting up a
// scene; the contact search of a run is in collision/.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "model/world.hpp"
#include "talus/vec3.hpp"

namespace talus {

class GrainGrid {
public:
    // period: edge lengths along periodic axes, infinity elsewhere (Domain::period()); low: where the first cell
    // starts.
    explicit GrainGrid(const Vec3& period, const Vec3& low = {});

    // The k-th sphere added has index k.
    void add(const Vec3& position, double radius);
    std::size_t size() const { return spheres_.size(); }

    struct Search {
        Vec3 position;
        double radius = 0;
        double smallest = 0;  // spheres much smaller than this may be left out
    };
    // Calls visit(index, overlap) for every sphere that overlaps this one, some perhaps twice; stops when visit
    // returns false. A negative radius asks who reaches that far around the point.
    template <class Visit>
    void forOverlapping(const Search& search, Visit&& visit) const;

    // True if a sphere here would overlap none of those added.
    bool isFree(const Vec3& position, double radius) const;

private:
    struct PlacedSphere {
        Vec3 position;
        double radius;
        std::uint32_t next;  // in its bucket
    };
    struct Level {
        int exponent = 0;         // radii in [2^exponent, 2^(exponent+1))
        Vec3 cell;                // m, a whole number of them along a periodic axis
        std::int64_t cells[3]{};  // that number; 0 along other axes
        std::uint32_t count = 0;
        std::vector<std::uint32_t> heads;  // power of two many
    };
    struct CellRange {
        std::int64_t low[3], high[3];
        double count() const;
    };

    static constexpr std::uint32_t none = 0xFFFFFFFF;

    Level& levelOf(double radius);
    void rehash(Level& level);
    // A bucket is the mix of one share per axis, so that a search computes few of them.
    static std::uint64_t bucketShare(const Level& level, int axis, std::int64_t cell);
    std::size_t bucketOf(const Level& level, const Vec3& position) const;
    std::int64_t cellAlong(const Level& level, int axis, double coordinate) const;
    CellRange cellsWithin(const Level& level, const Vec3& position, double reach) const;
    template <class Visit>
    bool visitBucket(std::size_t bucket, const Level& level, const Search& search, Visit& visit) const {
        for (std::uint32_t k = level.heads[bucket]; k != none; k = spheres_[k].next) {
            const double reach = spheres_[k].radius + search.radius;
            const double distanceSquared = normSquared(nearestImage(search.position - spheres_[k].position, period_));
            if (reach <= 0 || distanceSquared >= reach * reach) continue;
            if (!visit(k, reach - std::sqrt(distanceSquared))) return false;
        }
        return true;
    }

    Vec3 period_, low_;
    std::vector<PlacedSphere> spheres_;
    std::vector<Level> levels_;
};

inline std::uint64_t GrainGrid::bucketShare(const Level& level, int axis, std::int64_t cell) {
    constexpr std::uint64_t factors[3] = {0x9E3779B97F4A7C15u, 0xC2B2AE3D27D4EB4Fu, 0x165667B19E3779F9u};
    const std::int64_t cells = level.cells[axis];
    if (cells > 0 && (cell < 0 || cell >= cells)) cell = (cell % cells + cells) % cells;
    const std::uint64_t mixed = static_cast<std::uint64_t>(cell) * factors[axis];
    return mixed ^ (mixed >> 31);
}

template <class Visit>
void GrainGrid::forOverlapping(const Search& search, Visit&& visit) const {
    for (const Level& level : levels_) {
        const double largest = std::ldexp(1.0, level.exponent + 1);
        if (largest < search.smallest || search.radius + largest <= 0) continue;
        const CellRange cells = cellsWithin(level, search.position, search.radius + largest);
        if (cells.count() > level.count) {
            // A large sphere among small ones: looking at all of them is cheaper than at all cells.
            for (std::size_t bucket = 0; bucket < level.heads.size(); ++bucket) {
                if (!visitBucket(bucket, level, search, visit)) return;
            }
            continue;
        }
        // The cell of the point itself decides most searches that stop early.
        if (!visitBucket(bucketOf(level, search.position), level, search, visit)) return;
        const std::uint64_t mask = level.heads.size() - 1;
        for (std::int64_t i = cells.low[0]; i <= cells.high[0]; ++i) {
            const std::uint64_t x = bucketShare(level, 0, i);
            for (std::int64_t j = cells.low[1]; j <= cells.high[1]; ++j) {
                const std::uint64_t xy = x ^ bucketShare(level, 1, j);
                for (std::int64_t k = cells.low[2]; k <= cells.high[2]; ++k) {
                    if (!visitBucket((xy ^ bucketShare(level, 2, k)) & mask, level, search, visit)) return;
                }
            }
        }
    }
}

}  // namespace talus
