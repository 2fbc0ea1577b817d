// Closed NURBS curves in the plane: evaluation, integrals, length, and the checks that make one the outline of a body.
//
// A curve is kept as written and, for all work, as one rational Bezier arc per span (bezier_arc.hpp): the control
// points of the arc over [a, b] are the blossom of the curve at a, ..., a, b, ..., b (L. Ramshaw, "Blossoming: a
// connect-the-dots approach to splines", 1987), which holds for any multiplicity of knots. Notation as in L. Piegl,
// W. Tiller, "The NURBS Book", 1997.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "geometry/nurbs/bezier_arc.hpp"
#include "talus/nurbs.hpp"

namespace talus {

// The degree + 1 basis functions that are not 0 at u, from basis function `first` on. u within the range of the curve.
struct BasisFunctions {
    std::size_t first = 0;
    std::array<double, highestDegree + 1> value{};
};
BasisFunctions basisFunctions(std::span<const double> knots, int degree, double u);

class NurbsCurve {
public:
    NurbsCurve() = default;
    // Throws InputError that names the field under `path` if this is not a closed curve. Whether it can be an outline
    // is for checkOutline.
    explicit NurbsCurve(NurbsDefinition definition, std::string_view path = "outline");

    const NurbsDefinition& definition() const { return definition_; }
    std::span<const BezierArc> arcs() const { return arcs_; }  // in order; those of no length are left out
    double begin() const { return begin_; }
    double end() const { return end_; }
    double size() const { return size_; }  // m, larger side of the box of the control points

    // The parameter of the same place within [begin, end).
    double wrap(double u) const;
    // Any parameter: the curve goes round. At knots the derivatives are those of the span that begins there.
    Vec2 at(double u) const;
    CurvePoint derivatives(double u) const;

    double length() const { return lengthAt_.back(); }  // m
    // Parameter of the place this far along the curve from begin(), in metres; goes round.
    double parameterAtLength(double length) const;

private:
    std::size_t arcAt(double u) const;

    NurbsDefinition definition_;
    std::vector<BezierArc> arcs_;
    std::vector<double> lengthAt_{0};  // m, along the curve at the end of each arc, after a 0
    double begin_ = 0, end_ = 0, size_ = 0;
};

// 1/m, positive where a curve that runs against the clock is convex.
double curvature(const CurvePoint& point);

// Parameters where the direction jumps, in order.
std::vector<double> corners(const NurbsCurve& curve);

// Integrals over the area that the curve goes round, for unit density. Negative if it runs with the clock.
struct AreaMoments {
    double area = 0;                // m^2
    Vec2 centroid;                  // m
    double xx = 0, yy = 0, xy = 0;  // m^4, of x^2, y^2, x y about the centroid
    double polar() const { return xx + yy; }
};
AreaMoments areaMoments(const NurbsCurve& curve);

// Throws InputError if the curve crosses or touches itself, folds back, runs with the clock or goes round no area.
void checkOutline(const NurbsCurve& curve, std::string_view path = "outline");

// The smooth closed curve with these control points, given once each, in either order around: knots are even. Weights,
// if there are any, one per point.
NurbsDefinition closedUniform(NurbsDefinition definition);

NurbsDefinition translated(NurbsDefinition definition, const Vec2& shift);
NurbsDefinition scaled(NurbsDefinition definition, double factor);

}  // namespace talus
