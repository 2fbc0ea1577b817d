#include "contacts/narrow/convex/growing_polytope.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "geometry/solids/orientation.hpp"

namespace talus {

void GrowingPolytope::beginWith(const std::array<DifferencePoint, 4>& points) {
    pointCount_ = faceCount_ = round_ = unusedCount_ = 0;
    for (const DifferencePoint& p : points) points_[pointCount_++] = p;
    // Turned so that all faces look outward.
    if (sideOfPlane(points_[0].w, points_[1].w, points_[2].w, points_[3].w) > 0) std::swap(points_[1], points_[2]);
    newFace(0, 1, 2);
    newFace(0, 3, 1);
    newFace(1, 3, 2);
    newFace(2, 3, 0);
    join(0, 0, 1, 2);
    join(0, 1, 2, 2);
    join(0, 2, 3, 2);
    join(1, 1, 2, 0);
    join(2, 1, 3, 0);
    join(3, 1, 1, 0);
}

int GrowingPolytope::unusedFace() {
    if (unusedCount_ > 0) return unused_[--unusedCount_];
    return faceCount_ < mostFaces ? faceCount_++ : -1;
}

// Many points lie on a flat side of A - B but for rounding errors, and faces between them can be as thin as these.
int GrowingPolytope::newFace(int a, int b, int c) {
    const int made = unusedFace();
    if (made < 0) return -1;
    Face& f = faces_[made];
    f.corner = {a, b, c};
    f.alive = true;
    f.seen = 0;
    const Vec3 &p = points_[a].w, &q = points_[b].w, &r = points_[c].w;
    constexpr double thin = 1e-6;
    const double longest = std::max({normSquared(q - p), normSquared(r - p), normSquared(r - q)});
    Vec3 across = cross(q - p, r - p);
    if (norm(across) < thin * longest) across = preciseCross(p, q, r);
    const double area = norm(across);
    f.normal = area > 0 ? across / area : Vec3{};
    f.distance = area > 0 ? dot(f.normal, p) : std::numeric_limits<double>::infinity();
    return made;
}

void GrowingPolytope::join(int face, int edge, int otherFace, int otherEdge) {
    faces_[face].neighbour[edge] = otherFace;
    faces_[face].sameEdge[edge] = otherEdge;
    faces_[otherFace].neighbour[otherEdge] = face;
    faces_[otherFace].sameEdge[otherEdge] = edge;
}

int GrowingPolytope::nearestFace() const {
    int best = -1;
    for (int k = 0; k < faceCount_; ++k) {
        if (!faces_[k].alive) continue;
        if (best < 0 || faces_[k].distance < faces_[best].distance) best = k;
    }
    return best;
}

bool GrowingPolytope::sees(const Face& f, int point) const {
    const auto& c = f.corner;
    return sideOfPlane(points_[c[0]].w, points_[c[1]].w, points_[c[2]].w, points_[point].w) > 0;
}

// Removes the faces that see the point, walking across edges; where a face does not see it, a new face joins that edge
// with the point. New faces come in order around the point. A face that was removed on another way has none: the walk
// has come round a corner that lies inside now.
bool GrowingPolytope::swallow(int face, int edge, int point, Horizon& horizon) {
    Face& f = faces_[face];
    if (f.seen == round_) return true;
    if (!sees(f, point)) {
        const int made = newFace(f.corner[(edge + 1) % 3], f.corner[edge], point);
        if (made < 0) return false;
        join(made, 0, face, edge);
        if (horizon.last >= 0) {
            join(horizon.last, 1, made, 2);
        } else {
            horizon.first = made;
        }
        horizon.last = made;
        ++horizon.count;
        return true;
    }
    f.seen = round_;
    f.alive = false;
    const int next = (edge + 1) % 3, afterNext = (edge + 2) % 3;
    return swallow(f.neighbour[next], f.sameEdge[next], point, horizon) &&
           swallow(f.neighbour[afterNext], f.sameEdge[afterNext], point, horizon);
}

bool GrowingPolytope::add(const DifferencePoint& point, int outsideOf) {
    if (pointCount_ == mostPoints) return false;
    points_[pointCount_] = point;
    ++round_;
    Face& f = faces_[outsideOf];
    f.seen = round_;
    f.alive = false;
    Horizon horizon;
    for (int edge = 0; edge < 3; ++edge) {
        if (!swallow(f.neighbour[edge], f.sameEdge[edge], pointCount_, horizon)) return false;
    }
    if (horizon.count < 3) return false;
    join(horizon.last, 1, horizon.first, 2);
    ++pointCount_;
    for (int k = 0; k < faceCount_; ++k) {
        if (!faces_[k].alive && faces_[k].seen == round_) unused_[unusedCount_++] = k;
    }
    return true;
}

}  // namespace talus
