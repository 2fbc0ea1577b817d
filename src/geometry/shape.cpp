#include "geometry/shape.hpp"

#include <algorithm>
#include <numbers>

#include "base/check.hpp"
#include "geometry/solids/compound.hpp"

namespace talus {
namespace {

template <NotOfKind<ShapeKind::wall> Solid>
FaceDistance distanceTo(const Solid&, int, const Vec3&) {
    ENGINE_CHECK(!"a solid has no wall faces");
    return {};
}

FaceDistance distanceTo(const PlaneWall&, int, const Vec3& p) { return {.distance = p.z, .normal = {0, 0, 1}}; }

FaceDistance distanceTo(const BoxWall& box, int face, const Vec3& p) {
    const int axis = face / 2;
    const double side = face % 2 == 0 ? -1.0 : 1.0;
    FaceDistance result;
    result.distance = box.halfSize[axis] - side * p[axis];
    result.normal[axis] = -side;
    return result;
}

// Beyond the open end of a mantle by this much along its axis: its flat face, or the rim. Laws take the rim for the
// mantle.
FaceDistance beyondMantle(const CylinderWall& ring, double fromAxis, const Vec3& inward, double beyond) {
    const Vec3 along{0, 0, std::copysign(1.0, beyond)};
    if (fromAxis >= ring.radius) return {.distance = std::abs(beyond), .normal = along};
    const double distance = std::hypot(ring.radius - fromAxis, beyond);
    const Vec3 normal = (ring.radius - fromAxis) / distance * inward + std::abs(beyond) / distance * along;
    return {.distance = distance, .normal = normal, .curvature = -1.0 / ring.radius};
}

FaceDistance distanceTo(const CylinderWall& cylinder, int face, const Vec3& p) {
    if (face > 0) {
        const double side = face == 1 ? -1.0 : 1.0;
        return {.distance = cylinder.halfLength - side * p.z, .normal = {0, 0, -side}};
    }
    const double fromAxis = std::hypot(p.x, p.y);
    const Vec3 inward = fromAxis > 0 ? Vec3{-p.x / fromAxis, -p.y / fromAxis, 0} : Vec3{1, 0, 0};
    const double beyond = std::abs(p.z) - cylinder.halfLength;
    if (cylinder.open[p.z < 0 ? 1 : 2]) {
        if (beyond > 0) return beyondMantle(cylinder, fromAxis, inward, std::copysign(beyond, p.z));
        // Behind the mantle, but nearer to the flat face at its end.
        const bool isNearEnd = cylinder.radius - fromAxis < beyond;
        if (isNearEnd) return {.distance = beyond, .normal = {0, 0, std::copysign(1.0, p.z)}};
    }
    return {.distance = cylinder.radius - fromAxis, .normal = inward, .curvature = -1.0 / cylinder.radius};
}

double axisTilt(const Pose& before, const Pose& after) {
    const Vec3 axis{0, 0, 1};
    return norm(rotate(after.orientation, axis) - rotate(before.orientation, axis));
}

bool touchesFirst(const PlaneWall&, const Vec3&) { return true; }
bool touchesFirst(const BoxWall&, const Vec3& normal) { return normal.x > 0.5; }
// The mantle or its rim; caps look along the axis.
bool touchesFirst(const CylinderWall& cylinder, const Vec3& normal) {
    return cylinder.isRing || std::abs(normal.z) < 1 - 1e-9;
}
template <NotOfKind<ShapeKind::wall> Solid>
bool touchesFirst(const Solid&, const Vec3& normal) {
    return std::abs(normal.z) < 0.5;
}

double displacement(const BoxWall&, const Pose& before, const Pose& after, double reach) {
    return norm(after.position - before.position) + rotationAngle(before.orientation, after.orientation) * reach;
}
// Planes and cylinders look the same after a turn about their own axis; a plane also after a slide along itself: with
// the new normal n', n'.(x - p') - n.(x - p) = (n' - n).(x - p) - n'.(p' - p), however far it slides.
double displacement(const PlaneWall&, const Pose& before, const Pose& after, double reach) {
    const Vec3 normal = rotate(after.orientation, {0, 0, 1});
    return std::abs(dot(after.position - before.position, normal)) + axisTilt(before, after) * reach;
}
double displacement(const CylinderWall&, const Pose& before, const Pose& after, double reach) {
    return norm(after.position - before.position) + axisTilt(before, after) * reach;
}
template <NotOfKind<ShapeKind::wall> Solid>
double displacement(const Solid&, const Pose&, const Pose&, double) {
    ENGINE_CHECK(!"a solid has no wall faces");
    return 0;
}

}  // namespace

bool isFlat(const Shape& shape) {
    if (factsOf(shape).isFlat) return true;
    const auto* compound = std::get_if<CompoundShape>(&shape);
    if (compound == nullptr) return false;
    const auto& parts = compound->parts->parts;
    return std::any_of(parts.begin(), parts.end(), [](const CompoundBody::Part& part) { return isFlat(part.shape); });
}

double rotationAngle(const Quat& a, const Quat& b) {
    const Quat change = conjugate(a) * b;
    return 2.0 * std::atan2(norm(Vec3{change.x, change.y, change.z}), std::abs(change.w));
}

std::string_view shapeName(const Shape& shape) {
    const auto* polygon = std::get_if<PolygonShape>(&shape);
    if (polygon != nullptr && isDisc(*polygon)) return "disc";
    return factsOf(shape).name;
}

bool isOpen(const Shape& wall, int face) {
    return std::visit(
        [&](const auto& w) {
            if constexpr (requires { w.open; }) return w.open[static_cast<std::size_t>(face)];
            return false;
        },
        wall);
}

bool isFirstFace(const Shape& wall, const Vec3& normal) {
    return std::visit([&](const auto& shape) { return touchesFirst(shape, normal); }, wall);
}

std::optional<CylinderWall> cylinderOf(const WallNow& wall) {
    const auto* made = std::get_if<CylinderWall>(wall.shape);
    if (made == nullptr) return std::nullopt;
    CylinderWall cylinder = *made;
    if (wall.radius != 0) cylinder.radius = wall.radius;
    return cylinder;
}

double reachOf(const WallNow& wall) {
    if (const auto* box = std::get_if<BoxWall>(wall.shape)) return norm(box->halfSize);
    const std::optional<CylinderWall> cylinder = cylinderOf(wall);
    return cylinder ? std::hypot(cylinder->radius, cylinder->halfLength) : 0.0;
}

FaceDistance distanceToFace(const WallNow& wall, int face, const Vec3& point) {
    if (const std::optional<CylinderWall> cylinder = cylinderOf(wall)) return distanceTo(*cylinder, face, point);
    return std::visit([&](const auto& shape) { return distanceTo(shape, face, point); }, *wall.shape);
}

double surfaceDisplacement(const Shape& wall, const Pose& before, const Pose& after, double reach) {
    return std::visit([&](const auto& shape) { return displacement(shape, before, after, reach); }, wall);
}

MassProperties massProperties(const Shape& shape, double scale) {
    const MassProperties unit = massProperties(shape);
    const double area = scale * scale, volume = area * scale;
    if (!isFlat(shape)) return {volume * unit.volume, (volume * area) * unit.inertia};
    // The thickness of flat bodies is 1 m at every scale: it adds volume/12 about the axes in the plane.
    const double thickness = unit.volume / 12;
    const Vec3 inPlane = area * area * (unit.inertia - Vec3{thickness, thickness, 0});
    return {area * unit.volume, inPlane + area * Vec3{thickness, thickness, 0}};
}

double equivalentRadius(const Shape& shape) {
    if (std::holds_alternative<SphereShape>(shape)) return 1;
    const double volume = massProperties(shape).volume;
    if (isFlat(shape)) return std::sqrt(volume / std::numbers::pi);
    return volume > 0 ? std::cbrt(0.75 * volume / std::numbers::pi) : boundingRadius(shape);
}

}  // namespace talus
