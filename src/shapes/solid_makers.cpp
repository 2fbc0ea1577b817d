#include "shapes/solid_makers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "shapes/moments.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using Corner = PolygonShape::Corner;

// Corners that turn by less, as a share of the product of their sides, lie on a line.
constexpr double leastTurn = 1e-9;

double crossProduct(const Corner& a, const Corner& b, const Corner& c) {
    return (b.x - a.x) * (c.y - b.y) - (b.y - a.y) * (c.x - b.x);
}

double signedArea(const std::vector<Corner>& corners) {
    double twice = 0;
    for (std::size_t k = 1; k + 1 < corners.size(); ++k) {
        twice += crossProduct(corners[0], corners[k], corners[k + 1]);
    }
    return 0.5 * twice;
}

// Against the clock: every corner turns to the left, and all together once around.
void checkConvex(const std::vector<Corner>& corners, bool wasTurned) {
    const std::size_t count = corners.size();
    double angles = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const Corner &a = corners[(k + count - 1) % count], &b = corners[k], &c = corners[(k + 1) % count];
        const double sides = std::hypot(b.x - a.x, b.y - a.y) * std::hypot(c.x - b.x, c.y - b.y);
        const double turn = crossProduct(a, b, c);
        if (!(turn > leastTurn * sides)) {
            throw InputError(
                fmt::format("the polygon is not convex at corner {}: leave the corner out, or make it of "
                            "convex polygons with a compound",
                            wasTurned ? count - 1 - k : k));
        }
        angles += std::atan2(turn, (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y));
    }
    if (angles > 7) throw InputError("the polygon crosses itself");  // 2 pi if it goes around once
}

}  // namespace

ConeShape makeCone(double lowRadius, double highRadius, double length, double rounding) {
    ConeShape cone{lowRadius, highRadius, -0.5 * length, 0.5 * length, rounding};
    const double centre = momentsOf(cone).centre().z;
    cone.low -= centre;
    cone.high -= centre;
    return cone;
}

PolygonInPlace makePolygon(std::vector<Corner> corners, double rounding) {
    if (corners.empty() || (corners.size() < 3 && !(rounding > 0))) {
        throw InputError("a polygon needs three corners, or one or two and a rounding");
    }
    if (corners.size() == 2 && corners[0].x == corners[1].x && corners[0].y == corners[1].y) {
        throw InputError("the two corners are the same point");
    }
    const bool isClockwise = signedArea(corners) < 0;
    if (isClockwise) std::reverse(corners.begin(), corners.end());
    if (corners.size() > 2) checkConvex(corners, isClockwise);
    PolygonShape polygon{std::move(corners), rounding};
    const Vec3 centre = momentsOf(polygon).centre();
    for (Corner& corner : polygon.corners) {
        corner.x -= centre.x;
        corner.y -= centre.y;
    }
    return {std::move(polygon), {{centre.x, centre.y, 0}, {}}};
}

}  // namespace talus
