#include "contacts/narrow/nurbs/outline_contacts.hpp"

#include "contacts/narrow/convex/features.hpp"

namespace talus {
namespace {

constexpr double samePlace = 1e-3;     // -, of the size of the smaller body
constexpr double guardedPlace = 0.02;  // -, of the same: so near a contact no guard is needed

// One face of a wall, in the plane of an outline.
class FaceField {
public:
    FaceField(const OutlineInPlace& outline, const ShapeInPlace& wall, int face)
        : frame_{1, outline.pose}, wall_(wall), face_(face) {}

    PlaneFrame frame() const { return frame_; }
    FieldPlace at(const Vec2& place, double) const {
        const FaceDistance d = distanceAt(place);
        const Vec3 normal = rotateBack(frame_.pose.orientation, rotate(wall_.pose.orientation, d.normal));
        return {.gap = d.distance, .normal = {normal.x, normal.y}, .parameter = d.curvature};
    }
    bool isBeyond(const Vec2&, double) const { return false; }
    double bend(const FieldPlace& place, double distance) const {
        return place.parameter / (1 + place.parameter * distance);
    }
    std::array<std::optional<FieldCorner>, 2> cornersBeside(const FieldPlace&) const { return {}; }
    std::optional<FieldPlace> beyond(const FieldCorner&, const Vec2&) const { return std::nullopt; }
    double lawCurvature(const FieldPlace& place) const { return place.parameter; }
    double usual() const { return 0; }

private:
    FaceDistance distanceAt(const Vec2& place) const {
        const Vec3 world = frame_.toWorld(place);
        return distanceToFace(wall_.wall(), face_, rotateBack(wall_.pose.orientation, world - wall_.pose.position));
    }

    PlaneFrame frame_;
    const ShapeInPlace& wall_;
    int face_;
};

// The first end after a knot; any knot if there are none.
std::size_t nextEnd(const std::vector<OutlineBody::Knot>& knots, std::size_t knot) {
    std::size_t k = knot + 1;
    while (k < knot + knots.size() && !knots[k % knots.size()].end) ++k;
    return k % knots.size();
}

bool areTogether(const ContactPoint& p, const ContactPoint& q, double distance) {
    return norm(p.position - q.position) < distance && dot(p.normal, q.normal) > 0.9;
}

std::ptrdiff_t offset(std::size_t k) { return static_cast<std::ptrdiff_t>(k); }

double sizeOf(const OutlineInPlace& body) { return body.scale * body.outline->equivalentRadius; }

}  // namespace

// ---- an outline as a curve

CurveKnot OutlineCurve::knot(std::uint32_t k) const {
    const OutlineBody::Knot& knot = body_.outline->knots[k];
    return {.position = map_(knot.position),
            .before = map_.turn(knot.before),
            .after = map_.turn(knot.after),
            .curvature = knot.curvature / body_.scale,
            .end = knot.end,
            .corner = knot.corner,
            .straight = knot.straight};
}

CurvePart OutlineCurve::part(std::uint32_t index) const {
    const OutlineBody::Group& group = body_.outline->groups[index];
    const double sag = map_.scale * body_.outline->largestSag;
    return {map_(group.centre), map_.scale * group.radius, sag, group.first, group.last, group.child};
}

CurvePlace OutlineCurve::between(std::uint32_t k, double t) const {
    const NurbsCurve& curve = body_.outline->curve;
    const std::vector<OutlineBody::Knot>& knots = body_.outline->knots;
    const double from = knots[k].parameter;
    const double to = k + 1 < knots.size() ? knots[k + 1].parameter : knots[0].parameter + curve.end() - curve.begin();
    const CurvePoint c = curve.derivatives(from + t * (to - from));
    const double speed = norm(c.first);
    return {.position = map_(c.position),
            .tangent = map_.turn(c.first / speed),
            .curvature = curvature(c) / body_.scale,
            .speed = map_.scale * speed * (to - from)};
}

// ---- an outline as a field

FieldPlace OutlineField::at(const Vec2& place, double hint) const {
    const ClosestPoint c = body_.outline->tree.closestPoint(place / body_.scale, hint);
    return {body_.scale * c.gap, c.normal, c.parameter, c.atCorner};
}

double OutlineField::bend(const FieldPlace& place, double distance) const {
    if (place.atCorner) return distance != 0 ? 1 / distance : 1e300;
    const double c = curvature(body_.outline->curve.derivatives(place.parameter)) / body_.scale;
    return c / (1 + c * distance);
}

std::array<std::optional<FieldCorner>, 2> OutlineField::cornersBeside(const FieldPlace& place) const {
    const std::vector<OutlineBody::Knot>& knots = body_.outline->knots;
    const std::size_t count = knots.size();
    const auto cornerAt = [&](std::size_t k, bool forward) -> std::optional<FieldCorner> {
        const OutlineBody::Knot& knot = knots[k];
        if (!knot.corner) return std::nullopt;
        return FieldCorner{body_.scale * knot.position, knot.before, knot.after, static_cast<std::uint32_t>(k),
                           forward};
    };
    const auto after = std::upper_bound(knots.begin(), knots.end(), place.parameter,
                                        [](double u, const OutlineBody::Knot& knot) { return u < knot.parameter; });
    const std::size_t last = (static_cast<std::size_t>(after - knots.begin()) + count - 1) % count;
    return {cornerAt(knots[last].stretch, false), cornerAt(nextEnd(knots, last), true)};
}

// Steps along the tangent, which the small part that the gap is of the radius of curvature makes short.
std::optional<FieldPlace> OutlineField::beyond(const FieldCorner& corner, const Vec2& place) const {
    const NurbsCurve& curve = body_.outline->curve;
    const std::vector<OutlineBody::Knot>& knots = body_.outline->knots;
    const std::size_t other =
        corner.forward ? nextEnd(knots, corner.knot) : knots[(corner.knot + knots.size() - 1) % knots.size()].stretch;
    const double turn = curve.end() - curve.begin(), at = knots[corner.knot].parameter, to = knots[other].parameter;
    const double low = corner.forward ? at : (to < at ? to : to - turn);
    const double high = corner.forward ? (to > at ? to : to + turn) : at;
    const Vec2 local = place / body_.scale;
    double u = corner.forward ? low : high;
    Vec2 tangent = corner.forward ? corner.after : corner.before, offset = local - knots[corner.knot].position;
    if (dot(offset, tangent) * (corner.forward ? 1 : -1) <= 0) return std::nullopt;
    for (int step = 0; step < 12; ++step) {
        const double inside = std::clamp(u, low + 1e-9 * (high - low), high - 1e-9 * (high - low));
        const CurvePoint c = curve.derivatives(inside);
        tangent = normalized(c.first);
        offset = local - c.position;
        u = inside + dot(offset, c.first) / normSquared(c.first);
        if (std::abs(u - inside) < 1e-12 * (high - low)) break;
    }
    if (u < low || u > high) return std::nullopt;
    const Vec2 normal = turnedRight(tangent);
    return FieldPlace{body_.scale * dot(offset, normal), normal, curve.wrap(u), false};
}

double OutlineField::lawCurvature(const FieldPlace& place) const {
    if (place.atCorner) return usual();
    return curvature(body_.outline->curve.derivatives(place.parameter)) / body_.scale;
}

// ---- contacts

double usualCurvature(const OutlineInPlace& body) { return 1 / sizeOf(body); }

double effectiveRadius(double curvatures, double usual) { return 1 / (curvatures > 1e-3 * usual ? curvatures : usual); }

thread_local std::vector<ContactPoint> FoundPlaces::guards_;

void FoundPlaces::finish(double size) {
    const auto overlaps = [](const ContactPoint& p) { return p.gap < 0; };
    if (deepest_ && std::none_of(points_.begin() + offset(first_), points_.end(), overlaps))
        points_.push_back(*deepest_);
    keepOneOfEach(size);
    appendGuards(size);
    orderByFeature(points_, first_);
}

void FoundPlaces::keepOneOfEach(double size) {
    std::size_t kept = first_;
    for (std::size_t k = first_; k < points_.size(); ++k) {
        const ContactPoint next = points_[k];
        const auto end = points_.begin() + offset(kept);
        const auto same = std::find_if(points_.begin() + offset(first_), end,
                                       [&](const ContactPoint& p) { return areTogether(p, next, samePlace * size); });
        if (same == end) {
            points_[kept++] = next;
        } else if (next.gap < same->gap) {
            const std::uint64_t name = same->feature;
            *same = next;
            same->feature = name;
        }
    }
    points_.resize(kept);
}

void FoundPlaces::appendGuards(double size) {
    double deepest = 0;
    for (std::size_t k = first_; k < points_.size(); ++k) deepest = std::min(deepest, points_[k].gap);
    for (const ContactPoint& guard : guards_) {
        const auto isThere = [&](const ContactPoint& p) {
            return p.feature == guard.feature || areTogether(p, guard, guardedPlace * size);
        };
        if (std::any_of(points_.begin() + offset(first_), points_.end(), isThere)) continue;
        points_.push_back(guard);
        if (guard.gap < 0) points_.back().gap = std::max(0.0, guard.gap - deepest);
    }
}

void findOutlineWallContacts(const OutlineInPlace& a, const ShapeInPlace& wall, int face, const OutlineSearch& search,
                             std::vector<ContactPoint>& points) {
    const FaceField field(a, wall, face);
    const SearchSide side{1, static_cast<std::uint64_t>(face) << 32, search, sizeOf(a)};
    FoundPlaces found(points);
    findAlong(OutlineCurve(a, field.frame()), field, side, found);
    found.finish(sizeOf(a));
}

void findOutlineContacts(const OutlineInPlace& a, const OutlineInPlace& b, const OutlineSearch& search,
                         std::vector<ContactPoint>& points) {
    if (leastDistance(a, b) > search.margin) return;
    const double size = std::min(sizeOf(a), sizeOf(b));
    const OutlineField ofA(a), ofB(b);
    FoundPlaces found(points);
    findAlong(OutlineCurve(a, ofB.frame()), ofB, {1, 0, search, size}, found);
    findAlong(OutlineCurve(b, ofA.frame()), ofA, {-1, std::uint64_t{1} << 32, search, size}, found);
    found.finish(size);
}

double leastDistance(const OutlineInPlace& a, const OutlineInPlace& b) {
    const double apart = norm(a.pose.position - b.pose.position);
    return std::max(0.0, apart - a.scale * a.outline->radius - b.scale * b.outline->radius);
}

}  // namespace talus
