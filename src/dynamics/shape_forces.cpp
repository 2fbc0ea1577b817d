#include "dynamics/shape_forces.hpp"

#include "base/parallel.hpp"
#include "collision/narrow/point_geometry.hpp"
#include "dynamics/closing_surface.hpp"

namespace talus {
namespace {

// Who takes part in which pairs.
void planEntries(const World& world, ShapeForceWorkspace& ws) {
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
        ws.entries[next[pairs[p].a]++] = p;
        ws.entries[next[pairs[p].b]++] = p;
    }
    ws.plannedFor = world.contacts.rebuilds;
}

template <class TallyType>
void runPoint(World& world, const BodyView& b, const ShapePair& pair, std::uint32_t k, double dt,
              ShapeForceWorkspace& ws) {
    ShapeContacts& list = world.contacts.shapes;
    const LawKinds& kinds = world.materials.kinds;
    const PairLaw& law = world.materials.between(b.material[pair.a], b.material[pair.b]);
    const ContactPoint& point = list.point[k];
    RollingSpring* rolling = list.rolling.empty() ? nullptr : &list.rolling[k];
    ShapeForceWorkspace::OnPoint& out = ws.points[k] = {};
    TallyType tally;
    if (isTouching(kinds, law, -point.gap, point.radius, list.tangent[k])) {
        const PointArms arms = pointArms(world, pair, point);
        PairGeometry g = pointGeometry(kinds, b, pair, point, arms, dt);
        if (pair.b >= world.bodies.grainCount) subtractClosing(world, pair.b, dt, g);
        const ContactForce f = evaluate(kinds, law, g, dt, list.tangent[k], rolling, tally);
        out = {f.force, f.couple, arms.a, arms.b, {}};
    } else if (list.tangent[k].contactRadius > 0) {
        release(kinds, law, point.radius, list.tangent[k], rolling, tally);
    }
    if constexpr (TallyType::on) out.dissipated = tally.sum;
}

template <class TallyType>
void runPoints(World& world, double dt, ShapeForceWorkspace& ws) {
    const ShapeContacts& list = world.contacts.shapes;
    const BodyView bodies = view(world.bodies);
    ws.points.resize(list.point.size());
    parallelFor(list.pair.size(), [&](std::size_t p) {
        for (std::uint32_t k = list.pointStart[p]; k < list.pointStart[p + 1]; ++k) {
            runPoint<TallyType>(world, bodies, list.pair[p], k, dt, ws);
        }
    });
}

void addToBody(World& world, std::size_t body, const ShapeForceWorkspace& ws) {
    const ShapeContacts& list = world.contacts.shapes;
    Vec3 force{}, torque{};
    for (std::uint32_t e = ws.entryStart[body]; e < ws.entryStart[body + 1]; ++e) {
        const std::uint32_t p = ws.entries[e];
        const bool first = list.pair[p].a == body;
        for (std::uint32_t k = list.pointStart[p]; k < list.pointStart[p + 1]; ++k) {
            const ShapeForceWorkspace::OnPoint& at = ws.points[k];
            const double sign = first ? 1 : -1;
            force += sign * at.force;
            torque += sign * (cross(first ? at.armA : at.armB, at.force) + at.couple);
        }
    }
    world.bodies.force[body] += force;
    world.bodies.torque[body] += torque;
}

// By its contacts, on the first face of a wall; N.
double pushOn(const World& world, std::size_t body, const ShapeForceWorkspace& ws) {
    const ShapeContacts& list = world.contacts.shapes;
    double push = 0;
    for (std::uint32_t e = ws.entryStart[body]; e < ws.entryStart[body + 1]; ++e) {
        const std::uint32_t p = ws.entries[e];
        for (std::uint32_t k = list.pointStart[p]; k < list.pointStart[p + 1]; ++k) {
            push += pressOnFace(world, body, list.point[k].normal, ws.points[k].force);
        }
    }
    return push;
}

DissipatedEnergy heatOf(const World& world, const LostPoint& lost) {
    const ShapePair& pair = world.contacts.shapes.pair[lost.pair];
    const PairLaw& law = world.materials.between(world.bodies.material[pair.a], world.bodies.material[pair.b]);
    TangentSpring tangent = lost.tangent;
    RollingSpring rolling = lost.rolling;
    Tally tally;
    release(world.materials.kinds, law, lost.radius, tangent, &rolling, tally);
    return tally.sum;
}

}  // namespace

void addShapeForces(World& world, double dt, Ledger ledger, const std::vector<LostPoint>& lost,
                    ShapeForceWorkspace& ws) {
    if (world.contacts.shapes.pair.empty()) return;
    planEntries(world, ws);
    if (ledger == Ledger::on) {
        runPoints<Tally>(world, dt, ws);
        world.ledger.dissipated +=
            parallelSum(ws.points.size(), DissipatedEnergy{}, [&](std::size_t k) { return ws.points[k].dissipated; });
        for (const LostPoint& point : lost) world.ledger.dissipated += heatOf(world, point);
    } else {
        runPoints<NoTally>(world, dt, ws);
    }
    parallelFor(world.bodies.size(), [&](std::size_t i) { addToBody(world, i, ws); });
    for (std::size_t w = 0; w < world.bodies.wallCount(); ++w) {
        world.facePush[w] += pushOn(world, world.bodies.grainCount + w, ws);
    }
}

}  // namespace talus
