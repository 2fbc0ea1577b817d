// The shapes a body can have, and what each can tell about itself.
//
// A shape is plain data in its own frame. Bodies have a scale, so that a million grains of different sizes share one
// shape. Solids (solids.hpp) fill space. Walls are unbounded or hollow: their bodies have no mass of their own and are
// made of faces; grains may be only on the inner side of a face. A new shape joins the variant; what else it needs, the
// compiler lists (geometry/shape_facts.hpp).
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "base/fields.hpp"
#include "geometry/solids/poly_ellipsoid.hpp"
#include "geometry/solids/solids.hpp"
#include "talus/vec3.hpp"

namespace talus {

// Half space z < 0 of the body frame is solid; grains live at z > 0.
struct PlaneWall {
    static constexpr ShapeFacts facts{.name = "plane", .kind = ShapeKind::wall, .faces = 1};
};

// Hollow box, centred on the body, grains inside. Faces: -x, +x, -y, +y, -z, +z; each can be left open.
struct BoxWall {
    Vec3 halfSize;  // m
    std::array<bool, 6> open{};
    static constexpr ShapeFacts facts{.name = "box-wall", .kind = ShapeKind::wall, .faces = 6};
};

// Hollow cylinder about the body's z axis, grains inside. Faces: mantle, -z cap, +z cap. Caps are unbounded; the mantle
// ends with the cylinder, and at an open end grains touch its rim and the flat face around that: what is outside of the
// mantle is solid as far as the cylinder is long. The radius is the one it is made with; a servo moves that of a wall,
// which is in its WallNow.
struct CylinderWall {
    double radius = 0, halfLength = 0;  // m
    std::array<bool, 3> open{};
    bool isRing = false;  // one of a sleeve, which presses inward at its rims, too
    static constexpr ShapeFacts facts{.name = "cylinder-wall", .kind = ShapeKind::wall, .faces = 3};
};

using Shape = std::variant<SphereShape, PlaneWall, BoxWall, CylinderWall, BoxShape, CylinderShape, ConeShape,
                           CapsuleShape, EllipsoidShape, SuperquadricShape, PolyEllipsoidShape, PolygonShape, HullShape,
                           MeshShape, CompoundShape, OutlineShape, SurfaceShape>;

inline const ShapeFacts& factsOf(const Shape& shape) {
    return std::visit([]<class S>(const S&) -> const ShapeFacts& { return S::facts; }, shape);
}
std::string_view shapeName(const Shape& shape);

// True for shapes that bound space rather than fill it.
inline bool isWall(const Shape& shape) { return factsOf(shape).kind == ShapeKind::wall; }

// True for bodies of planar scenes, which are 1 m thick: polygons, outlines and compounds of them.
bool isFlat(const Shape& shape);

// A wall's faces, numbered from 0; contact memory is kept per face.
inline int faceCount(const Shape& shape) { return factsOf(shape).faces; }
// True if this face was left out; grains pass where it would be.
bool isOpen(const Shape& wall, int face);

// True if a body that touches a wall with this normal (body frame, out of the wall) touches its first face.
bool isFirstFace(const Shape& wall, const Vec3& normal);

// A wall as it is now: its shape, which does not change, and what does.
struct WallNow {
    const Shape* shape = nullptr;
    double radius = 0;  // m, of the mantle of a hollow cylinder; 0: the one it was made with
};
// The hollow cylinder with the radius that it has now, if the wall is one.
std::optional<CylinderWall> cylinderOf(const WallNow& wall);

// m, from the origin of the wall to the farthest point of its surface; 0 for a plane, which has no end.
double reachOf(const WallNow& wall);

// Nearest point of one face to a point of the body frame.
struct FaceDistance {
    double distance = 0;   // m, positive on the free side
    Vec3 normal;           // unit, body frame, out of the wall towards the free side
    double curvature = 0;  // 1/m, of the wall surface: 0 flat, negative hollow
};
FaceDistance distanceToFace(const WallNow& wall, int face, const Vec3& point);

// How far any point of the wall that lies within `reach` of its origin moves towards a grain at most when the
// wall's pose changes; turning about an axis of symmetry moves nothing.
struct Pose {
    Vec3 position;
    Quat orientation;
    static constexpr auto fields() {
        return std::tuple{Field{"position", &Pose::position}, Field{"orientation", &Pose::orientation}};
    }
};
// rad, between two orientations.
double rotationAngle(const Quat& before, const Quat& after);
double surfaceDisplacement(const Shape& wall, const Pose& before, const Pose& after, double reach);

// For a body of scale 1.
MassProperties massProperties(const Shape& shape);

// For a body of another scale; polygons and outlines stay 1 m thick.
MassProperties massProperties(const Shape& shape, double scale);

// Radius of the smallest ball about the origin that holds the shape at scale 1; 0 for walls.
double boundingRadius(const Shape& shape);

// Radius of the ball of the same volume at scale 1: the radius of curvature that laws use where a surface has none of
// its own. Of polygons and outlines that of the disc of the same area, of open meshes the bounding radius.
double equivalentRadius(const Shape& shape);

}  // namespace talus
