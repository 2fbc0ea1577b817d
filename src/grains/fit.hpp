// Closed cubic B-splines that follow a traced outline within a tolerance.
//
// Least squares, with the parameter of each point moved to where the curve is nearest, and new knots in every span that
// is still too far away. The curve has continuous curvature but at corners, where a knot is repeated three times.
// Points that are unsure may be farther away: both errors together are the root of the sum of their squares.
#pragma once

#include <vector>

#include "talus/nurbs.hpp"

namespace talus {

struct FitSettings {
    double tolerance = 0.5;    // in the unit of the points
    double cornerAngle = 0.7;  // rad
};

struct CurveFit {
    NurbsDefinition curve;  // periodic, parameters from 0 to 1
    double largestError = 0, meanError = 0;
    double largestMiss = 0;  // of what is left of the errors if points are as far off as they may be
    int corners = 0;
    bool withinTolerance = false;
};

// The points run against the clock, about a pixel apart; `unsure` has one number per point.
CurveFit fitClosedCurve(const std::vector<Vec2>& points, const std::vector<double>& unsure,
                        const FitSettings& settings);

}  // namespace talus
