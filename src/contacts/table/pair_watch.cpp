#include "contacts/table/pair_watch.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "contacts/table/shape_points.hpp"

namespace talus {
namespace {

// How far round-off may be off, as a part of the radii.
constexpr double roundOff = 1e-9;

// m, by which no point of a body of this radius can have gone farther. Quaternions of a turn by an angle t differ by
// 2 sin(t/4); a point at the radius r goes 2 r sin(t/2), less than twice r times that.
double farthestWay(const Pose& before, const Pose& now, double radius) {
    const Quat &p = before.orientation, &q = now.orientation;
    const double w = p.w - q.w, x = p.x - q.x, y = p.y - q.y, z = p.z - q.z;
    return norm(now.position - before.position) + 2 * radius * std::sqrt(w * w + x * x + y * y + z * z);
}

bool isEllipsoid(const Shape& shape) { return std::holds_alternative<EllipsoidShape>(shape); }
bool isMesh(const Shape& shape) { return std::holds_alternative<MeshShape>(shape); }

}  // namespace

void PairWatch::measureShapes(const WorldState& world) {
    ballRadius_.assign(world.shapes.size(), 0);
    for (std::size_t k = 0; k < world.shapes.size(); ++k) {
        if (isConvexSolid(world.shapes[k])) ballRadius_[k] = ballRadius(world.shapes[k]);
    }
}

void PairWatch::beginAnew(const WorldState& world) {
    const std::vector<ShapePair>& pairs = world.contacts.shapes.pair;
    measureShapes(world);
    std::vector<std::uint32_t> place(world.bodies.size(), 0);
    for (const ShapePair& p : pairs) place[p.a] = place[p.b] = 1;
    body_.clear();
    for (std::uint32_t i = 0; i < place.size(); ++i) {
        if (place[i] == 0) continue;
        place[i] = static_cast<std::uint32_t>(body_.size());
        body_.push_back(i);
    }
    members_.resize(pairs.size());
    for (std::size_t p = 0; p < pairs.size(); ++p) members_[p] = {place[pairs[p].a], place[pairs[p].b]};
    core_.assign(body_.size(), {});
    const bool anyEllipsoid = std::any_of(world.shapes.begin(), world.shapes.end(), isEllipsoid);
    ellipsoid_.assign(anyEllipsoid ? body_.size() : 0, {});
    areEllipsoids_.assign(anyEllipsoid ? pairs.size() : 0, 0);
    const auto isOne = [&](std::uint32_t body) { return isEllipsoid(world.shapes[world.bodies.shape[body]]); };
    for (std::size_t p = 0; p < areEllipsoids_.size(); ++p) {
        areEllipsoids_[p] = isOne(pairs[p].a) && isOne(pairs[p].b);
    }
    pose_.assign(body_.size(), {});
    travel_.assign(body_.size(), 0);
    wakeUp_.assign(pairs.size(), 0);
    const bool anyMesh = std::any_of(world.shapes.begin(), world.shapes.end(), isMesh);
    surroundings_.resize(anyMesh ? pairs.size() : 0);
    // Travels count from now on, so nothing that was gathered before is of use.
    for (MeshSurroundings& kept : surroundings_) kept.triangles.within = kept.travel = 0;
    for (std::size_t m = 0; m < body_.size(); ++m) pose_[m] = shapeInPlace(world, body_[m]).pose;
    rebuild_ = world.contacts.rebuilds;
}

void PairWatch::followBody(const WorldState& world, std::size_t member) {
    const ShapeInPlace body = shapeInPlace(world, body_[member]);
    travel_[member] += farthestWay(pose_[member], body.pose, world.bodies.radius[body_[member]]);
    pose_[member] = body.pose;
    const double ball = ballRadius_[world.bodies.shape[body_[member]]];
    if (ball == 0) return;
    core_[member] = ConvexCore(body);
    core_[member].ball = body.scale * ball;
    if (isEllipsoid(*body.shape)) ellipsoid_[member] = EllipsoidInPlace(core_[member]);
}

void PairWatch::follow(const WorldState& world) {
    const bool known = rebuild_ == world.contacts.rebuilds && members_.size() == world.contacts.shapes.pair.size();
    if (!known) beginAnew(world);
    parallelFor(body_.size(), [&](std::size_t member) { followBody(world, member); });
}

const ConvexCore& PairWatch::secondNear(const WorldState& world, std::size_t pair,
                                        std::optional<ConvexCore>& copy) const {
    const ConvexCore &a = first(pair), &b = second(pair);
    if (!world.domain.anyPeriodic()) return b;
    const Vec3 way = a.centre - b.centre, shortest = nearestImage(way, world.domain.period());
    if (way == shortest) return b;
    copy = b;
    copy->centre = a.centre - shortest;
    return *copy;
}

void PairWatch::letRest(const WorldState& world, std::size_t pair, double apart) {
    const auto& [a, b] = members_[pair];
    // Walls change in other ways than by moving.
    if (body_[b] >= world.bodies.grainCount) return keepAwake(pair);
    const double radii = world.bodies.radius[body_[a]] + world.bodies.radius[body_[b]];
    wakeUp_[pair] = travel_[a] + travel_[b] + apart - roundOff * radii;
}

}  // namespace talus
