#include "contacts/narrow/convex/core_distance.hpp"

#include <algorithm>
#include <cmath>

#include "contacts/narrow/convex/growing_polytope.hpp"

namespace talus {
namespace {

// How well a distance is known, as a part of the size.
constexpr double tolerance = 1e-12;
// Cores nearer than this part of their size are searched as if they overlapped.
constexpr double touching = 1e-7;
// How well a depth is known, as a part of the size.
constexpr double depthTolerance = 1e-11;
constexpr int mostIterations = 100;

CoreDistance apart(const Simplex& simplex, const Vec3& normal, double distance) {
    CoreDistance result{distance, normal, {}, {}};
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

// Where the origin's foot on a face is: shares of its corners, the least of which is negative if the foot is outside.
struct Foot {
    std::array<double, 3> share{};
    double least() const { return std::min({share[0], share[1], share[2]}); }
};
Foot footOn(const GrowingPolytope& polytope, const GrowingPolytope::Face& f) {
    const Vec3 &p = polytope.point(f.corner[0]).w, &q = polytope.point(f.corner[1]).w,
               &r = polytope.point(f.corner[2]).w;
    const double atP = dot(f.normal, cross(q, r)), atQ = dot(f.normal, cross(r, p)), atR = dot(f.normal, cross(p, q));
    const double area = dot(f.normal, cross(q - p, r - p));
    if (!(area > 0)) return {{-1, -1, -1}};
    return {{atP / area, atQ / area, atR / area}};
}

// The points of the cores that meet at the foot, which is kept within the face.
void placeOnFace(const GrowingPolytope& polytope, const GrowingPolytope::Face& f, const Foot& foot,
                 CoreDistance& found) {
    double sum = 0;
    found.onA = found.onB = Vec3{};
    for (std::size_t k = 0; k < 3; ++k) {
        const double share = foot.least() <= -1 ? 1.0 : std::max(0.0, foot.share[k]);
        const DifferencePoint& corner = polytope.point(f.corner[k]);
        found.onA += share * corner.a;
        found.onB += share * corner.b;
        sum += share;
    }
    found.onA = found.onA / sum;
    found.onB = found.onB / sum;
}

CoreDistance fromFace(const GrowingPolytope& polytope, int face, double reach) {
    const GrowingPolytope::Face& f = polytope.face(face);
    CoreDistance found{-reach, -f.normal, {}, {}};
    placeOnFace(polytope, f, footOn(polytope, f), found);
    return found;
}

// A flat side of A - B is several faces of the polytope, all of them nearest to the origin, and one of them has its
// foot.
void placeOnFlatSide(const GrowingPolytope& polytope, double slack, CoreDistance& found) {
    int best = -1;
    Foot foot{{-1, -1, -1}};
    for (int k = 0; k < polytope.faceCount(); ++k) {
        const GrowingPolytope::Face& f = polytope.face(k);
        const bool sameSide = f.alive && dot(f.normal, found.normal) < -1 + 1e-10;
        if (!sameSide || std::abs(f.distance + found.distance) > slack) continue;
        const Foot here = footOn(polytope, f);
        if (here.least() > foot.least()) best = k, foot = here;
    }
    if (best >= 0) placeOnFace(polytope, polytope.face(best), foot, found);
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
        // Where several are equally good the last counts, whose face is the smallest and has the foot.
        if (-reach > best.distance - depthTolerance * size) best = fromFace(polytope, nearest, reach);
        if (reach - f.distance <= depthTolerance * size || !polytope.add(p, nearest)) {
            placeOnFlatSide(polytope, 2 * depthTolerance * size, best);
            return best;
        }
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
    Simplex simplex;
    Vec3 normal;
    // The greatest separation so far, and its direction: at the end rounding errors turn v a little.
    double best = -1e300;
    for (int iteration = 0; true; ++iteration) {
        const DifferencePoint p = differenceSupport(a, b, -v);
        const double length = norm(v), separation = dot(v, p.w) / length;
        if (separation > limit) return {separation, v / length, p.a, p.b};
        const bool first = simplex.count == 0;
        if (!first && separation > best) best = separation, normal = v / length;
        const bool closed = length - best <= tolerance * size || among(simplex, p.w);
        if (!first && (closed || iteration == mostIterations)) return apart(simplex, normal, best);
        Simplex next = simplex;
        next.points[next.count++] = p;
        const Simplex full = next;
        if (!next.reduce()) return overlapping(full, a, b, size);
        const Vec3 nearest = next.nearest();
        if (norm(nearest) <= touching * size) return overlapping(full, a, b, size);
        if (!first && norm(nearest) >= length) return apart(simplex, normal, best);
        simplex = next;
        v = nearest;
    }
}

}  // namespace talus
