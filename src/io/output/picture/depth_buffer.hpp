// What each pixel sees: the depth of the nearest surface and which one it is.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "io/output/picture/camera.hpp"

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

inline constexpr std::uint32_t nothing = 0xFFFFFFFF;

struct DepthBuffer {
    int width = 0, height = 0;
    std::vector<float> depth;            // m, infinity where nothing is
    std::vector<std::uint32_t> surface;  // sphere, spheres.size() + ground, or nothing

    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

// The result does not depend on the number of threads.
DepthBuffer castRays(const Camera& camera, int width, int height, const std::vector<EyeSphere>& spheres,
                     const std::vector<EyeGround>& grounds);

}  // namespace talus
