#include "contacts/narrow/nurbs/surface_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/matrix3.hpp"
#include "contacts/narrow/convex/convex_core.hpp"
#include "contacts/narrow/convex/features.hpp"
#include "geometry/mesh/mesh.hpp"

namespace talus {
namespace {

constexpr double facingAway = 0.5;    // -, cosine between the normals of knot and other body above which it is left out
constexpr double flatSlope = 1e-3;    // -, rise of the gap over the way below which a place is flat
constexpr double samePlace = 0.5;     // -, of the radius of a cell: points that are nearer are one
constexpr double farthestWay = 3;     // -, of the radius of a cell: so far a descent goes
constexpr int mostSteps = 20;         // of a descent
constexpr double levelEnough = 1e-9;  // -, slope at which a descent ends
constexpr double lastStep = 1e-6;     // -, of the radius of the body: a Newton step so short is the last one
constexpr std::size_t mostSupports = 4;

struct Candidate {
    std::uint32_t knot;
    Vec3 place;  // m, world frame
    FieldPoint field;
};

// A place on the surface and the other body there.
struct Touch {
    std::uint32_t knot;  // from which it was found
    SurfaceFoot foot;    // in the frame of the surface
    Vec3 place, normal;  // world frame; normal of the surface, outward
    FieldPoint field;
};

class SurfaceSearch {
public:
    SurfaceSearch(const PlacedSurface& surface, const DistanceField& field, double margin)
        : surface_(surface),
          body_(*surface.body),
          field_(field),
          margin_(margin),
          turn_(rotationMatrix(surface.pose.orientation)) {}

    // The touches, nearest first.
    void find(std::vector<Touch>& touches) {
        collect();
        touches.clear();
        for (const Candidate& c : candidates_) {
            if (!isLeast(c)) continue;
            const Touch touch = descend(c);
            if (touch.field.gap < margin_ && dot(touch.normal, touch.field.normal) < 0) touches.push_back(touch);
        }
        keepOneEach(touches);
        addSupports(touches);
        for (Touch& touch : touches) field_.addBend(touch.field);
    }

    double cellRadius(std::uint32_t knot) const { return surface_.scale * body_.knots()[knot].radius; }

private:
    Vec3 toWorld(const Vec3& local) const { return surface_.pose.position + turn_ * (surface_.scale * local); }
    Vec3 toLocal(const Vec3& world) const {
        return transposeTimes(turn_, world - surface_.pose.position) / surface_.scale;
    }

    void collect() {
        candidates_.clear();
        const auto isNear = [&](const BoundingBox& box) {
            const double half = 0.5 * surface_.scale * norm(box.high - box.low);
            return !field_.isBeyond(toWorld(0.5 * (box.low + box.high)), std::max(margin_, 0.0) + half);
        };
        forEachItem(body_.tree.boxes(), isNear, [&](std::uint32_t k) { addIfNear(k); });
        std::sort(candidates_.begin(), candidates_.end(),
                  [](const Candidate& a, const Candidate& b) { return a.knot < b.knot; });
    }

    // A place of the cell can have a gap below the margin.
    void addIfNear(std::uint32_t k) {
        const SurfaceCell& knot = body_.knots()[k];
        const Vec3 place = toWorld(knot.middle);
        const std::optional<FieldPoint> field = field_.within(place, std::max(margin_, 0.0) + cellRadius(k));
        if (!field || !(field->gap < margin_ + cellRadius(k))) return;
        if (dot(turn_ * knot.normal, field->normal) < facingAway) candidates_.push_back({k, place, *field});
    }

    const Candidate* candidateOf(std::uint32_t knot) const {
        const auto found = std::lower_bound(candidates_.begin(), candidates_.end(), knot,
                                            [](const Candidate& c, std::uint32_t k) { return c.knot < k; });
        return found != candidates_.end() && found->knot == knot ? &*found : nullptr;
    }

    bool isLeast(const Candidate& c) const {
        const auto neighbours = body_.neighboursOf(c.knot);
        return std::none_of(neighbours.begin(), neighbours.end(), [&](std::uint32_t k) {
            const Candidate* other = candidateOf(k);
            if (other == nullptr) return false;
            return other->field.gap < c.field.gap || (other->field.gap == c.field.gap && k < c.knot);
        });
    }

    Touch touchAt(std::uint32_t knot, const SurfaceFoot& foot) const {
        const Vec3 place = toWorld(foot.point);
        return {knot, foot, place, turn_ * foot.normal, field_.at(place)};
    }

    SurfaceFoot footOfKnot(std::uint32_t knot) const {
        const SurfaceCell& c = body_.knots()[knot];
        return {.gap = 0,
                .point = c.middle,
                .normal = c.normal,
                .cell = knot,
                .s = 0.5 * (c.s0 + c.s1),
                .t = 0.5 * (c.t0 + c.t1)};
    }

    // Along the surface to the least gap nearby.
    Touch descend(const Candidate& c) const {
        Touch now{c.knot, footOfKnot(c.knot), c.place, turn_ * body_.knots()[c.knot].normal, c.field};
        const double farthest = farthestWay * cellRadius(c.knot), last = lastStep * surface_.scale * body_.radius;
        for (int step = 0; step < mostSteps; ++step) {
            const Vec3 slope = now.field.normal - dot(now.field.normal, now.normal) * now.normal;
            if (norm(slope) < levelEnough) break;
            field_.addBend(now.field);
            Vec3 way = newtonStep(now, slope, cellRadius(c.knot));
            Touch next = moved(now, way);
            if (norm(way) < last) return next.field.gap <= now.field.gap + 1e-3 * last ? next : now;
            for (int k = 0; k < 8 && !(next.field.gap < now.field.gap); ++k) {
                way *= 0.5;
                next = moved(now, way);
            }
            if (!(next.field.gap < now.field.gap) || norm(next.place - c.place) > farthest) break;
            now = next;
        }
        return now;
    }

    Touch moved(const Touch& from, const Vec3& way) const {
        return touchAt(from.knot, body_.tree.closestPoint(toLocal(from.place + way), from.foot.cell));
    }

    // In the tangent plane: second derivative of the gap H = D - (n.m) W, with that of the field D, the bend of the
    // surface W and the normals n of the field and m of the surface.
    Vec3 newtonStep(const Touch& at, const Vec3& slope, double longest) const {
        const Mat3 own = (1 / surface_.scale) * (turn_ * body_.tree.bend(at.foot) * transpose(turn_));
        const Mat3 second = at.field.bend + -dot(at.field.normal, at.normal) * own;
        const Vec3 e = normalized(slope), f = cross(at.normal, e);
        const double ee = dot(e, second * e), ef = dot(e, second * f), ff = dot(f, second * f), length = norm(slope);
        const double det = ee * ff - ef * ef;
        // Without a minimum in sight downhill as far as allowed.
        Vec3 step = -longest * e;
        if (ee > 0 && det > 1e-6 * ee * ee) step = (-length / det) * (ff * e - ef * f);
        const double size = norm(step);
        return size > longest ? longest / size * step : step;
    }

    void keepOneEach(std::vector<Touch>& touches) const {
        std::sort(touches.begin(), touches.end(), [](const Touch& a, const Touch& b) {
            return a.field.gap != b.field.gap ? a.field.gap < b.field.gap : a.knot < b.knot;
        });
        std::size_t kept = 0;
        for (const Touch& next : touches) {
            const bool isDouble = std::any_of(touches.begin(), touches.begin() + static_cast<std::ptrdiff_t>(kept),
                                              [&](const Touch& other) {
                                                  const double near = samePlace * cellRadius(other.knot);
                                                  return norm(other.place - next.place) < near;
                                              });
            if (!isDouble) touches[kept++] = next;
        }
        touches.resize(kept);
    }

    // Knots around a touch whose gap is as good as the same, far from each other.
    void addSupports(std::vector<Touch>& touches) const {
        const std::size_t found = touches.size();
        for (std::size_t k = 0; k < found; ++k) {
            thread_local std::vector<const Candidate*> flat;
            flat.clear();
            for (const Candidate& c : candidates_) {
                if (isFlatBeside(touches[k], c) && nearestOf(touches, found, c) == k) flat.push_back(&c);
            }
            addFarthest(touches, k, flat);
        }
    }

    bool isFlatBeside(const Touch& touch, const Candidate& c) const {
        const double way = norm(c.place - touch.place), near = samePlace * cellRadius(c.knot);
        return c.field.gap < margin_ && way > near && c.field.gap - touch.field.gap < flatSlope * way &&
               dot(c.field.normal, touch.field.normal) > 1 - flatSlope;
    }

    static std::size_t nearestOf(const std::vector<Touch>& touches, std::size_t count, const Candidate& c) {
        std::size_t best = 0;
        for (std::size_t k = 1; k < count; ++k) {
            if (norm(touches[k].place - c.place) < norm(touches[best].place - c.place)) best = k;
        }
        return best;
    }

    // The farthest from the touch, the farthest from that, and the farthest to both sides of the line between them.
    void addFarthest(std::vector<Touch>& touches, std::size_t k, const std::vector<const Candidate*>& flat) const {
        const Touch centre = touches[k];
        std::array<const Candidate*, mostSupports> chosen{};
        const auto choose = [&](std::size_t number, auto&& measure) {
            double most = 0;
            for (const Candidate* c : flat) {
                if (const double value = measure(*c); value > most) most = value, chosen[number] = c;
            }
        };
        choose(0, [&](const Candidate& c) { return norm(c.place - centre.place); });
        if (chosen[0] == nullptr) return;
        const Vec3 first = chosen[0]->place;
        choose(1, [&](const Candidate& c) { return norm(c.place - first); });
        const Vec3 across =
            cross(centre.field.normal, (chosen[1] != nullptr ? chosen[1]->place : centre.place) - first);
        choose(2, [&](const Candidate& c) { return dot(across, c.place - first); });
        choose(3, [&](const Candidate& c) { return -dot(across, c.place - first); });
        for (const Candidate* c : chosen) {
            if (c == nullptr) continue;
            const bool isKnown = std::any_of(touches.begin(), touches.end(), [&](const Touch& t) {
                return t.knot == c->knot || norm(t.place - c->place) < samePlace * cellRadius(c->knot);
            });
            if (!isKnown)
                touches.push_back(
                    {c->knot, footOfKnot(c->knot), c->place, turn_ * body_.knots()[c->knot].normal, c->field});
        }
    }

    const PlacedSurface& surface_;
    const SurfaceBody& body_;
    const DistanceField& field_;
    double margin_;
    Mat3 turn_;
    // Kept from pair to pair: no memory is asked for in a step.
    static thread_local std::vector<Candidate> candidates_;
};
thread_local std::vector<Candidate> SurfaceSearch::candidates_;

// 1/m, of the balls that places without curvature count as.
double ballCurvature(const PlacedSurface& s) { return 1 / (s.scale * s.body->equivalentRadius); }

// Between a tenth of and ten times the sum of the balls: flat and hollow places, creases.
double effectiveRadius(const PlacedSurface& a, const Touch& touch, double otherBall) {
    const double own = 0.5 * trace(a.body->tree.bend(touch.foot)) / a.scale;
    const Curvature& c = touch.field.curvature;
    const double other = c.kind == Curvature::Kind::round ? c.mean : c.kind == Curvature::Kind::sharp ? otherBall : 0;
    const double usual = ballCurvature(a) + otherBall;
    return 1 / std::clamp(own + other, 0.1 * usual, 10 * usual);
}

// side: 1 if the surface is the first body.
ContactPoint contactAt(const PlacedSurface& a, const Touch& touch, double otherBall, double side,
                       std::uint64_t feature) {
    return {.position = touch.place - 0.5 * touch.field.gap * touch.field.normal,
            .normal = side * touch.field.normal,
            .gap = touch.field.gap,
            .radius = effectiveRadius(a, touch, otherBall),
            .feature = feature};
}

std::uint64_t ofFirst(std::uint32_t knot, std::uint32_t part) { return (std::uint64_t{knot + 1} << 32) + part; }

std::vector<Touch>& scratch() {
    thread_local std::vector<Touch> touches;
    return touches;
}

// --- bodies within each other --------------------------------------------------------------------------------------

// A body in another has no place that faces the surface it must leave by. It goes out where a place of it, which stands
// for all of it, is nearest to that surface, and it is out when nothing of it is left behind.
constexpr std::uint64_t ofFirstWithin = std::uint64_t{0xFFFFFFFF} << 32, ofSecondWithin = 0xFFFFFFFF;

Vec3 aPlaceOf(const PlacedSurface& s) { return outOfFrame(s.pose, s.scale * s.body->knots()[0].middle); }

// Convex solids hold their centres; meshes need not.
Vec3 aPlaceOf(const ShapeInPlace& solid) {
    const auto* mesh = std::get_if<MeshShape>(solid.shape);
    return mesh != nullptr ? outOfFrame(solid.pose, solid.scale * mesh->mesh->corners[0]) : solid.pose.position;
}

// m, how far a body reaches beyond a place in a direction, which is of unit length.
double reachBeyond(const PlacedSurface& s, const Vec3& place, const Vec3& direction) {
    const Vec3 local = rotateBack(s.pose.orientation, direction);
    double most = -1e300;
    for (const SurfaceCell& knot : s.body->knots()) most = std::max(most, dot(local, knot.middle));
    return s.scale * most + dot(direction, s.pose.position - place);
}
double reachBeyond(const ShapeInPlace& solid, const Vec3& place, const Vec3& direction) {
    const auto* mesh = std::get_if<MeshShape>(solid.shape);
    if (mesh == nullptr) {
        const ConvexCore core(solid);
        return dot(direction, core.support(direction) - place) + core.rounding;
    }
    const Vec3 local = rotateBack(solid.pose.orientation, direction);
    double most = -1e300;
    for (const Vec3& corner : mesh->mesh->corners) most = std::max(most, dot(local, corner));
    return solid.scale * most + dot(direction, solid.pose.position - place);
}

// The other body leaves the surface, if a place of it is inside. side: 1 if the surface is the first body.
template <class Body>
std::optional<ContactPoint> leaving(const PlacedSurface& surface, const Body& other, double otherBall, double side) {
    const Vec3 place = aPlaceOf(other);
    const SurfaceFoot foot = surface.body->tree.closestPoint(intoFrame(surface.pose, place) / surface.scale);
    if (!(foot.gap < 0)) return std::nullopt;
    const Vec3 inward = -rotate(surface.pose.orientation, foot.normal);
    const double gap = surface.scale * foot.gap - reachBeyond(other, place, inward);
    const FieldPoint field{.gap = gap, .normal = inward, .bend = {}, .curvature = {Curvature::Kind::round, otherBall}};
    const Touch touch{foot.cell, foot, outOfFrame(surface.pose, surface.scale * foot.point), -inward, field};
    return contactAt(surface, touch, otherBall, side, side > 0 ? ofSecondWithin : ofFirstWithin);
}

bool holdsVolume(const Shape& solid) {
    const auto* mesh = std::get_if<MeshShape>(&solid);
    return mesh == nullptr || mesh->mesh->closed;
}

// The surface leaves the solid, if a place of it is inside.
std::optional<ContactPoint> leaving(const SolidField& solid, const PlacedSurface& surface, double solidBall) {
    const Vec3 place = aPlaceOf(surface);
    const FieldPoint at = solid.at(place);
    if (!(at.gap < 0)) return std::nullopt;
    const double gap = at.gap - reachBeyond(surface, place, -at.normal);
    return ContactPoint{.position = place + (0.5 * gap - at.gap) * at.normal,
                        .normal = at.normal,
                        .gap = gap,
                        .radius = 1 / (ballCurvature(surface) + solidBall),
                        .feature = ofFirstWithin};
}

// The shorter way out.
void addShallower(const std::optional<ContactPoint>& one, const std::optional<ContactPoint>& other,
                  std::vector<ContactPoint>& points) {
    if (one && (!other || one->gap >= other->gap)) return points.push_back(*one);
    if (other) points.push_back(*other);
}

}  // namespace

void findSurfaceWallContacts(const PlacedSurface& a, const ShapeInPlace& wall, double margin,
                             std::vector<ContactPoint>& points) {
    const std::size_t start = points.size();
    for (int face = 0; face < faceCount(*wall.shape); ++face) {
        if (isOpen(*wall.shape, face)) continue;
        const FaceField field(wall, face);
        if (field.isBeyond(a.pose.position, std::max(margin, 0.0) + a.scale * a.body->radius)) continue;
        SurfaceSearch(a, field, margin).find(scratch());
        for (const Touch& touch : scratch()) {
            points.push_back(contactAt(a, touch, 0, 1, ofFirst(touch.knot, static_cast<std::uint32_t>(face))));
        }
    }
    orderByFeature(points, start);
}

void findSurfaceSolidContacts(const PlacedSurface& a, const ShapeInPlace& solid, double margin,
                              std::vector<ContactPoint>& points) {
    const std::size_t start = points.size();
    const double radius = solid.scale * ballRadius(*solid.shape);
    const SolidField field(solid, radius, a.pose.position);
    SurfaceSearch(a, field, margin).find(scratch());
    for (const Touch& touch : scratch()) points.push_back(contactAt(a, touch, 1 / radius, 1, ofFirst(touch.knot, 0)));
    const bool none = points.size() == start;
    if (none || isConvexSolid(*solid.shape)) {
        const std::optional<ContactPoint> outOfSurface = leaving(a, solid, 1 / radius, 1);
        const bool tries = holdsVolume(*solid.shape) && (none || outOfSurface);
        const std::optional<ContactPoint> outOfSolid = tries ? leaving(field, a, 1 / radius) : std::nullopt;
        addShallower(outOfSurface, outOfSolid, points);
    }
    orderByFeature(points, start);
}

void findSurfacePairContacts(const PlacedSurface& a, const PlacedSurface& b, double margin,
                             std::vector<ContactPoint>& points) {
    const std::size_t start = points.size();
    const SurfaceField ofA(a), ofB(b);
    SurfaceSearch(a, ofB, margin).find(scratch());
    for (const Touch& touch : scratch()) {
        points.push_back(contactAt(a, touch, ballCurvature(b), 1, ofFirst(touch.knot, 0)));
    }
    // The knots of b; what was found from those of a is known.
    const std::size_t known = points.size();
    SurfaceSearch search(b, ofA, margin);
    search.find(scratch());
    for (const Touch& touch : scratch()) {
        const ContactPoint point = contactAt(b, touch, ballCurvature(a), -1, touch.knot + 1);
        const bool isKnown = std::any_of(points.begin() + static_cast<std::ptrdiff_t>(start),
                                         points.begin() + static_cast<std::ptrdiff_t>(known), [&](const auto& p) {
                                             const double near = samePlace * search.cellRadius(touch.knot);
                                             return norm(p.position - point.position) < near;
                                         });
        if (!isKnown) points.push_back(point);
    }
    if (points.size() == start) {
        addShallower(leaving(a, b, ballCurvature(b), 1), leaving(b, a, ballCurvature(a), -1), points);
    }
    orderByFeature(points, start);
}

double leastSurfaceDistance(const PlacedSurface& surface, const Vec3& centre, double radius) {
    const Vec3 local = intoFrame(surface.pose, centre) / surface.scale;
    const double toBall = surface.scale * (norm(local) - surface.body->radius) - radius;
    if (toBall > 0) return toBall;
    return std::max(0.0, surface.scale * surface.body->tree.closestPoint(local).gap - radius);
}

}  // namespace talus
