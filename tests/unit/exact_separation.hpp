// The greatest separation of two polyhedra without rounding errors: an oracle for the searches of the narrow phase.
//
// Along a direction n the separation is s(n) = (min over a of n.x - max over b of n.y)/|n|. Its maximum over all n, if
// the polyhedra touch or overlap, is along the normal of a face of one of them or across an edge of each. Numbers of
// 113 bits hold the cross products of differences of doubles exactly, and their dot products with corners to 1e-33 of
// these. Nothing is shared with the searches: all corners, faces and edges are tried, none is left out for being
// parallel to another.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "contacts/narrow/convex/convex_core.hpp"
#include "geometry/solids/hull.hpp"

namespace talus::samples {

__extension__ typedef __float128 Quad;
using QuadVec = Vector3<Quad>;

inline QuadVec quad(const Vec3& v) { return {Quad(v.x), Quad(v.y), Quad(v.z)}; }

// Where the corners of a hull are in the world.
struct PlacedPolyhedron {
    const ConvexHull* hull;  // its faces and edges
    std::vector<Vec3> corners;

    PlacedPolyhedron(const ConvexHull& of, const ConvexCore& core) : hull(&of) {
        for (const Vec3& c : of.corners) corners.push_back(core.toWorld(c));
    }

    // Outward, as three of its corners have it, those that span most.
    QuadVec faceNormal(const ConvexHull::Face& face) const {
        std::array<std::uint32_t, 3> best{};
        double most = -1;
        for (std::size_t i = 1; i + 1 < face.corners.size(); ++i) {
            for (std::size_t j = i + 1; j < face.corners.size(); ++j) {
                const auto& c = face.corners;
                const double area = norm(cross(corners[c[i]] - corners[c[0]], corners[c[j]] - corners[c[0]]));
                if (area > most) most = area, best = {c[0], c[i], c[j]};
            }
        }
        const QuadVec p = quad(corners[best[0]]);
        return cross(quad(corners[best[1]]) - p, quad(corners[best[2]]) - p);
    }
    template <class T>
    T least(const Vector3<T>& n) const {
        T best = dot(n, Vector3<T>{T(corners[0].x), T(corners[0].y), T(corners[0].z)});
        for (const Vec3& c : corners) best = std::min(best, dot(n, Vector3<T>{T(c.x), T(c.y), T(c.z)}));
        return best;
    }
};

// s(n), m; n of any length.
template <class T>
double separationAlong(const PlacedPolyhedron& a, const PlacedPolyhedron& b, const Vector3<T>& n) {
    return double(a.least(n) + b.least(-n)) / std::sqrt(double(dot(n, n)));
}

class ExactSeparation {
public:
    ExactSeparation(const PlacedPolyhedron& a, const PlacedPolyhedron& b) : a_(a), b_(b) {
        for (const auto& face : a.hull->faces) tryAxis(-a.faceNormal(face));
        for (const auto& face : b.hull->faces) tryAxis(b.faceNormal(face));
        for (const auto& e : a.hull->edges) {
            for (const auto& f : b.hull->edges) tryEdges(e, f);
        }
    }
    double greatest() const { return greatest_; }  // m
    Vec3 normal() const { return normal_; }        // along which, out of b

private:
    void tryAxis(const QuadVec& n) {
        if (dot(n, n) == 0) return;
        const double s = separationAlong(a_, b_, n);
        if (s > greatest_) greatest_ = s, normal_ = normalized(Vec3{double(n.x), double(n.y), double(n.z)});
    }

    // Doubles are enough to see that an axis is worse than one before by far, if the edges are not nearly parallel.
    void tryEdges(const ConvexHull::Edge& e, const ConvexHull::Edge& f) {
        const Vec3 ofA = a_.corners[e.to] - a_.corners[e.from], ofB = b_.corners[f.to] - b_.corners[f.from];
        const Vec3 roughly = cross(ofA, ofB);
        const double sine = norm(roughly) / (norm(ofA) * norm(ofB)), most = norm(ofA) + norm(ofB);
        for (const double sign : {1.0, -1.0}) {
            const Vec3 n = sign * roughly;
            if (sine > 1e-3 && separationAlong(a_, b_, n) < greatest_ - 1e-9 * most) continue;
            const QuadVec p = quad(a_.corners[e.to]) - quad(a_.corners[e.from]),
                          q = quad(b_.corners[f.to]) - quad(b_.corners[f.from]);
            tryAxis(Quad(sign) * cross(p, q));
        }
    }

    const PlacedPolyhedron &a_, &b_;
    double greatest_ = -1e300;
    Vec3 normal_;
};

}  // namespace talus::samples
