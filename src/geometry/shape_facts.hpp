// What every shape tells about itself beside its struct, so that nobody keeps a list of shapes.
//
// A shape without facts does not compile. Functions that differ from shape to shape are overloads that are visited;
// where one is for some kinds only, it says so by `ofKind`, and a shape of that kind without an overload does not
// compile either.
#pragma once

#include <string_view>

#include "talus/vec3.hpp"

namespace talus {

enum class ShapeKind {
    wall,      // bounds space, has faces and no mass of its own
    convex,    // a solid with a support function (geometry/solids/support.hpp)
    mesh,      // triangles, closed or not
    compound,  // of other solids
    outline,   // bounded by a curve, in planar scenes
    surface    // bounded by a NURBS surface
};

struct ShapeFacts {
    std::string_view name;  // in messages
    ShapeKind kind;
    int faces = 0;                  // of a wall
    bool isFlat = false;            // in planar scenes, of thickness 1 m
    bool hasPointDistance = false;  // of its core, in closed form (contacts/narrow/point_distance.hpp)
};

template <class S, ShapeKind kind>
concept OfKind = S::facts.kind == kind;
template <class S, ShapeKind kind>
concept NotOfKind = S::facts.kind != kind;

// Volume and principal moments of inertia for unit density, of scale 1; zero for walls and open meshes.
struct MassProperties {
    double volume = 0;  // m^3
    Vec3 inertia;       // m^5, about the centre, body frame
};

// A convex solid without edges and corners that tells the rest by its members. It needs no function elsewhere.
template <class S>
concept SmoothSolid = OfKind<S, ShapeKind::convex> && requires(const S& s, const Vec3& direction) {
    s.support(direction);        // Vec3, m: its farthest point in a direction of any length > 0
    s.meanCurvature(direction);  // double, 1/m: where this unit vector is the outward normal
    s.massProperties();          // MassProperties
    s.boundingRadius();          // double, m: of the ball about the origin that holds it
};

}  // namespace talus
