// What each pixel sees: the depth of the nearest surface and which one it is.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "io/results/picture/camera.hpp"

namespace talus {

struct EyeSphere {
    Vec3 centre;  // eye coordinates
    double radius = 0;
};

// A round piece of ground, in eye coordinates.
struct EyeGround {
    Vec3 centre, normal;
    double radius = 0;
};

// A piece of the surface of a body, in eye coordinates; normals, at the corners, change smoothly over round surfaces.
struct EyeTriangle {
    std::array<Vec3, 3> corners, normals;
    std::uint32_t grain = 0;
};

// Shares of the three corners in a point of the plane of the triangle that a ray meets, and its depth.
struct TriangleHit {
    double depth = std::numeric_limits<double>::infinity();
    std::array<double, 3> shares{};
};
TriangleHit hitTriangle(const Ray& ray, const EyeTriangle& triangle);

// All that can be seen. Spheres have the indices of grains; one of radius 0 is not shown.
struct EyeScene {
    std::vector<EyeSphere> spheres;
    std::vector<EyeGround> grounds;
    std::vector<EyeTriangle> triangles;
    std::vector<Segment> lines;  // of walls and rims
    double grainRadius = 1;      // m, a usual one
};

inline constexpr std::uint32_t nothing = 0xFFFFFFFF;

struct DepthBuffer {
    int width = 0, height = 0;
    std::vector<float> depth;            // m, infinity where nothing is
    std::vector<std::uint32_t> surface;  // sphere, then ground, then triangle, counted through; or nothing

    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

// The result does not depend on the number of threads.
DepthBuffer castRays(const Camera& camera, int width, int height, const EyeScene& scene);

}  // namespace talus
