#include "grains/circles.hpp"

#include <algorithm>
#include <array>
#include <numbers>
#include <optional>
#include <queue>

namespace talus {
namespace {

constexpr double roundOff = 1e-12;  // -, of a radius
constexpr int mostSteps = 300;      // from the best square to the centre of the inscribed circle

bool holds(const Circle& circle, const Vec2& p) {
    return norm(p - circle.centre) <= circle.radius * (1 + roundOff) + 1e-300;
}

Circle around(const Vec2& a, const Vec2& b) { return {0.5 * (a + b), 0.5 * norm(b - a)}; }

std::optional<Circle> around(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Vec2 p = b - a, q = c - a;
    const double twice = 2 * cross(p, q);
    if (twice == 0) return std::nullopt;
    const Vec2 centre =
        Vec2{q.y * normSquared(p) - p.y * normSquared(q), p.x * normSquared(q) - q.x * normSquared(p)} / twice;
    return Circle{a + centre, norm(centre)};
}

// The smallest circle around at most four points, by trying all pairs and triples.
Circle aroundFew(const std::vector<Vec2>& points, std::vector<Vec2>& support) {
    std::optional<Circle> best;
    const auto consider = [&](const Circle& circle, std::vector<Vec2> by) {
        if (best && circle.radius >= best->radius) return;
        if (!std::all_of(points.begin(), points.end(), [&](const Vec2& p) { return holds(circle, p); })) return;
        best = circle;
        support = std::move(by);
    };
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = i + 1; j < points.size(); ++j)
            consider(around(points[i], points[j]), {points[i], points[j]});
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = i + 1; j < points.size(); ++j) {
            for (std::size_t k = j + 1; k < points.size(); ++k) {
                if (const auto c = around(points[i], points[j], points[k])) {
                    consider(*c, {points[i], points[j], points[k]});
                }
            }
        }
    }
    return best.value_or(Circle{points[0], 0});
}

// A square in which the centre may be; no point of it is farther inside than `most`.
struct Cell {
    Vec2 centre;
    double half = 0, inside = 0, most = 0;
    bool operator<(const Cell& other) const { return most < other.most; }
};

}  // namespace

std::vector<Vec2> convexHull(std::vector<Vec2> points) {
    std::sort(points.begin(), points.end(),
              [](const Vec2& a, const Vec2& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    points.erase(std::unique(points.begin(), points.end()), points.end());
    std::vector<Vec2> hull;
    const auto addChain = [&](auto first, auto last) {
        const std::size_t before = hull.size();
        for (auto p = first; p != last; ++p) {
            while (hull.size() >= before + 2 && cross(hull.back() - hull[hull.size() - 2], *p - hull.back()) <= 0) {
                hull.pop_back();
            }
            hull.push_back(*p);
        }
        hull.pop_back();  // the first of the other chain
    };
    addChain(points.begin(), points.end());
    addChain(points.rbegin(), points.rend());
    return hull;
}

Circle smallestEnclosingCircle(const std::vector<Vec2>& points) {
    // The farthest point joins those that support the circle, which grows each time, until none is outside.
    std::vector<Vec2> support{points[0]};
    Circle circle{points[0], 0};
    for (std::size_t round = 0; round < 10 * points.size() + 100; ++round) {
        const Vec2& farthest = *std::max_element(points.begin(), points.end(), [&](const Vec2& a, const Vec2& b) {
            return normSquared(a - circle.centre) < normSquared(b - circle.centre);
        });
        if (holds(circle, farthest)) break;
        std::vector<Vec2> few = support;
        few.push_back(farthest);
        circle = aroundFew(few, support);
    }
    return circle;
}

Circle largestInscribedCircle(const CurveTree& curve, const std::vector<Vec2>& around) {
    // The distance changes by no more than the way one goes: squares that cannot be better are left out.
    Vec2 low = around[0], high = around[0];
    for (const Vec2& p : around) {
        low = {std::min(low.x, p.x), std::min(low.y, p.y)};
        high = {std::max(high.x, p.x), std::max(high.y, p.y)};
    }
    const auto cellAt = [&](const Vec2& centre, double half) {
        const double inside = -curve.closestPoint(centre).gap;
        return Cell{centre, half, inside, inside + half * std::sqrt(2.0)};
    };
    const double size = std::max(high.x - low.x, high.y - low.y), precision = 2e-4 * size;
    std::priority_queue<Cell> waiting;
    waiting.push(cellAt(0.5 * (low + high), 0.5 * size));
    Circle best{waiting.top().centre, waiting.top().inside};
    while (!waiting.empty() && waiting.top().most > best.radius + precision) {
        const Cell cell = waiting.top();
        waiting.pop();
        const double h = 0.5 * cell.half;
        for (const Vec2 corner : {Vec2{-h, -h}, {h, -h}, {-h, h}, {h, h}}) {
            const Cell part = cellAt(cell.centre + corner, h);
            if (part.inside > best.radius) best = {part.centre, part.inside};
            if (part.most > best.radius + precision) waiting.push(part);
        }
    }
    // What is left is found step by step: the best of the squares is next to it. Along the ridge of a thin grain the
    // way could be long, so the steps are counted.
    double step = precision;
    for (int round = 0; round < mostSteps && step > 1e-10 * size; ++round) {
        const double before = best.radius;
        for (int k = 0; k < 8; ++k) {
            const double angle = k * std::numbers::pi / 4;
            const Cell there = cellAt(best.centre + step * Vec2{std::cos(angle), std::sin(angle)}, 0);
            if (there.inside > best.radius) best = {there.centre, there.inside};
        }
        if (best.radius == before) step *= 0.5;
    }
    return best;
}

}  // namespace talus
