// Box-shaped regions in which things are measured, and how they see periodic and planar scenes.
//
// A region may reach over a periodic border by up to one period: every grain and contact is looked at together with
// its nearest images. In a planar scene the edge along the normal of the plane is only a thickness: what lies in the
// region is decided by the two other axes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/world.hpp"

namespace talus {

struct MeasureBox {
    std::string name;
    Vec3 low, high;                           // m
    std::vector<std::uint16_t> between = {};  // groups whose walls and plates cut it: walled_region.hpp
};

// The axis along which a planar scene does not move (0, 1, 2); empty in a scene of three dimensions.
std::optional<int> planarAxis(const WorldState& world);

double volumeOf(const MeasureBox& region);  // m^3

// The region as it decides what is inside: in a planar scene, endless along the normal of the plane.
MeasureBox inPlane(const MeasureBox& region, std::optional<int> planar);

// Half open, so that a point on the border of two neighbouring regions is in one of them only.
inline bool contains(const MeasureBox& region, const Vec3& p) {
    return p.x >= region.low.x && p.x < region.high.x && p.y >= region.low.y && p.y < region.high.y &&
           p.z >= region.low.z && p.z < region.high.z;
}

// Share (0 to 1) of the straight line from a to b that is inside the region; of a point if a = b.
double shareInside(const MeasureBox& region, const Vec3& a, const Vec3& b);

// Calls visit(shift) for the scene itself (zero shift) and for its neighbouring images.
template <class Visitor>
void forEachImage(const Domain& domain, Visitor&& visit) {
    const auto reach = [&](int axis) { return domain.periodic[axis] ? 1 : 0; };
    const Vec3 edge = domain.high - domain.low;
    for (int x = -reach(0); x <= reach(0); ++x) {
        for (int y = -reach(1); y <= reach(1); ++y) {
            for (int z = -reach(2); z <= reach(2); ++z) visit(hadamard(edge, Vec3{x * 1.0, y * 1.0, z * 1.0}));
        }
    }
}

// True if the point or one of its images is inside.
bool containsImage(const MeasureBox& region, const Domain& domain, const Vec3& point);

}  // namespace talus
