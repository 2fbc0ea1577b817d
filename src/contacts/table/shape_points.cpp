#include "contacts/table/shape_points.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/count_seconds.hpp"
#include "base/parallel.hpp"
#include "contacts/narrow/convex/convex_pairs.hpp"
#include "contacts/narrow/mesh/mesh_contacts.hpp"
#include "contacts/narrow/nurbs/outline_contacts.hpp"
#include "model/sleeve.hpp"

namespace talus {
namespace {

constexpr std::size_t blockSize = 64;  // pairs
constexpr double samePlace = 0.1;      // -, of the smaller radius: how far a point without its feature may be
constexpr std::uint32_t none = 0xFFFFFFFF;

struct Range {
    std::uint32_t begin, end;
    std::uint32_t size() const { return end - begin; }
};
Range pointsOf(const ShapeCandidates& list, std::size_t pair) {
    return {list.pointStart[pair], list.pointStart[pair + 1]};
}

double smallerRadius(const Bodies& b, const ShapePair& p) {
    return p.b < b.grainCount ? std::min(b.radius[p.a], b.radius[p.b]) : b.radius[p.a];
}

bool canInherit(const ContactPoint& from, const ContactPoint& to) { return dot(from.normal, to.normal) > 0.5; }
bool isHeir(const ContactPoint& from, const ContactPoint& to) {
    return from.feature == to.feature && canInherit(from, to);
}

// For each new point of a pair the old one it inherits from, or none; few points, so all are compared.
class Heirs {
public:
    Heirs(const ShapeCandidates& old, Range before, const ShapeCandidates& fresh, Range now, double reach)
        : old_(old), before_(before), fresh_(fresh), now_(now), reach_(reach) {
        taken_.assign(before.size(), 0);
        from_.assign(now.size(), none);
        matchFeatures();
        matchPlaces();
    }

    std::uint32_t of(std::uint32_t point) const { return from_[point - now_.begin]; }
    bool hasHeir(std::uint32_t point) const { return taken_[point - before_.begin] != 0; }

private:
    void take(std::uint32_t n, std::uint32_t o) {
        from_[n - now_.begin] = o;
        taken_[o - before_.begin] = 1;
    }

    void matchFeatures() {
        std::uint32_t o = before_.begin;
        for (std::uint32_t n = now_.begin; n < now_.end; ++n) {
            while (o < before_.end && old_.point[o].feature < fresh_.point[n].feature) ++o;
            if (o < before_.end && isHeir(old_.point[o], fresh_.point[n])) take(n, o);
        }
    }

    void matchPlaces() {
        for (std::uint32_t n = now_.begin; n < now_.end; ++n) {
            if (from_[n - now_.begin] != none) continue;
            double nearest = reach_ * reach_;
            std::uint32_t best = none;
            for (std::uint32_t o = before_.begin; o < before_.end; ++o) {
                if (hasHeir(o) || !canInherit(old_.point[o], fresh_.point[n])) continue;
                const double distance = normSquared(old_.point[o].position - fresh_.point[n].position);
                if (distance < nearest) {
                    nearest = distance;
                    best = o;
                }
            }
            if (best != none) take(n, best);
        }
    }

    const ShapeCandidates& old_;
    Range before_;
    const ShapeCandidates& fresh_;
    Range now_;
    double reach_;
    // Kept from pair to pair: no memory is asked for in a step.
    static thread_local std::vector<char> taken_;
    static thread_local std::vector<std::uint32_t> from_;
};
thread_local std::vector<char> Heirs::taken_;
thread_local std::vector<std::uint32_t> Heirs::from_;

// What a lost point held; impulses are nothing to be given up.
void tell(const SpringMemory& memory, std::size_t k, LostPoint& lost) {
    lost.tangent = memory.tangent[k];
    if (!memory.rolling.empty()) lost.rolling = memory.rolling[k];
}
void tell(const YieldingMemory& memory, std::size_t k, LostPoint& lost) { lost.stretch = memory.stretch[k]; }
template <class Memory>
concept CanLose = requires(const Memory& memory, LostPoint& lost) {
    tell(memory, 0, lost);
};

// The points of the step before and of now, each with the first one's number in the memory.
template <class Memory>
struct Succession {
    const ShapeCandidates& old;
    const Memory& before;
    const ShapeCandidates& fresh;
    Memory& now;
    std::uint32_t first;  // number of the first point of now

    void handOn(std::uint32_t o, std::uint32_t n) const {
        visitArrays(
            [&](auto& to, const auto& from) {
                if (from.empty() || to.empty()) return;
                to[first + n] = turned(from[o], old.point[o].normal, fresh.point[n].normal);
            },
            now, before);
    }

    void inherit(const WorldState& world, std::size_t pair, std::vector<LostPoint>& lost) const {
        const Range were = pointsOf(old, pair), are = pointsOf(fresh, pair);
        if (were.size() == 0) return;
        if (were.size() == 1 && are.size() == 1 && isHeir(old.point[were.begin], fresh.point[are.begin])) {
            return handOn(were.begin, are.begin);
        }
        const Heirs heirs(old, were, fresh, are, samePlace * smallerRadius(world.bodies, fresh.pair[pair]));
        for (std::uint32_t n = are.begin; n < are.end; ++n) {
            if (heirs.of(n) != none) handOn(heirs.of(n), n);
        }
        if constexpr (CanLose<Memory>) {
            for (std::uint32_t o = were.begin; o < were.end; ++o) {
                if (heirs.hasHeir(o) || !before.isActive(o)) continue;
                lost.push_back({static_cast<std::uint32_t>(pair), old.point[o].radius, old.point[o].gap, {}, {}, {}});
                tell(before, o, lost.back());
            }
        }
    }
};

// Points make room for new ones: what they remember goes to the other memory, where it stands first.
template <class Memory>
void moveTail(const LawKinds& kinds, std::uint32_t first, std::size_t freshPoints, Memory& memory, Memory& tail) {
    visitArrays(
        [&](auto& array, auto& end) {
            end.clear();
            if (!isKept(kinds, array)) return;
            end.assign(array.begin() + first, array.end());
            array.resize(first);
            array.resize(first + freshPoints);
        },
        memory, tail);
}

// A sphere that is no larger than the mesh.
bool isSphereOnMesh(const ShapeInPlace& a, const ShapeInPlace& b) {
    return std::holds_alternative<SphereShape>(*a.shape) && std::holds_alternative<MeshShape>(*b.shape) &&
           a.scale <= b.scale * boundingRadius(*b.shape);
}

// A pair of which one body is not convex.
void lookAtShapes(const WorldState& world, const OutlineSearch& search, std::size_t p, PairWatch& watch,
                  std::vector<ContactPoint>& points) {
    const ShapePair& pair = world.contacts.shapes.pair[p];
    const ShapeInPlace a = shapeInPlace(world, pair.a), b = shapeNear(world, pair.b, world.bodies.position[pair.a]);
    const std::size_t before = points.size();
    if (isSphereOnMesh(a, b) || isSphereOnMesh(b, a)) {
        const SurroundingsNow around = watch.surroundings(world, p);
        findMeshContacts(a, b, search.margin, points, &around);
    } else {
        findContactPoints(a, b, search.margin, points, search.places);
    }
    if (points.size() == before) {
        watch.letRest(world, p, leastDistance(a, b, world.contacts.skin));
    } else {
        watch.keepAwake(p);
    }
}

void lookAtPair(const WorldState& world, const OutlineSearch& search, std::size_t p, PairWatch& watch,
                std::vector<ContactPoint>& points) {
    const ConvexCore& a = watch.first(p);
    if (a.shape == nullptr || watch.second(p).shape == nullptr) return lookAtShapes(world, search, p, watch, points);
    std::optional<ConvexCore> image;
    const ConvexCore& b = watch.secondNear(world, p, image);
    const ShapeCandidates& list = world.contacts.shapes;
    const Range last = pointsOf(list, p);
    const std::size_t before = points.size();
    const Vec3* normal = last.size() > 0 ? &list.point[last.begin].normal : nullptr;
    const double apart = findConvexPairContacts(a, b, {search.margin, normal}, points);
    if (points.size() == before) {
        watch.letRest(world, p, apart);
    } else {
        watch.keepAwake(p);
    }
}

// The pair was looked at already.
void takePoint(const WorldState& world, double margin, std::size_t p, const ContactPoint& point, PairWatch& watch,
               std::vector<ContactPoint>& points) {
    if (!(point.gap < margin)) return watch.letRest(world, p, point.gap);
    points.push_back(point);
    watch.keepAwake(p);
}

void findBlock(const WorldState& world, const OutlineSearch& search, std::size_t begin, std::size_t end,
               PairWatch& watch, PointWorkspace::Block& block) {
    block.points.clear();
    block.count.clear();
    block.lost.clear();
    block.ellipsoids.find(world, watch, search.margin, begin, end);
    for (std::size_t p = begin; p < end; ++p) {
        const std::size_t before = block.points.size();
        if (const ContactPoint* found = block.ellipsoids.of(p)) {
            takePoint(world, search.margin, p, *found, watch, block.points);
        } else if (!watch.rests(p, search.margin)) {
            lookAtPair(world, search, p, watch, block.points);
        }
        block.count.push_back(static_cast<std::uint32_t>(block.points.size() - before));
    }
}

}  // namespace

void updateContactPoints(WorldState& world, double margin, PointWorkspace& ws, OutlinePlaces places) {
    ShapeCandidates& list = world.contacts.shapes;
    const CountSeconds here(ws.seconds);
    ws.lost.clear();
    if (list.pair.empty()) return;
    const std::size_t pairs = list.pair.size();
    ws.watch.follow(world);
    ws.blocks.resize((pairs + blockSize - 1) / blockSize);
    const auto endOf = [&](std::size_t block) { return std::min(pairs, (block + 1) * blockSize); };
    parallelBlocks(ws.blocks.size(), [&](std::size_t block) {
        findBlock(world, {margin, places}, block * blockSize, endOf(block), ws.watch, ws.blocks[block]);
    });

    // The old points make room for the new ones, block by block in order.
    ws.before.pointStart.swap(list.pointStart);
    ws.before.point.swap(list.point);
    list.pointStart.assign(pairs + 1, 0);
    for (std::size_t block = 0; block < ws.blocks.size(); ++block) {
        for (std::size_t k = 0; k < ws.blocks[block].count.size(); ++k) {
            const std::size_t pair = block * blockSize + k;
            list.pointStart[pair + 1] = list.pointStart[pair] + ws.blocks[block].count[k];
        }
    }
    list.point.resize(list.pointStart[pairs]);
    const std::uint32_t first = world.contacts.firstPoint();
    visitAlike(world.contacts.memory, ws.memoryBefore, [&](auto& now, auto& before) {
        moveTail(world.materials.kinds, first, list.point.size(), now, before);
        const Succession succession{ws.before, before, list, now, first};
        parallelBlocks(ws.blocks.size(), [&](std::size_t block) {
            PointWorkspace::Block& b = ws.blocks[block];
            std::copy(b.points.begin(), b.points.end(), list.point.begin() + list.pointStart[block * blockSize]);
            for (std::size_t p = block * blockSize; p < endOf(block); ++p) succession.inherit(world, p, b.lost);
        });
    });
    for (const PointWorkspace::Block& block : ws.blocks) {
        ws.lost.insert(ws.lost.end(), block.lost.begin(), block.lost.end());
    }
}

void movePoints(WorldState& world, double dt) {
    const Bodies& b = world.bodies;
    ShapeCandidates& list = world.contacts.shapes;
    const Vec3 period = world.domain.period();
    parallelFor(list.pair.size(), [&](std::size_t p) {
        const ShapePair& pair = list.pair[p];
        const bool radial = radialServoOf(world, pair.b) != nullptr;
        const Vec3 separation =
            nearestImage(b.position[pair.a] - b.position[pair.b], pair.b < b.grainCount ? period : noPeriod);
        for (std::uint32_t k = list.pointStart[p]; k < list.pointStart[p + 1]; ++k) {
            ContactPoint& point = list.point[k];
            const Vec3 armA = point.position - (b.position[pair.a] - dt * b.midVelocity[pair.a]);
            const Vec3 armB = armA + separation - dt * (b.midVelocity[pair.a] - b.midVelocity[pair.b]);
            const Vec3 ofA = b.midVelocity[pair.a] + cross(b.midSpin[pair.a], armA);
            const Vec3 ofB = radial ? closingSpeed(world, pair.b) * closingAt(world, pair.b, point.normal)
                                    : b.midVelocity[pair.b] + cross(b.midSpin[pair.b], armB);
            point.gap += dt * dot(ofA - ofB, point.normal);
            point.position += (0.5 * dt) * (ofA + ofB);
        }
    });
}

}  // namespace talus
