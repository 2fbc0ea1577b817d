#include "io/results/picture/picture.hpp"

#include <fmt/format.h>

#include "formats/png_file.hpp"
#include "io/results/picture/eye_scene.hpp"
#include "io/results/picture/shading.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

void checkSettings(const PictureSettings& s) {
    constexpr int largest = 16384;
    if (s.width < 1 || s.height < 1 || s.width > largest || s.height > largest) {
        throw InputError(
            fmt::format("picture size: must be 1 to {} pixels each way, got {} x {}", largest, s.width, s.height));
    }
}

}  // namespace

std::vector<Vec3> shownPoints(const PictureScene& scene) {
    const Bounds& bounds = scene.bounds;
    std::vector<Vec3> points;
    for (int k = 0; k < 8; ++k) {
        points.push_back({k & 1 ? bounds.high.x : bounds.low.x, k & 2 ? bounds.high.y : bounds.low.y,
                          k & 4 ? bounds.high.z : bounds.low.z});
    }
    for (const WallEdge& edge : scene.edges) {
        points.push_back(edge.segment.from);
        points.push_back(edge.segment.to);
    }
    for (const Segment& joint : scene.joints) {
        points.push_back(joint.from);
        points.push_back(joint.to);
    }
    return points;
}

Canvas drawScene(const PictureScene& scene, const std::vector<Colour>& colours, const std::vector<Vec3>& shown,
                 const PictureSettings& settings, const std::optional<Legend>& legend) {
    checkSettings(settings);
    const int width = 2 * settings.width, height = 2 * settings.height;
    const Camera camera(scene, settings, shown, width, height);
    const EyeScene seen = makeEyeScene(scene, camera);
    const DepthBuffer buffer = castRays(camera, width, height, seen);
    Canvas canvas = shade(camera, buffer, seen, colours);
    drawLines(canvas, camera, buffer, seen.lines, 3.0, fromSrgb(70, 78, 90));
    std::vector<Segment> joints;
    for (const Segment& s : scene.joints) joints.push_back({camera.toEye(s.from), camera.toEye(s.to)});
    if (!joints.empty()) drawLines(canvas, camera, buffer, joints, 5.0, fromSrgb(200, 0, 90), Hidden::showsThrough);
    if (legend) drawLegend(canvas, *legend);
    return halve(canvas);
}

void writeCanvas(const std::filesystem::path& file, const Canvas& canvas, Background background) {
    writePng(file, canvas.width, canvas.height, bytesOf(canvas, background));
}

void renderPicture(const WorldState& world, const std::filesystem::path& file, const PictureSettings& settings) {
    const PictureScene scene = pictureSceneOf(world);
    writeCanvas(file, drawScene(scene, grainColours(world, settings.colour), shownPoints(scene), settings, {}),
                settings.background);
}

}  // namespace talus
