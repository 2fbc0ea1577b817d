#include "contacts/narrow/mesh/mesh_convex.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <tuple>

#include "contacts/narrow/convex/convex_core.hpp"
#include "contacts/narrow/convex/convex_pairs.hpp"
#include "contacts/narrow/convex/features.hpp"
#include "contacts/narrow/mesh/mesh_touches.hpp"
#include "geometry/mass/principal_axes.hpp"

namespace talus {
namespace {

using EdgeForm = TriangleMesh::EdgeForm;

constexpr double coneSlack = 0.01;    // rad, by which a normal at an edge may lean into a face
constexpr double samePlace = 1e-6;    // -, of the solid's radius: contacts nearer to each other are one
constexpr double wedgeDepth = 0.05;   // -, of the solid's radius: how deep it may be in the wedge of an edge
constexpr double onSurface = 1e-9;    // -, of the solid's radius: places nearer to the surface are on it
constexpr double beyondInward = 0.2;  // -, of the solid's radius: how far a contact may lie beyond an inward edge

const Shape planeShape = PlaneWall{};

Quat turnZTo(const Vec3& direction) {
    // The shortest turn; of opposite directions about x.
    if (direction.z < -1 + 1e-12) return {0, 1, 0, 0};
    return normalized(Quat{1 + direction.z, -direction.y, direction.x, 0});
}

// A contact with its name among the parts of the mesh: its own, and that of the smooth surface or line it is on.
struct NamedContact {
    ContactPoint point;
    std::uint32_t own, smooth;
    bool atJoint = false;  // where one piece of a straight edge ends and the next begins
};

BoundingBox boxOf(const ShapeInPlace& solid, double margin) {
    const ConvexCore core(solid);
    BoundingBox box;
    for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        box.low[k] = core.support(-axis)[k] - core.rounding - margin;
        box.high[k] = core.support(axis)[k] + core.rounding + margin;
    }
    return box;
}

// All in the frame of the mesh at scale 1. `ball`: the radius of the ball that the mesh counts as where it is sharp.
class ConvexOnMesh {
public:
    ConvexOnMesh(const ShapeInPlace& solid, const TriangleMesh& mesh, double ball, double margin)
        : solid_(solid),
          core_(solid),
          mesh_(mesh),
          ball_(ball),
          margin_(margin),
          radius_(solid.scale * boundingRadius(*solid.shape)),
          box_(boxOf(solid, margin)) {}

    void find(std::vector<NamedContact>& found) {
        thread_local std::vector<std::uint32_t> near;
        collectNear(near);
        addPatches(near, found);
        addEdges(near, found);
        if (std::none_of(found.begin(), found.end(), [](const NamedContact& c) { return c.point.gap < 0; })) {
            addShallowestWedge(found);
        }
        dropDoubles(found);
        dropBetween(found);
    }

private:
    // The triangles of a plane patch that are near, and which of its edges are inward as the solid sees them.
    struct Patch {
        std::span<const std::uint32_t> triangles;
        EdgeForm inward;
    };

    // Triangles near the solid, sorted by patch.
    void collectNear(std::vector<std::uint32_t>& near) const {
        near.clear();
        forEachItemIn(mesh_.tree, box_, [&](std::uint32_t t) {
            if (isNear(t)) near.push_back(t);
        });
        std::sort(near.begin(), near.end(), [&](std::uint32_t a, std::uint32_t b) { return comesBefore(a, b); });
    }

    bool isNear(std::uint32_t t) const {
        const auto& corners = mesh_.triangles[t];
        BoundingBox box = boxAround(mesh_.corners[corners[0]], 0);
        extend(box, mesh_.corners[corners[1]]);
        extend(box, mesh_.corners[corners[2]]);
        return overlap(box, box_);
    }

    bool comesBefore(std::uint32_t a, std::uint32_t b) const {
        return std::tie(mesh_.patch[a], a) < std::tie(mesh_.patch[b], b);
    }

    void addPatches(const std::vector<std::uint32_t>& near, std::vector<NamedContact>& found) const {
        for (std::size_t first = 0, end; first < near.size(); first = end) {
            end = first + 1;
            while (end < near.size() && mesh_.patch[near[end]] == mesh_.patch[near[first]]) ++end;
            addPatch({near.data() + first, end - first}, found);
        }
    }

    void addPatch(std::span<const std::uint32_t> triangles, std::vector<NamedContact>& found) const {
        const std::uint32_t t = triangles.front();
        const Vec3& origin = mesh_.corners[mesh_.triangles[t][0]];
        if (!faces(t)) return;
        const double height = dot(solid_.pose.position - origin, mesh_.normals[t]);
        const Patch patch{triangles, height < 0 ? EdgeForm::convex : EdgeForm::concave};
        const Vec3 normal = height < 0 ? -mesh_.normals[t] : mesh_.normals[t];
        thread_local std::vector<ContactPoint> points;
        points.clear();
        findContactPoints(solid_, {&planeShape, 1, {origin, turnZTo(normal)}}, margin_, points);
        for (ContactPoint& point : points) {
            point.normal = normal;
            const Vec3 foot = point.position - (0.5 * point.gap) * normal;
            if (!holds(patch, foot)) continue;
            if (point.gap < 0 && isNearerToAnother(patch, foot, foot + point.gap * normal, -point.gap)) continue;
            found.push_back(
                {point, partNumber(MeshPart::patch, mesh_.patch[t]), partNumber(MeshPart::surface, mesh_.surface[t])});
        }
    }

    // True if a point of the plane lies in the patch, or beyond an inward edge of it.
    bool holds(const Patch& patch, const Vec3& foot) const {
        double least = beyondInward * radius_;
        bool isHeld = false;
        for (const std::uint32_t t : patch.triangles) {
            const NearestOnTriangle near = nearestOnTriangle(mesh_, t, foot);
            const double distance = norm(foot - near.point);
            if (near.part == TrianglePart::face || distance <= samePlace * radius_) return true;
            if (distance >= least) continue;
            least = distance;
            isHeld = goesOnInward(t, near, foot);
        }
        return isHeld;
    }

    // True if a point of the plane beyond an edge or corner of a patch lies behind what adjoins there.
    bool goesOnInward(std::uint32_t t, const NearestOnTriangle& near, const Vec3& foot) const {
        bool isBehindAll = true;
        int others = 0;
        const auto look = [&](std::uint32_t other) {
            if (other == TriangleMesh::noTriangle || mesh_.patch[other] == mesh_.patch[t]) return;
            ++others;
            isBehindAll = isBehindAll && isBehind(other, foot);
        };
        if (near.part == TrianglePart::edge) {
            look(mesh_.neighbours[t][near.number]);
        } else {
            forEachAround(mesh_, t, near.number, look);
        }
        return others > 0 && isBehindAll;
    }

    // True if a triangle lies between the solid's origin and the point, as far as its plane says.
    bool isBehind(std::uint32_t t, const Vec3& point) const {
        const Vec3& origin = mesh_.corners[mesh_.triangles[t][0]];
        const double height = dot(solid_.pose.position - origin, mesh_.normals[t]);
        return faces(t) && (height < 0 ? -1 : 1) * dot(point - origin, mesh_.normals[t]) < 0;
    }

    // True if a point behind a patch, which has come in through it by the depth or past another part of the surface,
    // has done the latter. Open surfaces have no inside: there it may have come past the rim.
    bool isNearerToAnother(const Patch& patch, const Vec3& foot, const Vec3& point, double depth) const {
        const double within = depth * (1 - 1e-6) - onSurface * radius_;
        if (within <= 0) return false;
        if (!mesh_.closed && distanceToRim(patch, foot) < within) return true;
        bool isFound = false;
        forEachItemWithin(mesh_.tree, point, within, [&](std::uint32_t t) {
            if (isFound || !faces(t)) return;
            isFound = normSquared(point - nearestOnTriangle(mesh_, t, point).point) < within * within;
        });
        return isFound || (mesh_.closed && isOnOrOutside(point, 2 * depth));
    }

    // What is behind the plane of one face of a closed mesh may be in front of another, or on it.
    bool isOnOrOutside(const Vec3& point, double within) const {
        const NearestOnMesh near = nearestOnMesh(mesh_, point, within);
        if (near.triangle == TriangleMesh::noTriangle) return false;
        return near.distance <= onSurface * radius_ || !isInside(mesh_, point, near);
    }

    // True if the solid can have come from this side of a triangle.
    bool faces(std::uint32_t t) const {
        const Vec3& origin = mesh_.corners[mesh_.triangles[t][0]];
        return !mesh_.closed || dot(solid_.pose.position - origin, mesh_.normals[t]) >= 0;
    }

    // m, of a point of the patch from the edges over which a body can leave it.
    double distanceToRim(const Patch& patch, const Vec3& foot) const {
        double least = 1e300;
        for (const std::uint32_t t : patch.triangles) {
            for (const std::uint32_t e : mesh_.triangleEdges[t]) {
                const TriangleMesh::Edge& edge = mesh_.edges[e];
                if (edge.form == EdgeForm::flat || edge.form == patch.inward) continue;
                const Vec3 from = mesh_.corners[edge.from], way = mesh_.corners[edge.to] - from;
                const double place = std::clamp(dot(foot - from, way) / normSquared(way), 0.0, 1.0);
                least = std::min(least, norm(foot - from - place * way));
            }
        }
        return least;
    }

    // A contact of an edge that was found to be no way out past the faces beside it.
    struct Refused {
        std::uint32_t edge;
        NamedContact contact;
    };

    void addEdges(const std::vector<std::uint32_t>& near, std::vector<NamedContact>& found) const {
        refused_.clear();
        for (const std::uint32_t t : near) {
            for (const std::uint32_t e : mesh_.triangleEdges[t]) {
                const TriangleMesh::Edge& edge = mesh_.edges[e];
                if (!isRidge(mesh_, edge)) continue;
                // Once, by the triangle that comes first among those that are near.
                const std::uint32_t other = edge.left == t ? edge.right : edge.left;
                const bool isOthers = other != TriangleMesh::noTriangle && comesBefore(other, t) && isNear(other);
                if (!isOthers) addEdge(e, t, found);
            }
        }
    }

    void addEdge(std::uint32_t e, std::uint32_t t, std::vector<NamedContact>& found) const {
        const TriangleMesh::Edge& edge = mesh_.edges[e];
        const Vec3 &from = mesh_.corners[edge.from], &to = mesh_.corners[edge.to];
        const double length = norm(to - from);
        const Shape segment = CapsuleShape{0, 0.5 * length};
        thread_local std::vector<ContactPoint> points;
        points.clear();
        ConvexCore ridge({&segment, 1, {0.5 * (from + to), turnZTo((to - from) / length)}});
        ridge.ball = ball_;
        findConvexPairContacts(core_, ridge, {margin_}, points);
        for (const ContactPoint& point : points) {
            const std::uint32_t smooth = edge.line == TriangleMesh::noLine
                                             ? partNumber(MeshPart::surface, mesh_.surface[t])
                                             : partNumber(MeshPart::line, edge.line);
            const NamedContact contact{point, partNumber(MeshPart::edge, e), smooth, isJoint(edge, point)};
            if (leavesEdge(mesh_, edge, point.normal, coneSlack)) {
                found.push_back(contact);
            } else if (point.gap < -onSurface * radius_) {
                refused_.push_back({e, contact});
            }
        }
    }

    // Beside corners, or where a solid hangs over an edge, the shortest way out of an edge alone may not be one past
    // its faces, though the solid overlaps. Then the edge is taken as that of a wedge with these faces, so long that
    // there is no way out but past them.
    std::optional<NamedContact> onWedge(const Refused& refused) const {
        const TriangleMesh::Edge& edge = mesh_.edges[refused.edge];
        if (edge.right == TriangleMesh::noTriangle || edge.form != EdgeForm::convex) return std::nullopt;
        const Vec3 &from = mesh_.corners[edge.from], &to = mesh_.corners[edge.to];
        const double length = norm(to - from), size = 4 * radius_;
        const Vec3 along = (to - from) / length, low = from - size * along, high = to + size * along;
        const auto into = [&](std::uint32_t t) {
            Vec3 way;
            for (const std::uint32_t c : mesh_.triangles[t]) way += mesh_.corners[c] - from;
            return size * normalized(way - dot(way, along) * along);
        };
        const Vec3 left = into(edge.left), right = into(edge.right);
        const std::array<Vec3, 6> wedge{low, low + left, low + right, high, high + left, high + right};
        const CoreDistance way = coreDistance(core_, ConvexCore(std::span<const Vec3, 6>(wedge)), core_.rounding);
        NamedContact contact = refused.contact;
        contact.point.gap = way.distance - core_.rounding;
        contact.point.normal = way.normal;
        contact.point.position = 0.5 * (way.onA + way.onB - core_.rounding * way.normal);
        const double beyond = std::abs(dot(contact.point.position - 0.5 * (from + to), along)) - 0.5 * length;
        // Beyond a corner the wedge goes on where the mesh does not: it may be in the solid much deeper than the edge.
        const bool isSane = contact.point.gap < 0 && contact.point.gap > -wedgeDepth * radius_;
        return isSane && beyond <= -contact.point.gap ? std::optional(contact) : std::nullopt;
    }

    void addShallowestWedge(std::vector<NamedContact>& found) const {
        std::optional<NamedContact> best;
        for (const Refused& refused : refused_) {
            const std::optional<NamedContact> next = onWedge(refused);
            if (next && (!best || next->point.gap > best->point.gap)) best = next;
        }
        if (best) found.push_back(*best);
    }

    bool isJoint(const TriangleMesh::Edge& edge, const ContactPoint& point) const {
        const Vec3 place = point.position - (0.5 * point.gap) * point.normal;
        const auto isAt = [&](std::uint32_t corner) {
            return !mesh_.pointed[corner] && norm(place - mesh_.corners[corner]) < samePlace * radius_;
        };
        return isAt(edge.from) || isAt(edge.to);
    }

    // Ends of edges are shared, and a corner of the solid above an edge is seen by both: the deepest stays.
    void dropDoubles(std::vector<NamedContact>& found) const {
        std::stable_sort(found.begin(), found.end(),
                         [](const NamedContact& a, const NamedContact& b) { return a.point.gap < b.point.gap; });
        std::size_t kept = 0;
        for (const NamedContact& next : found) {
            const bool isDouble = std::any_of(found.begin(), found.begin() + kept, [&](const NamedContact& other) {
                return norm(other.point.position - next.point.position) < samePlace * radius_ &&
                       dot(other.point.normal, next.point.normal) > 0.5;
            });
            if (!isDouble) found[kept++] = next;
        }
        found.resize(kept);
    }

    // A straight edge in several pieces gives contacts where one ends and the next begins: those that lie between two
    // others, and no deeper, go.
    void dropBetween(std::vector<NamedContact>& found) const {
        const auto isBetween = [&](const NamedContact& c, const NamedContact& p, const NamedContact& q) {
            if (p.smooth != c.smooth || q.smooth != c.smooth) return false;
            const Vec3 way = q.point.position - p.point.position, part = c.point.position - p.point.position;
            const double place = dot(part, way) / normSquared(way);
            const double gap = p.point.gap + place * (q.point.gap - p.point.gap);
            return place > 0 && place < 1 && norm(part - place * way) < samePlace * radius_ &&
                   c.point.gap > gap - samePlace * radius_;
        };
        for (std::size_t k = found.size(); k-- > 0;) {
            bool isInner = false;
            for (std::size_t i = 0; i < found.size() && found[k].atJoint; ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    isInner = isInner || (i != k && j != k && isBetween(found[k], found[i], found[j]));
                }
            }
            if (isInner) found.erase(found.begin() + static_cast<std::ptrdiff_t>(k));
        }
    }

    const ShapeInPlace solid_;
    const ConvexCore core_;
    const TriangleMesh& mesh_;
    double ball_, margin_, radius_;                     // m
    static thread_local std::vector<Refused> refused_;  // kept from pair to pair: no memory is asked for in a step
    BoundingBox box_;                                   // that holds the solid and the margin about it
};

thread_local std::vector<ConvexOnMesh::Refused> ConvexOnMesh::refused_;

// The part of the solid, with that of the mesh: the smooth one if the solid's part touches it only once.
void nameContacts(std::vector<NamedContact>& found) {
    const auto solidPart = [](const NamedContact& c) { return c.point.feature >> 32; };
    thread_local std::vector<std::uint64_t> names;
    names.clear();
    for (const NamedContact& c : found) {
        const auto isRival = [&](const NamedContact& other) {
            return other.smooth == c.smooth && solidPart(other) == solidPart(c);
        };
        const bool isAlone = std::count_if(found.begin(), found.end(), isRival) == 1;
        names.push_back(isAlone ? joinedFeature(solidPart(c), c.smooth) : joinedFeature(c.point.feature, c.own));
    }
    for (std::size_t k = 0; k < found.size(); ++k) found[k].point.feature = names[k];
}

}  // namespace

void findConvexMeshContacts(const ShapeInPlace& solid, const ShapeInPlace& mesh, double margin,
                            std::vector<ContactPoint>& points) {
    thread_local std::vector<NamedContact> found;
    found.clear();
    const Pose pose{intoFrame(mesh.pose, solid.pose.position) / mesh.scale,
                    conjugate(mesh.pose.orientation) * solid.pose.orientation};
    const ShapeInPlace local{solid.shape, solid.scale / mesh.scale, pose};
    const TriangleMesh& surface = *std::get<MeshShape>(*mesh.shape).mesh;
    ConvexOnMesh(local, surface, equivalentRadius(*mesh.shape), margin / mesh.scale).find(found);
    nameContacts(found);
    const std::size_t start = points.size();
    for (const NamedContact& c : found) {
        ContactPoint point = c.point;
        point.position = outOfFrame(mesh.pose, mesh.scale * c.point.position);
        point.normal = rotate(mesh.pose.orientation, c.point.normal);
        point.gap *= mesh.scale;
        point.radius *= mesh.scale;
        points.push_back(point);
    }
    orderByFeature(points, start);
}

}  // namespace talus
