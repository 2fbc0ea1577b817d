#include "measure/walled_region.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/solids/support.hpp"

namespace talus {
namespace {

Vec3 unitAlong(int axis) {
    Vec3 unit;
    unit[axis] = 1;
    return unit;
}

int mainAxisOf(const Vec3& v) {
    const Vec3 size{std::abs(v.x), std::abs(v.y), std::abs(v.z)};
    if (size.x >= size.y && size.x >= size.z) return 0;
    return size.y >= size.z ? 1 : 2;
}

// A wall with its free side towards high, or towards low.
void raiseLow(MeasureBox& box, int axis, double place) { box.low[axis] = std::max(box.low[axis], place); }
void lowerHigh(MeasureBox& box, int axis, double place) { box.high[axis] = std::min(box.high[axis], place); }

void cutByPlane(const WorldState& world, std::size_t body, MeasureBox& box) {
    const Vec3 normal = rotate(world.bodies.orientation[body], {0, 0, 1});
    const int axis = mainAxisOf(normal);
    const double place = world.bodies.position[body][axis];
    if (normal[axis] > 0) {
        raiseLow(box, axis, place);
    } else {
        lowerHigh(box, axis, place);
    }
}

void cutByContainer(const WorldState& world, std::size_t body, const BoxWall& wall, MeasureBox& box) {
    const Vec3& centre = world.bodies.position[body];
    for (int axis = 0; axis < 3; ++axis) {
        const auto face = static_cast<std::size_t>(2 * axis);
        if (!wall.open[face]) raiseLow(box, axis, centre[axis] - wall.halfSize[axis]);
        if (!wall.open[face + 1]) lowerHigh(box, axis, centre[axis] + wall.halfSize[axis]);
    }
}

struct Interval {
    double low = 0, high = 0;  // m
    double length() const { return high - low; }
    double middle() const { return 0.5 * (low + high); }
};

// How far a convex solid reaches along an axis of the scene.
Interval extentAlong(const WorldState& world, std::size_t body, int axis) {
    const Bodies& b = world.bodies;
    const Shape& shape = world.shapes[b.shape[body]];
    const Vec3 up = rotateBack(b.orientation[body], unitAlong(axis));
    const double scale = scaleOf(world, body), rounding = roundingOf(shape), centre = b.position[body][axis];
    return {centre + scale * (dot(supportPoint(shape, -up), up) - rounding),
            centre + scale * (dot(supportPoint(shape, up), up) + rounding)};
}

// Mean position of the grains in the box, or its middle without any: what plates look at.
Vec3 middleOfGrains(const WorldState& world, const MeasureBox& given) {
    const Bodies& b = world.bodies;
    const MeasureBox box = inPlane(given, planarAxis(world));
    Vec3 sum;
    double count = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (isBoundary(b, i) || !contains(box, b.position[i])) continue;
        sum += b.position[i];
        ++count;
    }
    return count > 0 ? sum / count : 0.5 * (given.low + given.high);
}

void cutByPlate(const WorldState& world, std::size_t body, const Vec3& middle, MeasureBox& box) {
    const std::optional<int> planar = planarAxis(world);
    int thinnest = planar == 0 ? 1 : 0;
    Interval plate = extentAlong(world, body, thinnest);
    for (int axis = thinnest + 1; axis < 3; ++axis) {
        const Interval extent = extentAlong(world, body, axis);
        if (axis == planar || extent.length() >= plate.length()) continue;
        thinnest = axis;
        plate = extent;
    }
    if (plate.middle() < middle[thinnest]) {
        raiseLow(box, thinnest, plate.high);
    } else {
        lowerHigh(box, thinnest, plate.low);
    }
}

void cutBy(const WorldState& world, std::size_t body, const Vec3& middle, MeasureBox& box) {
    const Shape& shape = world.shapes[world.bodies.shape[body]];
    if (std::holds_alternative<PlaneWall>(shape)) return cutByPlane(world, body, box);
    if (const auto* container = std::get_if<BoxWall>(&shape)) return cutByContainer(world, body, *container, box);
    if (isConvexSolid(shape)) cutByPlate(world, body, middle, box);
}

}  // namespace

MeasureBox betweenWalls(const WorldState& world, const MeasureBox& region) {
    MeasureBox box = region;
    if (region.between.empty()) return box;
    const Bodies& b = world.bodies;
    const Vec3 middle = middleOfGrains(world, region);
    for (std::size_t i = 0; i < b.size(); ++i) {
        const bool bounds = std::find(region.between.begin(), region.between.end(), b.group[i]) != region.between.end();
        if (bounds && isBoundary(b, i)) cutBy(world, i, middle, box);
    }
    for (int axis = 0; axis < 3; ++axis) box.high[axis] = std::max(box.low[axis], box.high[axis]);
    return box;
}

}  // namespace talus
