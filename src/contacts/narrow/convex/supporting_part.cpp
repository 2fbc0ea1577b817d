#include "contacts/narrow/convex/supporting_part.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.hpp"
#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

// Sines of angles: within the first a face or an edge is across a direction; within the second a rim is as good as
// parallel to what it stands on; from the third on it has a lowest point that can be told from the others.
constexpr double across = 0.15, parallel = 1e-3, tilted = 1e-4;

Curvature roundedEdge(double rounding) {
    if (rounding == 0) return {Curvature::Kind::sharp};
    return {Curvature::Kind::round, 0.5 / rounding};
}
Curvature roundedCorner(double rounding) {
    if (rounding == 0) return {Curvature::Kind::sharp};
    return {Curvature::Kind::round, 1 / rounding};
}

// Finds the part of one shape; u is the direction in its frame.
struct PartFinder {
    const ConvexCore& core;
    const Vec3& found;
    const Vec3 u;
    SupportingPart& part;

    void add(const Vec3& local, std::uint32_t number) { part.add(core.toWorld(local), number); }
    void finishFace(std::uint32_t number, const Vec3& normal) {
        part.number = facePart(number);
        part.normal = core.axes * normal;
        part.curvature = {Curvature::Kind::flat};
    }
    void finishEdge() { part.curvature = roundedEdge(core.rounding); }
    void onlyPoint(const Vec3& world, PartNumber number, const Curvature& curvature) {
        part.count = 1;
        part.points[0] = world;
        part.number = number;
        part.curvature = curvature;
    }
    void onlyCorner(const Vec3& local, std::uint32_t number) {
        onlyPoint(core.toWorld(local), cornerPart(number), roundedCorner(core.rounding));
    }

    void operator()(const SphereShape&) {
        onlyPoint(core.centre, wholeSurface, {Curvature::Kind::round, 1 / core.rounding});
    }
    void operator()(const CapsuleShape& c) {
        if (std::abs(u.z) > across) {
            const bool high = u.z > 0;
            return onlyCorner({0, 0, high ? c.halfLength : -c.halfLength}, high);
        }
        add({0, 0, -c.halfLength}, 0);
        add({0, 0, c.halfLength}, 1);
        finishEdge();
    }
    void operator()(const EllipsoidShape& e) {
        onlyPoint(found, wholeSurface, {Curvature::Kind::round, meanCurvature(e, u) / core.scale});
    }
    void operator()(const SuperquadricShape& s) {
        const Vec3 local = core.toLocal(found - core.centre) / core.scale;
        const double ball = core.scale * ballCurvature(core.sized());
        onlyPoint(found, wholeSurface, {Curvature::Kind::round, meanCurvature(s, local, ball) / core.scale});
    }

    void operator()(const BoxShape& b);
    void operator()(const CylinderShape& c) { revolution(rimsOf(c)); }
    void operator()(const ConeShape& c) { revolution(rimsOf(c)); }
    void operator()(const PolygonShape& p);
    void operator()(const HullShape& h);
    template <SmoothSolid S>
    void operator()(const S& s) {
        onlyPoint(found, wholeSurface, {Curvature::Kind::round, s.meanCurvature(u) / core.scale});
    }
    template <NotOfKind<ShapeKind::convex> Other>
    void operator()(const Other&) {
        ENGINE_CHECK(!"only convex solids have supporting parts");
    }

    void revolution(const std::array<Rim, 2>& rims);
    void cap(const Rim& rim, double side);
    void side(const std::array<Rim, 2>& rims, const Vec3& outward);
    void rimPoint(const Rim& rim, const Vec3& outward);
    void hullFace(const ConvexHull& hull, std::size_t face);
};

void PartFinder::operator()(const BoxShape& b) {
    // Axes that the direction does not decide span the part.
    std::array<int, 3> open{}, closed{};
    int openCount = 0, closedCount = 0;
    for (int k = 0; k < 3; ++k) (std::abs(u[k]) < across ? open[openCount++] : closed[closedCount++]) = k;
    Vec3 corner{std::copysign(b.halfSize.x, u.x), std::copysign(b.halfSize.y, u.y), std::copysign(b.halfSize.z, u.z)};
    const auto numberOf = [](const Vec3& c) { return std::uint32_t((c.x > 0) + 2 * (c.y > 0) + 4 * (c.z > 0)); };
    if (openCount == 0) return onlyCorner(corner, numberOf(corner));
    if (openCount == 1) {
        const int k = open[0];
        for (const double sign : {-1.0, 1.0}) {
            corner[k] = sign * b.halfSize[k];
            add(corner, numberOf(corner));
        }
        return finishEdge();
    }
    const int k = closed[0], i = (k + 1) % 3, j = (k + 2) % 3;
    const double side = std::copysign(1.0, u[k]);
    constexpr double turn[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    for (const auto& sign : turn) {
        corner[i] = side * sign[0] * b.halfSize[i];
        corner[j] = sign[1] * b.halfSize[j];
        add(corner, numberOf(corner));
    }
    Vec3 normal;
    normal[k] = side;
    finishFace(2 * k + (side > 0), normal);
}

void PartFinder::cap(const Rim& rim, double upward) {
    const RimPoints round = rimPoints(rim, u);
    for (int k = 0; k < 8; ++k) {
        const int m = upward > 0 ? k : 7 - k;
        add(round.points[m], round.first + m);
    }
    finishFace(upward > 0, {0, 0, upward});
    part.isCap = true;
    part.capCentre = core.toWorld({0, 0, rim.z});
}

void PartFinder::rimPoint(const Rim& rim, const Vec3& outward) {
    const double fromAxis = std::sqrt(u.x * u.x + u.y * u.y);
    Curvature curvature = roundedEdge(core.rounding);
    // The rounded rim is a part of a torus.
    if (core.rounding > 0) {
        curvature.mean += 0.5 * fromAxis / (core.scale * rim.radius + core.rounding * fromAxis);
    }
    const Vec3 local{rim.radius * outward.x, rim.radius * outward.y, rim.z};
    onlyPoint(core.toWorld(local), cornerPart(rim.first + 8), curvature);
}

void PartFinder::side(const std::array<Rim, 2>& rims, const Vec3& outward) {
    for (const Rim& rim : rims) add({rim.radius * outward.x, rim.radius * outward.y, rim.z}, rim.first + 8);
    const double radius = 0.5 * core.scale * (rims[0].radius + rims[1].radius);
    const double rise = rims[1].z - rims[0].z, slope = rims[1].radius - rims[0].radius;
    const double lean = rise / std::sqrt(rise * rise + slope * slope);
    part.curvature = {Curvature::Kind::round, 0.5 * lean / (radius + core.rounding * lean)};
}

void PartFinder::revolution(const std::array<Rim, 2>& rims) {
    const double fromAxis = std::sqrt(u.x * u.x + u.y * u.y);
    const Rim& end = rims[u.z > 0];
    if (fromAxis < across && end.radius > 0) return cap(end, u.z > 0 ? 1 : -1);
    const Vec3 outward = fromAxis > 0 ? Vec3{u.x / fromAxis, u.y / fromAxis, 0} : Vec3{1, 0, 0};
    // Along the side, in the plane of the axis and the direction.
    const double rise = rims[1].z - rims[0].z, slope = rims[1].radius - rims[0].radius;
    const double along = slope * fromAxis + rise * u.z;
    if (std::abs(along) < across * std::sqrt(rise * rise + slope * slope)) return side(rims, outward);
    rimPoint(rims[along > 0], outward);
}

void PartFinder::operator()(const PolygonShape& p) {
    const std::size_t n = p.corners.size();
    std::size_t best = 0;
    for (std::size_t k = 1; k < n; ++k) {
        const auto reach = [&](std::size_t m) { return p.corners[m].x * u.x + p.corners[m].y * u.y; };
        if (reach(k) > reach(best)) best = k;
    }
    // Takes that edge at the farthest corner that is more across the direction.
    std::size_t edge = n;
    double least = across;
    for (const std::size_t from : {(best + n - 1) % n, best}) {
        if (n < 2) break;
        const auto &a = p.corners[from], &b = p.corners[(from + 1) % n];
        const double ex = b.x - a.x, ey = b.y - a.y;
        const double along = std::abs(ex * u.x + ey * u.y) / std::hypot(ex, ey);
        if (along < least) least = along, edge = from;
    }
    const auto corner = [&](std::size_t k) { return Vec3{p.corners[k].x, p.corners[k].y, 0}; };
    if (edge == n) return onlyCorner(corner(best), std::uint32_t(best));
    add(corner(edge), std::uint32_t(edge));
    add(corner((edge + 1) % n), std::uint32_t((edge + 1) % n));
    part.curvature = {Curvature::Kind::flat};
}

// Faces of very many corners give evenly chosen ones.
void PartFinder::hullFace(const ConvexHull& hull, std::size_t face) {
    const auto& corners = hull.faces[face].corners;
    const std::size_t stride = (corners.size() + SupportingPart::mostPoints - 1) / SupportingPart::mostPoints;
    for (std::size_t k = 0; k < corners.size(); k += stride) add(hull.corners[corners[k]], corners[k]);
    finishFace(std::uint32_t(face), hull.faces[face].normal);
}

void PartFinder::operator()(const HullShape& h) {
    const ConvexHull& hull = *h.hull;
    std::size_t face = 0;
    for (std::size_t k = 1; k < hull.faces.size(); ++k) {
        if (dot(hull.faces[k].normal, u) > dot(hull.faces[face].normal, u)) face = k;
    }
    if (dot(hull.faces[face].normal, u) > std::sqrt(1 - across * across)) return hullFace(hull, face);
    const std::uint32_t corner = std::uint32_t(supportCorner(hull, u));
    std::uint32_t other = corner;
    double least = across;
    for (const std::uint32_t next : hull.around[corner]) {
        const double along = std::abs(dot(normalized(hull.corners[next] - hull.corners[corner]), u));
        if (along < least) least = along, other = next;
    }
    if (other == corner) return onlyCorner(hull.corners[corner], corner);
    add(hull.corners[std::min(corner, other)], std::min(corner, other));
    add(hull.corners[std::max(corner, other)], std::max(corner, other));
    finishEdge();
}

// The front of a prism is the triangle that the contact is with; its sides belong to the edges of the front.
void findPrismPart(const ConvexCore& core, const Vec3& direction, SupportingPart& part) {
    const auto& corners = core.prism;
    const Vec3 normal = normalized(cross(corners[1] - corners[0], corners[2] - corners[0]));
    if (dot(normal, direction) > std::sqrt(1 - across * across)) {
        for (std::uint32_t k = 0; k < 3; ++k) part.add(corners[k], k);
        part.number = facePart(0);
        part.normal = normal;
        return;
    }
    int best = 0;
    for (int k = 1; k < 3; ++k) {
        if (dot(corners[k], direction) > dot(corners[best], direction)) best = k;
    }
    int other = best;
    double least = across;
    for (const int next : {(best + 1) % 3, (best + 2) % 3}) {
        const double along = std::abs(dot(normalized(corners[next] - corners[best]), direction));
        if (along < least) least = along, other = next;
    }
    part.curvature = {Curvature::Kind::sharp};
    if (other == best) {
        part.add(corners[best], std::uint32_t(best));
        part.number = cornerPart(std::uint32_t(best));
    } else {
        for (const int k : {std::min(best, other), std::max(best, other)}) part.add(corners[k], std::uint32_t(k));
    }
}

// As a rim tilts, the nearest one of the points fixed to it goes to the lowest place. Its neighbour on that side comes
// as far to meet it: where the lowest place is half way between them both are there, and one takes over from the other
// without a jump.
void meetLowest(const Rim& rim, const Vec3& direction, double fromAxis, std::array<Vec3, 8>& points) {
    constexpr double spacing = std::numbers::pi / 4;
    const double lowest = std::atan2(direction.y, direction.x);
    const long nearest = std::lround(lowest / spacing);
    const double way = std::min(1.0, fromAxis / tilted) * (lowest - double(nearest) * spacing);
    const auto put = [&](long k, double further) {
        const double angle = double(k) * spacing + further;
        points[std::size_t(k + 8) % 8] = {rim.radius * std::cos(angle), rim.radius * std::sin(angle), rim.z};
    };
    put(nearest, way);
    put(way > 0 ? nearest + 1 : nearest - 1, -way);
}

}  // namespace

void SupportingPart::add(const Vec3& point, std::uint32_t cornerNumber) {
    points[count] = point;
    corner[count++] = cornerNumber;
}

std::array<Rim, 2> rimsOf(const CylinderShape& c) {
    return {Rim{c.radius, -c.halfLength, 0}, Rim{c.radius, c.halfLength, 16}};
}
std::array<Rim, 2> rimsOf(const ConeShape& c) { return {Rim{c.lowRadius, c.low, 0}, Rim{c.highRadius, c.high, 16}}; }

RimPoints rimPoints(const Rim& rim, const Vec3& direction) {
    const double fromAxis = std::sqrt(direction.x * direction.x + direction.y * direction.y);
    const bool fixed = fromAxis < parallel;
    double x = fixed ? rim.radius : rim.radius * direction.x / fromAxis;
    double y = fixed ? 0 : rim.radius * direction.y / fromAxis;
    RimPoints round{{}, fixed ? rim.first : rim.first + 8};
    const double half = std::sqrt(0.5);
    for (int k = 0; k < 8; k += 2) {
        round.points[k] = {x, y, rim.z};
        round.points[k + 1] = {half * (x - y), half * (x + y), rim.z};
        const double turned = x;
        x = -y;
        y = turned;
    }
    if (fixed && fromAxis > 0) meetLowest(rim, direction, fromAxis, round.points);
    return round;
}

void findSupportingPart(const ConvexCore& core, const Vec3& direction, const Vec3& found, SupportingPart& part) {
    part.count = 0;
    part.number = wholeSurface;
    part.isCap = false;
    part.curvature = {};
    if (core.shape == nullptr) return findPrismPart(core, direction, part);
    PartFinder finder{core, found, core.toLocal(direction), part};
    std::visit(finder, *core.shape);
}

}  // namespace talus
