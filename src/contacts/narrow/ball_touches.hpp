// Whether a ball touches a body: for placing grains among bodies of other shapes, which bounding spheres would not
// leave room for (plates, hoppers).
#pragma once

#include "contacts/narrow/contact_points.hpp"

namespace talus {

// The body is no wall.
inline bool ballTouches(const Vec3& centre, double radius, const ShapeInPlace& body) {
    const Shape ball = SphereShape{};
    std::vector<ContactPoint> points;
    findContactPoints({&ball, radius, {centre, {}}}, body, 0, points);
    return !points.empty();
}

}  // namespace talus
