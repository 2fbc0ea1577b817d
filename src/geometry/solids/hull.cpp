#include "geometry/solids/hull.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "geometry/mass/moments.hpp"
#include "geometry/mesh/mesh_topology.hpp"
#include "geometry/solids/hull_triangles.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double farthestCoordinate = 1e9;  // m
constexpr double leastExtent = 1e-9;        // m

using Loop = std::vector<std::uint32_t>;  // corners around a face, against the clock seen from outside

void checkCoordinates(const std::vector<Vec3>& points) {
    if (points.size() < 4) throw InputError(fmt::format("a hull needs at least 4 points, got {}", points.size()));
    for (std::size_t k = 0; k < points.size(); ++k) {
        const Vec3& p = points[k];
        const bool isNear = std::abs(p.x) <= farthestCoordinate && std::abs(p.y) <= farthestCoordinate &&
                            std::abs(p.z) <= farthestCoordinate;
        if (isNear) continue;
        throw InputError(fmt::format("point {} of the hull, [{}, {}, {}], is not within {:g} m of the origin", k + 1,
                                     p.x, p.y, p.z, farthestCoordinate));
    }
}

double largestExtent(const std::vector<Vec3>& points, const Vec3& middle) {
    double half = 0;
    for (const Vec3& p : points) {
        for (int k = 0; k < 3; ++k) half = std::max(half, std::abs(p[k] - middle[k]));
    }
    return 2 * half;
}

template <class Measure>
Vec3 farthest(const std::vector<Vec3>& points, Measure measure) {
    return *std::max_element(points.begin(), points.end(),
                             [&](const Vec3& a, const Vec3& b) { return measure(a) < measure(b); });
}

// Height of a large tetrahedron with corners among the points: at least a third of how thick they are.
double thickness(const std::vector<Vec3>& points) {
    const Vec3 a = farthest(points, [&](const Vec3& p) { return normSquared(p - points.front()); });
    const Vec3 b = farthest(points, [&](const Vec3& p) { return normSquared(p - a); });
    const Vec3 c = farthest(points, [&](const Vec3& p) { return normSquared(cross(p - a, b - a)); });
    const Vec3 area = cross(b - a, c - a);
    if (!(norm(area) > 0)) return 0;
    const auto height = [&](const Vec3& p) { return std::abs(dot(p - a, normalized(area))); };
    return height(farthest(points, height));
}

[[noreturn]] void refuseFlat() {
    throw InputError(
        fmt::format("the points of the hull lie in a plane (or on a line): it must be thicker than {:g} "
                    "of its largest extent",
                    leastHullThickness));
}

[[noreturn]] void refuseIrregular() {
    throw InputError(
        fmt::format("the points of the hull form no polyhedron with clear faces: leave out points that lie "
                    "within {:g} of its largest extent of one another",
                    hullFaceTolerance));
}

// Boundary of each patch; each corner once, else the patch is no face.
std::vector<Loop> patchLoops(const std::vector<CornerTriple>& triangles, const Neighbours& neighbours,
                             const std::vector<std::uint32_t>& patch) {
    std::vector<std::map<std::uint32_t, std::uint32_t>> next(*std::max_element(patch.begin(), patch.end()) + 1);
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        for (int k = 0; k < 3; ++k) {
            if (patch[neighbours[t][k]] == patch[t]) continue;
            if (!next[patch[t]].emplace(triangles[t][k], triangles[t][(k + 1) % 3]).second) return {};
        }
    }
    std::vector<Loop> loops;
    for (const auto& following : next) {
        Loop loop;
        std::uint32_t corner = following.begin()->first;
        do {
            loop.push_back(corner);
            const auto found = following.find(corner);
            if (found == following.end() || loop.size() > following.size()) return {};
            corner = found->second;
        } while (corner != loop.front());
        if (loop.size() != following.size()) return {};
        loops.push_back(std::move(loop));
    }
    return loops;
}

// Corners at which only two faces meet lie on a straight edge (or within a face) and go.
void dropStraightCorners(std::vector<Loop>& loops) {
    std::map<std::uint32_t, int> faces;
    for (const Loop& loop : loops) {
        for (const std::uint32_t corner : loop) ++faces[corner];
    }
    for (Loop& loop : loops) std::erase_if(loop, [&](std::uint32_t corner) { return faces[corner] < 3; });
}

// Faces in an order that depends on the numbers of their corners only.
void order(std::vector<Loop>& loops) {
    for (Loop& loop : loops) std::rotate(loop.begin(), std::min_element(loop.begin(), loop.end()), loop.end());
    std::sort(loops.begin(), loops.end());
}

// Keeps the points that are corners and gives them their new numbers.
std::vector<Vec3> keepCorners(const std::vector<Vec3>& points, std::vector<Loop>& loops) {
    std::map<std::uint32_t, std::uint32_t> number;
    for (const Loop& loop : loops) {
        for (const std::uint32_t corner : loop) number[corner] = 0;
    }
    std::vector<Vec3> corners;
    for (auto& [old, fresh] : number) {
        fresh = static_cast<std::uint32_t>(corners.size());
        corners.push_back(points[old]);
    }
    for (Loop& loop : loops) {
        for (std::uint32_t& corner : loop) corner = number[corner];
    }
    return corners;
}

std::vector<CornerTriple> fans(const std::vector<Loop>& loops) {
    std::vector<CornerTriple> triangles;
    for (const Loop& loop : loops) {
        for (std::size_t k = 2; k < loop.size(); ++k) triangles.push_back({loop[0], loop[k - 1], loop[k]});
    }
    return triangles;
}

// Normal by Newell's sum; the plane touches the outermost corner.
ConvexHull::Face makeFace(const Loop& loop, const std::vector<Vec3>& corners) {
    Vec3 area;
    for (std::size_t k = 2; k < loop.size(); ++k) {
        area += cross(corners[loop[k - 1]] - corners[loop[0]], corners[loop[k]] - corners[loop[0]]);
    }
    ConvexHull::Face face{.normal = normalized(area), .corners = loop, .neighbour = Loop(loop.size())};
    face.distance = dot(face.normal, corners[loop[0]]);
    for (const std::uint32_t corner : loop) face.distance = std::max(face.distance, dot(face.normal, corners[corner]));
    return face;
}

// Fills neighbours, edges and `around`; false if the faces do not close to a surface like a ball's.
bool joinFaces(ConvexHull& hull) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> faceOf;  // by directed edge
    for (std::uint32_t f = 0; f < hull.faces.size(); ++f) {
        const Loop& loop = hull.faces[f].corners;
        for (std::size_t k = 0; k < loop.size(); ++k) {
            if (!faceOf.emplace(std::pair{loop[k], loop[(k + 1) % loop.size()]}, f).second) return false;
        }
    }
    hull.around.resize(hull.corners.size());
    for (const auto& [edge, face] : faceOf) {
        const auto [from, to] = edge;
        const auto opposite = faceOf.find({to, from});
        if (opposite == faceOf.end()) return false;
        const Loop& loop = hull.faces[face].corners;
        hull.faces[face].neighbour[std::find(loop.begin(), loop.end(), from) - loop.begin()] = opposite->second;
        hull.around[from].push_back(to);
        if (from < to) hull.edges.push_back({from, to, face, opposite->second});
    }
    return hull.corners.size() + hull.faces.size() == hull.edges.size() + 2;
}

// Faces of the hull of points of extent 1 about the origin, as loops of point numbers; empty if they are too irregular.
std::vector<Loop> hullFaces(const std::vector<Vec3>& points) {
    const std::vector<CornerTriple> triangles = hullTriangles(points);
    if (triangles.empty()) return {};
    SurfaceFaults faults;
    const Neighbours neighbours = findNeighbours(triangles, faults);
    if (faults.open || faults.shared || faults.turned) return {};
    std::vector<Loop> loops =
        patchLoops(triangles, neighbours, findPlanePatches(points, triangles, neighbours, hullFaceTolerance));
    dropStraightCorners(loops);
    const auto isDegenerate = [](const Loop& loop) { return loop.size() < 3; };
    if (std::any_of(loops.begin(), loops.end(), isDegenerate)) return {};
    order(loops);
    return loops;
}

// Corners as seen from a frame, and the faces that follow from them.
void moveInto(ConvexHull& hull, const std::vector<Loop>& loops, const Pose& frame) {
    hull.radius = 0;
    for (Vec3& corner : hull.corners) {
        corner = intoFrame(frame, corner);
        hull.radius = std::max(hull.radius, norm(corner));
    }
    hull.faces.resize(loops.size());
    for (std::size_t f = 0; f < loops.size(); ++f) {
        const std::vector<std::uint32_t> neighbour = std::move(hull.faces[f].neighbour);
        hull.faces[f] = makeFace(loops[f], hull.corners);
        if (!neighbour.empty()) hull.faces[f].neighbour = neighbour;
    }
}

}  // namespace

HullInPlace makeHull(const std::vector<Vec3>& points, double rounding) {
    checkCoordinates(points);
    if (!(rounding >= 0) || rounding > farthestCoordinate) {
        throw InputError(fmt::format("the rounding of a hull must be >= 0 m, got {}", rounding));
    }
    // In a frame in which the extent is 1, so that tolerances are parts of the extent.
    const Vec3 middle = middleOf(points);
    const double extent = largestExtent(points, middle);
    if (!(extent >= leastExtent)) {
        throw InputError(fmt::format("the points of the hull lie within {:g} m of each other", leastExtent));
    }
    std::vector<Vec3> scaled;
    for (const Vec3& p : points) scaled.push_back((p - middle) / extent);
    if (thickness(scaled) < leastHullThickness) refuseFlat();

    std::vector<Loop> loops = hullFaces(scaled);
    auto hull = std::make_shared<ConvexHull>();
    hull->corners = keepCorners(scaled, loops);
    if (loops.size() < 4) refuseIrregular();
    const PrincipalFrame frame = polyhedronFrame(hull->corners, fans(loops));
    for (Vec3& corner : hull->corners) corner = extent * corner;
    Pose pose{extent * frame.pose.position, frame.pose.orientation};
    moveInto(*hull, loops, pose);
    if (!joinFaces(*hull)) refuseIrregular();
    if (rounding > 0) {
        // A rounding moves the centre and turns the axes of hulls without symmetry.
        const SolidMoments moments = momentsOf(*hull, rounding);
        const Pose rounded = principalFrame({moments.volume, moments.first, moments.second}).pose;
        moveInto(*hull, loops, rounded);
        pose = {outOfFrame(pose, rounded.position), pose.orientation * rounded.orientation};
    }
    pose.position += middle;
    return {{std::move(hull), rounding}, pose};
}

}  // namespace talus
