#include "collision/narrow/core_distance.hpp"

#include <algorithm>
#include <cmath>

#include "collision/narrow/growing_polytope.hpp"

namespace talus {
namespace {

// Of the size: how well a distance is known.
constexpr double tolerance = 1e-12;
// Cores nearer than this part of their size are searched as if they overlapped.
constexpr double touching = 1e-7;
// Of the size: how well a depth is known.
constexpr double depthTolerance = 1e-11;
constexpr int mostIterations = 100;

CoreDistance apart(const Simplex& simplex, const Vec3& nearest, double distance) {
    CoreDistance result{distance, nearest / norm(nearest), {}, {}};
    for (int k = 0; k < simplex.count; ++k) {
        result.onA += simplex.weight[k] * simplex.points[k].a;
        result.onB += simplex.weight[k] * simplex.points[k].b;
    }
    return result;
}

Vec3 anyAcross(const Vec3& d) {
    const Vec3 axis = std::abs(d.x) <= std::abs(d.y) && std::abs(d.x) <= std::abs(d.z) ? Vec3{1, 0, 0}
                      : std::abs(d.y) <= std::abs(d.z)                                 ? Vec3{0, 1, 0}
                                                                                       : Vec3{0, 0, 1};
    return normalized(cross(d, axis));
}

// How far a point is from the point, line or plane through the points that are there.
double offsetFrom(const Simplex& s, const Vec3& w) {
    if (s.count == 1) return norm(w - s.points[0].w);
    const Vec3 edge = s.points[1].w - s.points[0].w, d = w - s.points[0].w;
    if (s.count == 2) return norm(cross(edge, d)) / norm(edge);
    return std::abs(dot(normalized(cross(edge, s.points[2].w - s.points[0].w)), d));
}

// The directions in which a simplex has no extent yet.
std::array<Vec3, 4> directionsAcross(const Simplex& s, const Vec3& fallback) {
    if (s.count <= 1) return {fallback, -fallback, anyAcross(fallback), -anyAcross(fallback)};
    const Vec3 edge = s.points[1].w - s.points[0].w;
    if (s.count == 2) {
        const Vec3 u = anyAcross(edge), v = normalized(cross(edge, u));
        return {u, v, -u, -v};
    }
    const Vec3 n = normalized(cross(edge, s.points[2].w - s.points[0].w));
    return {n, -n, n, -n};
}

// Adds points until there are four that span a volume. False if the difference body is flat.
bool fill(Simplex& s, const ConvexCore& a, const ConvexCore& b, double size) {
    while (s.count < 4) {
        DifferencePoint best;
        double offset = 1e-9 * size;
        bool found = false;
        for (const Vec3& d : directionsAcross(s, {0, 0, 1})) {
            const DifferencePoint p = differenceSupport(a, b, d);
            const double o = s.count == 0 ? size : offsetFrom(s, p.w);
            if (o > offset) best = p, offset = o, found = true;
        }
        if (!found) return false;
        s.points[s.count++] = best;
    }
    const Vec3& w = s.points[0].w;
    const double volume = dot(cross(s.points[1].w - w, s.points[2].w - w), s.points[3].w - w);
    return std::abs(volume) > 1e-18 * size * size * size;
}

// Leaves only points that span something: the first, and each that is off the plane, line or point of those before.
void dropDependent(Simplex& s, double size) {
    Simplex kept;
    for (int k = 0; k < s.count; ++k) {
        if (kept.count == 0 || offsetFrom(kept, s.points[k].w) > 1e-6 * size) kept.points[kept.count++] = s.points[k];
    }
    s = kept;
}

CoreDistance fromFace(const GrowingPolytope& polytope, int face, double reach) {
    const GrowingPolytope::Face& f = polytope.face(face);
    const DifferencePoint &p = polytope.point(f.corner[0]), &q = polytope.point(f.corner[1]),
                          &r = polytope.point(f.corner[2]);
    // Weights of the origin's foot, kept within the face.
    double wp = std::max(0.0, dot(f.normal, cross(q.w, r.w)));
    double wq = std::max(0.0, dot(f.normal, cross(r.w, p.w)));
    double wr = std::max(0.0, dot(f.normal, cross(p.w, q.w)));
    const double sum = wp + wq + wr;
    if (sum > 0) {
        wp /= sum, wq /= sum, wr /= sum;
    } else {
        wp = wq = wr = 1.0 / 3.0;
    }
    return {-reach, -f.normal, wp * p.a + wq * q.a + wr * r.a, wp * p.b + wq * q.b + wr * r.b};
}

// Crossing flat cores, such as two segments: the way out is along the normal of their plane, on the side of a.
CoreDistance flat(const Simplex& s, const ConvexCore& a, const ConvexCore& b) {
    Vec3 n = a.centre - b.centre;
    if (s.count == 3) n = normalized(cross(s.points[1].w - s.points[0].w, s.points[2].w - s.points[0].w));
    if (s.count == 2) n = anyAcross(s.points[1].w - s.points[0].w);
    if (dot(n, a.centre - b.centre) < 0) n = -n;
    if (norm(n) == 0) n = {0, 0, 1};
    n = normalized(n);
    const DifferencePoint p = differenceSupport(a, b, -n);
    return {dot(n, p.w), n, p.a, p.b};
}

CoreDistance overlapping(Simplex simplex, const ConvexCore& a, const ConvexCore& b, double size) {
    dropDependent(simplex, size);
    if (!fill(simplex, a, b, size)) return flat(simplex, a, b);
    thread_local GrowingPolytope polytope;  // large: made once
    polytope.beginWith(simplex.points);
    CoreDistance best{-1e300, {}, {}, {}};
    while (true) {
        const int nearest = polytope.nearestFace();
        const GrowingPolytope::Face f = polytope.face(nearest);
        if (!std::isfinite(f.distance)) return best.distance > -1e300 ? best : flat(simplex, a, b);
        const DifferencePoint p = differenceSupport(a, b, f.normal);
        const double reach = dot(f.normal, p.w);
        if (-reach > best.distance) best = fromFace(polytope, nearest, reach);
        if (reach - f.distance <= depthTolerance * size || !polytope.add(p, nearest)) return best;
    }
}

bool among(const Simplex& s, const Vec3& w) {
    for (int k = 0; k < s.count; ++k) {
        if (s.points[k].w == w) return true;
    }
    return false;
}

}  // namespace

CoreDistance coreDistance(const ConvexCore& a, const ConvexCore& b, double limit) {
    const double size = a.size + b.size;
    Vec3 v = a.centre - b.centre;
    if (norm(v) == 0) v = {0, 0, size};
    Simplex simplex, bestSimplex;
    Vec3 bestNearest;
    double best = -1e300;  // the greatest separation so far: at the end rounding errors turn v a little
    for (int iteration = 0; true; ++iteration) {
        const DifferencePoint p = differenceSupport(a, b, -v);
        const double length = norm(v), separation = dot(v, p.w) / length;
        if (separation > limit) return {separation, v / length, p.a, p.b};
        const bool first = simplex.count == 0;
        if (!first && separation > best) best = separation, bestNearest = v, bestSimplex = simplex;
        const bool closed = length - best <= tolerance * size || among(simplex, p.w);
        if (!first && (closed || iteration == mostIterations)) return apart(bestSimplex, bestNearest, best);
        Simplex next = simplex;
        next.points[next.count++] = p;
        const Simplex full = next;
        if (!next.reduce()) return overlapping(full, a, b, size);
        const Vec3 nearest = next.nearest();
        if (norm(nearest) <= touching * size) return overlapping(full, a, b, size);
        if (!first && norm(nearest) >= length) return apart(bestSimplex, bestNearest, best);
        simplex = next;
        v = nearest;
    }
}

}  // namespace talus
