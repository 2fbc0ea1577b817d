// A picture of a world as a PNG file, by a small renderer of our own: no screen, no graphics card, no other program.
//
// Spheres, and triangles of other shapes, are cast ray by ray into a depth buffer, shaded with one soft light and
// ambient occlusion, and drawn at twice the size to smooth edges. Planes become a ground that fades out; containers,
// drums, periodic domains and the rims of flat and open surfaces are drawn as lines. For looking, not for measuring:
// there is no scale in the picture.
#pragma once

#include <filesystem>

#include "model/world.hpp"

namespace talus {

enum class PictureColour { speed, radius, group };
enum class Projection { perspective, orthographic };

struct PictureSettings {
    int width = 1200, height = 900;  // pixels
    PictureColour colour = PictureColour::speed;
    Projection projection = Projection::perspective;
    double azimuth = -60;   // degrees, of the eye about the upward axis, from +x towards +y
    double elevation = 20;  // degrees, of the eye above the horizon
};

// Up is against gravity (z without gravity). A planar scene is seen straight on, whatever the angles. RunError if the
// file cannot be written.
void renderPicture(const WorldState& world, const std::filesystem::path& file, const PictureSettings& settings = {});

}  // namespace talus
