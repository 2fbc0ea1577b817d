#include "measure/region.hpp"

#include <algorithm>
#include <limits>

namespace talus {

std::optional<int> planarAxis(const WorldState& world) {
    for (int axis = 0; axis < 3; ++axis) {
        if (world.linearFreedom[axis] == 0) return axis;
    }
    return std::nullopt;
}

double volumeOf(const MeasureBox& region) {
    const Vec3 edge = region.high - region.low;
    return edge.x * edge.y * edge.z;
}

MeasureBox inPlane(const MeasureBox& region, std::optional<int> planar) {
    MeasureBox result = region;
    if (planar) {
        result.low[*planar] = -std::numeric_limits<double>::infinity();
        result.high[*planar] = std::numeric_limits<double>::infinity();
    }
    return result;
}

double shareInside(const MeasureBox& region, const Vec3& a, const Vec3& b) {
    const Vec3 d = b - a;
    if (d == Vec3{}) return contains(region, a) ? 1.0 : 0.0;
    // Cut the line by one pair of faces after the other.
    double first = 0, last = 1;
    for (int axis = 0; axis < 3; ++axis) {
        if (d[axis] == 0) {
            if (a[axis] < region.low[axis] || a[axis] >= region.high[axis]) return 0;
            continue;
        }
        const double atLow = (region.low[axis] - a[axis]) / d[axis];
        const double atHigh = (region.high[axis] - a[axis]) / d[axis];
        first = std::max(first, std::min(atLow, atHigh));
        last = std::min(last, std::max(atLow, atHigh));
    }
    return std::max(0.0, last - first);
}

bool containsImage(const MeasureBox& region, const Domain& domain, const Vec3& point) {
    if (!domain.anyPeriodic()) return contains(region, point);
    bool found = false;
    forEachImage(domain, [&](const Vec3& shift) { found = found || contains(region, point + shift); });
    return found;
}

}  // namespace talus
