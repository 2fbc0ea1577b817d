#include "contacts/narrow/mesh/mesh_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "contacts/narrow/mesh/mesh_touches.hpp"
#include "geometry/mass/principal_axes.hpp"

namespace talus {
namespace {

constexpr double deepest = 0.1;     // -, of the smaller body's bounding radius
constexpr double coneSlack = 0.05;  // rad, by which a normal may lie outside the cone it should be in
constexpr double leastSine = 1e-3;  // -, of the angle between edges that cross
constexpr double onSurface = 1e-9;  // -, of the mesh's radius: points no deeper are on its surface, not in it

// A mesh and the way from another mesh's frame into its own.
struct PlacedMesh {
    explicit PlacedMesh(const ShapeInPlace& body) : place(body), surface(*std::get<MeshShape>(*body.shape).mesh) {}

    Vec3 inWorld(const Vec3& local) const { return outOfFrame(place.pose, place.scale * local); }
    Vec3 inFrame(const Vec3& world) const { return intoFrame(place.pose, world) / place.scale; }
    Vec3 turned(const Vec3& direction) const { return rotate(place.pose.orientation, direction); }
    Vec3 turnedBack(const Vec3& direction) const { return rotateBack(place.pose.orientation, direction); }
    double radius() const { return place.scale * surface.radius; }

    const ShapeInPlace& place;
    const TriangleMesh& surface;
};

struct Search {
    double margin, depth;  // m, gaps between -depth and margin count
};

// A box in the frame of `into` that holds a box of the frame of `from`, enlarged by the reach (m).
BoundingBox boxInFrame(const PlacedMesh& from, const PlacedMesh& into, const BoundingBox& box, double reach) {
    BoundingBox result = boxAround(into.inFrame(from.inWorld(box.low)), 0);
    for (int k = 1; k < 8; ++k) {
        const Vec3 corner{k & 1 ? box.high.x : box.low.x, k & 2 ? box.high.y : box.low.y,
                          k & 4 ? box.high.z : box.low.z};
        extend(result, into.inFrame(from.inWorld(corner)));
    }
    const Vec3 more = (reach / into.place.scale) * Vec3{1, 1, 1};
    return {result.low - more, result.high + more};
}

// The part of a mesh near another one, as its triangles.
void trianglesNear(const PlacedMesh& mesh, const PlacedMesh& other, double reach, std::vector<std::uint32_t>& found) {
    found.clear();
    if (other.surface.tree.nodes.empty()) return;
    const BoundingBox box = boxInFrame(other, mesh, other.surface.tree.nodes[0].box, reach);
    forEachItemIn(mesh.surface.tree, box, [&](std::uint32_t t) { found.push_back(t); });
}

// How deep a point is in a closed mesh, in its radii; negative outside.
double depthIn(const TriangleMesh& mesh, const Vec3& point) {
    const NearestOnMesh near = nearestOnMesh(mesh, point, 2 * (norm(point) + mesh.radius));
    return (isInside(mesh, point, near) ? near.distance : -near.distance) / mesh.radius;
}

// What a surface is to a point of another body that may have come through it: the nearest place whose normal (frame of
// the surface) is allowed. A point within a closed mesh may leave through any face that it can see, one that is in its
// surface but for rounding errors through those there; an open surface learns from where that body is which side is
// free.
template <class IsAllowed>
bool touchOf(const PlacedMesh& surface, const PlacedMesh& body, const Vec3& point, const Search& search,
             IsAllowed&& isAllowed, MeshTouch& best) {
    const TriangleMesh& mesh = surface.surface;
    const double depth = mesh.closed ? depthIn(mesh, point) : 0.0;
    const bool isIn = depth > onSurface;
    const double whole = std::max(search.margin, search.depth) / surface.place.scale;
    const double reach = mesh.closed && !isIn && depth > 0 ? 2 * onSurface * mesh.radius : whole;
    const Vec3 origin = surface.inFrame(body.place.pose.position);
    double least = reach;
    bool isFound = false;
    const auto offer = [&](const MeshTouch& touch) {
        if (std::abs(touch.distance) >= least || !isAllowed(touch.normal)) return;
        least = std::abs(touch.distance);
        best = touch;
        isFound = true;
    };
    if (mesh.closed && depth <= 0) {
        thread_local std::vector<MeshTouch> touches;
        touches.clear();
        findTouches(mesh, point, reach, touches);
        for (const MeshTouch& touch : touches) offer(touch);
        return isFound;
    }
    forEachItemWithin(mesh.tree, point, reach, [&](std::uint32_t t) {
        const NearestOnTriangle near = nearestOnTriangle(mesh, t, point);
        if (near.part != TrianglePart::face && (isIn || !mesh.closed)) return;
        const bool isBehind = !mesh.closed && dot(origin - near.point, mesh.normals[t]) < 0;
        const Vec3 normal = isBehind ? -mesh.normals[t] : mesh.normals[t];
        offer({near.point, normal, dot(point - near.point, normal), partNumber(MeshPart::surface, mesh.surface[t])});
    });
    return isFound;
}

// True if the corner is the part of its body that goes farthest against the normal (frame of the corner's body).
bool pointsAgainst(const TriangleMesh& mesh, std::uint32_t triangle, int corner, const Vec3& normal) {
    const Vec3& own = mesh.corners[mesh.triangles[triangle][corner]];
    bool isFarthest = true;
    forEachAround(mesh, triangle, corner, [&](std::uint32_t t) {
        for (const std::uint32_t c : mesh.triangles[t]) {
            const Vec3 way = mesh.corners[c] - own;
            isFarthest = isFarthest && dot(way, normal) >= -coneSlack * norm(way);
        }
    });
    return isFarthest;
}

struct CornerPlace {
    std::uint32_t corner, triangle;
    int number;  // of the corner in the triangle
};

// Corners of a mesh near another one, each once.
void cornersNear(const PlacedMesh& mesh, const PlacedMesh& other, double reach, std::vector<CornerPlace>& corners) {
    thread_local std::vector<std::uint32_t> near;
    trianglesNear(mesh, other, reach, near);
    corners.clear();
    for (const std::uint32_t t : near) {
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t c = mesh.surface.triangles[t][k];
            if (mesh.surface.pointed[c]) corners.push_back({c, t, k});
        }
    }
    std::sort(corners.begin(), corners.end(), [](const CornerPlace& p, const CornerPlace& q) {
        return std::tie(p.corner, p.triangle) < std::tie(q.corner, q.triangle);
    });
    const auto isSame = [](const CornerPlace& p, const CornerPlace& q) { return p.corner == q.corner; };
    corners.erase(std::unique(corners.begin(), corners.end(), isSame), corners.end());
}

enum class CornersOf { first, second };

// Corners of one mesh with the surface of the other. Normals run out of b towards a, whose corners may be either's.
void addCorners(const PlacedMesh& body, const PlacedMesh& surface, const Search& search, CornersOf whose,
                std::vector<ContactPoint>& points) {
    thread_local std::vector<CornerPlace> corners;
    cornersNear(body, surface, search.margin, corners);
    for (const CornerPlace& place : corners) {
        MeshTouch touch;
        const Vec3 world = body.inWorld(body.surface.corners[place.corner]);
        const auto isAllowed = [&](const Vec3& normal) {
            return pointsAgainst(body.surface, place.triangle, place.number, body.turnedBack(surface.turned(normal)));
        };
        if (!touchOf(surface, body, surface.inFrame(world), search, isAllowed, touch)) continue;
        const double gap = surface.place.scale * touch.distance;
        const Vec3 normal = surface.turned(touch.normal);
        if (gap >= search.margin || gap < -search.depth) continue;
        ContactPoint point;
        point.position = world - (0.5 * gap) * normal;
        point.gap = gap;
        const std::uint64_t corner = partNumber(MeshPart::corner, place.corner);
        const bool isFirst = whose == CornersOf::first;
        point.normal = isFirst ? normal : -normal;
        point.feature = isFirst ? corner << 32 | touch.part : std::uint64_t{touch.part} << 32 | corner;
        points.push_back(point);
    }
}

struct Crossing {
    Vec3 onA, onB;  // m, world
    Vec3 normal;    // unit, along the common perpendicular
};

// The common perpendicular of two segments, if it meets both within their ends.
bool crossingOf(const Vec3& a0, const Vec3& a1, const Vec3& b0, const Vec3& b1, Crossing& crossing) {
    const Vec3 u = a1 - a0, v = b1 - b0, w = a0 - b0;
    const Vec3 across = cross(u, v);
    const double square = normSquared(across);
    if (square <= leastSine * leastSine * normSquared(u) * normSquared(v)) return false;
    const double s = dot(cross(v, w), across) / square, t = dot(cross(u, w), across) / square;
    if (s <= 0 || s >= 1 || t <= 0 || t >= 1) return false;
    crossing = {a0 + s * u, b0 + t * v, across / std::sqrt(square)};
    return true;
}

// The way into a closed mesh from an edge that stands out, unit, world.
Vec3 wayInto(const PlacedMesh& mesh, const TriangleMesh::Edge& edge) {
    return mesh.turned(-normalized(mesh.surface.normals[edge.left] + mesh.surface.normals[edge.right]));
}

// True if there is a place within both bodies between two edges that cross. Lines of edges that pass each other on the
// wrong side by chance, of bodies that meet elsewhere or not at all, make no overlap. The place is a tenth of the
// overlap inward, as the edges may lie in sides of the bodies.
bool haveOverlapAt(const PlacedMesh& a, const TriangleMesh::Edge& ofA, const PlacedMesh& b,
                   const TriangleMesh::Edge& ofB, const Crossing& c) {
    if (!a.surface.closed || !b.surface.closed) return true;
    const double overlap = norm(c.onA - c.onB);
    const Vec3 place = 0.5 * (c.onA + c.onB) + (0.1 * overlap) * (wayInto(a, ofA) + wayInto(b, ofB));
    const double least = 1e-3 * overlap;
    return depthIn(a.surface, a.inFrame(place)) * a.radius() > least &&
           depthIn(b.surface, b.inFrame(place)) * b.radius() > least;
}

void addCrossing(const PlacedMesh& a, std::uint32_t edgeA, const PlacedMesh& b, std::uint32_t edgeB,
                 const Search& search, std::vector<ContactPoint>& points) {
    const TriangleMesh::Edge &ea = a.surface.edges[edgeA], &eb = b.surface.edges[edgeB];
    Crossing c;
    if (!crossingOf(a.inWorld(a.surface.corners[ea.from]), a.inWorld(a.surface.corners[ea.to]),
                    b.inWorld(b.surface.corners[eb.from]), b.inWorld(b.surface.corners[eb.to]), c)) {
        return;
    }
    for (const double sign : {1.0, -1.0}) {
        const Vec3 normal = sign * c.normal;
        const double gap = dot(c.onA - c.onB, normal);
        if (gap >= search.margin || gap < -search.depth) continue;
        if (!leavesEdge(b.surface, eb, b.turnedBack(normal), coneSlack) ||
            !leavesEdge(a.surface, ea, -a.turnedBack(normal), coneSlack)) {
            continue;
        }
        if (gap < -onSurface * std::min(a.radius(), b.radius()) && !haveOverlapAt(a, ea, b, eb, c)) return;
        ContactPoint point;
        point.position = 0.5 * (c.onA + c.onB);
        point.normal = normal;
        point.gap = gap;
        point.feature = std::uint64_t{partNumber(MeshPart::edge, edgeA)} << 32 | partNumber(MeshPart::edge, edgeB);
        points.push_back(point);
        return;
    }
}

void addCrossings(const PlacedMesh& a, const PlacedMesh& b, const Search& search, std::vector<ContactPoint>& points) {
    thread_local std::vector<std::uint32_t> near;
    trianglesNear(a, b, search.margin, near);
    const double reach = std::max(search.margin, search.depth);
    for (const std::uint32_t ta : near) {
        for (const std::uint32_t edgeA : a.surface.triangleEdges[ta]) {
            const TriangleMesh::Edge& ea = a.surface.edges[edgeA];
            if (ea.left != ta || !isRidge(a.surface, ea)) continue;
            BoundingBox box = boxAround(a.surface.corners[ea.from], 0);
            extend(box, a.surface.corners[ea.to]);
            forEachItemIn(b.surface.tree, boxInFrame(a, b, box, reach), [&](std::uint32_t tb) {
                for (const std::uint32_t edgeB : b.surface.triangleEdges[tb]) {
                    const TriangleMesh::Edge& eb = b.surface.edges[edgeB];
                    if (eb.left == tb && isRidge(b.surface, eb)) addCrossing(a, edgeA, b, edgeB, search, points);
                }
            });
        }
    }
}

// Where one body has entered another, features that are deep in it cross too. Of contacts that are nearer to each other
// than they are deep, the shallow ones tell the way out.
void dropDeeper(std::vector<ContactPoint>& points, std::size_t start) {
    const auto isDeeper = [](const ContactPoint& deep, const ContactPoint& shallow) {
        return deep.gap < 0 && shallow.gap > 0.5 * deep.gap && dot(deep.normal, shallow.normal) < 0.9 &&
               norm(deep.position - shallow.position) < -2 * deep.gap;
    };
    for (std::size_t k = points.size(); k-- > start;) {
        for (std::size_t j = start; j < points.size(); ++j) {
            if (j == k || !isDeeper(points[k], points[j])) continue;
            points.erase(points.begin() + static_cast<std::ptrdiff_t>(k));
            break;
        }
    }
}

}  // namespace

void findMeshPairContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                          std::vector<ContactPoint>& points) {
    const PlacedMesh first(a), second(b);
    const Search search{margin, deepest * std::min(first.radius(), second.radius())};
    const auto start = static_cast<std::ptrdiff_t>(points.size());
    addCorners(first, second, search, CornersOf::first, points);
    addCorners(second, first, search, CornersOf::second, points);
    addCrossings(first, second, search, points);
    dropDeeper(points, static_cast<std::size_t>(start));
    const double radius = 1 / (1 / (a.scale * equivalentRadius(*a.shape)) + 1 / (b.scale * equivalentRadius(*b.shape)));
    for (auto point = points.begin() + start; point != points.end(); ++point) point->radius = radius;
    std::stable_sort(points.begin() + start, points.end(),
                     [](const ContactPoint& p, const ContactPoint& q) { return p.feature < q.feature; });
    // A corner on a corner is found from both sides.
    const auto isSame = [](const ContactPoint& p, const ContactPoint& q) { return p.feature == q.feature; };
    points.erase(std::unique(points.begin() + start, points.end(), isSame), points.end());
}

}  // namespace talus
