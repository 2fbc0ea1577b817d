#include "io/results/picture/picture.hpp"

#include <fmt/format.h>

#include <string>

#include "formats/png_file.hpp"
#include "io/results/picture/eye_scene.hpp"
#include "io/results/picture/shading.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// The edges of a periodic domain, as far as it has ends.
std::vector<Segment> domainEdges(const Domain& domain, const Bounds& grains) {
    if (!domain.anyPeriodic()) return {};
    Bounds box = grains;
    for (int axis = 0; axis < 3; ++axis) {
        if (!domain.periodic[static_cast<std::size_t>(axis)]) continue;
        box.low[axis] = domain.low[axis];
        box.high[axis] = domain.high[axis];
    }
    WorldState frame;  // drawn as a box wall
    frame.materials.list.resize(1);
    const std::uint16_t shape = frame.shapes.add(BoxWall{.halfSize = 0.5 * (box.high - box.low)});
    addBody(frame, {.shape = shape, .position = box.centre()});
    return wallEdges(frame);
}

std::vector<Vec3> cornersOf(const Bounds& bounds) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) {
        corners.push_back({k & 1 ? bounds.high.x : bounds.low.x, k & 2 ? bounds.high.y : bounds.low.y,
                           k & 4 ? bounds.high.z : bounds.low.z});
    }
    return corners;
}

// Planes of a planar scene are seen from the side, as lines.
std::vector<Segment> planeEdges(const WorldState& world, const Bounds& bounds) {
    std::vector<Segment> edges;
    if (!normalOfPlanarScene(world)) return edges;
    for (const WallPolygon& polygon : wallPolygons(world, bounds)) {
        if (!std::holds_alternative<PlaneWall>(world.shapes[world.bodies.shape[polygon.wall]])) continue;
        const std::vector<Vec3>& corners = polygon.corners;
        for (std::size_t k = 0; k < corners.size(); ++k)
            edges.push_back({corners[k], corners[(k + 1) % corners.size()]});
    }
    return edges;
}

void writeCanvas(const std::filesystem::path& file, const Canvas& canvas) {
    std::vector<unsigned char> bytes;
    bytes.reserve(3 * canvas.pixels.size());
    for (const Colour& pixel : canvas.pixels) {
        for (const unsigned char channel : toSrgb(pixel)) bytes.push_back(channel);
    }
    writePng(file, canvas.width, canvas.height, bytes);
}

void checkSettings(const PictureSettings& s) {
    constexpr int largest = 16384;
    if (s.width < 1 || s.height < 1 || s.width > largest || s.height > largest) {
        throw InputError(
            fmt::format("picture size: must be 1 to {} pixels each way, got {} x {}", largest, s.width, s.height));
    }
}

}  // namespace

void renderPicture(const WorldState& world, const std::filesystem::path& file, const PictureSettings& settings) {
    checkSettings(settings);
    const int width = 2 * settings.width, height = 2 * settings.height;

    // What is shown, and from where.
    const Bounds bounds = boundsOfGrains(world);
    std::vector<Segment> edges = wallEdges(world);
    for (const Segment& edge : domainEdges(world.domain, bounds)) edges.push_back(edge);
    std::vector<Vec3> shown = cornersOf(bounds);
    for (const Segment& edge : edges) shown.push_back(edge.from);
    for (const Segment& edge : edges) shown.push_back(edge.to);
    const Camera camera(world, settings, shown, width, height);

    // Surfaces, light, lines.
    const BodySurfaces surfaces = bodySurfaces(world);
    const EyeScene scene = makeEyeScene(world, camera, bounds, surfaces);
    const DepthBuffer buffer = castRays(camera, width, height, scene);
    Canvas canvas = shade(camera, buffer, scene, grainColours(world, settings.colour));
    for (const Segment& edge : planeEdges(world, bounds)) edges.push_back(edge);
    for (const Segment& rim : rimsOf(surfaces)) edges.push_back(rim);
    for (Segment& edge : edges) edge = {camera.toEye(edge.from), camera.toEye(edge.to)};
    drawLines(canvas, camera, buffer, edges, 3.0);
    writeCanvas(file, halve(canvas));
}

}  // namespace talus
