// Whether a closed curve can be the outline of a body: it must not meet itself, and run against the clock.
//
// Arcs are halved until each turns by less than a right angle, so that none meets itself. Two arcs that share no end
// are apart if the boxes of their control points are; if not, the larger is halved. Two arcs that share an end meet
// nowhere else if the cones of their directions, seen from there, are. What is not told apart at a millionth of the
// size of the curve counts as met.
#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <optional>

#include "geometry/nurbs/nurbs_curve.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double resolution = 1e-6;  // -, of the size of the curve

struct Meeting {
    double first = 0, second = 0;  // parameters
    Vec2 place;                    // m
};

struct BoundingBox {
    Vec2 low, high;
    double size() const { return std::max(high.x - low.x, high.y - low.y); }
};

BoundingBox boxOf(const BezierArc& arc) {
    BoundingBox box{arc.first(), arc.first()};
    for (int k = 1; k <= arc.degree; ++k) {
        const Vec2 p = arc.point(k);
        box.low = {std::min(box.low.x, p.x), std::min(box.low.y, p.y)};
        box.high = {std::max(box.high.x, p.x), std::max(box.high.y, p.y)};
    }
    return box;
}

bool apart(const BoundingBox& a, const BoundingBox& b) {
    return a.low.x > b.high.x || b.low.x > a.high.x || a.low.y > b.high.y || b.low.y > a.high.y;
}

// The directions of an arc lie within `half` of `middle`; pi if nothing is known.
struct SpanOfDirections {
    Vec2 middle;
    double half = std::numbers::pi;
};

SpanOfDirections directionsOf(const BezierArc& arc) {
    // All directions of a rational arc with positive weights are between those of the steps of its polygon.
    const Vec2 chord = arc.last() - arc.first();
    if (!(normSquared(chord) > 0)) return {};
    double low = 0, high = 0;
    for (int k = 1; k <= arc.degree; ++k) {
        const Vec2 step = arc.point(k) - arc.point(k - 1);
        if (!(normSquared(step) > 1e-24 * normSquared(chord))) continue;
        low = std::min(low, angleBetween(chord, step));
        high = std::max(high, angleBetween(chord, step));
    }
    if (high - low >= std::numbers::pi) return {};
    const double turn = 0.5 * (low + high), c = std::cos(turn), s = std::sin(turn);
    return {{c * chord.x - s * chord.y, s * chord.x + c * chord.y}, 0.5 * (high - low)};
}

class Crossing {
public:
    explicit Crossing(const NurbsCurve& curve) : finest_(resolution * curve.size()) {
        for (const BezierArc& arc : curve.arcs()) addTame(arc);
        // Neighbours share one end only if there are three arcs.
        if (tame_.size() < 3) splitAll();
        for (const BezierArc& arc : tame_) boxes_.push_back(boxOf(arc));
    }

    std::optional<Meeting> find() {
        for (std::size_t i = 0; i < tame_.size() && !met_; ++i) {
            for (std::size_t j = i + 1; j < tame_.size() && !met_; ++j) {
                if (j == i + 1) {
                    searchAtEnd(tame_[i], tame_[j]);
                } else if (i == 0 && j + 1 == tame_.size()) {
                    searchAtEnd(tame_[j], tame_[i]);
                } else if (!apart(boxes_[i], boxes_[j])) {
                    search(tame_[i], tame_[j]);
                }
            }
        }
        return met_;
    }

private:
    void addTame(const BezierArc& arc) {
        const bool tiny = boxOf(arc).size() <= finest_;
        if (directionsOf(arc).half <= std::numbers::pi / 4 || tiny) {
            tame_.push_back(arc);
            return;
        }
        const auto [before, after] = split(arc, 0.5);
        addTame(before);
        addTame(after);
    }

    void splitAll() {
        std::vector<BezierArc> halves;
        for (const BezierArc& arc : tame_) {
            const auto [before, after] = split(arc, 0.5);
            halves.push_back(before);
            halves.push_back(after);
        }
        tame_ = halves;
    }

    // Arcs that share no end.
    void search(const BezierArc& a, const BezierArc& b) {
        if (met_) return;
        const BoundingBox boxA = boxOf(a), boxB = boxOf(b);
        if (apart(boxA, boxB)) return;
        if (std::max(boxA.size(), boxB.size()) <= finest_) return meet(a, b);
        const bool splitA = boxA.size() >= boxB.size();
        const auto [before, after] = split(splitA ? a : b, 0.5);
        search(before, splitA ? b : a);
        search(after, splitA ? b : a);
    }

    // b begins where a ends.
    void searchAtEnd(const BezierArc& a, const BezierArc& b) {
        if (met_) return;
        const SpanOfDirections in = directionsOf(a), out = directionsOf(b);
        const double between = std::abs(angleBetween(-in.middle, out.middle));
        if (between > in.half + out.half + 1e-9) return;
        if (std::max(boxOf(a).size(), boxOf(b).size()) <= finest_) return meet(a, b);
        const auto [a1, a2] = split(a, 0.5);
        const auto [b1, b2] = split(b, 0.5);
        searchAtEnd(a2, b1);
        search(a1, b1);
        search(a1, b2);
        search(a2, b2);
    }

    void meet(const BezierArc& a, const BezierArc& b) {
        const double u = a.parameter(0.5), v = b.parameter(0.5);
        met_ = Meeting{std::min(u, v), std::max(u, v), positionAt(a, 0.5)};
    }

    double finest_;
    std::vector<BezierArc> tame_;
    std::vector<BoundingBox> boxes_;  // of these
    std::optional<Meeting> met_;
};

}  // namespace

void checkOutline(const NurbsCurve& curve, std::string_view path) {
    if (const std::optional<Meeting> m = Crossing(curve).find()) {
        throw InputError(
            fmt::format("{}: crosses, touches or folds back on itself at parameters {:.6g} and {:.6g}, near ({:.6g}, "
                        "{:.6g}); an outline goes round once",
                        path, m->first, m->second, m->place.x, m->place.y));
    }
    const double area = areaMoments(curve).area;
    if (area < 0) {
        throw InputError(fmt::format(
            "{}: runs with the clock (area {:.6g} m^2); reverse the order of points, weights and steps between "
            "knots",
            path, area));
    }
    if (!(area > 0) || !std::isfinite(area)) {
        throw InputError(fmt::format("{}: encloses no area that can be computed, got {:g} m^2", path, area));
    }
}

}  // namespace talus
