#include "collision/ellipsoid_block.hpp"

#include <optional>

#include "collision/narrow/convex_pairs.hpp"

namespace talus {
namespace {

void put(const EllipsoidMatrix& e, EllipsoidBatch::Row* rows, std::size_t lane) {
    const double entries[6] = {e.xx, e.xy, e.xz, e.yy, e.yz, e.zz};
    for (int k = 0; k < 6; ++k) rows[k][lane] = entries[k];
}
void put(const Vec3& v, EllipsoidBatch::Row* rows, std::size_t lane) {
    rows[0][lane] = v.x;
    rows[1][lane] = v.y;
    rows[2][lane] = v.z;
}
Vec3 get(const EllipsoidBatch::Row* rows, std::size_t lane) { return {rows[0][lane], rows[1][lane], rows[2][lane]}; }

bool isEllipsoid(const ConvexCore& core) {
    return core.shape != nullptr && std::holds_alternative<EllipsoidShape>(*core.shape);
}

}  // namespace

void EllipsoidBlock::addLane(const World& world, const PairWatch& watch, std::size_t pair) {
    const ShapeContacts& list = world.contacts.shapes;
    std::optional<ConvexCore> image;
    const ConvexCore &a = watch.first(pair), &b = watch.secondNear(world, pair, image);
    const bool swapped = !goesBefore(a, b);
    const Vec3& last = list.point[list.pointStart[pair]].normal;
    const std::size_t lane = laneCount_++;
    put(watch.firstMatrix(pair), swapped ? batch_.b : batch_.a, lane);
    put(watch.secondMatrix(pair), swapped ? batch_.a : batch_.b, lane);
    put(swapped ? b.centre - a.centre : a.centre - b.centre, batch_.d, lane);
    put(swapped ? -last : last, batch_.normal, lane);
    lanes_[lane] = {pair, swapped, b.centre};
}

// Lanes beyond the count hold zeros or what an earlier batch left: numbers that nobody asks for.
void EllipsoidBlock::runLanes(const PairWatch& watch) {
    ellipsoidVariant().run(batch_);
    for (std::size_t lane = 0; lane < laneCount_; ++lane) {
        if ((batch_.found >> lane & 1u) == 0) continue;
        const auto& [pair, swapped, centreB] = lanes_[lane];
        const ConvexCore &a = watch.first(pair), &b = watch.second(pair);
        const Vec3 normal = get(batch_.normal, lane), reachA = get(swapped ? batch_.reachB : batch_.reachA, lane),
                   reachB = get(swapped ? batch_.reachA : batch_.reachB, lane);
        const CoreDistance nearest =
            swapped ? CoreDistance{batch_.distance[lane], -normal, a.centre + reachA, centreB - reachB}
                    : CoreDistance{batch_.distance[lane], normal, a.centre - reachA, centreB + reachB};
        found_.push_back({pair, ellipsoidContact(a, b, centreB, nearest)});
    }
    laneCount_ = 0;
}

void EllipsoidBlock::find(const World& world, const PairWatch& watch, double margin, std::size_t begin,
                          std::size_t end) {
    const std::vector<std::uint32_t>& start = world.contacts.shapes.pointStart;
    found_.clear();
    next_ = 0;
    if (!watch.anyEllipsoid()) return;
    for (std::size_t p = begin; p < end; ++p) {
        if (start[p] == start[p + 1] || watch.rests(p, margin)) continue;
        if (!isEllipsoid(watch.first(p)) || !isEllipsoid(watch.second(p))) continue;
        addLane(world, watch, p);
        if (laneCount_ == lanes_.size()) runLanes(watch);
    }
    if (laneCount_ > 0) runLanes(watch);
}

const ContactPoint* EllipsoidBlock::of(std::size_t pair) {
    while (next_ < found_.size() && found_[next_].pair < pair) ++next_;
    return next_ < found_.size() && found_[next_].pair == pair ? &found_[next_].point : nullptr;
}

}  // namespace talus
