#include "io/results/picture/shading.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr int occlusionSamples = 12;
constexpr int patternCount = 256;
constexpr double occlusionStrength = 1.5;

struct SurfacePoint {
    Vec3 place, normal;  // eye coordinates
    Colour colour;
    double opacity = 1;
};

double smoothStep(double x) {
    const double t = std::clamp(x, 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

// A number in [0, 1) that differs from pixel to pixel: turns the pattern of samples, so that no bands appear.
double pixelNoise(int x, int y) {
    const double place = 0.06711056 * x + 0.00583715 * y;
    const double value = 52.9829189 * (place - std::floor(place));
    return value - std::floor(value);
}

// Where the surroundings of a pixel are looked at, in units of the reach: a spiral over the disc, turned by a share.
using SamplePattern = std::array<std::array<double, 2>, occlusionSamples>;

SamplePattern makePattern(double turn) {
    SamplePattern pattern;
    for (int k = 0; k < occlusionSamples; ++k) {
        const double distance = std::sqrt((k + turn) / occlusionSamples);
        const double angle = 2 * std::numbers::pi * (turn + 0.618034 * k);
        pattern[static_cast<std::size_t>(k)] = {distance * std::cos(angle), distance * std::sin(angle)};
    }
    return pattern;
}

class Shader {
public:
    Shader(const Camera& camera, const DepthBuffer& buffer, const EyeScene& scene, const std::vector<Colour>& colours)
        : camera_(camera), buffer_(buffer), scene_(scene), colours_(colours) {
        for (int k = 0; k < patternCount; ++k) patterns_.push_back(makePattern((k + 0.5) / patternCount));
        // Grains shade their neighbours: the reach of occlusion is a little more than a usual diameter.
        reach_ = 2.5 * scene.grainRadius;
    }

    Pixel pixelAt(int x, int y) const {
        const std::size_t pixel = buffer_.at(x, y);
        if (buffer_.surface[pixel] == nothing) return {};
        const SurfacePoint point = surfaceAt(x, y, buffer_.surface[pixel]);
        return {point.opacity * lightOn(point, 1 - occlusionAt(x, y, point)), point.opacity};
    }

private:
    Vec3 placeAt(int x, int y) const {
        const Ray ray = camera_.rayThrough(x + 0.5, y + 0.5);
        return ray.origin + static_cast<double>(buffer_.depth[buffer_.at(x, y)]) * ray.direction;
    }

    SurfacePoint surfaceAt(int x, int y, std::uint32_t surface) const {
        const Vec3 place = placeAt(x, y);
        const std::size_t firstGround = scene_.spheres.size(), firstTriangle = firstGround + scene_.grounds.size();
        if (surface < firstGround) {
            return {place, normalized(place - scene_.spheres[surface].centre), colours_[surface], 1};
        }
        if (surface >= firstTriangle) {
            const EyeTriangle& triangle = scene_.triangles[surface - firstTriangle];
            return {place, normalOf(triangle, camera_.rayThrough(x + 0.5, y + 0.5)), colours_[triangle.grain], 1};
        }
        const EyeGround& ground = scene_.grounds[surface - firstGround];
        const double opacity = 1 - smoothStep(norm(place - ground.centre) / ground.radius);
        return {place, ground.normal, fromSrgb(232, 234, 236), opacity};
    }

    // The normal of the side that is seen.
    static Vec3 normalOf(const EyeTriangle& triangle, const Ray& ray) {
        const std::array<double, 3> shares = hitTriangle(ray, triangle).shares;
        const Vec3 normal = normalized(shares[0] * triangle.normals[0] + shares[1] * triangle.normals[1] +
                                       shares[2] * triangle.normals[2]);
        return dot(normal, ray.direction) > 0 ? -normal : normal;
    }

    double occlusionAt(int x, int y, const SurfacePoint& point) const {
        if (point.opacity < 0.02) return 0;
        const double reachPixels = std::clamp(reach_ * camera_.scaleAt(point.place.z), 2.0, 120.0);
        double sum = 0;
        for (const auto& [dx, dy] : patterns_[static_cast<std::size_t>(pixelNoise(x, y) * patternCount)]) {
            const int sx = x + static_cast<int>(reachPixels * dx), sy = y + static_cast<int>(reachPixels * dy);
            if (sx < 0 || sy < 0 || sx >= buffer_.width || sy >= buffer_.height) continue;
            if (buffer_.surface[buffer_.at(sx, sy)] == nothing) continue;
            const Vec3 to = placeAt(sx, sy) - point.place;
            const double squared = normSquared(to), height = dot(to, point.normal) - 0.02 * reach_;
            if (height > 0) sum += height / std::sqrt(squared) / (1 + squared / (reach_ * reach_));
        }
        return std::clamp(2 * occlusionStrength * sum / occlusionSamples, 0.0, 0.95);
    }

    // One light over the left shoulder, light from all around, a faint highlight.
    static Colour lightOn(const SurfacePoint& point, double openness) {
        const Vec3 light = normalized(Vec3{-0.45, 0.75, -0.6}), eye{0, 0, -1};
        const double facing = dot(point.normal, light);
        const double diffuse = std::max(0.0, 0.75 * facing + 0.25);  // wrapped: soft towards the dark side
        const double around = 0.5 + 0.5 * point.normal.y;
        const double highlight = std::pow(std::max(0.0, dot(point.normal, normalized(light + eye))), 40.0);
        const Colour matt =
            (0.85 * diffuse * (0.35 + 0.65 * openness) + (0.22 + 0.18 * around) * openness) * point.colour;
        return matt + (0.10 * highlight * openness * point.opacity) * Colour{1, 1, 1};
    }

    const Camera& camera_;
    const DepthBuffer& buffer_;
    const EyeScene& scene_;
    const std::vector<Colour>& colours_;
    std::vector<SamplePattern> patterns_;
    double reach_ = 1;  // m
};

}  // namespace

Canvas shade(const Camera& camera, const DepthBuffer& buffer, const EyeScene& scene,
             const std::vector<Colour>& colours) {
    Canvas canvas{buffer.width, buffer.height, std::vector<Pixel>(buffer.depth.size())};
    const Shader shader(camera, buffer, scene, colours);
    parallelBlocks(static_cast<std::size_t>(buffer.height), [&](std::size_t row) {
        const int y = static_cast<int>(row);
        for (int x = 0; x < buffer.width; ++x) canvas.pixels[buffer.at(x, y)] = shader.pixelAt(x, y);
    });
    return canvas;
}

void drawLines(Canvas& canvas, const Camera& camera, const DepthBuffer& buffer, const std::vector<Segment>& lines,
               double lineWidth, const Colour& ink, Hidden hidden) {
    Cover cover(canvas);
    for (const Segment& line : lines) {
        if (line.from.z < Camera::nearest || line.to.z < Camera::nearest) continue;
        const Vec3 a = camera.toPixel(line.from), b = camera.toPixel(line.to);
        cover.addLine({a.x, a.y, b.x, b.y}, lineWidth, [&](std::size_t pixel, double t) {
            // Along a line in the picture, 1/depth is even in perspective.
            const double depth = camera.isPerspective() ? 1 / ((1 - t) / a.z + t / b.z) : (1 - t) * a.z + t * b.z;
            const bool isBehind = static_cast<double>(buffer.depth[pixel]) < 0.999 * depth;
            if (hidden == Hidden::leftOut) return isBehind ? 0.0 : 0.75;
            return isBehind ? 0.4 : 1.0;
        });
    }
    cover.paint(canvas, ink);
}

}  // namespace talus
