// Closed cubic B-spline surfaces that follow a cloud of points within a tolerance.
//
// For bodies that are star-shaped about the middle of the points: every ray from there meets the surface once, so
// longitude and latitude of the ray are the parameters u and v. Least squares in the control points, with a little
// smoothness asked for where points are few, on ever finer grids of knots until no point is farther from the surface
// than the tolerance. At each pole the first two rows of control points share a plane, so that the surface is smooth
// there: P_i = pole + a cos(2 pi i / n) + b sin(2 pi i / n) with the vectors a and b among the unknowns.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "geometry/nurbs/nurbs_surface.hpp"

namespace talus {

struct SurfaceFit {
    SurfaceDefinition surface;
    double largestError = 0, meanError = 0;  // m, distances of the points from the surface
};

// Throws InputError that begins with `path` if there are too few points, if they leave a hole, are not those of a
// star-shaped body, or cannot be met within the tolerance (m).
SurfaceFit fitClosedSurface(const std::vector<Vec3>& points, double tolerance, std::string_view path = "points");

// Rows of x, y, z, separated by commas or blanks; a header line and lines that begin with # are left out. Times scale.
std::vector<Vec3> readPointCloud(const std::filesystem::path& file, double scale = 1);

// JSON; docs/surfaces.md has the format. Lengths of the file times scale.
SurfaceDefinition readSurface(const std::filesystem::path& file, double scale = 1);

}  // namespace talus
