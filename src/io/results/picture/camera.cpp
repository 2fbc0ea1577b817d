#include "io/results/picture/camera.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus {
namespace {

constexpr double halfAngle = 14 * std::numbers::pi / 180;  // of the view, vertical: a mild perspective
constexpr double usedShare = 0.92;                         // of the picture by what is shown

Vec3 perpendicularTo(const Vec3& axis, const Vec3& wish) { return wish - dot(wish, axis) * axis; }

}  // namespace

Camera::Camera(const PictureScene& scene, const PictureSettings& settings, const std::vector<Vec3>& points, int width,
               int height)
    : perspective_(settings.projection == Projection::perspective && !scene.planarNormal),
      width_(width),
      height_(height) {
    chooseDirections(scene, settings);
    standBack(points);
}

void Camera::chooseDirections(const PictureScene& scene, const PictureSettings& settings) {
    if (scene.planarNormal) {
        forward_ = -*scene.planarNormal;
        const bool isAlongUp = std::abs(dot(scene.up, forward_)) > 0.99;
        up_ = normalized(perpendicularTo(forward_, isAlongUp ? Vec3{0, 1, 0} : scene.up));
    } else {
        const Vec3& up = scene.up;
        const Vec3 alongX = perpendicularTo(up, {1, 0, 0});
        const Vec3 first = normalized(norm(alongX) > 0.1 ? alongX : perpendicularTo(up, {0, 1, 0}));
        const Vec3 second = cross(up, first);
        const double azimuth = settings.azimuth * std::numbers::pi / 180;
        const double elevation = std::clamp(settings.elevation, -90.0, 90.0) * std::numbers::pi / 180;
        const Vec3 horizontal = std::cos(azimuth) * first + std::sin(azimuth) * second;
        forward_ = -(std::cos(elevation) * horizontal + std::sin(elevation) * up);
        up_ = std::cos(elevation) * up - std::sin(elevation) * horizontal;
    }
    right_ = cross(forward_, up_);
}

void Camera::standBack(const std::vector<Vec3>& points) {
    // Centre of what is shown, in the directions of the eye.
    Vec3 low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3& point : points) {
        const Vec3 p = turnToEye(point);
        for (int axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], p[axis]);
            high[axis] = std::max(high[axis], p[axis]);
        }
    }
    const Vec3 middle = 0.5 * (low + high);
    const Vec3 half = 0.5 * (high - low);
    const double aspect = width_ / height_;
    double distance = half.z + std::max({half.x, half.y, half.z, 1e-9});
    if (perspective_) {
        const double planeHalf = std::tan(halfAngle);
        pixelsPerUnit_ = 0.5 * height_ / planeHalf;
        for (const Vec3& point : points) {
            const Vec3 p = turnToEye(point) - middle;
            const double needed = std::max(std::abs(p.x) / aspect, std::abs(p.y)) / (planeHalf * usedShare);
            distance = std::max(distance, needed - p.z);
        }
    } else {
        pixelsPerUnit_ = 0.5 * usedShare * height_ / std::max({half.x / aspect, half.y, 1e-12});
    }
    position_ = middle.x * right_ + middle.y * up_ + (middle.z - distance) * forward_;
}

Vec3 Camera::turnToEye(const Vec3& d) const { return {dot(d, right_), dot(d, up_), dot(d, forward_)}; }

Vec3 Camera::toEye(const Vec3& point) const { return turnToEye(point - position_); }

Vec3 Camera::toPixel(const Vec3& eye) const {
    const double scale = scaleAt(eye.z);
    return {0.5 * width_ + scale * eye.x, 0.5 * height_ - scale * eye.y, eye.z};
}

Ray Camera::rayThrough(double pixelX, double pixelY) const {
    const double x = (pixelX - 0.5 * width_) / pixelsPerUnit_, y = (0.5 * height_ - pixelY) / pixelsPerUnit_;
    if (perspective_) return {{0, 0, 0}, {x, y, 1}};
    return {{x, y, 0}, {0, 0, 1}};
}

std::array<double, 4> Camera::pixelRange(const Vec3& c, double radius) const {
    // In perspective the tangents through the eye bound the sphere's image.
    const auto range = [&](double side) -> std::array<double, 2> {
        if (!perspective_) return {side - radius, side + radius};
        const double root = radius * std::sqrt(side * side + c.z * c.z - radius * radius);
        const double below = c.z * c.z - radius * radius;
        return {(side * c.z - root) / below, (side * c.z + root) / below};
    };
    const auto [lowX, highX] = range(c.x);
    const auto [lowY, highY] = range(c.y);
    return {0.5 * width_ + pixelsPerUnit_ * lowX, 0.5 * width_ + pixelsPerUnit_ * highX,
            0.5 * height_ - pixelsPerUnit_ * highY, 0.5 * height_ - pixelsPerUnit_ * lowY};
}

}  // namespace talus
