#include "contacts/narrow/nurbs/distance_field.hpp"

#include <algorithm>
#include <cmath>

#include "base/matrix3.hpp"
#include "contacts/narrow/convex/core_distance.hpp"
#include "contacts/narrow/mesh/mesh_touches.hpp"
#include "contacts/narrow/point_distance.hpp"
#include "geometry/mesh/mesh.hpp"
#include "geometry/solids/support.hpp"

namespace talus {
namespace {

constexpr double straightBehind = 0.999;  // -, cosine between the way from an open mesh and its normal

Mat3 acrossOf(const Vec3& n) { return identity3() - outer(n, n); }

// From the bend of a surface to that of the surface at a distance from it: W (1 + d W)^-1.
Mat3 bendAtDistance(const Mat3& bend, double distance) {
    const Mat3 stretch = inverse(identity3() + distance * bend);
    const Mat3 result = bend * stretch;
    for (const double value : result.m) {
        if (!std::isfinite(value)) return {};
    }
    return result;
}

// As if the surface were a ball of its mean curvature there.
Mat3 roundBend(const Curvature& c, const Vec3& normal, double distance) {
    if (c.kind == Curvature::Kind::flat) return {};
    const double radius = c.kind == Curvature::Kind::sharp ? 0 : 1 / c.mean;
    return 1 / std::max(radius + distance, 1e-3 * std::abs(radius) + 1e-300) * acrossOf(normal);
}

}  // namespace

std::optional<FieldPoint> DistanceField::within(const Vec3& x, double limit) const {
    const FieldPoint point = at(x);
    return point.gap > limit ? std::nullopt : std::optional(point);
}

FieldPoint FaceField::at(const Vec3& x) const {
    const FaceDistance d = distanceToFace(wall_.wall(), face_, intoFrame(wall_.pose, x));
    FieldPoint p{.gap = d.distance, .normal = rotate(wall_.pose.orientation, d.normal), .bend = {}, .curvature = {}};
    if (d.curvature == 0) return p;
    p.curvature = {Curvature::Kind::round, d.curvature};
    // Round about the axis of the wall only.
    const Vec3 axis = rotate(wall_.pose.orientation, {0, 0, 1}), round = cross(axis, p.normal);
    const double fromAxis = 1 / std::abs(d.curvature) - d.distance;
    if (fromAxis > 0) p.bend = -1 / fromAxis * outer(round, round);
    return p;
}

FieldPoint SolidField::at(const Vec3& x) const {
    return std::holds_alternative<MeshShape>(*solid_.shape) ? fromMesh(x) : fromConvex(x);
}

std::optional<FieldPoint> SolidField::within(const Vec3& x, double limit) const {
    const double toBall = norm(x - solid_.pose.position) - solid_.scale * boundingRadius(*solid_.shape);
    return toBall > limit ? std::nullopt : DistanceField::within(x, limit);
}

FieldPoint SolidField::fromConvex(const Vec3& x) const {
    FieldPoint p;
    if (hasPointDistance(*solid_.shape)) {
        const PointDistance d = pointDistance(*solid_.shape, intoFrame(solid_.pose, x) / solid_.scale);
        p.gap = solid_.scale * (d.distance - roundingOf(*solid_.shape));
        p.normal = rotate(solid_.pose.orientation, d.normal);
        p.curvature = d.curvature;
        p.curvature.mean /= solid_.scale;
    } else {
        const Shape point = SphereShape{};
        const CoreDistance d = coreDistance(ConvexCore({&point, 0, {x, {}}}), ConvexCore(solid_), 1e300);
        p.gap = d.distance - solid_.scale * roundingOf(*solid_.shape);
        p.normal = d.normal;
        p.curvature = {Curvature::Kind::round, 1 / ball_};
    }
    p.bend = roundBend(p.curvature, p.normal, p.gap);
    return p;
}

FieldPoint SolidField::fromMesh(const Vec3& x) const {
    const TriangleMesh& mesh = *std::get<MeshShape>(*solid_.shape).mesh;
    const Vec3 local = intoFrame(solid_.pose, x) / solid_.scale;
    const NearestOnMesh near = nearestOnMesh(mesh, local, 2 * (norm(local) + mesh.radius));
    const Vec3 way = local - near.place.point, face = mesh.normals[near.triangle];
    const Vec3 outward = mesh.closed || dot(other_ - near.place.point, face) >= 0 ? face : -face;
    // Beside the rim of an open mesh nothing is behind it.
    const bool isBehind = dot(way, outward) < -straightBehind * near.distance;
    const double side = (mesh.closed ? isInside(mesh, local, near) : isBehind) ? -1 : 1;
    const bool onSurface = near.distance < 1e-12 * mesh.radius;
    FieldPoint p;
    p.gap = side * solid_.scale * near.distance;
    const bool isFace = onSurface || near.place.part == TrianglePart::face;
    p.normal = rotate(solid_.pose.orientation, isFace ? outward : side / near.distance * way);
    if (!isFace) p.curvature.kind = Curvature::Kind::sharp;
    p.bend = roundBend(p.curvature, p.normal, p.gap);
    return p;
}

FieldPoint SurfaceField::at(const Vec3& x) const {
    FieldPoint p;
    p.foot = surface_.body->tree.closestPoint(intoFrame(surface_.pose, x) / surface_.scale, last_);
    last_ = p.foot.cell;
    p.gap = surface_.scale * p.foot.gap;
    p.normal = rotate(surface_.pose.orientation, p.foot.normal);
    return p;
}

void SurfaceField::addBend(FieldPoint& p) const {
    // Columns are the images of the axes.
    const Mat3 turn = rotationMatrix(surface_.pose.orientation);
    const Mat3 bend = (1 / surface_.scale) * (turn * surface_.body->tree.bend(p.foot) * transpose(turn));
    p.bend = bendAtDistance(bend, p.gap);
    p.curvature = {Curvature::Kind::round, 0.5 * trace(bend)};
}

std::optional<FieldPoint> SurfaceField::within(const Vec3& x, double limit) const {
    if (isOutOfReach(intoFrame(surface_.pose, x) / surface_.scale, limit / surface_.scale)) return std::nullopt;
    return DistanceField::within(x, limit);
}

bool SurfaceField::isBeyond(const Vec3& x, double limit) const {
    const Vec3 local = intoFrame(surface_.pose, x) / surface_.scale;
    const double within = limit / surface_.scale;
    if (isOutOfReach(local, within)) return true;
    // Far from all of the surface is also what is deep inside.
    const SurfaceTree& tree = surface_.body->tree;
    if (leastDistanceTo(tree.boxes(), local, within) < within) return false;
    return tree.closestPoint(local, last_).gap > within;
}

}  // namespace talus
