// Signed distance from a body at any point, with what Newton steps on it want to know.
//
// What contact search of NURBS surfaces knows of the other body: a wall face, a convex solid, a mesh, another surface.
// The distance changes by no more than the way one goes, so one value rules out a whole ball of points.
#pragma once

#include <memory>
#include <optional>

#include "contacts/narrow/contact_points.hpp"
#include "contacts/narrow/ellipsoid/curvature.hpp"
#include "geometry/nurbs/surface_body.hpp"

namespace talus {

struct FieldPoint {
    double gap = 0;       // m, negative inside
    Vec3 normal;          // unit, world frame, out of the body
    Mat3 bend;            // 1/m, second derivative of the gap in the world frame; may be a guess
    Curvature curvature;  // of the surface where it is nearest, 1/m
    SurfaceFoot foot;     // of NURBS surfaces alone: where that is, in their frame
};

// A NURBS body where it is.
struct PlacedSurface {
    const SurfaceBody* body = nullptr;
    double scale = 1;  // -
    Pose pose;
};

class DistanceField {
public:
    virtual ~DistanceField() = default;
    // Bend and curvature may be left out: addBend() makes up for it.
    virtual FieldPoint at(const Vec3& x) const = 0;
    virtual void addBend(FieldPoint&) const {}
    // As at(), unless the gap is larger than the limit, which is > 0.
    virtual std::optional<FieldPoint> within(const Vec3& x, double limit) const;
    // True if the gap is larger than the limit, which is > 0; false if it may be smaller.
    virtual bool isBeyond(const Vec3& x, double limit) const { return at(x).gap > limit; }
};

// One face of a wall.
class FaceField : public DistanceField {
public:
    FaceField(const ShapeInPlace& wall, int face) : wall_(wall), face_(face) {}
    FieldPoint at(const Vec3& x) const override;

private:
    const ShapeInPlace& wall_;
    int face_;
};

// A convex solid, or a mesh. An open mesh has no inside: it is solid behind its faces, as seen from the other body.
class SolidField : public DistanceField {
public:
    // ball: m, radius of the ball that the solid counts as where it has no curvature of its own (curvature.hpp).
    // other: m, where the other body is.
    SolidField(const ShapeInPlace& solid, double ball, const Vec3& other)
        : solid_(solid), ball_(ball), other_(intoFrame(solid.pose, other) / solid.scale) {}
    FieldPoint at(const Vec3& x) const override;
    std::optional<FieldPoint> within(const Vec3& x, double limit) const override;
    bool isBeyond(const Vec3& x, double limit) const override { return !within(x, limit); }

private:
    FieldPoint fromMesh(const Vec3& x) const;
    FieldPoint fromConvex(const Vec3& x) const;

    const ShapeInPlace& solid_;
    double ball_;
    Vec3 other_;  // in the frame of the solid at scale 1
};

class SurfaceField : public DistanceField {
public:
    explicit SurfaceField(const PlacedSurface& surface) : surface_(surface) {}
    FieldPoint at(const Vec3& x) const override;
    void addBend(FieldPoint& point) const override;
    std::optional<FieldPoint> within(const Vec3& x, double limit) const override;
    bool isBeyond(const Vec3& x, double limit) const override;

private:
    bool isOutOfReach(const Vec3& local, double within) const { return norm(local) - surface_.body->radius > within; }

    const PlacedSurface& surface_;
    mutable std::uint32_t last_ = SurfaceTree::noCell;  // a hint for the next search
};

}  // namespace talus
