#include "grains/rounded_polygon.hpp"

#include <algorithm>
#include <numbers>

namespace talus {
namespace {

constexpr double longestArc = std::numbers::pi / 2;  // rad, of one span

// A corner of the polygon after its sides were moved outwards.
struct Corner {
    Vec2 place;                                                                 // m, where the moved sides meet
    Vec2 in, out;                                                               // unit, directions of the sides
    double turn = 0;                                                            // rad, positive where convex
    double radius = 0;                                                          // m, of its arc
    double tangent() const { return radius * std::abs(std::tan(0.5 * turn)); }  // m, of each side that the arc takes
};

std::vector<Corner> movedCorners(const RoundedPolygon& polygon) {
    const std::size_t n = polygon.core.size();
    std::vector<Corner> corners;
    for (std::size_t k = 0; k < n; ++k) {
        const Vec2 &before = polygon.core[(k + n - 1) % n], &here = polygon.core[k], &after = polygon.core[(k + 1) % n];
        Corner c{.in = normalized(here - before), .out = normalized(after - here)};
        c.turn = angleBetween(c.in, c.out);
        // Along the line that halves the angle, as far as both sides are `radius` away.
        const Vec2 outward = turnedRight(normalized(c.in + c.out));
        c.place = here + polygon.radius / std::cos(0.5 * c.turn) * outward;
        c.radius = c.turn > 0 ? polygon.radius : 0;
        corners.push_back(c);
    }
    return corners;
}

// Length of the side from corner k to the next that is left straight.
double straightLeft(const std::vector<Corner>& corners, std::size_t k) {
    const Corner &from = corners[k], &to = corners[(k + 1) % corners.size()];
    return dot(to.place - from.place, from.out) - from.tangent() - to.tangent();
}

// Fillets of half of what the straight sides leave.
void roundHollows(std::vector<Corner>& corners, double fillet) {
    const std::size_t n = corners.size();
    std::vector<double> radius(n, 0);
    for (std::size_t k = 0; k < n; ++k) {
        if (corners[k].turn >= 0) continue;
        const double room = 0.45 * std::min(straightLeft(corners, (k + n - 1) % n), straightLeft(corners, k));
        radius[k] = std::min(fillet, room / std::abs(std::tan(0.5 * corners[k].turn)));
    }
    for (std::size_t k = 0; k < n; ++k) {
        if (corners[k].turn < 0) corners[k].radius = radius[k];
    }
}

class Pen {
public:
    explicit Pen(const Vec2& start) { curve_.degree = 2, curve_.points = {start}, curve_.weights = {1}; }

    void lineTo(const Vec2& to) { add(0.5 * (curve_.points.back() + to), 1, to); }

    // Round a corner: spans of a quarter turn at most, each with the meeting of its tangents as middle point.
    void arcRound(const Corner& c) {
        const double side = c.turn > 0 ? 1 : -1;
        const Vec2 begin = c.place - c.tangent() * c.in, centre = begin - side * c.radius * turnedRight(c.in);
        const int spans = std::max(1, static_cast<int>(std::ceil(std::abs(c.turn) / longestArc)));
        const double angle = c.turn / spans;
        Vec2 spoke = begin - centre;
        for (int k = 0; k < spans; ++k) {
            const Vec2 next{std::cos(angle) * spoke.x - std::sin(angle) * spoke.y,
                            std::sin(angle) * spoke.x + std::cos(angle) * spoke.y};
            const double cosine = std::cos(0.5 * angle);
            add(centre + 0.5 / (cosine * cosine) * (spoke + next), cosine, centre + next);
            spoke = next;
        }
    }

    NurbsDefinition close() {
        curve_.points.back() = curve_.points.front();
        const std::size_t spans = curve_.points.size() / 2;
        curve_.knots = {0};
        for (std::size_t k = 0; k <= spans; ++k) curve_.knots.insert(curve_.knots.end(), 2, static_cast<double>(k));
        curve_.knots.push_back(static_cast<double>(spans));
        return curve_;
    }

private:
    void add(const Vec2& middle, double weight, const Vec2& end) {
        curve_.points.insert(curve_.points.end(), {middle, end});
        curve_.weights.insert(curve_.weights.end(), {weight, 1});
    }

    NurbsDefinition curve_;
};

}  // namespace

std::optional<NurbsDefinition> outlineOf(const RoundedPolygon& polygon) {
    std::vector<Corner> corners = movedCorners(polygon);
    double size = 0;
    for (const Corner& c : corners) size = std::max(size, norm(c.place - corners[0].place));
    for (std::size_t k = 0; k < corners.size(); ++k) {
        if (straightLeft(corners, k) < 1e-3 * size) return std::nullopt;
    }
    roundHollows(corners, polygon.fillet);
    Pen pen(corners[0].place + corners[0].tangent() * corners[0].out);
    for (std::size_t k = 1; k <= corners.size(); ++k) {
        const Corner& c = corners[k % corners.size()];
        pen.lineTo(c.place - c.tangent() * c.in);
        if (c.radius > 0) pen.arcRound(c);
    }
    return pen.close();
}

}  // namespace talus
