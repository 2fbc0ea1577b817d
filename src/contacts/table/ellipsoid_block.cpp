#include "contacts/table/ellipsoid_block.hpp"

#include "contacts/narrow/convex/convex_pairs.hpp"

namespace talus {
namespace {

void put(const SymmetricOf<double>& e, EllipsoidBatch::Row* rows, std::size_t lane) {
    const double entries[6] = {e.xx, e.xy, e.xz, e.yy, e.yz, e.zz};
    for (int k = 0; k < 6; ++k) rows[k][lane] = entries[k];
}
void put(const Vec3& v, EllipsoidBatch::Row* rows, std::size_t lane) {
    rows[0][lane] = v.x;
    rows[1][lane] = v.y;
    rows[2][lane] = v.z;
}
Vec3 get(const EllipsoidBatch::Row* rows, std::size_t lane) { return {rows[0][lane], rows[1][lane], rows[2][lane]}; }

}  // namespace

void EllipsoidBlock::addLane(const WorldState& world, const PairWatch& watch, std::size_t pair) {
    const ShapeCandidates& list = world.contacts.shapes;
    const EllipsoidInPlace &a = watch.firstEllipsoid(pair), &b = watch.secondEllipsoid(pair);
    const Vec3 way = a.centre - b.centre, shortest = nearestImage(way, period_);
    const Vec3 centreB = way == shortest ? b.centre : a.centre - shortest;
    const bool swapped = !goesBefore(a.scale, a.centre, b.scale, centreB);
    const Vec3& last = list.point[list.pointStart[pair]].normal;
    const std::size_t lane = laneCount_++;
    put(a.matrix, swapped ? batch_.b : batch_.a, lane);
    put(b.matrix, swapped ? batch_.a : batch_.b, lane);
    (swapped ? batch_.detB : batch_.detA)[lane] = a.determinant;
    (swapped ? batch_.detA : batch_.detB)[lane] = b.determinant;
    put(swapped ? centreB - a.centre : a.centre - centreB, batch_.d, lane);
    put(swapped ? -last : last, batch_.normal, lane);
    lanes_[lane] = {pair, swapped, a.centre, centreB};
}

// Lanes beyond the count hold zeros or what an earlier batch left: numbers that nobody asks for.
void EllipsoidBlock::runLanes() {
    ellipsoidVariant().run(batch_);
    for (std::size_t lane = 0; lane < laneCount_; ++lane) {
        if ((batch_.found >> lane & 1u) == 0) continue;
        const auto& [pair, swapped, centreA, centreB] = lanes_[lane];
        const Vec3 normal = get(batch_.normal, lane), reachA = get(swapped ? batch_.reachB : batch_.reachA, lane),
                   reachB = get(swapped ? batch_.reachA : batch_.reachB, lane);
        const CoreDistance nearest =
            swapped ? CoreDistance{batch_.distance[lane], -normal, centreA + reachA, centreB - reachB}
                    : CoreDistance{batch_.distance[lane], normal, centreA - reachA, centreB + reachB};
        found_.push_back({pair, ellipsoidContact({nearest, batch_.radius[lane]})});
    }
    laneCount_ = 0;
}

void EllipsoidBlock::find(const WorldState& world, const PairWatch& watch, double margin, std::size_t begin,
                          std::size_t end) {
    const std::vector<std::uint32_t>& start = world.contacts.shapes.pointStart;
    found_.clear();
    next_ = 0;
    if (!watch.anyEllipsoids()) return;
    period_ = world.domain.period();
    for (std::size_t p = begin; p < end; ++p) {
        if (start[p] == start[p + 1] || !watch.areEllipsoids(p) || watch.rests(p, margin)) continue;
        addLane(world, watch, p);
        if (laneCount_ == lanes_.size()) runLanes();
    }
    if (laneCount_ > 0) runLanes();
}

const ContactPoint* EllipsoidBlock::of(std::size_t pair) {
    while (next_ < found_.size() && found_[next_].pair < pair) ++next_;
    return next_ < found_.size() && found_[next_].pair == pair ? &found_[next_].point : nullptr;
}

}  // namespace talus
