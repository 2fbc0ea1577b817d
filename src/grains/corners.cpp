#include "grains/corners.hpp"

#include <numbers>
#include <optional>

namespace talus {
namespace {

constexpr double step = 0.25;           // pixels
constexpr double farthestCorner = 1.5;  // pixels, from the traced outline

struct Arms {
    double length;    // pixels
    double straight;  // -, of the turn at the corner, what they may turn
};
constexpr Arms smoothArms{5, 0.4}, roughArms{8, 0.3};

struct Line {
    Vec2 through, direction;
};

// The line through points of the path, by least squares.
Line lineAlong(const ClosedPath& path, double from, double to) {
    constexpr int samples = 16;
    Vec2 mean;
    for (int k = 0; k < samples; ++k) mean += path.at(from + (to - from) * (k + 0.5) / samples) / samples;
    double xx = 0, yy = 0, xy = 0;
    for (int k = 0; k < samples; ++k) {
        const Vec2 d = path.at(from + (to - from) * (k + 0.5) / samples) - mean;
        xx += d.x * d.x, yy += d.y * d.y, xy += d.x * d.y;
    }
    const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
    return {mean, {std::cos(angle), std::sin(angle)}};
}

std::optional<Vec2> meet(const Line& a, const Line& b) {
    const double sine = cross(a.direction, b.direction);
    if (std::abs(sine) < 0.2) return std::nullopt;
    return a.through + cross(b.through - a.through, b.direction) / sine * a.direction;
}

class CornerSearch {
public:
    CornerSearch(const ClosedPath& path, double leastAngle, const Arms& arms)
        : path_(path), arm_(std::min(arms.length, path.length() / 16)), straight_(arms.straight), least_(leastAngle) {}

    std::vector<TracedCorner> find() const {
        std::vector<TracedCorner> corners;
        const int count = static_cast<int>(path_.length() / step);
        std::vector<double> turns;
        for (int k = 0; k < count; ++k) turns.push_back(std::abs(turnAt(k * path_.length() / count)));
        const int reach = static_cast<int>(arm_ * count / path_.length());
        for (int k = 0; k < count; ++k) {
            const double s = k * path_.length() / count, turn = turns[static_cast<std::size_t>(k)];
            if (turn < least_ || !isLargest(turns, k, reach)) continue;
            // How much the parts that lead to the corner turn themselves.
            const double arms = std::max(std::abs(turnAt(s + arm_)), std::abs(turnAt(s - arm_)));
            if (arms <= straight_ * turn) corners.push_back({s, placeOf(s)});
        }
        return corners;
    }

private:
    // From the chord that ends at s to the one that begins there.
    double turnAt(double s) const {
        return angleBetween(path_.at(s) - path_.at(s - arm_), path_.at(s + arm_) - path_.at(s));
    }

    static bool isLargest(const std::vector<double>& turns, int k, int reach) {
        const int count = static_cast<int>(turns.size());
        const double here = turns[static_cast<std::size_t>(k)];
        for (int j = 1; j <= reach; ++j) {
            const double before = turns[static_cast<std::size_t>(((k - j) % count + count) % count)];
            const double after = turns[static_cast<std::size_t>((k + j) % count)];
            if (before >= here || after > here) return false;
        }
        return true;
    }

    Vec2 placeOf(double s) const {
        const Vec2 traced = path_.at(s);
        const std::optional<Vec2> place =
            meet(lineAlong(path_, s - arm_, s - 0.2 * arm_), lineAlong(path_, s + 0.2 * arm_, s + arm_));
        return place && norm(*place - traced) <= farthestCorner ? *place : traced;
    }

    const ClosedPath& path_;
    double arm_, straight_, least_;
};

}  // namespace

std::vector<TracedCorner> findCorners(const ClosedPath& path, double leastAngle, Edge edge) {
    return CornerSearch(path, leastAngle, edge == Edge::rough ? roughArms : smoothArms).find();
}

}  // namespace talus
