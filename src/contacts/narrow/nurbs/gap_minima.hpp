// Where a curve is nearest to another body in the plane: the places at which bodies with outlines touch.
//
// Along the curve C of one body the gap g(s) = d(C(s)), with the signed distance d of the other body, has the slope
//
//   g' = n . T,   g'' = b (1 - (n . T)^2) - c (n . N),
//
// with the tangent T, outward normal N and curvature c of the curve, and the normal n and curvature b of the level set
// of d. A contact is made
//
//   - at each smooth minimum between two ends: where the slope goes from negative to positive at 0. Newton steps find
//     it, kept between the two knots of the curve that told it. It moves with the bodies, so that round ones roll.
//     Where the slope jumps from negative to positive, something sharp of the other body is inside; that is found from
//     the other side.
//   - at each end (a corner, or a smooth end of a straight stretch) from which the gap falls to neither side. Where it
//     falls towards a smooth minimum, this stands for the end. Where it falls along a straight stretch as far as its
//     other end, both ends bear: so flat sides carry moments. An open end does so only if the slope is small.
//
// Straight on straight has no smooth minimum, and is left to the ends. So the contacts of a pair do not depend on how
// dense knots are, and come and go where their gap is 0, or where another one takes over at the same gap.
//
// What is nearest now need not be what meets first in a move that is as large as the bodies' features. Guards are knots
// for that: those whose gap is not much larger than that of knots around them, and all corners.
//
// The part of a corner that is in the other body may be nearest to a side that the corner cannot touch, as that of a
// block that stands on another with their sides in line. Then the corner and the other body's corner beside it touch
// along the least deep of the directions that both allow.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "talus/vec2.hpp"

namespace talus {

// A place of a curve. Lengths here are metres, in the frame of the other body.
struct CurvePlace {
    Vec2 position, tangent;  // unit tangent
    double curvature = 0;    // 1/m, positive where convex
    double speed = 0;        // m, by the part of the way from knot to knot
};

// A knot of a curve, fixed on its body.
struct CurveKnot {
    Vec2 position, before, after;  // unit tangents
    double curvature = 0;          // 1/m; at a smooth end that of the side that is bent
    bool end = false, corner = false, straight = false;
    std::uint32_t stretch = 0;

    bool isConvex() const { return cross(before, after) >= 0; }
};

// What the other body is at a place.
struct FieldPlace {
    double gap = 0;        // m
    Vec2 normal;           // unit, out of the other body
    double parameter = 0;  // where on the other body; a hint for places nearby
    bool atCorner = false;
};

// A corner at one end of the stretch that a place is nearest to.
struct FieldCorner {
    Vec2 position, before, after;  // unit tangents
    std::uint32_t knot = 0;
    bool forward = true;  // the next stretch is that after the corner; or that before it
};

// Which of the two sides of a hollow corner, if an end touches both at once.
enum class HollowSide : std::uint8_t { none, before, after };

// A contact that was found.
struct Touch {
    std::uint32_t knot = 0;  // the end, or the knot before the minimum
    bool smooth = false;
    Vec2 place;  // on the curve
    FieldPlace field;
    double curvature = 0;  // 1/m, of the curve; at corners see `corner`
    bool corner = false;
    HollowSide side = HollowSide::none;
};

// Circle around a part of a curve (geometry/nurbs/outline.hpp).
struct CurvePart {
    Vec2 centre;
    double radius = 0;
    double sag = 0;  // how far the curve may be from the segments between knots
    std::uint32_t first = 0, last = 0, child = 0;
};

// Curve: knotCount(), knot(k), part(index), between(k, t) for 0 <= t < 1, ball(): the body reaches this far beyond it,
// m, gapTolerance(): that of its knots, m. Field: at(place, hint), isBeyond(place, distance): it is surely farther from
// the place, bend(place, distance), cornersBeside(place) as an array of optional FieldCorners, beyond(corner, place):
// the nearest place on the stretch beyond a corner, if it is not the corner.
template <class Curve, class Field>
class GapMinima {
public:
    // `size`: m, of the smaller body.
    GapMinima(const Curve& curve, const Field& field, double margin, double size)
        : curve_(curve), field_(field), margin_(margin), size_(size) {}

    // Appends the touches below the margin, in order along the curve.
    void find(std::vector<Touch>& touches) {
        samples_.clear();
        visit(0, std::numeric_limits<double>::quiet_NaN());
        if (samples_.size() > 1 && samples_.back().number == curve_.knotCount()) closeRound();
        for (std::size_t i = 0; i < samples_.size(); ++i) addMinimum(i, touches);
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            if (samples_[i].knot.end && samples_[i].field.gap < margin_) addEnd(i, touches);
        }
    }

    // After find(): the knot that is deepest in the other body. For bodies that overlap and touch nowhere.
    std::optional<Touch> deepest() const {
        const auto least = std::min_element(samples_.begin(), samples_.end(),
                                            [](const Sample& a, const Sample& b) { return a.field.gap < b.field.gap; });
        if (least == samples_.end() || !(least->field.gap < -tiny * size_)) return std::nullopt;
        return touchAt(*least, least->field);
    }

    // After find(): appends knots that face the other body below the margin.
    void findGuards(std::vector<Touch>& guards) const {
        const double slack = 2 * curve_.gapTolerance() + guardReach * margin_;
        for (std::size_t i = 0; i < samples_.size(); ++i) {
            const Sample& s = samples_[i];
            if (!(s.field.gap < margin_) || !faces(s)) continue;
            if (s.knot.corner || s.field.gap <= std::max(0.0, leastAround(i)) + slack)
                guards.push_back(touchAt(s, s.field));
        }
    }

private:
    static constexpr double tiny = 1e-9;           // -, of the size
    static constexpr double level = 1e-12;         // -, slope that counts as none
    static constexpr double levelEnough = 1e-10;   // -, slope at which a descent ends
    static constexpr double smoothSlope = 1e-6;    // -, a minimum with a larger slope is a jump of it
    static constexpr double flatSlope = 0.05;      // -, of a straight stretch whose open far end is a contact
    static constexpr double steepSlope = 0.87;     // -, of one whose far end is none even if it overlaps
    static constexpr double cornerReach = 0.2;     // -, of the size: so far apart two corners can touch each other
    static constexpr std::uint32_t fewKnots = 64;  // of a part that is not worth a look of its own
    static constexpr double guardReach = 0.05;     // -, of the margin: how much larger the gap of a guard may be
    static constexpr int guardNeighbours = 3;      // knots to either side
    static constexpr std::size_t none = ~std::size_t{0};

    struct Sample {
        std::uint32_t number;
        CurveKnot knot;
        FieldPlace field;
        double before, after;  // slopes
        bool hasMinimum;       // between this knot and the next
    };

    static double slope(const Vec2& normal, const Vec2& tangent) {
        const double s = dot(normal, tangent);
        return std::abs(s) > level ? s : 0;
    }

    FieldPlace lookAt(const Vec2& place, double hint) const {
        FieldPlace field = field_.at(place, hint);
        field.gap -= curve_.ball();
        return field;
    }
    double bendAt(const FieldPlace& field) const { return field_.bend(field, field.gap + curve_.ball()); }

    void visit(std::uint32_t index, double hint) {
        const CurvePart part = curve_.part(index);
        if (field_.isBeyond(part.centre, margin_ + part.radius + curve_.ball())) return;
        // To look at each leaf is cheaper than to look at all that few of them are in.
        if (part.child > 0 && part.last - part.first <= fewKnots) {
            visit(part.child, hint);
            visit(part.child + 1, samples_.empty() ? hint : samples_.back().field.parameter);
            return;
        }
        const FieldPlace middle = lookAt(part.centre, hint);
        if (middle.gap > margin_ + part.radius) return;
        if (part.child > 0) {
            visit(part.child, middle.parameter);
            visit(part.child + 1, middle.parameter);
            return;
        }
        // Only ways from knot to knot that can come near enough: the gap changes by no more than the way one
        // goes.
        const std::uint32_t count = curve_.knotCount();
        const auto reach = [&](std::uint32_t k) { return norm(curve_.knot(k % count).position - part.centre); };
        double from = reach(part.first);
        for (std::uint32_t k = part.first; k < part.last; ++k) {
            const double to = reach(k + 1);
            if (middle.gap <= margin_ + std::max(from, to) + part.sag) {
                if (samples_.empty() || samples_.back().number != k) addSample(k, middle.parameter);
                addSample(k + 1, middle.parameter);
            }
            from = to;
        }
    }

    void addSample(std::uint32_t number, double hint) {
        const CurveKnot knot = curve_.knot(number % curve_.knotCount());
        if (!samples_.empty() && samples_.back().number + 1 == number) hint = samples_.back().field.parameter;
        const FieldPlace field = lookAt(knot.position, hint);
        samples_.push_back(
            {number, knot, field, slope(field.normal, knot.before), slope(field.normal, knot.after), false});
    }

    // The knot after the last is the first. If that was looked at too, once is enough.
    void closeRound() {
        if (samples_.front().number == 0) {
            samples_.pop_back();
            return;
        }
        samples_.back().number = 0;
        std::rotate(samples_.begin(), samples_.end() - 1, samples_.end());
    }

    std::size_t next(std::size_t i) const {
        const std::size_t j = i + 1 < samples_.size() ? i + 1 : 0;
        return (samples_[i].number + 1) % curve_.knotCount() == samples_[j].number ? j : none;
    }
    std::size_t previous(std::size_t i) const {
        const std::size_t j = i > 0 ? i - 1 : samples_.size() - 1;
        return (samples_[j].number + 1) % curve_.knotCount() == samples_[i].number ? j : none;
    }

    // ---- smooth minima

    void addMinimum(std::size_t i, std::vector<Touch>& touches) {
        const std::size_t j = next(i);
        if (j == none) return;
        Sample& from = samples_[i];
        const Sample& to = samples_[j];
        if (from.knot.end ? !(from.after < 0) : from.after > 0) return;
        if (!(to.before > 0)) return;
        // The gap changes by no more than the way one goes; the curve is hardly longer than its chord.
        const double chord = norm(to.knot.position - from.knot.position);
        if (from.field.gap + to.field.gap - 1.2 * chord > 2 * margin_) return;
        const Touch found = descend(from, to);
        const CurvePlace place = curve_.between(found.knot, part_);
        if (std::abs(dot(found.field.normal, place.tangent)) > smoothSlope) return;
        if (dot(found.field.normal, turnedRight(place.tangent)) > 0) return;
        if (from.knot.straight && std::abs(bendAt(found.field)) * size_ < smoothSlope) return;
        from.hasMinimum = true;
        if (found.field.gap < margin_) touches.push_back(found);
    }

    // Newton steps for the root of the slope, kept in the bracket. Leaves in part_ where between the knots it is.
    Touch descend(const Sample& from, const Sample& to) {
        double low = 0, high = 1, t = from.after / (from.after - to.before), hint = from.field.parameter;
        Touch now{.knot = from.number, .smooth = true};
        for (int step = 0;; ++step) {
            const CurvePlace place = curve_.between(from.number, t);
            now.place = place.position;
            now.field = lookAt(place.position, hint);
            now.curvature = place.curvature;
            part_ = t;
            const double s = dot(now.field.normal, place.tangent);
            if (std::abs(s) < levelEnough || high - low < 1e-14 || step == 60) return now;
            (s < 0 ? low : high) = t;
            hint = now.field.parameter;
            const double facing = -dot(now.field.normal, turnedRight(place.tangent));
            const double rate = bendAt(now.field) * (1 - s * s) + place.curvature * facing;
            const double newton = t - s / (rate * place.speed);
            t = rate > 0 && newton > low && newton < high ? newton : 0.5 * (low + high);
        }
    }

    // ---- ends

    Touch touchAt(const Sample& s, const FieldPlace& field) const {
        return {s.number, false, s.knot.position, field, s.knot.curvature, s.knot.corner};
    }

    bool faces(const Sample& s) const { return dot(s.field.normal, turnedRight(s.knot.before + s.knot.after)) <= 0; }

    double leastAround(std::size_t i) const {
        double least = samples_[i].field.gap;
        std::size_t before = i, after = i;
        for (int step = 0; step < guardNeighbours; ++step) {
            if (before != none) before = previous(before);
            if (before != none) least = std::min(least, samples_[before].field.gap);
            if (after != none) after = next(after);
            if (after != none) least = std::min(least, samples_[after].field.gap);
        }
        return least;
    }

    // What the curve to one side of an end makes of it: a contact; a contact if nothing better is there; none there;
    // none at all, since a minimum stands for it.
    enum class Side { bears, leans, falls, covered };

    Side sideOf(std::size_t i, bool forward) const {
        const Sample& end = samples_[i];
        const double s = forward ? end.after : -end.before;
        if (s >= 0) return Side::bears;
        bool straight = forward && end.knot.straight;
        for (std::size_t k = i;;) {
            const std::size_t j = forward ? next(k) : previous(k);
            if (j == none) break;
            const Sample& first = samples_[forward ? k : j];
            straight = first.knot.straight;
            if (first.hasMinimum) return straight && s >= -flatSlope && isFlatAt(end) ? Side::bears : Side::covered;
            k = j;
            const bool rises = (forward ? samples_[k].before : -samples_[k].after) > 0;
            if (rises || samples_[k].knot.end || k == i) break;
        }
        if (straight && s >= -flatSlope) return Side::bears;
        return straight && s > -steepSlope && end.field.gap < 0 ? Side::leans : Side::falls;
    }

    bool isFlatAt(const Sample& s) const { return std::abs(bendAt(s.field)) * size_ < smoothSlope; }

    void addEnd(std::size_t i, std::vector<Touch>& touches) const {
        const Sample& end = samples_[i];
        if (!end.knot.isConvex()) return;
        const InHollow hollow = addInHollow(end, touches);
        if (hollow.isCorner) return;
        const Side after = sideOf(i, true), before = sideOf(i, false);
        if (after == Side::covered || before == Side::covered) return;
        const bool bears = after == Side::bears && before == Side::bears;
        const bool leans = after != Side::falls && before != Side::falls;
        std::optional<FieldPlace> beside;
        if (!(bears && faces(end)) && end.knot.corner && curve_.ball() == 0 && end.field.gap < tiny * size_)
            beside = cornerOnCorner(end);
        if (beside) {
            touches.push_back(touchAt(end, *beside));
        } else if (leans && faces(end)) {
            touches.push_back(touchAt(end, end.field));
            touches.back().side = hollow.side;
        }
    }

    bool allows(const Sample& end, const Vec2& normal) const {
        return dot(normal, end.knot.before) < flatSlope && dot(normal, end.knot.after) > -flatSlope;
    }

    // What the place nearest to an end is of a hollow corner: the corner itself, or on one side while the end touches
    // the other side too.
    struct InHollow {
        bool isCorner = false;
        HollowSide side = HollowSide::none;
    };

    // An end beside a hollow corner can touch both sides of it; the nearest place is on one. If it is the corner itself
    // both sides are told here. Where the sides turn by less than a right angle the nearest
    // place alone bears, as in a smooth hollow: beyond the corner it goes on without a jump, as two contacts would not.
    InHollow addInHollow(const Sample& end, std::vector<Touch>& touches) const {
        InHollow hollow;
        for (const std::optional<FieldCorner>& other : field_.cornersBeside(end.field)) {
            if (!other || cross(other->before, other->after) >= 0 || dot(other->before, other->after) > tiny) continue;
            const Vec2 apart = end.knot.position - other->position;
            const auto add = [&](const FieldPlace& place, HollowSide side) {
                if (!(place.gap < margin_) || !allows(end, place.normal)) return;
                touches.push_back(touchAt(end, place));
                touches.back().side = side;
                hollow.side = side == HollowSide::after ? HollowSide::before : HollowSide::after;
            };
            const auto addSide = [&](const Vec2& tangent, HollowSide side) {
                const Vec2 n = turnedRight(tangent);
                add({dot(n, apart) - curve_.ball(), n, end.field.parameter, false}, side);
            };
            if (end.field.atCorner && norm(apart) <= (1 + tiny) * std::abs(end.field.gap + curve_.ball())) {
                hollow.isCorner = true;
                addSide(other->before, HollowSide::before);
                addSide(other->after, HollowSide::after);
            } else if (std::optional<FieldPlace> place = field_.beyond(*other, end.knot.position)) {
                place->gap -= curve_.ball();
                add(*place, other->forward ? HollowSide::after : HollowSide::before);
            }
            if (hollow.isCorner) break;
        }
        return hollow;
    }

    // Directions that both corners allow lie between normals of their sides.
    std::optional<FieldPlace> cornerOnCorner(const Sample& end) const {
        std::optional<FieldPlace> best;
        for (const std::optional<FieldCorner>& other : field_.cornersBeside(end.field)) {
            if (!other || cross(other->before, other->after) <= 0) continue;
            const Vec2 apart = end.knot.position - other->position;
            if (norm(apart) > cornerReach * size_) continue;
            for (const Vec2& n : {turnedRight(other->before), turnedRight(other->after), -turnedRight(end.knot.before),
                                  -turnedRight(end.knot.after)}) {
                const bool allowed =
                    allows(end, n) && dot(n, other->before) > -flatSlope && dot(n, other->after) < flatSlope;
                const double gap = dot(n, apart);
                if (!allowed || gap > 0 || (best && gap <= best->gap)) continue;
                best = FieldPlace{gap, n, end.field.parameter, true};
            }
        }
        return best;
    }

    const Curve& curve_;
    const Field& field_;
    double margin_, size_;
    double part_ = 0;
    // Kept from pair to pair: no memory is asked for in a step.
    static thread_local std::vector<Sample> samples_;
};
template <class Curve, class Field>
thread_local std::vector<typename GapMinima<Curve, Field>::Sample> GapMinima<Curve, Field>::samples_;

}  // namespace talus
