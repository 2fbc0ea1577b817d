// A picture of a world, or of a frame of a run, as a PNG file, by a small renderer of our own: no screen, no graphics
// card, no other program.
//
// Spheres, and triangles of other shapes, are cast ray by ray into a depth buffer, shaded with one soft light and
// ambient occlusion, and drawn at twice the size to smooth edges. Planes become a ground that fades out; containers,
// drums, periodic domains, joints and the rims of flat and open surfaces are drawn as lines. For looking, not for
// measuring: there is no scale in the picture.
#pragma once

#include <filesystem>
#include <optional>

#include "io/results/picture/canvas.hpp"
#include "io/results/picture/legend.hpp"
#include "io/results/picture/picture_scene.hpp"
#include "model/world.hpp"

namespace talus {

enum class Projection { perspective, orthographic };

struct PictureSettings {
    int width = 1200, height = 900;  // pixels
    PictureColour colour = PictureColour::speed;
    Projection projection = Projection::perspective;
    double azimuth = -60;   // degrees, of the eye about the upward axis, from +x towards +y
    double elevation = 20;  // degrees, of the eye above the horizon
    Background background = Background::light;
};

// Up is against gravity (z without gravity). A planar scene is seen straight on, whatever the angles. RunError if the
// file cannot be written.
void renderPicture(const WorldState& world, const std::filesystem::path& file, const PictureSettings& settings = {});

// What the eye stands back for: the corners of the box about the bodies, and the ends of edges and joints.
std::vector<Vec3> shownPoints(const PictureScene& scene);

// One colour per body; `shown` is what is to be in the picture.
Canvas drawScene(const PictureScene& scene, const std::vector<Colour>& colours, const std::vector<Vec3>& shown,
                 const PictureSettings& settings, const std::optional<Legend>& legend);
void writeCanvas(const std::filesystem::path& file, const Canvas& canvas, Background background);

}  // namespace talus
