#include "step/forces/shape_forces.hpp"

#include "base/parallel.hpp"
#include "contacts/narrow/point_geometry.hpp"
#include "laws/plain_kinds.hpp"
#include "step/closing_surface.hpp"

namespace talus {
namespace {

// Who takes part in which pairs.
void planEntries(const WorldState& world, ShapeForceWorkspace& ws) {
    const std::vector<ShapePair>& pairs = world.contacts.shapes.pair;
    if (ws.plannedFor == world.contacts.rebuilds && ws.entryStart.size() == world.bodies.size() + 1) return;
    ws.entryStart.assign(world.bodies.size() + 1, 0);
    for (const ShapePair& p : pairs) {
        ++ws.entryStart[p.a + 1];
        ++ws.entryStart[p.b + 1];
    }
    for (std::size_t i = 0; i < world.bodies.size(); ++i) ws.entryStart[i + 1] += ws.entryStart[i];
    ws.entries.resize(2 * pairs.size());
    std::vector<std::uint32_t> next(ws.entryStart.begin(), ws.entryStart.end() - 1);
    for (std::uint32_t p = 0; p < pairs.size(); ++p) {
        ws.entries[next[pairs[p].a]++] = {p, 1};
        ws.entries[next[pairs[p].b]++] = {p, 0};
    }
    ws.plannedFor = world.contacts.rebuilds;
}

// The law at one point after the other.
template <class Kinds, class TallyType>
struct PointForces {
    const Kinds& kinds;
    WorldState& world;
    ShapeForceWorkspace& ws;
    double dt;  // s
    BodyView bodies = view(world.bodies);
    Vec3 period = world.domain.period();  // m
    const ShapeCandidates& list = world.contacts.shapes;
    SpringMemory& springs = world.contacts.springs();
    std::uint32_t first = world.contacts.firstPoint();

    double rateOf(const ContactForce& f, std::uint32_t body, std::uint32_t other, const Vec3& arm,
                  const Vec3& normal) const {
        return rateAt(f, arm, normal, bodies.inverseMass[body], largestInverseInertia(bodies, body),
                      bodies.inverseMass[other] > 0 ? OtherSide::moves : OtherSide::stands);
    }

    void find(const ShapePair& pair, std::uint32_t k) const {
        const PairLaw& law = world.materials.between(bodies.material[pair.a], bodies.material[pair.b]);
        const ContactPoint& point = list.point[k];
        TangentSpring& tangent = springs.tangent[first + k];
        RollingSpring* rolling = springs.rolling.empty() ? nullptr : &springs.rolling[first + k];
        ShapeForceWorkspace::OnPoint& out = ws.points[k];
        TallyType tally;
        if (isTouching(kinds, law, -point.gap, point.radius, tangent)) {
            const PointArms arms = pointArms(world.bodies, pair, point, period);
            PairGeometry g = pointGeometry(kinds, bodies, pair, point, arms, dt);
            if (pair.b >= world.bodies.grainCount) subtractClosing(world, pair.b, dt, g);
            g.dashpotShare = dashpotShare(bodies, pair.a, pair.b);
            const ContactForce f = evaluate(kinds, law, g, dt, tangent, rolling, tally);
            out = {f.force, cross(arms.a, f.force) + f.couple, -cross(arms.b, f.force) - f.couple,
                   rateOf(f, pair.a, pair.b, arms.a, g.normal), rateOf(f, pair.b, pair.a, arms.b, g.normal)};
        } else {
            out = {};
            if (tangent.contactRadius > 0) release(kinds, law, point.radius, tangent, rolling, tally);
        }
        if constexpr (TallyType::on) ws.dissipated[k] = tally.sum;
    }
};

template <class TallyType>
void runPoints(WorldState& world, double dt, ShapeForceWorkspace& ws) {
    const ShapeCandidates& list = world.contacts.shapes;
    ws.points.resize(list.point.size());
    if constexpr (TallyType::on) ws.dissipated.resize(list.point.size());
    withPlainKinds(world.materials.kinds, [&]<class Kinds>(const Kinds& kinds) {
        const PointForces<Kinds, TallyType> forces{kinds, world, ws, dt};
        parallelFor(list.pair.size(), [&](std::size_t p) {
            for (std::uint32_t k = list.pointStart[p]; k < list.pointStart[p + 1]; ++k) forces.find(list.pair[p], k);
        });
    });
}

void addToBody(WorldState& world, std::size_t body, const ShapeForceWorkspace& ws, double& rate) {
    const ShapeCandidates& list = world.contacts.shapes;
    Vec3 force{}, torque{};
    for (std::uint32_t e = ws.entryStart[body]; e < ws.entryStart[body + 1]; ++e) {
        const std::uint32_t p = ws.entries[e].pair;
        const bool first = ws.entries[e].isFirst;
        for (std::uint32_t k = list.pointStart[p]; k < list.pointStart[p + 1]; ++k) {
            const ShapeForceWorkspace::OnPoint& at = ws.points[k];
            force += first ? at.force : -at.force;
            torque += first ? at.torqueA : at.torqueB;
            rate += first ? at.rateA : at.rateB;
        }
    }
    world.bodies.force[body] += force;
    world.bodies.torque[body] += torque;
}

// By its contacts, on the first face of a wall; N.
double pushOn(const WorldState& world, std::size_t body, const ShapeForceWorkspace& ws) {
    const ShapeCandidates& list = world.contacts.shapes;
    double push = 0;
    for (std::uint32_t e = ws.entryStart[body]; e < ws.entryStart[body + 1]; ++e) {
        const std::uint32_t p = ws.entries[e].pair;
        for (std::uint32_t k = list.pointStart[p]; k < list.pointStart[p + 1]; ++k) {
            push += pressOnFace(world, body, list.point[k].normal, ws.points[k].force);
        }
    }
    return push;
}

DissipatedEnergy heatOf(const WorldState& world, const LostPoint& lost) {
    const ShapePair& pair = world.contacts.shapes.pair[lost.pair];
    const PairLaw& law = world.materials.between(world.bodies.material[pair.a], world.bodies.material[pair.b]);
    TangentSpring tangent = lost.tangent;
    RollingSpring rolling = lost.rolling;
    Tally tally;
    release(world.materials.kinds, law, lost.radius, tangent, &rolling, tally);
    return tally.sum;
}

}  // namespace

void addShapeForces(WorldState& world, double dt, Ledger ledger, const std::vector<LostPoint>& lost,
                    ShapeForceWorkspace& ws, std::vector<double>& rates) {
    if (world.contacts.shapes.pair.empty()) return;
    planEntries(world, ws);
    if (ledger == Ledger::on) {
        runPoints<Tally>(world, dt, ws);
        world.ledger.dissipated +=
            parallelSum(ws.points.size(), DissipatedEnergy{}, [&](std::size_t k) { return ws.dissipated[k]; });
        for (const LostPoint& point : lost) world.ledger.dissipated += heatOf(world, point);
    } else {
        runPoints<NoTally>(world, dt, ws);
    }
    parallelFor(world.bodies.size(), [&](std::size_t i) { addToBody(world, i, ws, rates[i]); });
    for (std::size_t w = 0; w < world.bodies.wallCount(); ++w) {
        world.facePush[w] += pushOn(world, world.bodies.grainCount + w, ws);
    }
}

}  // namespace talus
