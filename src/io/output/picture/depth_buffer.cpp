#include "io/output/picture/depth_buffer.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr int bandHeight = 32;  // rows of pixels that one thread draws

// Rows and columns of pixels whose centres a sphere may cover.
struct PixelBox {
    int lowX, highX, lowY, highY;  // high ends are not included
};

PixelBox pixelsOf(const Camera& camera, const EyeSphere& sphere, int width, int height) {
    if (sphere.centre.z - sphere.radius < Camera::nearest) return {0, 0, 0, 0};
    const std::array<double, 4> range = camera.pixelRange(sphere.centre, sphere.radius);
    const auto pixel = [](double x, int limit) {
        return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(limit)));
    };
    return {pixel(std::floor(range[0]), width), pixel(std::ceil(range[1]), width), pixel(std::floor(range[2]), height),
            pixel(std::ceil(range[3]), height)};
}

// Depth at which a ray enters a sphere, or infinity.
double hitDepth(const Ray& ray, const EyeSphere& sphere) {
    const Vec3 toCentre = sphere.centre - ray.origin;
    const double a = normSquared(ray.direction), b = dot(ray.direction, toCentre);
    const double c = normSquared(toCentre) - sphere.radius * sphere.radius;
    const double root = b * b - a * c;
    return root < 0 ? std::numeric_limits<double>::infinity() : (b - std::sqrt(root)) / a;
}

double hitDepth(const Ray& ray, const EyeGround& ground) {
    const double slope = dot(ray.direction, ground.normal);
    if (slope >= 0) return std::numeric_limits<double>::infinity();  // seen from below: left out
    const double depth = dot(ground.centre - ray.origin, ground.normal) / slope;
    const Vec3 place = ray.origin + depth * ray.direction;
    const bool inside = depth > Camera::nearest && norm(place - ground.centre) < ground.radius;
    return inside ? depth : std::numeric_limits<double>::infinity();
}

void keepNearest(DepthBuffer& buffer, std::size_t pixel, double depth, std::uint32_t surface) {
    if (static_cast<float>(depth) >= buffer.depth[pixel]) return;
    buffer.depth[pixel] = static_cast<float>(depth);
    buffer.surface[pixel] = surface;
}

void drawSphere(const Camera& camera, const EyeSphere& sphere, std::uint32_t index, const PixelBox& box, int lowY,
                int highY, DepthBuffer& buffer) {
    for (int y = std::max(lowY, box.lowY); y < std::min(highY, box.highY); ++y) {
        for (int x = box.lowX; x < box.highX; ++x) {
            const std::size_t pixel = buffer.at(x, y);
            if (buffer.depth[pixel] <= sphere.centre.z - sphere.radius) continue;  // hidden by something nearer
            keepNearest(buffer, pixel, hitDepth(camera.rayThrough(x + 0.5, y + 0.5), sphere), index);
        }
    }
}

}  // namespace

DepthBuffer castRays(const Camera& camera, int width, int height, const std::vector<EyeSphere>& spheres,
                     const std::vector<EyeGround>& grounds) {
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    DepthBuffer buffer{width, height, std::vector<float>(pixels, std::numeric_limits<float>::infinity()),
                       std::vector<std::uint32_t>(pixels, nothing)};

    // Which spheres each band of rows sees.
    const std::size_t bands = static_cast<std::size_t>((height + bandHeight - 1) / bandHeight);
    std::vector<PixelBox> boxes(spheres.size());
    parallelFor(spheres.size(), [&](std::size_t i) { boxes[i] = pixelsOf(camera, spheres[i], width, height); });
    std::vector<std::vector<std::uint32_t>> seen(bands);
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        if (boxes[i].lowX >= boxes[i].highX) continue;
        for (int band = boxes[i].lowY / bandHeight; band * bandHeight < boxes[i].highY; ++band) {
            seen[static_cast<std::size_t>(band)].push_back(static_cast<std::uint32_t>(i));
        }
    }

    parallelBlocks(bands, [&](std::size_t band) {
        const int lowY = static_cast<int>(band) * bandHeight, highY = std::min(height, lowY + bandHeight);
        // Near spheres first, so that most hidden ones are skipped without a square root.
        std::sort(seen[band].begin(), seen[band].end(),
                  [&](auto i, auto j) { return spheres[i].centre.z < spheres[j].centre.z; });
        for (const std::uint32_t i : seen[band]) drawSphere(camera, spheres[i], i, boxes[i], lowY, highY, buffer);
        for (std::size_t g = 0; g < grounds.size(); ++g) {
            for (int y = lowY; y < highY; ++y) {
                for (int x = 0; x < width; ++x) {
                    keepNearest(buffer, buffer.at(x, y), hitDepth(camera.rayThrough(x + 0.5, y + 0.5), grounds[g]),
                                static_cast<std::uint32_t>(spheres.size() + g));
                }
            }
        }
    });
    return buffer;
}

}  // namespace talus
