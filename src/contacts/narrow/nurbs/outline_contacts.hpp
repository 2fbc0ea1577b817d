// Contacts between bodies with outlines in a planar scene: the places where the curve of each is nearest to the other.
//
// After section 3 of K.-W. Lim, K. Krabbenhoft, J. E. Andrade, "On the contact treatment of non-convex particles in the
// granular element method", Comput. Part. Mech. 1, 2014, in both directions, so that which body comes first means
// nothing but the sign of the normal. Other than there, knots only tell where to look: contacts are at the true minima
// of the gap, at corners, and at the ends of straight stretches (gap_minima.hpp). Round bodies touch at one point and
// roll, flat sides touch at two and carry moments, and bodies that are not convex touch at several places.
//
// What both directions find is one contact. Bodies that overlap so deeply that nothing of one faces the other touch at
// the deepest knot.
//
// Guards are for programs that move bodies far, with the geometry that the move begins with: knots beside the contacts
// that a turn or a slide may bring to the other body. Where the bodies overlap, the gap of a guard is by how much it is
// less deep than the deepest contact, and never negative: a guard bears nothing unless the move brings it deeper.
#pragma once

#include <vector>

#include "contacts/narrow/contact_points.hpp"
#include "contacts/narrow/nurbs/gap_minima.hpp"
#include "contacts/narrow/nurbs/plane_map.hpp"
#include "geometry/nurbs/outline.hpp"

namespace talus {

// Where a body has its outline: in the plane through `pose.position` whose normal is the z axis of the body. Two bodies
// that are searched have the same plane.
struct OutlineInPlace {
    const OutlineBody* outline = nullptr;
    double scale = 1;  // -
    Pose pose;
};
inline PlaneFrame frameOf(const OutlineInPlace& body) { return {body.scale, body.pose}; }

struct OutlineSearch {
    double margin = 0;  // m
    OutlinePlaces places = OutlinePlaces::nearest;
};

// Appends the points with a gap below the margin, ordered by feature: first those found on a, then those on b. The low
// half of a feature is 2 k for the end, or the guard, at knot k. For a smooth minimum it is 2 k + 1, where k is the
// knot before it, or, if it is the only one between two ends, the knot at the first of these: so a contact keeps its
// name as it rolls.
void findOutlineContacts(const OutlineInPlace& a, const OutlineInPlace& b, const OutlineSearch& search,
                         std::vector<ContactPoint>& points);

// Contacts with one face of a wall, whose number is the high half of the feature.
void findOutlineWallContacts(const OutlineInPlace& a, const ShapeInPlace& wall, int face, const OutlineSearch& search,
                             std::vector<ContactPoint>& points);

// Curvatures for contact laws, 1/m, positive where convex. A corner has none: there a body counts as the disc of its
// area, which is the usual one.
double usualCurvature(const OutlineInPlace& body);
// m, from the sum of the curvatures of both bodies; where they are flat or fit into each other, from the usual ones.
double effectiveRadius(double curvatures, double usual);

// A distance that the outlines are apart at least, by circles around them; 0 if these overlap.
double leastDistance(const OutlineInPlace& a, const OutlineInPlace& b);

// ---- for searches that an outline takes part in

// An outline seen in the frame of another body, in metres.
class OutlineCurve {
public:
    OutlineCurve(const OutlineInPlace& body, const PlaneFrame& frame)
        : body_(body), map_(frameOf(body), {1, frame.pose}) {}

    std::uint32_t knotCount() const { return static_cast<std::uint32_t>(body_.outline->knots.size()); }
    CurveKnot knot(std::uint32_t k) const;
    CurvePart part(std::uint32_t index) const;
    CurvePlace between(std::uint32_t k, double t) const;
    // 1/m, for contact laws.
    double lawCurvature(const Touch& touch) const { return touch.corner ? usual() : touch.curvature; }
    double usual() const { return usualCurvature(body_); }
    std::uint32_t stretchOf(std::uint32_t k) const { return body_.outline->knots[k].stretch; }
    double ball() const { return 0; }
    double gapTolerance() const { return map_.scale * body_.outline->gapTolerance; }

private:
    OutlineInPlace body_;
    PlaneMap map_;
};

// The distance to an outline, in its own frame and metres.
class OutlineField {
public:
    explicit OutlineField(const OutlineInPlace& body) : body_(body) {}

    PlaneFrame frame() const { return {1, body_.pose}; }
    FieldPlace at(const Vec2& place, double hint = CurveTree::noHint) const;
    bool isBeyond(const Vec2& place, double distance) const {
        return norm(place) > body_.scale * body_.outline->radius + distance;
    }
    double bend(const FieldPlace& place, double distance) const;
    std::array<std::optional<FieldCorner>, 2> cornersBeside(const FieldPlace& place) const;
    std::optional<FieldPlace> beyond(const FieldCorner& corner, const Vec2& place) const;
    double lawCurvature(const FieldPlace& place) const;
    double usual() const { return usualCurvature(body_); }

private:
    OutlineInPlace body_;
};

// Which body a search goes along.
struct SearchSide {
    double normal = 1;  // 1 if the field is that of b, -1 if it is that of a
    std::uint64_t firstFeature = 0;
    OutlineSearch search;
    double size = 0;  // m, of the smaller body
};

template <class Curve, class Field>
ContactPoint contactAt(const Curve& curve, const Field& field, const Touch& touch, std::uint32_t knot,
                       const SearchSide& side) {
    const PlaneFrame frame = field.frame();
    const double gap = touch.field.gap;
    return {.position = frame.toWorld(touch.place - (curve.ball() + 0.5 * gap) * touch.field.normal),
            .normal = side.normal * frame.direction(touch.field.normal),
            .gap = gap,
            .radius = effectiveRadius(curve.lawCurvature(touch) + field.lawCurvature(touch.field),
                                      curve.usual() + field.usual()),
            .feature = side.firstFeature + 2 * std::uint64_t{knot} + (touch.smooth ? 1 : 0) +
                       (static_cast<std::uint64_t>(touch.side) << 60)};
}

// What the searches of a pair find. One at a time in a thread.
class FoundPlaces {
public:
    explicit FoundPlaces(std::vector<ContactPoint>& points) : points_(points), first_(points.size()) {
        guards_.clear();
    }

    void add(const ContactPoint& point) { points_.push_back(point); }
    void addGuard(const ContactPoint& point) { guards_.push_back(point); }
    void offerDeepest(const ContactPoint& point) {
        if (!deepest_ || point.gap < deepest_->gap) deepest_ = point;
    }

    // If no point overlaps, the deepest one offered is one. Of points at the same place that with the least gap stays,
    // under the name of the first. Then come guards that are at none of these places, and all are put in order. `size`
    // in metres, of the smaller body.
    void finish(double size);

private:
    void keepOneOfEach(double size);
    void appendGuards(double size);

    std::vector<ContactPoint>& points_;
    std::size_t first_;  // of this pair
    std::optional<ContactPoint> deepest_;
    // Kept from pair to pair: no memory is asked for in a step.
    static thread_local std::vector<ContactPoint> guards_;
};

// Adds what is found along a curve.
template <class Curve, class Field>
void findAlong(const Curve& curve, const Field& field, const SearchSide& side, FoundPlaces& found) {
    static thread_local std::vector<Touch> touches;
    touches.clear();
    GapMinima<Curve, Field> minima(curve, field, side.search.margin, side.size);
    minima.find(touches);
    bool overlaps = false;
    for (const Touch& touch : touches) {
        const auto isBeside = [&](const Touch& other) {
            return other.smooth && curve.stretchOf(other.knot) == curve.stretchOf(touch.knot);
        };
        const bool alone = touch.smooth && std::count_if(touches.begin(), touches.end(), isBeside) == 1;
        found.add(contactAt(curve, field, touch, alone ? curve.stretchOf(touch.knot) : touch.knot, side));
        overlaps = overlaps || touch.field.gap < 0;
    }
    const std::optional<Touch> deepest = overlaps ? std::nullopt : minima.deepest();
    if (deepest) found.offerDeepest(contactAt(curve, field, *deepest, deepest->knot, side));
    if (side.search.places == OutlinePlaces::nearest) return;
    touches.clear();
    minima.findGuards(touches);
    for (const Touch& guard : touches) found.addGuard(contactAt(curve, field, guard, guard.knot, side));
}

}  // namespace talus
