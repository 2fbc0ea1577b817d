#include "collision/ellipsoid_block.hpp"

#include <optional>

#include "collision/narrow/convex_pairs.hpp"

namespace talus {
namespace {

void put(const EllipsoidForm& e, EllipsoidBatch::Row* rows, std::size_t lane) {
    const double entries[6] = {e.xx, e.xy, e.xz, e.yy, e.yz, e.zz};
    for (int k = 0; k < 6; ++k) rows[k][lane] = entries[k];
}
void put(const Vec3& v, EllipsoidBatch::Row* rows, std::size_t lane) {
    rows[0][lane] = v.x;
    rows[1][lane] = v.y;
    rows[2][lane] = v.z;
}
Vec3 get(const EllipsoidBatch::Row* rows, int lane) { return {rows[0][lane], rows[1][lane], rows[2][lane]}; }

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
    const std::size_t lane = waiting_.size();
    put(watch.firstForm(pair), swapped ? batch_.b : batch_.a, lane);
    put(watch.secondForm(pair), swapped ? batch_.a : batch_.b, lane);
    const Vec3 &first = swapped ? b.centre : a.centre, &other = swapped ? a.centre : b.centre;
    put(first - other, batch_.d, lane);
    put(swapped ? -last : last, batch_.normal, lane);
    waiting_.push_back({pair, swapped, first, other, {}});
}

// Lanes beyond the count hold zeros or what an earlier batch left: numbers that nobody asks for.
void EllipsoidBlock::runLanes(int count) {
    ellipsoidKernel()(batch_);
    for (int lane = 0; lane < count; ++lane) {
        if ((batch_.found >> lane & 1u) == 0) continue;
        Found& pair = waiting_[static_cast<std::size_t>(lane)];
        const Vec3 normal = get(batch_.normal, lane);
        const Vec3 onFirst = pair.first - get(batch_.reachA, lane), onOther = pair.other + get(batch_.reachB, lane);
        const double distance = batch_.distance[lane];
        pair.nearest = pair.swapped ? CoreDistance{distance, -normal, onOther, onFirst}
                                    : CoreDistance{distance, normal, onFirst, onOther};
        found_.push_back(pair);
    }
    waiting_.clear();
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
        if (waiting_.size() == packLanes) runLanes(packLanes);
    }
    if (!waiting_.empty()) runLanes(static_cast<int>(waiting_.size()));
}

const CoreDistance* EllipsoidBlock::of(std::size_t pair) {
    while (next_ < found_.size() && found_[next_].pair < pair) ++next_;
    return next_ < found_.size() && found_[next_].pair == pair ? &found_[next_].nearest : nullptr;
}

}  // namespace talus
