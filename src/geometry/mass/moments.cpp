#include "geometry/mass/moments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

using std::numbers::pi;

Mat3 symmetric(const Vec3& a, const Vec3& b) { return outer(a, b) + outer(b, a); }

// Adds the points x + t u of a part of the core x and directions u from it, 0 < t < rounding, given the integrals over
// the part and its directions of 1, x, u, x x^T, x u^T + u x^T and u u^T. The element of volume is t^power dt.
struct Layer {
    double one = 0;
    Vec3 x, u;
    Mat3 xx, xu, uu;
    int power = 0;
};

void add(SolidMoments& m, const Layer& l, double rounding) {
    const double r1 = std::pow(rounding, l.power + 1) / (l.power + 1),
                 r2 = std::pow(rounding, l.power + 2) / (l.power + 2),
                 r3 = std::pow(rounding, l.power + 3) / (l.power + 3);
    m.volume += r1 * l.one;
    m.first += r1 * l.x + r2 * l.u;
    m.second += r1 * l.xx + r2 * l.xu + r3 * l.uu;
}

// ---- hulls

struct TriangleMoments {
    double area = 0;
    Vec3 first;
    Mat3 second;
};

TriangleMoments momentsOfTriangle(const Vec3& p, const Vec3& q, const Vec3& r) {
    TriangleMoments t;
    t.area = 0.5 * norm(cross(q - p, r - p));
    const Vec3 sum = p + q + r;
    t.first = t.area / 3 * sum;
    t.second = t.area / 12 * (outer(p, p) + outer(q, q) + outer(r, r) + outer(sum, sum));
    return t;
}

// The pyramid from the origin to a triangle at distance d: integrals over cross sections that shrink towards the tip.
void addPyramid(SolidMoments& m, const TriangleMoments& t, double d) {
    m.volume += d * t.area / 3;
    m.first += d / 4 * t.first;
    m.second += d / 5 * t.second;
}

void addFace(SolidMoments& m, const ConvexHull& hull, const ConvexHull::Face& face, double rounding) {
    for (std::size_t k = 2; k < face.corners.size(); ++k) {
        const TriangleMoments t = momentsOfTriangle(hull.corners[face.corners[0]], hull.corners[face.corners[k - 1]],
                                                    hull.corners[face.corners[k]]);
        addPyramid(m, t, face.distance);
        const Vec3& n = face.normal;
        add(m, {t.area, t.first, t.area * n, t.second, symmetric(t.first, n), t.area * outer(n, n), 0}, rounding);
    }
}

double angleBetween(const Vec3& a, const Vec3& b) { return std::atan2(norm(cross(a, b)), dot(a, b)); }

// Integrals over the unit vectors from p to q along the great circle.
struct Arc {
    double angle;
    Vec3 first;
    Mat3 second;
};
Arc arcBetween(const Vec3& p, const Vec3& q) {
    const double angle = angleBetween(p, q);
    if (angle < 1e-12) return {0, {}, {}};
    // Symmetric about the middle c, with the direction s along the arc.
    const Vec3 c = normalized(p + q), s = normalized(q - p);
    const double sine = std::sin(angle);
    return {angle, 2 * std::sin(0.5 * angle) * c,
            0.5 * (angle + sine) * outer(c, c) + 0.5 * (angle - sine) * outer(s, s)};
}

void addEdge(SolidMoments& m, const ConvexHull& hull, const ConvexHull::Edge& edge, double rounding) {
    const Vec3 &p = hull.corners[edge.from], &q = hull.corners[edge.to];
    const double length = norm(q - p);
    const Vec3 first = 0.5 * length * (p + q);
    const Mat3 second = length / 6 * (outer(p, p) + outer(q, q) + outer(p + q, p + q));
    const Arc arc = arcBetween(hull.faces[edge.left].normal, hull.faces[edge.right].normal);
    add(m,
        {arc.angle * length, arc.angle * first, length * arc.first, arc.angle * second, symmetric(first, arc.first),
         length * arc.second, 1},
        rounding);
}

// Solid angle of a spherical triangle (van Oosterom and Strackee).
double solidAngle(const Vec3& a, const Vec3& b, const Vec3& c) {
    return 2 * std::atan2(dot(a, cross(b, c)), 1 + dot(a, b) + dot(b, c) + dot(c, a));
}

// The normals of the faces around a corner bound a polygon on the unit sphere. With the outward normals v of its sides
// (in the sphere), the divergence theorem gives: integral of u = -1/2 sum (angle v), and
// integral of u u^T = 1/3 (solid angle I - sum (integral of u along the side) v^T).
void addCorner(SolidMoments& m, const Vec3& corner, std::span<const Vec3> normals, double rounding) {
    double angle = 0;
    Vec3 first;
    Mat3 second;
    for (std::size_t k = 0; k < normals.size(); ++k) {
        const Vec3 &p = normals[k], &q = normals[(k + 1) % normals.size()];
        if (k > 1) angle += solidAngle(normals[0], normals[k - 1], normals[k]);
        const Vec3 across = cross(q, p);
        const double sine = norm(across);
        if (sine < 1e-12) continue;
        const Vec3 side = across / sine;
        const Arc arc = arcBetween(p, q);
        first -= 0.5 * arc.angle * side;
        second += (-1.0 / 3) * outer(arc.first, side);
    }
    second += angle / 3 * identity3();
    add(m, {angle, angle * corner, first, angle * outer(corner, corner), symmetric(corner, first), second, 2},
        rounding);
}

// Faces around a corner against the clock, as their normals are seen from outside.
std::vector<Vec3> normalsAround(const ConvexHull& hull, std::uint32_t corner, std::uint32_t startFace) {
    std::vector<Vec3> normals;
    std::uint32_t face = startFace;
    do {
        const ConvexHull::Face& f = hull.faces[face];
        normals.push_back(f.normal);
        const auto at = std::size_t(std::find(f.corners.begin(), f.corners.end(), corner) - f.corners.begin());
        const std::size_t before = (at + f.corners.size() - 1) % f.corners.size();
        face = f.neighbour[before];
    } while (face != startFace && normals.size() <= hull.faces.size());
    return normals;
}

void addCorners(SolidMoments& m, const ConvexHull& hull, double rounding) {
    std::vector<char> done(hull.corners.size());
    for (std::uint32_t face = 0; face < hull.faces.size(); ++face) {
        for (const std::uint32_t corner : hull.faces[face].corners) {
            if (done[corner]) continue;
            done[corner] = 1;
            addCorner(m, hull.corners[corner], normalsAround(hull, corner, face), rounding);
        }
    }
}

// ---- solids of revolution

// Nodes and weights of Gauss and Legendre with 12 points for (-1, 1): exact to degree 23.
constexpr std::array<double, 6> gaussNode{0.1252334085114689154724, 0.3678314989981801937527, 0.5873179542866174472967,
                                          0.7699026741943046870369, 0.9041172563704748566785, 0.9815606342467192506906};
constexpr std::array<double, 6> gaussWeight{0.2491470458134027850006, 0.2334925365383548087608,
                                            0.2031674267230659217491, 0.1600783285433462263347,
                                            0.1069393259953184309603, 0.0471753363865118271946};

struct OnOutline {
    double r, z, dz;  // m, m, derivative of z
};

// Along a piece of the outline of the half plane (r, z), parameter from 0 to 1: discs of radius r.
template <class Curve>
void addOutline(SolidMoments& m, const Curve& curve) {
    for (std::size_t k = 0; k < 12; ++k) {
        const double node = k < 6 ? gaussNode[k] : -gaussNode[k - 6], weight = 0.5 * gaussWeight[k % 6];
        const OnOutline o = curve(0.5 * (1 + node));
        const double disc = pi * o.r * o.r * o.dz * weight;
        m.volume += disc;
        m.first.z += disc * o.z;
        const double quarter = 0.25 * disc * o.r * o.r;
        m.second += diagonal3({quarter, quarter, disc * o.z * o.z});
    }
}

void addLine(SolidMoments& m, double r0, double z0, double r1, double z1) {
    addOutline(m, [&](double t) { return OnOutline{r0 + t * (r1 - r0), z0 + t * (z1 - z0), z1 - z0}; });
}

// Arc about (r, z), angles from the r axis.
void addArc(SolidMoments& m, double r, double z, double radius, double from, double to) {
    addOutline(m, [&](double t) {
        const double angle = from + t * (to - from), c = radius * std::cos(angle);
        return OnOutline{r + c, z + radius * std::sin(angle), (to - from) * c};
    });
}

// ---- polygons

struct FlatMoments {
    double area = 0, x = 0, y = 0, xx = 0, xy = 0, yy = 0;
};

void addFlat(FlatMoments& f, double weight, double x, double y) {
    f.x += weight * x, f.y += weight * y;
    f.xx += weight * x * x, f.xy += weight * x * y, f.yy += weight * y * y;
}

// The triangle of the origin and an edge.
void addFlatTriangle(FlatMoments& f, double ax, double ay, double bx, double by) {
    const double area = 0.5 * (ax * by - ay * bx);
    f.area += area;
    f.x += area / 3 * (ax + bx), f.y += area / 3 * (ay + by);
    f.xx += area / 6 * (ax * ax + ax * bx + bx * bx), f.yy += area / 6 * (ay * ay + ay * by + by * by);
    f.xy += area / 12 * (2 * ax * ay + 2 * bx * by + ax * by + bx * ay);
}

// The strip of width `rounding` outside of an edge with the unit normal n: exact in two by two points of Gauss.
void addStrip(FlatMoments& f, double ax, double ay, double bx, double by, double nx, double ny, double rounding) {
    const double length = std::hypot(bx - ax, by - ay), node = 1 / std::sqrt(3.0);
    const double weight = 0.25 * length * rounding;
    f.area += length * rounding;
    for (const double s : {-node, node}) {
        for (const double t : {-node, node}) {
            const double along = 0.5 * (1 + s), off = 0.5 * (1 + t) * rounding;
            addFlat(f, weight, ax + along * (bx - ax) + off * nx, ay + along * (by - ay) + off * ny);
        }
    }
}

// The sector at a corner between the directions of two angles.
void addSector(FlatMoments& f, double cx, double cy, double from, double to, double rounding) {
    const double r2 = 0.5 * rounding * rounding, r3 = rounding * rounding * rounding / 3,
                 r4 = 0.25 * rounding * rounding * rounding * rounding;
    const double angle = to - from;
    const double c = std::sin(to) - std::sin(from), s = std::cos(from) - std::cos(to);
    const double cc = 0.5 * angle + 0.25 * (std::sin(2 * to) - std::sin(2 * from)), ss = angle - cc;
    const double cs = 0.5 * (std::sin(to) * std::sin(to) - std::sin(from) * std::sin(from));
    f.area += r2 * angle;
    f.x += r2 * angle * cx + r3 * c, f.y += r2 * angle * cy + r3 * s;
    f.xx += r2 * angle * cx * cx + 2 * r3 * cx * c + r4 * cc;
    f.yy += r2 * angle * cy * cy + 2 * r3 * cy * s + r4 * ss;
    f.xy += r2 * angle * cx * cy + r3 * (cx * s + cy * c) + r4 * cs;
}

FlatMoments flatMomentsOf(const PolygonShape& p) {
    FlatMoments f;
    const std::size_t n = p.corners.size();
    if (n == 1) {
        addSector(f, p.corners[0].x, p.corners[0].y, 0, 2 * pi, p.rounding);
        return f;
    }
    const auto normalAngle = [&](std::size_t k) {
        const auto &a = p.corners[k % n], &b = p.corners[(k + 1) % n];
        return std::atan2(a.x - b.x, b.y - a.y);
    };
    for (std::size_t k = 0; k < n; ++k) {
        const auto &a = p.corners[k], &b = p.corners[(k + 1) % n];
        const double angle = normalAngle(k), before = normalAngle(k + n - 1);
        addFlatTriangle(f, a.x, a.y, b.x, b.y);
        addStrip(f, a.x, a.y, b.x, b.y, std::cos(angle), std::sin(angle), p.rounding);
        addSector(f, a.x, a.y, before, angle < before ? angle + 2 * pi : angle, p.rounding);
    }
    return f;
}

}  // namespace

SolidMoments SolidMoments::about(const Vec3& o) const {
    SolidMoments m{volume, first - volume * o, second};
    m.second = second - symmetric(first, o) + volume * outer(o, o);
    return m;
}

SolidMoments momentsOf(const ConvexHull& hull, double rounding) {
    SolidMoments m;
    for (const ConvexHull::Face& face : hull.faces) addFace(m, hull, face, rounding);
    if (rounding == 0) return m;
    for (const ConvexHull::Edge& edge : hull.edges) addEdge(m, hull, edge, rounding);
    addCorners(m, hull, rounding);
    return m;
}

SolidMoments momentsOf(const ConeShape& c) {
    const double rise = c.high - c.low, slope = c.highRadius - c.lowRadius;
    const double lean = std::atan2(-slope, rise);  // of the normal of the side against the r axis
    const double nr = c.rounding * std::cos(lean), nz = c.rounding * std::sin(lean);
    SolidMoments m;
    addArc(m, c.lowRadius, c.low, c.rounding, -0.5 * pi, lean);
    addLine(m, c.lowRadius + nr, c.low + nz, c.highRadius + nr, c.high + nz);
    addArc(m, c.highRadius, c.high, c.rounding, lean, 0.5 * pi);
    return m;
}

SolidMoments momentsOf(const PolygonShape& polygon) {
    const FlatMoments f = flatMomentsOf(polygon);
    return {f.area, {f.x, f.y, 0}, {{f.xx, f.xy, 0, f.xy, f.yy, 0, 0, 0, f.area / 12}}};
}

}  // namespace talus
