// What a camera can see of a scene: spheres, grounds of planes, the surfaces of all other bodies, and lines.
#pragma once

#include "io/results/picture/depth_buffer.hpp"

namespace talus {

// Of an open surface (a hopper) what stands between the eye and its middle is left out, so that one sees inside.
EyeScene makeEyeScene(const PictureScene& scene, const Camera& camera);

}  // namespace talus
