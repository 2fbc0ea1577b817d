// What a picture shows, whatever it is made of: a world, or a frame that a run left.
#pragma once

#include <optional>
#include <vector>

#include "io/results/body_surfaces.hpp"
#include "io/results/wall_geometry.hpp"
#include "talus/frames.hpp"

namespace talus {

// A plane, as far as it is under the bodies: a disc that fades out.
struct Ground {
    Vec3 foot, normal;
    double radius = 0;
};

// Of a wall, in the directions from which it is the outline of what is seen: between two faces, or at the rim of one.
struct WallEdge {
    Segment segment;
    Vec3 firstNormal, secondNormal;
    bool isAlwaysDrawn = true;
};

struct PictureScene {
    Vec3 up{0, 0, 1};
    std::optional<Vec3> planarNormal;  // of a planar scene: towards the eye
    std::vector<Vec3> centre;          // m, of each body
    std::vector<double> radius;        // m, of those that are spheres; else 0
    std::vector<bool> isWall;          // held in place, and no sphere: drawn, but never coloured
    BodySurfaces surfaces;             // of the others; `body` is an index into the above
    std::vector<Ground> grounds;
    std::vector<WallEdge> edges;    // of walls and of a periodic domain
    std::vector<Segment> outlines;  // of planes that are no grounds
    std::vector<Segment> joints;    // from what a joint holds to its point
    Bounds bounds;                  // of the bodies
};

PictureScene pictureSceneOf(const WorldState& world);

// What a frame does not have: from its scene.
struct FrameSurroundings {
    Vec3 gravity{0, 0, -9.81};
    std::optional<int> planarAxis;  // across the plane of a planar scene
    Domain domain;
};
FrameSurroundings surroundingsOf(const Scene& scene);
PictureScene pictureSceneOf(const Frame& frame, const FrameSurroundings& surroundings);

}  // namespace talus
