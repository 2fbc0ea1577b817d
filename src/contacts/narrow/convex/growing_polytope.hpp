// A polytope inside the difference body that grows where it is nearest to the origin (core_distance.hpp).
//
// It is the convex hull of its points, exactly: whether a face sees a new point is decided without rounding errors. If
// it were not, faces that are one plane but for rounding errors could contradict each other, and the surface would get
// holes.
#pragma once

#include <array>

#include "contacts/narrow/convex/difference_body.hpp"

namespace talus {

class GrowingPolytope {
public:
    struct Face {
        std::array<int, 3> corner;               // against the clock seen from outside
        std::array<int, 3> neighbour, sameEdge;  // across the edge from corner k to k + 1, and its number there
        Vec3 normal;                             // unit, outward
        double distance = 0;                     // m, of the origin from its plane: positive inside
        bool alive = false;
        int seen = 0;  // by the last points that were added
    };

    // Begins anew with four points, which must not lie in a plane.
    void beginWith(const std::array<DifferencePoint, 4>& points);

    // The face with the least distance, of those still there.
    int nearestFace() const;
    int faceCount() const { return faceCount_; }  // those no longer alive included
    const Face& face(int k) const { return faces_[k]; }
    const DifferencePoint& point(int k) const { return points_[k]; }

    // Adds a point outside of a face. False if there is no room.
    bool add(const DifferencePoint& point, int outsideOf);

private:
    struct Horizon {
        int first = -1, last = -1;
        int count = 0;
    };
    int unusedFace();
    int newFace(int a, int b, int c);
    bool sees(const Face& face, int point) const;
    void join(int face, int edge, int otherFace, int otherEdge);
    bool swallow(int face, int edge, int point, Horizon& horizon);

    static constexpr int mostPoints = 128, mostFaces = 2 * mostPoints;
    std::array<DifferencePoint, mostPoints> points_;
    std::array<Face, mostFaces> faces_;
    int pointCount_ = 0, faceCount_ = 0, round_ = 0;
    std::array<int, mostFaces> unused_;  // removed before the present round
    int unusedCount_ = 0;
};

}  // namespace talus
