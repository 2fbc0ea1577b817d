// The forms of solid bodies as a user gives them: lengths in m, each in a frame of its own.
//
// A body has its form at a position and turned (SolidBody in scene.hpp); generated grains take theirs from a list with
// shares (GrainForm). The origin of a form's frame is its centre where nothing else is said; corners, points and files
// bring their own. `rounding` gives edges and corners a radius: a box or cylinder keeps its outer size, a cone, hull or
// polygon grows by it on all sides. Forms compare as values. The same names as in scene files, in snake case there.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

// By components in their order: forms are keys of tables.
inline std::partial_ordering operator<=>(const Vec3& a, const Vec3& b) {
    if (const auto x = a.x <=> b.x; x != 0) return x;
    if (const auto y = a.y <=> b.y; y != 0) return y;
    return a.z <=> b.z;
}

struct Sphere {
    double radius = 0;  // m

    auto operator<=>(const Sphere&) const = default;
};

struct Box {
    Vec3 size;            // m, outer edges
    double rounding = 0;  // m

    auto operator<=>(const Box&) const = default;
};

struct Cylinder {
    double radius = 0, length = 0;  // m, outer
    Vec3 axis{0, 0, 1};             // any length
    double rounding = 0;            // m

    auto operator<=>(const Cylinder&) const = default;
};

// A cone or its frustum; the origin is half way along the axis.
struct Cone {
    double lowRadius = 0, highRadius = 0;  // m, at the low and the high end of the axis; one may be 0
    double length = 0;                     // m
    Vec3 axis{0, 0, 1};                    // any length
    double rounding = 0;                   // m, on all sides

    auto operator<=>(const Cone&) const = default;
};

// A cylinder with half balls at its ends.
struct Capsule {
    double radius = 0, length = 0;  // m; length without the half balls
    Vec3 axis{0, 0, 1};             // any length

    auto operator<=>(const Capsule&) const = default;
};

struct Ellipsoid {
    Vec3 semiAxes;  // m

    auto operator<=>(const Ellipsoid&) const = default;
};

// (|x/a|^e + |y/b|^e)^(m/e) + |z/c|^m = 1 with the exponents e of the equator and m of the meridians.
struct Superquadric {
    Vec3 semiAxes;  // m
    double equator = 2, meridian = 2;

    auto operator<=>(const Superquadric&) const = default;
};

// Eight eighths of ellipsoids that meet smoothly: blunt on one side and slender on the other, if wanted.
struct PolyEllipsoid {
    Vec3 lowSemiAxes, highSemiAxes;  // m, on the negative and the positive side of each axis

    auto operator<=>(const PolyEllipsoid&) const = default;
};

// The smallest convex body around points.
struct Hull {
    std::optional<std::vector<Vec3>> points;  // m; this or file
    std::optional<std::string> file;          // whose corners count; OBJ or STL, relative to the scene file
    double scale = 1;                         // m, one unit of the file
    double rounding = 0;                      // m, on all sides

    auto operator<=>(const Hull&) const = default;
};

// A body bounded by the triangles of a file; or with `surface` just these triangles, as a wall that is held or moves as
// prescribed.
struct Mesh {
    std::string file;  // OBJ or STL, relative to the scene file
    double scale = 1;  // m, one unit of the file
    bool surface = false;

    auto operator<=>(const Mesh&) const = default;
};

// Spheres that hold together, overlapping or not.
struct Clump {
    std::vector<std::array<double, 4>> spheres;  // m: x, y, z, radius

    auto operator<=>(const Clump&) const = default;
};

// A body with a closed NURBS surface, from a file or fitted to points.
struct Surface {
    std::optional<std::string> file;    // JSON, relative to the scene file; this or points
    std::optional<std::string> points;  // rows x, y, z of points on a star-shaped body, relative to the scene file
    std::optional<double> tolerance;    // m, with points: none may be farther from the surface
    double scale = 1;                   // m, one unit of the file
    double gapTolerance = 0;            // m, between knots of contact search; 0: 1 % of the radius

    auto operator<=>(const Surface&) const = default;
};

// Planar scenes: of thickness 1 m.
struct Disc {
    double radius = 0;  // m

    auto operator<=>(const Disc&) const = default;
};

// Planar scenes: convex, of thickness 1 m.
struct Polygon {
    std::vector<std::array<double, 2>> corners;  // m, in the two coordinates of the plane, in either order around
    double rounding = 0;                         // m, on all sides

    auto operator<=>(const Polygon&) const = default;
};

// Planar scenes: of thickness 1 m, inside of a closed NURBS curve, convex or not (nurbs.hpp). Without knots the points
// are the control points of a smooth closed curve (degree 1: the corners of a polygon), in either order around.
struct Outline {
    std::optional<std::vector<std::array<double, 2>>> points;  // m, in the two coordinates of the plane; this or file
    std::uint64_t degree = 3;
    std::vector<double> knots, weights;         // -
    std::optional<std::string> file;            // of grains (talus grains), relative to the scene file
    std::optional<std::string> grain;           // which of them; all, if generated grains take their form from it
    double scale = 1;                           // -, times the lengths of points or file
    std::optional<double> gapTolerance;         // m; this or contactKnots or neither
    std::optional<std::uint64_t> contactKnots;  // at most that many places of the curve look for contact

    auto operator<=>(const Outline&) const = default;
};

// The convex solids in space, and others. A new solid is named here, and is then a form of bodies, parts and grains.
template <class... Others>
using ConvexFormOr =
    std::variant<Sphere, Box, Cylinder, Cone, Capsule, Ellipsoid, Superquadric, PolyEllipsoid, Hull, Others...>;

using PartForm = ConvexFormOr<Disc, Polygon, Outline>;

struct CompoundPart {
    PartForm form;
    Vec3 position;  // m, of its origin in the frame of the compound
    Vec3 rotation;  // rad, axis times angle

    auto operator<=>(const CompoundPart&) const = default;
};

// Several solids that hold together.
struct Compound {
    std::vector<CompoundPart> parts;

    auto operator<=>(const Compound&) const = default;
};

using SolidForm = ConvexFormOr<Disc, Polygon, Outline, Clump, Compound, Surface>;

// Any form of a single body.
using BodyForm = ConvexFormOr<Mesh, Clump, Compound, Surface, Disc, Polygon, Outline>;

// One of the forms that generated grains have.
struct GrainForm {
    SolidForm form;
    double share = 1;  // by number; any positive sum
};

}  // namespace talus
