// Shapes that fill space, as plain data in their own frame.
//
// The centre of mass is the origin and the principal axes are the axes of the frame. Lengths are those of a body of
// scale 1 (ShapeInPlace). `rounding` is the radius of a ball that is added to the core (Minkowski sum): the lengths
// are those of the core.
#pragma once

#include <memory>
#include <vector>

#include "geometry/shape_facts.hpp"

namespace talus {

// A sphere of radius 1: the scale of a body is its radius.
struct SphereShape {
    static constexpr ShapeFacts facts{.name = "sphere", .kind = ShapeKind::convex, .hasPointDistance = true};
};

struct BoxShape {
    Vec3 halfSize;        // m
    double rounding = 0;  // m
    static constexpr ShapeFacts facts{.name = "box", .kind = ShapeKind::convex, .hasPointDistance = true};
};

// About the z axis.
struct CylinderShape {
    double radius = 0, halfLength = 0;  // m
    double rounding = 0;                // m
    static constexpr ShapeFacts facts{.name = "cylinder", .kind = ShapeKind::convex, .hasPointDistance = true};
};

// Frustum about the z axis between z = low and z = high; a cone if one radius is 0.
struct ConeShape {
    double lowRadius = 0, highRadius = 0;  // m
    double low = 0, high = 0;              // m
    double rounding = 0;                   // m
    static constexpr ShapeFacts facts{.name = "cone", .kind = ShapeKind::convex, .hasPointDistance = true};
};

// All points within `radius` of a segment of the z axis.
struct CapsuleShape {
    double radius = 0, halfLength = 0;  // m
    static constexpr ShapeFacts facts{.name = "capsule", .kind = ShapeKind::convex, .hasPointDistance = true};
};

struct EllipsoidShape {
    Vec3 semiAxes;  // m
    static constexpr ShapeFacts facts{.name = "ellipsoid", .kind = ShapeKind::convex, .hasPointDistance = true};
};

// (|x/a|^e + |y/b|^e)^(m/e) + |z/c|^m <= 1 with e the exponent of the equator and m that of the meridians, both >= 1
// (2, 2: an ellipsoid; large: a box).
struct SuperquadricShape {
    Vec3 semiAxes;  // m
    double equator = 2, meridian = 2;
    static constexpr ShapeFacts facts{.name = "superquadric", .kind = ShapeKind::convex};
};

// Convex, in the plane z = 0 of planar scenes, of thickness 1 m there; corners against the clock. One corner with a
// rounding is a disc, two are a stadium.
struct PolygonShape {
    struct Corner {
        double x, y;  // m
    };
    std::vector<Corner> corners;
    double rounding = 0;  // m
    static constexpr ShapeFacts facts{.name = "polygon", .kind = ShapeKind::convex, .isFlat = true};
};
inline bool isDisc(const PolygonShape& polygon) { return polygon.corners.size() == 1; }

struct ConvexHull;    // geometry/solids/hull.hpp
struct TriangleMesh;  // geometry/mesh/mesh.hpp
struct CompoundBody;  // geometry/solids/compound.hpp
struct OutlineBody;   // geometry/nurbs/outline.hpp
struct SurfaceBody;   // geometry/nurbs/surface_body.hpp

struct HullShape {
    std::shared_ptr<const ConvexHull> hull;
    double rounding = 0;  // m
    static constexpr ShapeFacts facts{.name = "hull", .kind = ShapeKind::convex, .hasPointDistance = true};
};

// A closed surface around a body, or an open one that only bounds space (fixed bodies and prescribed motions).
struct MeshShape {
    std::shared_ptr<const TriangleMesh> mesh;
    static constexpr ShapeFacts facts{.name = "mesh", .kind = ShapeKind::mesh};
};

struct CompoundShape {
    std::shared_ptr<const CompoundBody> parts;
    static constexpr ShapeFacts facts{.name = "compound", .kind = ShapeKind::compound};  // flat, if its parts are
};

// The inside of a curve in the plane z = 0 of planar scenes, 1 m thick there. The axes are those of the curve: planar
// bodies turn about z only.
struct OutlineShape {
    std::shared_ptr<const OutlineBody> outline;
    static constexpr ShapeFacts facts{.name = "outline", .kind = ShapeKind::outline, .isFlat = true};
};

// A body with a closed NURBS surface.
struct SurfaceShape {
    std::shared_ptr<const SurfaceBody> body;
    static constexpr ShapeFacts facts{.name = "surface", .kind = ShapeKind::surface};
};

}  // namespace talus
