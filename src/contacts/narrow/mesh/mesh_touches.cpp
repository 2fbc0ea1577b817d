#include "contacts/narrow/mesh/mesh_touches.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace talus {
namespace {

constexpr double samePlace = 1e-6;  // -, of the reach: touches nearer to each other are one
constexpr double sameDistance =
    1e-12;                            // -, of the square of the reach: squares of distances that differ less are equal
constexpr double alongNormal = 1e-8;  // rad, a direction that differs less from the normal of a face is that normal
constexpr double similarNormals = 0.5;  // -, least cosine of normals that count as similar

struct Candidate {
    std::uint32_t triangle;
    NearestOnTriangle place;
    double square;  // m^2, of the distance
};

// Outward normal at a point of the surface, not of unit length.
Vec3 outwardAt(const TriangleMesh& mesh, const Candidate& c) {
    const Vec3& own = mesh.normals[c.triangle];
    if (c.place.part == TrianglePart::face) return own;
    if (c.place.part == TrianglePart::corner) return cornerNormal(mesh, c.triangle, c.place.number);
    const std::uint32_t other = mesh.neighbours[c.triangle][c.place.number];
    return other == TriangleMesh::noTriangle ? own : own + mesh.normals[other];
}

// True if the nearest point of the candidate is nearest also of the other triangles it belongs to. Of those that see it
// equally near only the first reports it.
bool isLocalMinimum(const TriangleMesh& mesh, const Candidate& c, const Vec3& centre, double tolerance) {
    const auto isBeatenBy = [&](std::uint32_t other) {
        if (other == c.triangle || other == TriangleMesh::noTriangle) return false;
        if (other < c.triangle) return true;
        return normSquared(centre - nearestOnTriangle(mesh, other, centre).point) < c.square - tolerance;
    };
    if (c.place.part == TrianglePart::face) return true;
    if (c.place.part == TrianglePart::edge) return !isBeatenBy(mesh.neighbours[c.triangle][c.place.number]);
    bool isLeast = true;
    forEachAround(mesh, c.triangle, c.place.number,
                  [&](std::uint32_t other) { isLeast = isLeast && !isBeatenBy(other); });
    return isLeast;
}

// Names of the place: its own and that of the smooth surface or line to which it belongs.
struct Names {
    std::uint32_t own, smooth;
    bool sharp;
};
Names namesOf(const TriangleMesh& mesh, const Candidate& c) {
    const std::uint32_t surface = partNumber(MeshPart::surface, mesh.surface[c.triangle]);
    if (c.place.part == TrianglePart::face)
        return {partNumber(MeshPart::patch, mesh.patch[c.triangle]), surface, false};
    if (c.place.part == TrianglePart::edge) {
        const std::uint32_t edge = mesh.triangleEdges[c.triangle][c.place.number], line = mesh.edges[edge].line;
        const std::uint32_t own = partNumber(MeshPart::edge, edge);
        if (line == TriangleMesh::noLine) return {own, surface, false};
        return {own, partNumber(MeshPart::line, line), true};
    }
    const std::uint32_t corner = mesh.triangles[c.triangle][c.place.number], line = mesh.cornerLine[corner];
    const std::uint32_t own = partNumber(MeshPart::corner, corner);
    if (line == TriangleMesh::noLine) return {own, surface, false};
    return {own, line == TriangleMesh::ownPoint ? own : partNumber(MeshPart::line, line), true};
}

struct NamedTouch {
    MeshTouch touch;
    Names names;
};

// Above a face, or as good as above it, the normal is that of the face to the last bit. Where the centre is in the
// surface the direction to it says nothing.
MeshTouch touchAt(const TriangleMesh& mesh, const Candidate& c, const Vec3& centre, double side) {
    const Vec3 way = centre - c.place.point;
    const Vec3& face = mesh.normals[c.triangle];
    const double height = dot(way, face);
    const double sideways = normSquared(way - height * face);
    if (c.place.part == TrianglePart::face || sideways <= alongNormal * alongNormal * c.square) {
        const double sign = mesh.closed || height >= 0 ? 1 : -1;
        return {c.place.point, sign * face, sign * height};
    }
    const double distance = std::sqrt(c.square);
    return {c.place.point, (side / distance) * way, side * distance};
}

// The touches of a centre outside, or on either side of an open surface.
void collectTouches(const TriangleMesh& mesh, const std::vector<Candidate>& candidates, const Vec3& centre,
                    double reach, std::vector<NamedTouch>& found) {
    const double tolerance = sameDistance * reach * reach;
    for (const Candidate& c : candidates) {
        if (!isLocalMinimum(mesh, c, centre, tolerance)) continue;
        if (mesh.closed && dot(centre - c.place.point, outwardAt(mesh, c)) < 0) continue;
        found.push_back({touchAt(mesh, c, centre, 1), namesOf(mesh, c)});
    }
}

// Deepest first; of touches at one place, or on one plane patch, only that stays.
void dropDoubles(std::vector<NamedTouch>& found, double reach) {
    std::sort(found.begin(), found.end(), [](const NamedTouch& a, const NamedTouch& b) {
        return std::tie(a.touch.distance, a.names.own) < std::tie(b.touch.distance, b.names.own);
    });
    std::size_t kept = 0;
    for (const NamedTouch& next : found) {
        const bool isDouble = std::any_of(found.begin(), found.begin() + kept, [&](const NamedTouch& other) {
            return other.names.own == next.names.own || norm(other.touch.point - next.touch.point) < samePlace * reach;
        });
        if (!isDouble) found[kept++] = next;
    }
    found.resize(kept);
}

void nameParts(std::vector<NamedTouch>& found) {
    for (std::size_t k = 0; k < found.size(); ++k) {
        NamedTouch& deepest = found[k];
        bool isFirst = true, isAlike = true;
        for (std::size_t j = 0; j < found.size(); ++j) {
            if (j == k || found[j].names.smooth != deepest.names.smooth) continue;
            isFirst = isFirst && k < j;
            isAlike = isAlike && dot(found[j].touch.normal, deepest.touch.normal) >= similarNormals;
        }
        deepest.touch.part = isFirst && isAlike ? deepest.names.smooth : deepest.names.own;
        deepest.touch.sharp = deepest.names.sharp;
    }
}

// All touches, of the triangles for which forEach() calls its argument; they must be all within reach.
template <class ForEach>
void findTouchesAmong(const TriangleMesh& mesh, const Vec3& centre, double reach, std::vector<MeshTouch>& touches,
                      const ForEach& forEach) {
    // Kept from call to call so that a step allocates nothing.
    thread_local std::vector<Candidate> candidates;
    thread_local std::vector<NamedTouch> found;
    candidates.clear();
    found.clear();
    double least = reach * reach;
    std::size_t best = 0;
    forEach([&](std::uint32_t t) {
        const NearestOnTriangle place = nearestOnTriangle(mesh, t, centre);
        const double square = normSquared(centre - place.point);
        if (square >= reach * reach) return;
        if (candidates.empty() || square < least) {
            least = square;
            best = candidates.size();
        }
        candidates.push_back({t, place, square});
    });
    if (candidates.empty()) return;

    const Candidate& nearest = candidates[best];
    const bool inside = mesh.closed && dot(centre - nearest.place.point, outwardAt(mesh, nearest)) < 0;
    if (inside) {
        found.push_back({touchAt(mesh, nearest, centre, -1), namesOf(mesh, nearest)});
    } else {
        collectTouches(mesh, candidates, centre, reach, found);
        dropDoubles(found, reach);
    }
    nameParts(found);
    const std::size_t first = touches.size();
    for (const NamedTouch& named : found) touches.push_back(named.touch);
    std::sort(touches.begin() + static_cast<std::ptrdiff_t>(first), touches.end(),
              [](const MeshTouch& a, const MeshTouch& b) { return a.part < b.part; });
}

}  // namespace

bool isInside(const TriangleMesh& mesh, const Vec3& point) {
    const double everywhere = 2 * (norm(point) + mesh.radius);
    return isInside(mesh, point, nearestOnMesh(mesh, point, everywhere));
}

bool isInside(const TriangleMesh& mesh, const Vec3& point, const NearestOnMesh& near) {
    return dot(point - near.place.point, outwardAt(mesh, {near.triangle, near.place, 0})) < 0;
}

bool isRidge(const TriangleMesh& mesh, const TriangleMesh::Edge& edge) {
    using EdgeForm = TriangleMesh::EdgeForm;
    if (edge.form == EdgeForm::concave) return !mesh.closed;
    return edge.form != EdgeForm::flat;
}

bool leavesEdge(const TriangleMesh& mesh, const TriangleMesh::Edge& edge, const Vec3& direction, double slack) {
    const Vec3 along = normalized(mesh.corners[edge.to] - mesh.corners[edge.from]);
    for (const std::uint32_t t : {edge.left, edge.right}) {
        if (t == TriangleMesh::noTriangle) continue;
        for (const std::uint32_t c : mesh.triangles[t]) {
            if (c == edge.from || c == edge.to) continue;
            const Vec3 way = mesh.corners[c] - mesh.corners[edge.from];
            const Vec3 into = normalized(way - dot(way, along) * along);
            if (dot(into, direction) > slack) return false;
        }
    }
    return true;
}

Vec3 cornerNormal(const TriangleMesh& mesh, std::uint32_t triangle, int corner) {
    const std::uint32_t centre = mesh.triangles[triangle][corner];
    Vec3 sum;
    forEachAround(mesh, triangle, corner, [&](std::uint32_t t) {
        const auto& c = mesh.triangles[t];
        const int k = c[0] == centre ? 0 : c[1] == centre ? 1 : 2;
        const Vec3 a = mesh.corners[c[(k + 1) % 3]] - mesh.corners[centre];
        const Vec3 b = mesh.corners[c[(k + 2) % 3]] - mesh.corners[centre];
        sum += std::atan2(norm(cross(a, b)), dot(a, b)) * mesh.normals[t];
    });
    return sum;
}

void gatherTriangles(const TriangleMesh& mesh, const Vec3& centre, double within, NearTriangles& near) {
    near.entries.clear();
    near.within = within;
    forEachItemWithin(mesh.tree, centre, within, [&](std::uint32_t t) {
        const double distance = norm(centre - nearestOnTriangle(mesh, t, centre).point);
        if (distance < within) near.entries.push_back({t, distance});
    });
}

void findTouches(const TriangleMesh& mesh, const Vec3& centre, double reach, std::vector<MeshTouch>& touches) {
    findTouchesAmong(mesh, centre, reach, touches,
                     [&](const auto& visit) { forEachItemWithin(mesh.tree, centre, reach, visit); });
}

void findTouches(const TriangleMesh& mesh, const NearTriangles& near, double moved, const Vec3& centre, double reach,
                 std::vector<MeshTouch>& touches) {
    findTouchesAmong(mesh, centre, reach, touches, [&](const auto& visit) {
        for (const NearTriangles::Entry& entry : near.entries) {
            if (entry.distance - moved < reach) visit(entry.triangle);
        }
    });
}

}  // namespace talus
