#include "geometry/solids/make_solids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/mass/moments.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using Corner = PolygonShape::Corner;

void requireLength(const char* name, double value) {
    if (!(value >= 0) || !std::isfinite(value)) {
        throw InputError(fmt::format("{}: must be a length of 0 m or more, got {}", name, value));
    }
}

Corner difference(const Corner& a, const Corner& b) { return {a.x - b.x, a.y - b.y}; }
double cross2(const Corner& a, const Corner& b) { return a.x * b.y - a.y * b.x; }
double dot2(const Corner& a, const Corner& b) { return a.x * b.x + a.y * b.y; }
double length2(const Corner& a) { return std::hypot(a.x, a.y); }

double extentOf(const std::vector<Corner>& corners) {
    double extent = 0;
    for (const Corner& c : corners) extent = std::max(extent, length2(difference(c, corners[0])));
    return extent;
}

void checkCorners(const std::vector<Corner>& corners) {
    const double tiny = 1e-9 * extentOf(corners);
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Corner& c = corners[k];
        if (!std::isfinite(c.x) || !std::isfinite(c.y)) {
            throw InputError(fmt::format("corners[{}]: must be finite, got [{}, {}]", k, c.x, c.y));
        }
        if (corners.size() > 1 && length2(difference(corners[(k + 1) % corners.size()], c)) <= tiny) {
            throw InputError(fmt::format("corners[{}]: the next corner is at the same place; leave one out", k));
        }
    }
}

// rad, how far the outline turns to the left at a corner.
double turnAt(const std::vector<Corner>& corners, std::size_t k) {
    const std::size_t n = corners.size();
    const Corner in = difference(corners[k], corners[(k + n - 1) % n]);
    const Corner out = difference(corners[(k + 1) % n], corners[k]);
    return std::atan2(cross2(in, out), dot2(in, out));
}

double signedArea(const std::vector<Corner>& corners) {
    double twice = 0;
    for (std::size_t k = 2; k < corners.size(); ++k) {
        twice += cross2(difference(corners[k - 1], corners[0]), difference(corners[k], corners[0]));
    }
    return 0.5 * twice;
}

void checkConvex(const std::vector<Corner>& corners) {
    double turned = 0;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const double turn = turnAt(corners, k);
        if (std::abs(turn) < 1e-9) {
            throw InputError(fmt::format("corners[{}]: lies straight between its neighbours; leave it out", k));
        }
        if (turn < 0) {
            throw InputError(
                fmt::format("corners[{}]: the polygon bends inward here; it must be convex (make a "
                            "compound of convex parts instead)",
                            k));
        }
        turned += turn;
    }
    if (turned > 3 * std::numbers::pi) throw InputError("corners: the polygon winds round more than once");
}

}  // namespace

ConeShape makeCone(double lowRadius, double highRadius, double length, double rounding) {
    requireLength("low_radius", lowRadius);
    requireLength("high_radius", highRadius);
    requireLength("length", length);
    requireLength("rounding", rounding);
    if (length == 0) throw InputError("length: must be > 0 m");
    if (lowRadius == 0 && highRadius == 0 && rounding == 0) {
        throw InputError("low_radius, high_radius: one of them must be > 0 m");
    }
    ConeShape cone{lowRadius, highRadius, 0, length, rounding};
    // The first shift leaves round-off of the size of the whole; the second takes it away.
    for (int pass = 0; pass < 2; ++pass) {
        const double centre = momentsOf(cone).centre().z;
        cone.low -= centre;
        cone.high -= centre;
    }
    return cone;
}

PolygonInPlace makePolygon(std::vector<Corner> corners, double rounding) {
    requireLength("rounding", rounding);
    if (corners.empty()) throw InputError("corners: there is none");
    checkCorners(corners);
    if (corners.size() < 3 && rounding == 0) {
        throw InputError("corners: one or two corners have no area without a rounding");
    }
    if (corners.size() > 2) {
        if (signedArea(corners) < 0) std::reverse(corners.begin(), corners.end());
        checkConvex(corners);
    }
    // Near the corners first, so that far from the origin no digits are lost.
    Vec3 origin{corners[0].x, corners[0].y, 0};
    PolygonInPlace made{{std::move(corners), rounding}, {}};
    const auto moveBy = [&](const Vec3& shift) {
        for (Corner& c : made.shape.corners) c.x -= shift.x, c.y -= shift.y;
    };
    moveBy(origin);
    const Vec3 centre = momentsOf(made.shape).centre();
    moveBy(centre);
    made.pose.position = origin + centre;
    return made;
}

}  // namespace talus
