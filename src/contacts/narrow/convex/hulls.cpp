#include "contacts/narrow/convex/hulls.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

constexpr std::size_t mostFaces = 64, mostCorners = 64, mostHeights = 1024;
// An edge axis must be better than the best face by this part of the size, lest rounding errors choose between axes
// that are the same.
constexpr double edgeBias = 1e-6;
// Squared sine below which two edges are parallel: faces tell all about them.
constexpr double parallelEdges = 1e-8;

const ConvexHull& hullOf(const ConvexCore& core) { return *std::get<HullShape>(*core.shape).hull; }

// A hull in the frame of the first of the two, in metres.
struct PlacedHull {
    const ConvexHull* hull = nullptr;
    Vec3 centre;
    std::array<Vec3, mostCorners> corner;
    std::array<Vec3, mostFaces> normal;
    std::array<double, mostFaces> distance;  // of each face from the origin of that frame

    std::size_t corners() const { return hull->corners.size(); }
    std::size_t faces() const { return hull->faces.size(); }
};

void place(const ConvexCore& core, const Mat3& turn, const Vec3& centre, PlacedHull& placed) {
    placed.hull = &hullOf(core);
    placed.centre = centre;
    const Mat3 axes = core.scale * turn;
    for (std::size_t c = 0; c < placed.corners(); ++c) placed.corner[c] = centre + axes * placed.hull->corners[c];
    for (std::size_t f = 0; f < placed.faces(); ++f) {
        placed.normal[f] = turn * placed.hull->faces[f].normal;
        placed.distance[f] = core.scale * placed.hull->faces[f].distance + dot(placed.normal[f], centre);
    }
}

// How high the corners of one hull lie over the faces of another, and the face that separates them most.
struct Heights {
    std::array<double, mostHeights> height;  // of corner c over face f at f * number of corners + c
    double separation;                       // m
    std::size_t face, corner;                // which face, and the corner that is lowest over it
};

void measureHeights(const PlacedHull& faces, const PlacedHull& corners, Heights& h) {
    h.separation = -1e300;
    double* height = h.height.data();
    for (std::size_t f = 0; f < faces.faces(); ++f, height += corners.corners()) {
        std::size_t lowest = 0;
        for (std::size_t c = 0; c < corners.corners(); ++c) {
            height[c] = dot(faces.normal[f], corners.corner[c]) - faces.distance[f];
            if (height[c] < height[lowest]) lowest = c;
        }
        if (height[lowest] <= h.separation) continue;
        h.separation = height[lowest];
        h.face = f;
        h.corner = lowest;
    }
}

// An edge with the normals of the faces at it; the direction is as long as the edge.
struct NearEdge {
    Vec3 point, direction, left, right;
};
struct NearEdges {
    std::array<NearEdge, 3 * mostCorners> edges;  // a polyhedron has less than three edges per corner
    std::size_t count = 0;
};

// The edges of a hull that have no face of the other beyond which they lie by more than `depth` as a whole.
void findNearEdges(const PlacedHull& placed, const Heights& h, std::size_t faces, double depth, NearEdges& near) {
    std::array<std::uint64_t, mostCorners> beyond;
    const std::size_t corners = placed.corners();
    std::fill_n(beyond.begin(), corners, 0);
    for (std::size_t f = 0; f < faces; ++f) {
        const double* height = &h.height[f * corners];
        for (std::size_t c = 0; c < corners; ++c) beyond[c] |= std::uint64_t(height[c] > depth) << f;
    }
    near.count = 0;
    for (const ConvexHull::Edge& edge : placed.hull->edges) {
        if ((beyond[edge.from] & beyond[edge.to]) != 0) continue;
        const Vec3& from = placed.corner[edge.from];
        near.edges[near.count++] = {from, placed.corner[edge.to] - from, placed.normal[edge.left],
                                    placed.normal[edge.right]};
    }
}

// True if the arc of the normals at an edge of a crosses that of the opposite normals at an edge of b.
bool makeAFace(const NearEdge& a, const NearEdge& b) {
    const double leftB = dot(b.left, a.direction), rightB = dot(b.right, a.direction);
    if (leftB * rightB >= 0) return false;
    const double leftA = dot(a.left, b.direction), rightA = dot(a.right, b.direction);
    return leftA * rightA < 0 && leftB * rightA < 0;
}

// The search of one pair; a member for each step of it. All in the frame of a.
struct HullPair {
    PlacedHull a, b;
    Heights overA, overB;  // corners of the other over faces of this
    NearEdges nearA, nearB;

    void begin(const ConvexCore& coreA, const ConvexCore& coreB) {
        place(coreA, identity3(), {}, a);
        place(coreB, transpose(coreA.axes) * coreB.axes, coreA.toLocal(coreB.centre - coreA.centre), b);
        measureHeights(a, b, overA);
        measureHeights(b, a, overB);
    }

    bool faceIsOfA() const { return overA.separation > overB.separation; }

    CoreDistance onFace() const {
        const bool ofA = faceIsOfA();
        const Heights& h = ofA ? overA : overB;
        const Vec3 outward = (ofA ? a : b).normal[h.face], corner = (ofA ? b : a).corner[h.corner];
        const Vec3 foot = corner - h.separation * outward;
        return ofA ? CoreDistance{h.separation, -outward, foot, corner}
                   : CoreDistance{h.separation, outward, corner, foot};
    }

    // True if the lowest corner stands over the best face and not beside it: then it is the nearest.
    bool standsOver() const {
        const bool ofA = faceIsOfA();
        const PlacedHull &below = ofA ? a : b, &above = ofA ? b : a;
        const Heights& h = ofA ? overA : overB;
        const auto& corners = below.hull->faces[h.face].corners;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Vec3 &from = below.corner[corners[k]], &to = below.corner[corners[(k + 1) % corners.size()]];
            if (dot(cross(below.normal[h.face], to - from), above.corner[h.corner] - from) < 0) return false;
        }
        return true;
    }

    // The better of a face and the edges that lie within `depth` of the other hull.
    CoreDistance betterOfEdges(const CoreDistance& face, double depth, double bias) {
        findNearEdges(a, overB, b.faces(), depth, nearA);
        findNearEdges(b, overA, a.faces(), depth, nearB);
        CoreDistance best = face;
        for (std::size_t i = 0; i < nearA.count; ++i) {
            for (std::size_t j = 0; j < nearB.count; ++j) tryEdges(nearA.edges[i], nearB.edges[j], bias, best);
        }
        return best;
    }

    void tryEdges(const NearEdge& ofA, const NearEdge& ofB, double bias, CoreDistance& best) const {
        if (!makeAFace(ofA, ofB)) return;
        const Vec3 across = cross(ofA.direction, ofB.direction);
        const double squared = normSquared(across), lengthA = normSquared(ofA.direction),
                     lengthB = normSquared(ofB.direction);
        if (squared <= parallelEdges * lengthA * lengthB) return;
        const Vec3 unit = across / std::sqrt(squared), normal = dot(unit, ofA.left + ofA.right) > 0 ? -unit : unit;
        const double separation = dot(normal, ofA.point - ofB.point);
        if (separation <= best.distance + bias) return;
        best = {separation, normal, {}, {}};
        placeOnEdges({ofA.point, ofA.direction / std::sqrt(lengthA)}, {ofB.point, ofB.direction / std::sqrt(lengthB)},
                     best);
    }

    static bool isIn(const PlacedHull& placed, const Vec3& point, double slack) {
        for (std::size_t f = 0; f < placed.faces(); ++f) {
            if (dot(placed.normal[f], point) > placed.distance[f] + slack) return false;
        }
        return true;
    }

    bool share(const Vec3& point, double slack) const { return isIn(a, point, slack) && isIn(b, point, slack); }

    static CoreDistance inWorld(const ConvexCore& frame, const CoreDistance& d) {
        return {d.distance, frame.axes * d.normal, frame.centre + frame.axes * d.onA,
                frame.centre + frame.axes * d.onB};
    }
};

}  // namespace

bool haveFewFaces(const ConvexCore& a, const ConvexCore& b) {
    const ConvexHull &first = hullOf(a), &second = hullOf(b);
    const auto few = [](const ConvexHull& hull) {
        return hull.faces.size() <= mostFaces && hull.corners.size() <= mostCorners;
    };
    return few(first) && few(second) && first.faces.size() * second.corners.size() <= mostHeights &&
           second.faces.size() * first.corners.size() <= mostHeights;
}

CoreDistance hullDistance(const ConvexCore& a, const ConvexCore& b, double limit) {
    thread_local HullPair pair;  // large: made once
    pair.begin(a, b);
    const CoreDistance face = pair.onFace();
    if (face.distance > limit) return HullPair::inWorld(a, face);
    if (face.distance > 0) return pair.standsOver() ? HullPair::inWorld(a, face) : coreDistance(a, b, limit);

    // Only of hulls that overlap the overlap bounds how near the edges are: if no common point shows, all edges are
    // tried.
    const double bias = edgeBias * (a.size + b.size);
    CoreDistance found = pair.betterOfEdges(face, bias - face.distance, bias);
    const bool overlap = found.distance <= 0 && (pair.share(found.onA, bias) || pair.share(found.onB, bias));
    if (!overlap) found = pair.betterOfEdges(face, 1e300, bias);
    return found.distance > 0 && found.distance <= limit ? coreDistance(a, b, limit) : HullPair::inWorld(a, found);
}

}  // namespace talus
