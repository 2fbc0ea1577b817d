// Closed cubic B-splines that follow a traced outline within a tolerance.
//
// Least squares, with the parameter of each point moved to where the curve is nearest, and new knots in every span that
// is still too far away. The curve has continuous curvature but at corners, where a knot is repeated three times.
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
    int corners = 0;
    bool withinTolerance = false;
};

// Of points against the clock, about a pixel apart.
CurveFit fitClosedCurve(const std::vector<Vec2>& points, const FitSettings& settings);

}  // namespace talus
