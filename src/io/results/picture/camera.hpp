// The eye of a picture: where it is, and between points of the world and pixels.
//
// Eye coordinates: x to the right, y up, z away from the eye, in metres from the eye. The picture plane is at z = 1 in
// perspective; in an orthographic view its coordinates are those of the eye.
#pragma once

#include <array>
#include <vector>

#include "io/results/picture/picture.hpp"
#include "io/results/picture/picture_scene.hpp"

namespace talus {

struct Ray {
    Vec3 origin, direction;  // eye coordinates; direction.z = 1, so that the ray parameter is the depth
};

class Camera {
public:
    // Stands where all the points are in the picture. Width and height in pixels of the picture to be drawn.
    Camera(const PictureScene& scene, const PictureSettings& settings, const std::vector<Vec3>& points, int width,
           int height);

    Vec3 toEye(const Vec3& point) const;
    // Directions only: turned, not moved.
    Vec3 turnToEye(const Vec3& direction) const;
    // Pixel coordinates and depth of a point in eye coordinates with z > 0.
    Vec3 toPixel(const Vec3& eye) const;
    // From a point in eye coordinates towards the eye; not of unit length.
    Vec3 toTheEye(const Vec3& eye) const { return perspective_ ? -eye : Vec3{0, 0, -1}; }
    Ray rayThrough(double pixelX, double pixelY) const;
    // Pixels per metre at this depth.
    double scaleAt(double depth) const { return perspective_ ? pixelsPerUnit_ / depth : pixelsPerUnit_; }
    bool isPerspective() const { return perspective_; }

    // The pixel range that a sphere in eye coordinates covers: low x, high x, low y, high y.
    std::array<double, 4> pixelRange(const Vec3& centre, double radius) const;

    static constexpr double nearest = 1e-6;  // m, what is closer to the eye is not drawn

private:
    void chooseDirections(const PictureScene& scene, const PictureSettings& settings);
    void standBack(const std::vector<Vec3>& points);

    bool perspective_;
    double width_, height_;      // pixels
    Vec3 right_, up_, forward_;  // unit, world frame
    Vec3 position_;              // m, world frame
    double pixelsPerUnit_ = 1;   // of the picture plane
};

}  // namespace talus
