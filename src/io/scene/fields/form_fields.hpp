// Settings of the forms of solid bodies.
#pragma once

#include "io/scene/fields/space_fields.hpp"
#include "talus/body_forms.hpp"

namespace talus {

// --- forms ---------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<Sphere>{"shape", "sphere", "A sphere."};
template <>
inline constexpr Tag tagOf<Box>{"shape", "box", "A box, with round edges if wanted."};
template <>
inline constexpr Tag tagOf<Cylinder>{"shape", "cylinder", "A round cylinder, with round edges if wanted."};
template <>
inline constexpr Tag tagOf<Cone>{"shape", "cone", "A cone or its frustum; the origin is half way along its axis."};
template <>
inline constexpr Tag tagOf<Capsule>{"shape", "capsule", "A cylinder with half balls at its ends."};
template <>
inline constexpr Tag tagOf<Ellipsoid>{"shape", "ellipsoid", "An ellipsoid."};
template <>
inline constexpr Tag tagOf<Superquadric>{
    "shape", "superquadric",
    "(|x/a|^e + |y/b|^e)^(m/e) + |z/c|^m = 1: from ellipsoids (e = m = 2) to boxes with round edges (large) and "
    "spindles (1)."};
template <>
inline constexpr Tag tagOf<PolyEllipsoid>{
    "shape", "poly-ellipsoid",
    "Eight eighths of ellipsoids that meet smoothly: a grain that is blunt on one side and slender on the other."};
template <>
inline constexpr Tag tagOf<Hull>{"shape", "hull", "The smallest convex body around points."};
template <>
inline constexpr Tag tagOf<Mesh>{"shape", "mesh", "A body bounded by the triangles of an OBJ or STL file."};
template <>
inline constexpr Tag tagOf<Clump>{"shape", "clump", "Spheres that hold together, overlapping or not."};
template <>
inline constexpr Tag tagOf<Compound>{"shape", "compound", "Several solids that hold together."};
template <>
inline constexpr Tag tagOf<Surface>{
    "shape", "surface", "A body with a closed NURBS surface, convex or not, from a file or fitted to points."};
template <>
inline constexpr Tag tagOf<Disc>{"shape", "disc", "A disc of thickness 1 m, in planar scenes."};
template <>
inline constexpr Tag tagOf<Polygon>{"shape", "polygon", "A convex polygon of thickness 1 m, in planar scenes."};
template <>
inline constexpr Tag tagOf<Outline>{
    "shape", "outline", "The inside of a closed NURBS curve, convex or not, of thickness 1 m, in planar scenes."};

template <class V>
void roundingField(V& v, double& rounding, std::string_view description) {
    v({"rounding", description, unit::length, bounds::nonNegative}, rounding);
}

inline constexpr std::string_view roundingInside = "Radius of edges and corners; the outer size stays.";
inline constexpr std::string_view roundingOutside =
    "Radius of edges and corners; the body grows by it on all sides (the sum with a ball).";

template <class V>
void axisField(V& v, Vec3& axis) {
    v({"axis", "Direction of the axis before the body is turned, of any length.", unit::number}, axis);
}

template <class V>
void fields(V& v, Sphere& f) {
    v({"radius", "Radius.", unit::length, radiusRange, Need::required}, f.radius);
}

template <class V>
void fields(V& v, Box& f) {
    v({"size", "Outer edge lengths.", unit::length, lengthRange, Need::required}, f.size);
    roundingField(v, f.rounding, roundingInside);
}

template <class V>
void fields(V& v, Cylinder& f) {
    v({"radius", "Outer radius.", unit::length, radiusRange, Need::required}, f.radius);
    v({"length", "Outer length.", unit::length, lengthRange, Need::required}, f.length);
    axisField(v, f.axis);
    roundingField(v, f.rounding, roundingInside);
}

template <class V>
void fields(V& v, Cone& f) {
    v({"low_radius", "Radius at the low end of the axis; 0 for a tip.", unit::length, bounds::nonNegative,
       Need::required},
      f.lowRadius);
    v({"high_radius", "Radius at the high end of the axis; 0 for a tip.", unit::length, bounds::nonNegative,
       Need::required},
      f.highRadius);
    v({"length", "Length along the axis.", unit::length, lengthRange, Need::required}, f.length);
    axisField(v, f.axis);
    roundingField(v, f.rounding, roundingOutside);
}

template <class V>
void fields(V& v, Capsule& f) {
    v({"radius", "Radius.", unit::length, radiusRange, Need::required}, f.radius);
    v({"length", "Length of the axis, without the half balls.", unit::length, lengthRange, Need::required}, f.length);
    axisField(v, f.axis);
}

template <class V>
void fields(V& v, Ellipsoid& f) {
    v({"semi_axes", "Half its extent along x, y and z.", unit::length, radiusRange, Need::required}, f.semiAxes);
}

template <class V>
void fields(V& v, Superquadric& f) {
    constexpr Range exponents{.low = 1, .high = 100};
    v({"semi_axes", "Half its extent along x, y and z: a, b, c.", unit::length, radiusRange, Need::required},
      f.semiAxes);
    v({"equator", "Exponent e of the section at z = 0.", unit::number, exponents}, f.equator);
    v({"meridian", "Exponent m of the sections through the z axis.", unit::number, exponents}, f.meridian);
}

template <class V>
void fields(V& v, PolyEllipsoid& f) {
    v({"low_semi_axes", "Its extent to the negative side of x, y and z.", unit::length, radiusRange, Need::required},
      f.lowSemiAxes);
    v({"high_semi_axes", "Its extent to the positive side of x, y and z.", unit::length, radiusRange, Need::required},
      f.highSemiAxes);
}

inline constexpr Range scaleRange{.low = 1e-9, .high = 1e9};

template <class V>
void fields(V& v, Hull& f) {
    v({"points", "Points that it holds, at least four not in one plane; give this or file.", unit::length,
       coordinateRange},
      f.points);
    v({"file", "OBJ or STL file whose corners count, relative to the scene file; give this or points."}, f.file);
    v({"scale", "Length of one unit of the file.", unit::length, scaleRange}, f.scale);
    roundingField(v, f.rounding, roundingOutside);
}

template <class V>
void fields(V& v, Mesh& f) {
    v({"file", "The OBJ or STL file, relative to the scene file.", unit::number, bounds::anyValue, Need::required},
      f.file);
    v({"scale", "Length of one unit of the file.", unit::length, scaleRange}, f.scale);
    v({"surface",
       "Take just the triangles, which need not enclose anything: a wall that is held or moves as prescribed."},
      f.surface);
}

template <class V>
void fields(V& v, Clump& f) {
    v({"spheres", "Rows [x, y, z, radius].", unit::length, coordinateRange, Need::required}, f.spheres);
}

template <class V>
void fields(V& v, Surface& f) {
    v({"file", "JSON file of the surface, relative to the scene file; give this or points."}, f.file);
    v({"points",
       "File with rows x, y, z of points on a body that is star-shaped about their middle, relative to the scene file: "
       "a surface is fitted to them; give this or file."},
      f.points);
    v({"tolerance", "With points: the farthest that any of them may be from the surface.", unit::length,
       bounds::positive},
      f.tolerance);
    v({"scale", "Length of one unit of the file.", unit::length, scaleRange}, f.scale);
    v({"gap_tolerance",
       "How well the knots alone, from which contacts are sought, know a gap: finer finds smaller features, and takes "
       "longer; 0: 1 % of the radius of the ball of the same volume.",
       unit::length, bounds::nonNegative},
      f.gapTolerance);
}

template <class V>
void fields(V& v, Disc& f) {
    v({"radius", "Radius.", unit::length, radiusRange, Need::required}, f.radius);
}

template <class V>
void fields(V& v, Polygon& f) {
    v({"corners",
       "Rows of the two coordinates in the plane of the scene (x y, x z or y z), one after the other around.",
       unit::length, coordinateRange, Need::required},
      f.corners);
    roundingField(v, f.rounding, roundingOutside);
}

template <class V>
void fields(V& v, Outline& f) {
    v({"points",
       "Control points, rows of the two coordinates in the plane of the scene (x y, x z or y z), one after the other "
       "around; give this or file.",
       unit::length, coordinateRange},
      f.points);
    v({"degree", "Degree of the curve, 1 (a polygon) to 5.", unit::number, Range{.low = 1, .high = 5}}, f.degree);
    v({"knots", "Knots, one for each point and degree + 1 more. Without them the curve is smooth and closes by itself.",
       unit::number},
      f.knots);
    v({"weights", "Weight of each point; all 1 if left out.", unit::number, bounds::positive}, f.weights);
    v({"file",
       "File of grains (talus grains writes it) or of points (CSV), relative to the scene file; give this or points."},
      f.file);
    v({"grain",
       "Name of the grain in the file. Generated grains take every grain of the file, equally often, if it is left "
       "out."},
      f.grain);
    v({"scale", "Factor for all lengths of points or file.", unit::number, scaleRange}, f.scale);
    v({"gap_tolerance",
       "How well the knots alone, from which contacts are sought, know a gap, at the size of the form: finer finds "
       "smaller features, and takes longer; 0.4 % of the radius of the disc of the same area if neither this nor "
       "contact_knots is given.",
       unit::length, bounds::positive},
      f.gapTolerance);
    v({"contact_knots", "At most this many places of the curve look for contact; the gap tolerance follows from it.",
       unit::number, Range{.low = 8, .high = 100000}},
      f.contactKnots);
}

template <class V>
void fields(V& v, CompoundPart& p) {
    v.alternatives(p.form);
    v({"position", "Its origin in the frame of the compound.", unit::length, coordinateRange}, p.position);
    v({"rotation", "Its turn in the frame of the compound: axis times angle.", unit::angle}, p.rotation);
}

template <class V>
void fields(V& v, Compound& f) {
    v({"parts", "The parts, each with a shape, a position and a rotation.", unit::number, bounds::anyValue,
       Need::required},
      f.parts);
}

template <class V>
void fields(V& v, GrainForm& f) {
    v.alternatives(f.form);
    v({"share", "Its share by number; any positive sum.", unit::number, bounds::nonNegative}, f.share);
}

}  // namespace talus
