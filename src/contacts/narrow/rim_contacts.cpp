#include "contacts/narrow/rim_contacts.hpp"

#include <memory>

#include "contacts/narrow/circle_maxima.hpp"
#include "contacts/narrow/convex/manifold.hpp"
#include "contacts/narrow/nurbs/distance_field.hpp"

namespace talus {
namespace {

void addRim(const DistanceField& solid, double radius, const Pose& wall, const Rim& rim, PartNumber end, double margin,
            std::vector<ContactPoint>& points) {
    const auto pointAt = [&](double angle) {
        return outOfFrame(wall, {rim.radius * std::cos(angle), rim.radius * std::sin(angle), rim.z});
    };
    std::uint32_t number = 0;
    const auto visit = [&](double angle) {
        const Vec3 onRim = pointAt(angle);
        const FieldPoint near = solid.at(onRim);
        if (!(near.gap < margin)) return;
        const Vec3 middle = onRim - (0.5 * near.gap) * near.normal;
        points.push_back({middle, -near.normal, near.gap, radius, featureOf(cornerPart(number++), end)});
    };
    forEachMaximum([&](double angle) { return -solid.at(pointAt(angle)).gap; }, visit);
}

}  // namespace

void findRimContacts(const ShapeInPlace& solid, const ShapeInPlace& wall, double margin,
                     std::vector<ContactPoint>& points) {
    const std::optional<CylinderWall> cylinder = cylinderOf(wall.wall());
    if (!cylinder || cylinder->open[0] || isFlat(*solid.shape)) return;
    const Vec3 centre = intoFrame(wall.pose, solid.pose.position);
    const double fromMantle = cylinder->radius - std::hypot(centre.x, centre.y);
    const double size = solid.scale * boundingRadius(*solid.shape);
    const double radius = solid.scale * equivalentRadius(*solid.shape);
    for (const int face : {1, 2}) {
        const double z = face == 1 ? -cylinder->halfLength : cylinder->halfLength;
        if (!isOpen(*wall.shape, face) || std::hypot(fromMantle, centre.z - z) - size >= margin) continue;
        const SolidField field(solid, radius, wall.pose.position);
        addRim(field, radius, wall.pose, {.radius = cylinder->radius, .z = z}, facePart(std::uint32_t(face)), margin,
               points);
    }
}

}  // namespace talus
