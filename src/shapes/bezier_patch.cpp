#include "shapes/bezier_patch.hpp"

namespace talus {
namespace {

using Row = std::array<double, highestDegree + 1>;

// The Bernstein polynomials of a degree; of a negative one there are none.
Row bernstein(int degree, double t) {
    Row b{};
    if (degree < 0) return b;
    b[0] = 1;
    for (int n = 1; n <= degree; ++n) {
        double carried = 0;
        for (int k = 0; k < n; ++k) {
            const double value = b[static_cast<std::size_t>(k)];
            b[static_cast<std::size_t>(k)] = carried + (1 - t) * value;
            carried = t * value;
        }
        b[static_cast<std::size_t>(n)] = carried;
    }
    return b;
}

// Of the polynomials of a degree, from those of one degree less: n (B_{k-1} - B_k).
Row derivativeOf(const Row& lower, int degree) {
    Row d{};
    for (int k = 0; k <= degree; ++k) {
        const double before = k > 0 ? lower[static_cast<std::size_t>(k - 1)] : 0;
        const double here = k < degree ? lower[static_cast<std::size_t>(k)] : 0;
        d[static_cast<std::size_t>(k)] = degree * (before - here);
    }
    return d;
}

struct Bernstein {
    Row value, first, second;
};

Bernstein bernsteinAt(int degree, double t) {
    const Row lower = bernstein(degree - 1, t);
    return {bernstein(degree, t), derivativeOf(lower, degree),
            derivativeOf(derivativeOf(bernstein(degree - 2, t), degree - 1), degree)};
}

// The sum over a row of control points.
Homogeneous alongRow(const BezierPatch& patch, int j, const Row& weights) {
    Homogeneous sum;
    for (int i = 0; i <= patch.degreeU; ++i) sum += weights[static_cast<std::size_t>(i)] * patch.at(i, j);
    return sum;
}

}  // namespace

SurfacePoint evaluate(const BezierPatch& patch, double s, double t) {
    const Bernstein u = bernsteinAt(patch.degreeU, s), v = bernsteinAt(patch.degreeV, t);
    Homogeneous a, au, av, auu, auv, avv;
    for (int j = 0; j <= patch.degreeV; ++j) {
        const auto row = static_cast<std::size_t>(j);
        const Homogeneous value = alongRow(patch, j, u.value), slope = alongRow(patch, j, u.first);
        a += v.value[row] * value;
        av += v.first[row] * value;
        avv += v.second[row] * value;
        au += v.value[row] * slope;
        auv += v.first[row] * slope;
        auu += v.value[row] * alongRow(patch, j, u.second);
    }
    // Derivatives of the quotient S = A / w.
    SurfacePoint p;
    const double inverse = 1 / a.w;
    p.position = inverse * a.p;
    p.du = inverse * (au.p - au.w * p.position);
    p.dv = inverse * (av.p - av.w * p.position);
    p.duu = inverse * (auu.p - 2 * au.w * p.du - auu.w * p.position);
    p.dvv = inverse * (avv.p - 2 * av.w * p.dv - avv.w * p.position);
    p.duv = inverse * (auv.p - au.w * p.dv - av.w * p.du - auv.w * p.position);
    return p;
}

Vec3 positionAt(const BezierPatch& patch, double s, double t) {
    const Row u = bernstein(patch.degreeU, s), v = bernstein(patch.degreeV, t);
    Homogeneous a;
    for (int j = 0; j <= patch.degreeV; ++j) a += v[static_cast<std::size_t>(j)] * alongRow(patch, j, u);
    return a.point();
}

std::pair<BezierPatch, BezierPatch> halvesAlongU(const BezierPatch& patch) {
    BezierPatch low = patch, high = patch;
    low.endU = high.beginU = 0.5 * (patch.beginU + patch.endU);
    for (int j = 0; j <= patch.degreeV; ++j) {
        // De Casteljau: the first points of the rounds are those of the low half, what is left those of the high one.
        for (int round = 1; round <= patch.degreeU; ++round) {
            for (int i = 0; i <= patch.degreeU - round; ++i) high.at(i, j) = 0.5 * (high.at(i, j) + high.at(i + 1, j));
            low.at(round, j) = high.at(0, j);
        }
    }
    return {low, high};
}

std::pair<BezierPatch, BezierPatch> halvesAlongV(const BezierPatch& patch) {
    BezierPatch low = patch, high = patch;
    low.endV = high.beginV = 0.5 * (patch.beginV + patch.endV);
    for (int i = 0; i <= patch.degreeU; ++i) {
        for (int round = 1; round <= patch.degreeV; ++round) {
            for (int j = 0; j <= patch.degreeV - round; ++j) high.at(i, j) = 0.5 * (high.at(i, j) + high.at(i, j + 1));
            low.at(i, round) = high.at(i, 0);
        }
    }
    return {low, high};
}

}  // namespace talus
