#include "step/forces/contact_forces.hpp"

#include <algorithm>
#include <array>

#include "base/parallel.hpp"
#include "step/closing_surface.hpp"

namespace talus {
namespace {

std::size_t blockCount(const WorldState& world, const ForceWorkspace& ws) {
    return (world.bodies.grainCount + ws.blockSize - 1) / ws.blockSize;
}

struct Rows {
    std::uint32_t begin, end;
};

Rows rowsOf(const WorldState& world, const ForceWorkspace& ws, std::size_t block) {
    const std::size_t begin = block * ws.blockSize;
    return {static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>(std::min(world.bodies.grainCount, begin + ws.blockSize))};
}

template <class Visitor>
void forEachCrossPair(const WorldState& world, const Rows& rows, Visitor&& visit) {
    const GrainCandidates& list = world.contacts.grains;
    for (std::uint32_t k = list.rowStart[rows.begin]; k < list.rowStart[rows.end]; ++k) {
        const std::uint32_t j = list.partner[k];
        if (j - rows.begin >= rows.end - rows.begin) visit(k, j);
    }
}

constexpr std::size_t mostRows = 4096;  // of a block

// Room for what the rows of a block add up, of each thread its own.
thread_local std::array<Wrench, mostRows> sumsOfRows;

GrainForceTask makeTask(WorldState& world, double dt, Ledger ledger, ForceWorkspace& ws, std::size_t block) {
    GrainForceTask task;
    const GrainCandidates& list = world.contacts.grains;
    SpringMemory& springs = world.contacts.springs();
    const Rows rows = rowsOf(world, ws, block);
    task.kinds = world.materials.kinds;
    task.tally = ledger == Ledger::on;
    task.bodies = view(world.bodies);
    task.laws = world.materials.laws.data();
    task.materials = world.materials.list.size();
    task.period = world.domain.period();
    task.dt = dt;
    task.begin = rows.begin;
    task.end = rows.end;
    task.rowStart = list.rowStart.data();
    task.owner = ws.owner.data();
    task.partner = list.partner.data();
    task.slot = ws.slotOf.data();
    task.radii = ws.radii.data();
    task.tangent = springs.tangent.data();
    task.rolling = springs.rolling.data();
    task.touched = ws.touched.data() + ws.firstPack[block];
    task.sums = sumsOfRows.data();
    task.force = world.bodies.force.data();
    task.torque = world.bodies.torque.data();
    task.rates = ws.rates.data();
    const bool free = !ws.limited && dt * ws.fastestDashpot < law_parts::calmPart;
    task.dashpots = free ? Dashpots::free : Dashpots::limited;
    task.cross = ws.slots.data();
    task.firstSlot = static_cast<std::uint32_t>(ws.firstSlot[block]);
    task.lastSlot = static_cast<std::uint32_t>(ws.firstSlot[block + 1]);
    return task;
}

// What one block's grains do to each wall, and how deep they are in one.
struct WallSums {
    Wrench* force;
    double* push;     // N, see WorldState::facePush
    double* deepest;  // -, of the block
    double* rates;    // 1/s
};

// Contacts of one block's grains with walls; what acts on the walls is summed per block.
template <class TallyType>
void runWallRows(WorldState& world, const Rows& rows, double dt, const WallSums& onWalls, double* rates,
                 TallyType& tally) {
    Bodies& b = world.bodies;
    const BodyView bodies = view(b);
    const LawKinds& kinds = world.materials.kinds;
    const WallCandidates& list = world.contacts.walls;
    SpringMemory& springs = world.contacts.springs();
    const std::uint32_t firstWall = world.contacts.firstWall();
    for (std::uint32_t k = list.rowStart[rows.begin]; k < list.rowStart[rows.end]; ++k) {
        const WallCandidate& c = list.candidate[k];
        const auto wall = static_cast<std::uint32_t>(b.grainCount + c.wall);
        const WallApproach approach = wallApproach(bodies, wallNow(world, wall), wall, c.face, b.position[c.grain]);
        const PairLaw& law = world.materials.between(b.material[c.grain], b.material[wall]);
        const double overlap = b.radius[c.grain] - approach.distance;
        const double radius = wallContactRadius(b.radius[c.grain], approach.curvature);
        TangentSpring& tangent = springs.tangent[firstWall + k];
        RollingSpring* rolling = springs.rolling.empty() ? nullptr : &springs.rolling[firstWall + k];
        const bool touched = tangent.contactRadius > 0;
        if (!isTouching(kinds, law, overlap, radius, tangent) && !(touched && law_parts::cohesionJumps(kinds))) {
            if (touched) release(kinds, law, radius, tangent, rolling, tally);
            continue;
        }
        LeverArms arms;
        PairGeometry g = wallGeometry(kinds, bodies, c.grain, wall, approach, dt, arms);
        subtractClosing(world, wall, dt, g);
        g.dashpotShare = dashpotShare(bodies, c.grain, wall);
        const ContactForce f = evaluateOrPart(kinds, law, g, dt, tangent, rolling, tally);
        b.force[c.grain] += f.force;
        b.torque[c.grain] += arms.owner * cross(f.force, g.normal) + f.couple;
        const Vec3 lever = b.position[c.grain] - arms.owner * g.normal - b.position[wall];
        *onWalls.deepest = std::max(*onWalls.deepest, overlap / b.radius[c.grain]);
        onWalls.force[c.wall].force -= f.force;
        onWalls.force[c.wall].torque -= cross(lever, f.force) + f.couple;
        const OtherSide other = b.inverseMass[wall] > 0 ? OtherSide::moves : OtherSide::stands;
        rates[c.grain] += rateOfSphere(strongestDashpot(f, b.radius[c.grain]), b.inverseMass[c.grain], other);
        onWalls.rates[c.wall] += rateAt(f, lever, g.normal, b.inverseMass[wall], b.inverseInertia[wall].x);
        if (c.face == 0) onWalls.push[c.wall] += pressOnFace(world, wall, g.normal, f.force);
    }
}

void runBlock(WorldState& world, double dt, Ledger ledger, ForceWorkspace& ws, std::size_t block) {
    GrainForceTask task = makeTask(world, dt, ledger, ws, block);
    grainForceVariant().run(task);
    ws.dissipated[block] = task.dissipated;
    ws.deepest[block] = task.deepest;

    const std::size_t walls = world.bodies.wallCount();
    const WallSums onWalls{ws.onWalls.data() + block * walls, ws.pushOnWalls.data() + block * walls,
                           ws.deepest.data() + block, ws.ratesOfWalls.data() + block * walls};
    std::fill_n(onWalls.force, walls, Wrench{});
    std::fill_n(onWalls.push, walls, 0.0);
    std::fill_n(onWalls.rates, walls, 0.0);
    if (ledger == Ledger::on) {
        Tally tally;
        runWallRows(world, {task.begin, task.end}, dt, onWalls, ws.rates.data(), tally);
        ws.dissipated[block] += tally.sum;
    } else {
        NoTally tally;
        runWallRows(world, {task.begin, task.end}, dt, onWalls, ws.rates.data(), tally);
    }
}

void addCrossForces(WorldState& world, ForceWorkspace& ws, std::size_t block) {
    for (std::size_t e = ws.firstEntry[block]; e < ws.firstEntry[block + 1]; ++e) {
        const Wrench& cross = ws.slots[ws.entrySlot[e]];
        world.bodies.force[ws.entryTarget[e]] += cross.force;
        world.bodies.torque[ws.entryTarget[e]] += cross.torque;
        ws.rates[ws.entryTarget[e]] +=
            rateOfSphere(cross.dashpots, world.bodies.inverseMass[ws.entryTarget[e]], OtherSide::moves);
    }
}

void addWallForces(WorldState& world, ForceWorkspace& ws, std::size_t blocks) {
    Bodies& b = world.bodies;
    world.facePush.assign(b.wallCount(), 0.0);
    for (std::size_t w = 0; w < b.wallCount(); ++w) {
        Vec3 force{}, torque{};
        double rate = 0;
        for (std::size_t block = 0; block < blocks; ++block) {
            force += ws.onWalls[block * b.wallCount() + w].force;
            torque += ws.onWalls[block * b.wallCount() + w].torque;
            world.facePush[w] += ws.pushOnWalls[block * b.wallCount() + w];
            rate += ws.ratesOfWalls[block * b.wallCount() + w];
        }
        b.force[b.grainCount + w] = force;
        b.torque[b.grainCount + w] = torque;
        ws.rates[b.grainCount + w] = rate;
    }
}

// From the memory of the contacts.
void markTouched(const WorldState& world, ForceWorkspace& ws) {
    const GrainCandidates& list = world.contacts.grains;
    const std::vector<TangentSpring>& tangent = world.contacts.springs().tangent;
    const std::size_t blocks = blockCount(world, ws);
    ws.firstPack.assign(blocks + 1, 0);
    for (std::size_t block = 0; block < blocks; ++block) {
        const Rows rows = rowsOf(world, ws, block);
        const std::size_t candidates = list.rowStart[rows.end] - list.rowStart[rows.begin];
        ws.firstPack[block + 1] = ws.firstPack[block] + (candidates + packLanes - 1) / packLanes;
    }
    ws.touched.assign(ws.firstPack[blocks], 0);
    parallelBlocks(blocks, [&](std::size_t block) {
        const Rows rows = rowsOf(world, ws, block);
        const std::size_t first = list.rowStart[rows.begin];
        for (std::size_t k = first; k < list.rowStart[rows.end]; ++k) {
            const TangentSpring& memory = tangent[k];
            // A contact of no depth has a stretch, but no radius.
            const unsigned touched = memory.contactRadius > 0 || memory.stretch != Vec3{};
            const unsigned lane = (k - first) % packLanes;
            ws.touched[ws.firstPack[block] + (k - first) / packLanes] |= static_cast<std::uint8_t>(touched << lane);
        }
    });
}

}  // namespace

double ForceWorkspace::deepestOverlap() const {
    return deepest.empty() ? 0.0 : *std::max_element(deepest.begin(), deepest.end());
}

void planForces(const WorldState& world, ForceWorkspace& ws) {
    ws.blockSize = std::clamp<std::size_t>(world.bodies.grainCount / 64, 128, mostRows);
    const std::size_t blocks = blockCount(world, ws);

    // Count the slots of each source block and the entries of each target block.
    ws.firstSlot.assign(blocks + 1, 0);
    ws.firstEntry.assign(blocks + 1, 0);
    for (std::size_t block = 0; block < blocks; ++block) {
        forEachCrossPair(world, rowsOf(world, ws, block), [&](std::uint32_t, std::uint32_t j) {
            ++ws.firstSlot[block + 1];
            ++ws.firstEntry[j / ws.blockSize + 1];
        });
    }
    for (std::size_t block = 0; block < blocks; ++block) {
        ws.firstSlot[block + 1] += ws.firstSlot[block];
        ws.firstEntry[block + 1] += ws.firstEntry[block];
    }

    const GrainCandidates& list = world.contacts.grains;
    ws.owner.resize(list.partner.size());
    ws.slotOf.assign(list.partner.size(), noSlot);
    ws.radii.resize(list.partner.size());
    parallelFor(world.bodies.grainCount, [&](std::size_t i) {
        for (std::uint32_t k = list.rowStart[i]; k < list.rowStart[i + 1]; ++k) {
            ws.owner[k] = static_cast<std::uint32_t>(i);
            ws.radii[k] = world.bodies.radius[i] + world.bodies.radius[list.partner[k]];
        }
    });

    // Hand out the slots in order: each target block then meets its own in order, too.
    ws.slots.resize(ws.firstSlot[blocks]);
    ws.entrySlot.resize(ws.firstSlot[blocks]);
    ws.entryTarget.resize(ws.firstSlot[blocks]);
    std::vector<std::size_t> next(ws.firstEntry.begin(), ws.firstEntry.end());
    std::uint32_t slot = 0;
    for (std::size_t block = 0; block < blocks; ++block) {
        forEachCrossPair(world, rowsOf(world, ws, block), [&](std::uint32_t k, std::uint32_t j) {
            const std::size_t entry = next[j / ws.blockSize]++;
            ws.slotOf[k] = slot;
            ws.entrySlot[entry] = slot++;
            ws.entryTarget[entry] = j;
        });
    }
    ws.fastestDashpot = fastestDashpot(world);
    markTouched(world, ws);
    ws.dissipated.assign(blocks, {});
    ws.deepest.assign(blocks, 0.0);
    ws.onWalls.assign(blocks * world.bodies.wallCount(), {});
    ws.pushOnWalls.assign(blocks * world.bodies.wallCount(), 0.0);
    ws.ratesOfWalls.assign(blocks * world.bodies.wallCount(), 0.0);
    ws.rates.assign(world.bodies.size(), 0.0);
}

void computeContactForces(WorldState& world, double dt, Ledger ledger, ForceWorkspace& ws) {
    const std::size_t blocks = blockCount(world, ws);
    parallelBlocks(blocks, [&](std::size_t block) { runBlock(world, dt, ledger, ws, block); });
    parallelBlocks(blocks, [&](std::size_t block) { addCrossForces(world, ws, block); });
    addWallForces(world, ws, blocks);
    for (const DissipatedEnergy& part : ws.dissipated) world.ledger.dissipated += part;
}

}  // namespace talus
