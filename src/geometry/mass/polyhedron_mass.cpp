#include "geometry/mass/polyhedron_mass.hpp"

#include <algorithm>

namespace talus {
namespace {

MassMoments tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c) {
    const double d = dot(a, cross(b, c));
    const Vec3 s = a + b + c;
    return {d / 6.0, d / 24.0 * s, d / 120.0 * (outer(a, a) + outer(b, b) + outer(c, c) + outer(s, s))};
}

}  // namespace

Vec3 middleOf(const std::vector<Vec3>& points) {
    if (points.empty()) return {};
    Vec3 low = points.front(), high = low;
    for (const Vec3& p : points) {
        for (int k = 0; k < 3; ++k) {
            low[k] = std::min(low[k], p[k]);
            high[k] = std::max(high[k], p[k]);
        }
    }
    return 0.5 * low + 0.5 * high;
}

MassMoments polyhedronMoments(const std::vector<Vec3>& corners, const std::vector<CornerTriple>& triangles,
                              const Vec3& about) {
    MassMoments sum;
    for (const CornerTriple& t : triangles) {
        sum += tetrahedron(corners[t[0]] - about, corners[t[1]] - about, corners[t[2]] - about);
    }
    return sum;
}

PrincipalFrame polyhedronFrame(const std::vector<Vec3>& corners, const std::vector<CornerTriple>& triangles) {
    const Vec3 middle = middleOf(corners);
    PrincipalFrame frame = principalFrame(polyhedronMoments(corners, triangles, middle));
    frame.pose.position += middle;
    return frame;
}

}  // namespace talus
