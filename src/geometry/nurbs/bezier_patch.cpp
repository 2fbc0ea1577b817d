#include "geometry/nurbs/bezier_patch.hpp"

namespace talus {
namespace {

template <int degree>
using Row = std::array<double, static_cast<std::size_t>(degree) + 1>;

// The Bernstein polynomials of one degree more: those of a degree n are (1 - t) B_k + t B_{k-1} of n - 1.
template <int degree>
Row<degree> raised(const Row<degree - 1>& lower, double t) {
    Row<degree> b{};
    b[0] = (1 - t) * lower[0];
    for (std::size_t k = 1; k < degree; ++k) b[k] = t * lower[k - 1] + (1 - t) * lower[k];
    b[degree] = t * lower[degree - 1];
    return b;
}

// Their derivatives, from the polynomials of one degree less: n (B_{k-1} - B_k).
template <int degree>
Row<degree> derivativeOf(const Row<degree - 1>& lower) {
    Row<degree> d{};
    d[0] = -degree * lower[0];
    for (std::size_t k = 1; k < degree; ++k) d[k] = degree * (lower[k - 1] - lower[k]);
    d[degree] = degree * lower[degree - 1];
    return d;
}

template <int degree>
Row<degree> bernstein(double t) {
    if constexpr (degree == 0) {
        return {1};
    } else {
        return raised<degree>(bernstein<degree - 1>(t), t);
    }
}

template <int degree>
struct Bernstein {
    Row<degree> value, first, second{};

    explicit Bernstein(double t) {
        const Row<degree - 1> lower = bernstein<degree - 1>(t);
        value = raised<degree>(lower, t);
        first = derivativeOf<degree>(lower);
        if constexpr (degree > 1) second = derivativeOf<degree>(derivativeOf<degree - 1>(bernstein<degree - 2>(t)));
    }
};

// The point and the derivatives of the quotient S = A / w.
SurfacePoint quotient(const Homogeneous& a, const Homogeneous& au, const Homogeneous& av, const Homogeneous& auu,
                      const Homogeneous& auv, const Homogeneous& avv) {
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

// With degrees that the compiler knows all loops have a fixed length: contact search spends its time here.
template <int degreeU, int degreeV>
SurfacePoint evaluateFor(const BezierPatch& patch, double s, double t) {
    const Bernstein<degreeU> u(s);
    const Bernstein<degreeV> v(t);
    Homogeneous a, au, av, auu, auv, avv;
    for (std::size_t j = 0; j <= degreeV; ++j) {
        const Homogeneous* const row = &patch.control[j * (highestDegree + 1)];
        Homogeneous value, slope, bend;
        for (std::size_t i = 0; i <= degreeU; ++i) {
            value += u.value[i] * row[i];
            slope += u.first[i] * row[i];
            bend += u.second[i] * row[i];
        }
        a += v.value[j] * value;
        av += v.first[j] * value;
        avv += v.second[j] * value;
        au += v.value[j] * slope;
        auv += v.first[j] * slope;
        auu += v.value[j] * bend;
    }
    return quotient(a, au, av, auu, auv, avv);
}

template <int degreeU>
SurfacePoint evaluateFor(const BezierPatch& patch, double s, double t) {
    switch (patch.degreeV) {
        case 1:
            return evaluateFor<degreeU, 1>(patch, s, t);
        case 2:
            return evaluateFor<degreeU, 2>(patch, s, t);
        case 3:
            return evaluateFor<degreeU, 3>(patch, s, t);
        case 4:
            return evaluateFor<degreeU, 4>(patch, s, t);
        default:
            return evaluateFor<degreeU, 5>(patch, s, t);
    }
}

}  // namespace

SurfacePoint evaluate(const BezierPatch& patch, double s, double t) {
    switch (patch.degreeU) {
        case 1:
            return evaluateFor<1>(patch, s, t);
        case 2:
            return evaluateFor<2>(patch, s, t);
        case 3:
            return evaluateFor<3>(patch, s, t);
        case 4:
            return evaluateFor<4>(patch, s, t);
        default:
            return evaluateFor<5>(patch, s, t);
    }
}

Vec3 positionAt(const BezierPatch& patch, double s, double t) { return evaluate(patch, s, t).position; }

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
