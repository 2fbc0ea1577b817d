#include "contacts/narrow/convex/convex_core.hpp"

#include <algorithm>

namespace talus {

ConvexCore::ConvexCore(const ShapeInPlace& body)
    : shape(body.shape),
      scale(body.scale),
      centre(body.pose.position),
      axes(rotationMatrix(body.pose.orientation)),
      rounding(body.scale * roundingOf(*body.shape)),
      size(body.scale * boundingRadius(*body.shape)) {}

ConvexCore::ConvexCore(std::span<const Vec3, 6> corners) : axes(identity3()), prism(corners) {
    for (const Vec3& corner : corners) centre += corner / 6.0;
    for (const Vec3& corner : corners) size = std::max(size, norm(corner - centre));
}

Vec3 ConvexCore::support(const Vec3& direction) const {
    if (shape != nullptr) return toWorld(supportPoint(*shape, toLocal(direction)));
    const auto farther = [&](const Vec3& a, const Vec3& b) { return dot(a, direction) < dot(b, direction); };
    return *std::max_element(prism.begin(), prism.end(), farther);
}

}  // namespace talus
