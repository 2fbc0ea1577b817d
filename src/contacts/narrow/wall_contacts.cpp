#include "contacts/narrow/wall_contacts.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "contacts/narrow/circle_maxima.hpp"
#include "contacts/narrow/convex/manifold.hpp"
#include "contacts/narrow/rim_contacts.hpp"
#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

// Calls visit(point, number) for the places of a core that can be lowest: corners and ends; of rims `visitRim`; of
// smooth solids `visitSmooth`. Points are in the frame of the shape.
template <class Visit, class VisitRim, class VisitSmooth>
struct Places {
    Visit visit;
    VisitRim visitRim;
    VisitSmooth visitSmooth;

    void operator()(const BoxShape& box) const {
        for (std::uint32_t k = 0; k < 8; ++k) {
            const Vec3 sign{k & 1u ? 1.0 : -1.0, k & 2u ? 1.0 : -1.0, k & 4u ? 1.0 : -1.0};
            visit(hadamard(sign, box.halfSize), k);
        }
    }
    void operator()(const CapsuleShape& capsule) const {
        visit(Vec3{0, 0, -capsule.halfLength}, 0u);
        visit(Vec3{0, 0, capsule.halfLength}, 1u);
    }
    template <class Round>
    requires requires(const Round& solid) { rimsOf(solid); }
    void operator()(const Round& solid) const {
        for (const Rim& rim : rimsOf(solid)) visitRim(rim);
    }
    void operator()(const PolygonShape& polygon) const {
        std::uint32_t number = 0;
        for (const auto& [x, y] : polygon.corners) visit(Vec3{x, y, 0}, number++);
    }
    void operator()(const HullShape& hull) const {
        std::uint32_t number = 0;
        for (const Vec3& corner : hull.hull->corners) visit(corner, number++);
    }
    void operator()(const SphereShape&) const { visitSmooth(); }
    void operator()(const EllipsoidShape&) const { visitSmooth(); }
    void operator()(const SuperquadricShape&) const { visitSmooth(); }
    template <SmoothSolid S>
    void operator()(const S&) const {
        visitSmooth();
    }
    template <NotOfKind<ShapeKind::convex> Other>
    void operator()(const Other&) const {
        ENGINE_CHECK(!"only convex solids have places");
    }
};

template <class Visit, class VisitRim, class VisitSmooth>
void forEachPlace(const Shape& shape, Visit visit, VisitRim visitRim, VisitSmooth visitSmooth) {
    std::visit(Places<Visit, VisitRim, VisitSmooth>{visit, visitRim, visitSmooth}, shape);
}

struct WallContact {
    const ConvexCore& core;
    double margin;
    PartNumber face;
    std::vector<ContactPoint>& points;

    // A point of the core, the wall's normal and the core's distance from the face there.
    void add(const Vec3& point, const Vec3& normal, double distance, double radius, PartNumber part) {
        const double gap = distance - core.rounding;
        if (!(gap < margin)) return;
        const Vec3 middle = point - (core.rounding + 0.5 * gap) * normal;
        points.push_back({middle, normal, gap, radius, featureOf(part, face)});
    }
};

double radiusAt(const ConvexCore& core, const Vec3& direction, const Vec3& point, double wallCurvature) {
    SupportingPart part;
    findSupportingPart(core, direction, point, part);
    if (wallCurvature == 0) return contactRadius(part.curvature, core.sized(), {}, {});
    // In a hollow nothing lies flat; what fits closely counts as having a tenth of the curvature of its ball.
    if (part.curvature.kind == Curvature::Kind::flat) part.curvature.kind = Curvature::Kind::sharp;
    const double own = 1 / contactRadius(part.curvature, core.sized(), {}, {});
    return 1 / std::max(own + wallCurvature, 0.1 * ballCurvature(core.sized()));
}

void addFlatFace(const ConvexCore& core, const Vec3& normal, double offset, const WallContact& contact) {
    const Vec3 lowest = core.support(-normal);
    if (!(dot(normal, lowest) - offset - core.rounding < contact.margin)) return;
    const double radius = radiusAt(core, -normal, lowest, 0);
    WallContact to = contact;
    const auto addPoint = [&](const Vec3& local, std::uint32_t number) {
        const Vec3 p = core.toWorld(local);
        to.add(p, normal, dot(normal, p) - offset, radius, cornerPart(number));
    };
    const auto addRim = [&](const Rim& rim) {
        const RimPoints round = rimPoints(rim, core.toLocal(-normal));
        const std::uint32_t count = rim.radius > 0 ? 8 : 1;
        for (std::uint32_t k = 0; k < count; ++k) addPoint(round.points[k], round.first + k);
    };
    const auto addSmooth = [&] { to.add(lowest, normal, dot(normal, lowest) - offset, radius, wholeSurface); };
    forEachPlace(*core.shape, addPoint, addRim, addSmooth);
}

// The inner side of a hollow cylinder. It ends where the cylinder is open; what holds a solid there is its rim.
struct Mantle {
    Vec3 centre;
    Mat3 axes;
    CylinderWall cylinder;

    bool isBeyond(const Vec3& p) const {
        const double z = transposeTimes(axes, p - centre).z;
        return std::abs(z) > cylinder.halfLength && cylinder.open[z < 0 ? 1 : 2];
    }
    Vec3 fromAxis(const Vec3& p) const {
        const Vec3 local = transposeTimes(axes, p - centre);
        return axes * Vec3{local.x, local.y, 0};
    }
};

void addMantle(const ConvexCore& core, const Mantle& mantle, WallContact to) {
    const auto addAt = [&](const Vec3& p, PartNumber number) {
        const Vec3 out = mantle.fromAxis(p);
        const double r = norm(out), radius = mantle.cylinder.radius;
        if (r == 0 || !(radius - r - core.rounding < to.margin) || mantle.isBeyond(p)) return;
        const Vec3 normal = out / -r;
        to.add(p, normal, radius - r, radiusAt(core, -normal, p, -1 / radius), number);
    };
    const auto addPoint = [&](const Vec3& local, std::uint32_t number) {
        addAt(core.toWorld(local), cornerPart(number));
    };
    const auto addRim = [&](const Rim& rim) {
        if (rim.radius == 0) return addPoint({0, 0, rim.z}, rim.first + 8);
        const auto pointAt = [&](double angle) {
            return core.toWorld({rim.radius * std::cos(angle), rim.radius * std::sin(angle), rim.z});
        };
        std::uint32_t number = rim.first + 8;
        forEachMaximum([&](double angle) { return normSquared(mantle.fromAxis(pointAt(angle))); },
                       [&](double angle) { addAt(pointAt(angle), cornerPart(number++)); });
    };
    const auto addSmooth = [&] {
        const auto directionAt = [&](double angle) { return mantle.axes * Vec3{std::cos(angle), std::sin(angle), 0}; };
        const auto reach = [&](double angle) {
            const Vec3 d = directionAt(angle);
            return dot(d, core.support(d) - mantle.centre);
        };
        PartNumber number = wholeSurface;
        forEachMaximum(reach, [&](double angle) { addAt(core.support(directionAt(angle)), number++); });
    };
    forEachPlace(*core.shape, addPoint, addRim, addSmooth);
}

}  // namespace

void findWallContacts(const ShapeInPlace& solid, const ShapeInPlace& wall, double margin,
                      std::vector<ContactPoint>& points) {
    const ConvexCore core(solid);
    const std::size_t before = points.size();
    const Vec3 local = rotateBack(wall.pose.orientation, solid.pose.position - wall.pose.position);
    forEachFace(*wall.shape, [&](int face) {
        const FaceDistance centre = distanceToFace(wall.wall(), face, local);
        if (centre.distance - core.size >= margin) return;
        const WallContact to{core, margin, facePart(std::uint32_t(face)), points};
        if (const auto cylinder = cylinderOf(wall.wall()); cylinder && face == 0) {
            return addMantle(core, {wall.pose.position, rotationMatrix(wall.pose.orientation), *cylinder}, to);
        }
        const Vec3 normal = rotate(wall.pose.orientation, centre.normal);
        addFlatFace(core, normal, dot(normal, solid.pose.position) - centre.distance, to);
    });
    findRimContacts(solid, wall, margin, points);
    std::sort(points.begin() + std::ptrdiff_t(before), points.end(),
              [](const ContactPoint& p, const ContactPoint& q) { return p.feature < q.feature; });
}

double distanceToWall(const WallNow& wall, const Pose& pose, const Vec3& point) {
    const Vec3 local = rotateBack(pose.orientation, point - pose.position);
    double least = std::numeric_limits<double>::infinity();
    forEachFace(*wall.shape, [&](int face) { least = std::min(least, distanceToFace(wall, face, local).distance); });
    return least;
}

double leastWallDistance(const ShapeInPlace& solid, const ShapeInPlace& wall) {
    const double least = distanceToWall(wall.wall(), wall.pose, solid.pose.position);
    return std::max(0.0, least - solid.scale * boundingRadius(*solid.shape));
}

}  // namespace talus
