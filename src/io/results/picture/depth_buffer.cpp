#include "io/results/picture/depth_buffer.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr int bandHeight = 32;  // rows of pixels that one thread draws

// Rows and columns of pixels whose centres a surface may cover.
struct PixelBox {
    int lowX, highX, lowY, highY;  // high ends are not included
};

PixelBox pixelBox(const std::array<double, 4>& range, int width, int height) {
    const auto pixel = [](double x, int limit) {
        return static_cast<int>(std::clamp(x, 0.0, static_cast<double>(limit)));
    };
    return {pixel(std::floor(range[0]), width), pixel(std::ceil(range[1]), width), pixel(std::floor(range[2]), height),
            pixel(std::ceil(range[3]), height)};
}

PixelBox pixelsOf(const Camera& camera, const EyeSphere& sphere, int width, int height) {
    if (sphere.radius <= 0 || sphere.centre.z - sphere.radius < Camera::nearest) return {0, 0, 0, 0};
    return pixelBox(camera.pixelRange(sphere.centre, sphere.radius), width, height);
}

PixelBox pixelsOf(const Camera& camera, const EyeTriangle& triangle, int width, int height) {
    constexpr double far = std::numeric_limits<double>::infinity();
    std::array<double, 4> range{far, -far, far, -far};
    for (const Vec3& corner : triangle.corners) {
        if (corner.z < Camera::nearest) return {0, 0, 0, 0};
        const Vec3 pixel = camera.toPixel(corner);
        range = {std::min(range[0], pixel.x), std::max(range[1], pixel.x), std::min(range[2], pixel.y),
                 std::max(range[3], pixel.y)};
    }
    return pixelBox(range, width, height);
}

double nearestDepth(const EyeSphere& sphere) { return sphere.centre.z - sphere.radius; }
double nearestDepth(const EyeTriangle& t) { return std::min({t.corners[0].z, t.corners[1].z, t.corners[2].z}); }

// Depth at which a ray enters a sphere, or infinity.
double hitDepth(const Ray& ray, const EyeSphere& sphere) {
    const Vec3 toCentre = sphere.centre - ray.origin;
    const double a = normSquared(ray.direction), b = dot(ray.direction, toCentre);
    const double c = normSquared(toCentre) - sphere.radius * sphere.radius;
    const double root = b * b - a * c;
    return root < 0 ? std::numeric_limits<double>::infinity() : (b - std::sqrt(root)) / a;
}

double hitDepth(const Ray& ray, const EyeTriangle& triangle) { return hitTriangle(ray, triangle).depth; }

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

// Surfaces of one kind with the pixels they cover, and which of them each band of rows sees.
template <class Surface>
class Kind {
public:
    Kind(const Camera& camera, const std::vector<Surface>& surfaces, std::size_t firstNumber, int width, int height)
        : camera_(camera), surfaces_(surfaces), firstNumber_(firstNumber), boxes_(surfaces.size()) {
        parallelFor(surfaces.size(), [&](std::size_t i) { boxes_[i] = pixelsOf(camera, surfaces[i], width, height); });
        seen_.resize(static_cast<std::size_t>((height + bandHeight - 1) / bandHeight));
        for (std::size_t i = 0; i < surfaces.size(); ++i) {
            if (boxes_[i].lowX >= boxes_[i].highX) continue;
            for (int band = boxes_[i].lowY / bandHeight; band * bandHeight < boxes_[i].highY; ++band) {
                seen_[static_cast<std::size_t>(band)].push_back(static_cast<std::uint32_t>(i));
            }
        }
    }

    void drawBand(std::size_t band, DepthBuffer& buffer) {
        // Near ones first, so that most hidden ones are skipped without casting a ray.
        std::sort(seen_[band].begin(), seen_[band].end(), [&](auto i, auto j) {
            const double a = nearestDepth(surfaces_[i]), b = nearestDepth(surfaces_[j]);
            return a != b ? a < b : i < j;
        });
        const int lowY = static_cast<int>(band) * bandHeight, highY = std::min(buffer.height, lowY + bandHeight);
        for (const std::uint32_t i : seen_[band]) draw(i, lowY, highY, buffer);
    }

private:
    void draw(std::uint32_t i, int lowY, int highY, DepthBuffer& buffer) const {
        const PixelBox& box = boxes_[i];
        for (int y = std::max(lowY, box.lowY); y < std::min(highY, box.highY); ++y) {
            for (int x = box.lowX; x < box.highX; ++x) {
                const std::size_t pixel = buffer.at(x, y);
                if (buffer.depth[pixel] <= nearestDepth(surfaces_[i])) continue;  // hidden by something nearer
                keepNearest(buffer, pixel, hitDepth(camera_.rayThrough(x + 0.5, y + 0.5), surfaces_[i]),
                            static_cast<std::uint32_t>(firstNumber_ + i));
            }
        }
    }

    const Camera& camera_;
    const std::vector<Surface>& surfaces_;
    std::size_t firstNumber_;
    std::vector<PixelBox> boxes_;
    std::vector<std::vector<std::uint32_t>> seen_;  // for each band
};

}  // namespace

TriangleHit hitTriangle(const Ray& ray, const EyeTriangle& triangle) {
    // T. Moeller, B. Trumbore, "Fast, minimum storage ray/triangle intersection", J. Graphics Tools 2 (1997).
    constexpr double slack = 1e-9;  // so that no ray slips through between two triangles
    const Vec3 &a = triangle.corners[0], e1 = triangle.corners[1] - a, e2 = triangle.corners[2] - a;
    const Vec3 p = cross(ray.direction, e2);
    const double determinant = dot(e1, p);
    if (determinant == 0) return {};
    const Vec3 t = ray.origin - a, q = cross(t, e1);
    const double u = dot(t, p) / determinant, v = dot(ray.direction, q) / determinant;
    if (!(u >= -slack && v >= -slack && u + v <= 1 + slack)) return {};
    return {dot(e2, q) / determinant, {1 - u - v, u, v}};
}

DepthBuffer castRays(const Camera& camera, int width, int height, const EyeScene& scene) {
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    DepthBuffer buffer{width, height, std::vector<float>(pixels, std::numeric_limits<float>::infinity()),
                       std::vector<std::uint32_t>(pixels, nothing)};
    const std::size_t firstGround = scene.spheres.size(), firstTriangle = firstGround + scene.grounds.size();
    Kind<EyeSphere> spheres(camera, scene.spheres, 0, width, height);
    Kind<EyeTriangle> triangles(camera, scene.triangles, firstTriangle, width, height);

    const std::size_t bands = static_cast<std::size_t>((height + bandHeight - 1) / bandHeight);
    parallelBlocks(bands, [&](std::size_t band) {
        spheres.drawBand(band, buffer);
        triangles.drawBand(band, buffer);
        const int lowY = static_cast<int>(band) * bandHeight, highY = std::min(height, lowY + bandHeight);
        for (std::size_t g = 0; g < scene.grounds.size(); ++g) {
            for (int y = lowY; y < highY; ++y) {
                for (int x = 0; x < width; ++x) {
                    const Ray ray = camera.rayThrough(x + 0.5, y + 0.5);
                    keepNearest(buffer, buffer.at(x, y), hitDepth(ray, scene.grounds[g]),
                                static_cast<std::uint32_t>(firstGround + g));
                }
            }
        }
    });
    return buffer;
}

}  // namespace talus
