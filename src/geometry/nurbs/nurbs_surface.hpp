// Closed NURBS surfaces around bodies: evaluation, moments, and the checks that make one the surface of a body.
//
//   S(u, v) = sum_ij N_i(u) M_j(v) w_ij P_ij / sum_ij N_i(u) M_j(v) w_ij
//
// One topology is known, that of a globe: u runs round an axis and v from the one pole to the other. Round the axis a
// surface closes as curves do (talus/nurbs.hpp): clamped, with the first column of points given again as the last, or
// periodic, with the first degree columns given again. At each end of v all points of the surface are one, the pole.
// The outward normal is that of dS/du x dS/dv: seen from outside, v goes up where u goes to the right. Knots repeated
// `degree` times make creases, a pole may be a tip. Handles (a ring) and several patches sewn together are not known.
//
// A surface is kept as written and, for all work, as one rational Bezier patch per pair of spans.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "geometry/mass/principal_axes.hpp"
#include "geometry/nurbs/bezier_patch.hpp"

namespace talus {

struct SurfaceDefinition {
    int degreeU = 3, degreeV = 3;  // 1 to 5
    std::size_t columns = 0;       // number of points along u
    std::vector<Vec3> points;      // m, row by row: first all of the first v
    std::vector<double> weights;   // -, > 0, one per point; empty: all 1
    std::vector<double> knotsU;    // -, never decreasing, columns + degreeU + 1 of them
    std::vector<double> knotsV;    // -, the same for rows

    std::size_t rows() const { return columns > 0 ? points.size() / columns : 0; }
};

class NurbsSurface {
public:
    NurbsSurface() = default;
    // Throws InputError that names the field under `path` if this is no closed surface. Whether it can bound a body is
    // for checkBody.
    explicit NurbsSurface(SurfaceDefinition definition, std::string_view path = "surface");

    const SurfaceDefinition& definition() const { return definition_; }
    std::span<const BezierPatch> patches() const { return patches_; }  // row by row
    double beginU() const { return spansU_.front(); }
    double endU() const { return spansU_.back(); }
    double beginV() const { return spansV_.front(); }
    double endV() const { return spansV_.back(); }
    double size() const { return size_; }  // m, largest side of the box of the control points

    // u goes round, v is within its range. At knots the derivatives are those of the span that begins there.
    SurfacePoint at(double u, double v) const;

private:
    void makePatches();
    void checkClosed(std::string_view path) const;
    void checkPole(int row, std::string_view path) const;

    SurfaceDefinition definition_;
    std::vector<double> spansU_, spansV_;  // ends of the spans
    std::vector<BezierPatch> patches_;
    double size_ = 0;
};

// Integrals over the body inside, to 1e-12 of a body of its size: the divergence theorem turns them into integrals over
// patches, which Gauss-Legendre rules of 10 x 10 points give, on ever smaller parts until they agree. Negative if the
// normal points inward.
MassMoments momentsOf(const NurbsSurface& surface);

// Throws InputError if the surface is inside out, holds no volume, folds back on itself or crosses itself. Crossings
// are sought between triangles that follow the surface to about a thousandth of its size; finer ones are not seen.
void checkBody(const NurbsSurface& surface, std::string_view path = "surface");

// Sees a surface from another frame, that of the pose.
SurfaceDefinition seenFrom(SurfaceDefinition definition, const Pose& pose);

}  // namespace talus
