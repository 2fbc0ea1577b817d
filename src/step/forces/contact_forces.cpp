#include "step/forces/contact_forces.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "step/closing_surface.hpp"

namespace talus {
namespace {

std::size_t blockCount(const WorldState& world, const ForceWorkspace& ws) {
    return (world.bodies.grainCount + ws.blockSize - 1) / ws.blockSize;
}

// Of a block: what its loop reads and writes again and again has room near the processor (BlockRoom).
constexpr std::size_t mostRows = 1024;

struct Rows {
    std::uint32_t begin, end;
};

Rows rowsOf(const WorldState& world, const ForceWorkspace& ws, std::size_t block) {
    const std::size_t begin = block * ws.blockSize;
    return {static_cast<std::uint32_t>(begin),
            static_cast<std::uint32_t>(std::min(world.bodies.grainCount, begin + ws.blockSize))};
}

// Room for a block, given back when it is done.
class UsedRoom {
public:
    explicit UsedRoom(ForceWorkspace::Rooms& rooms) {
        for (std::size_t k = 0;; k = (k + 1) % rooms.entries.size()) {
            entry_ = rooms.entries[k].get();
            if (!entry_->taken.test_and_set(std::memory_order_acquire)) return;
        }
    }
    ~UsedRoom() { entry_->taken.clear(std::memory_order_release); }
    UsedRoom(const UsedRoom&) = delete;
    UsedRoom& operator=(const UsedRoom&) = delete;

    BlockRoom& operator*() const { return entry_->room; }

private:
    ForceWorkspace::Rooms::Entry* entry_;
};

GrainForceTask makeTask(WorldState& world, double dt, Ledger ledger, ForceWorkspace& ws, std::size_t block,
                        BlockRoom& room) {
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
    task.other = ws.other.data() + ws.firstOther[block];
    task.others = static_cast<std::uint32_t>(ws.firstOther[block + 1] - ws.firstOther[block]);
    task.rowStart = list.rowStart.data();
    task.partner = ws.place.data();
    task.tangent = springs.tangent.data();
    task.rolling = springs.rolling.data();
    task.touched = ws.touched.data() + ws.firstPack[block];
    task.places = room.places.data();
    task.states = room.states.data();
    task.material = room.materials.data();
    task.sums = room.sums.data();
    task.force = world.bodies.force.data();
    task.torque = world.bodies.torque.data();
    task.rates = ws.rates.data();
    const bool free = !ws.limited && dt * ws.fastestDashpot < law_parts::calmPart;
    task.dashpots = free ? Dashpots::free : Dashpots::limited;
    task.onOthers = ws.slots.data() + ws.firstOther[block];
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

// The same with a tally or without, after the block's grains among themselves.
void addWallContacts(WorldState& world, double dt, Ledger ledger, ForceWorkspace& ws, std::size_t block) {
    const std::size_t walls = world.bodies.wallCount();
    const WallSums onWalls{ws.onWalls.data() + block * walls, ws.pushOnWalls.data() + block * walls,
                           ws.deepest.data() + block, ws.ratesOfWalls.data() + block * walls};
    std::fill_n(onWalls.force, walls, Wrench{});
    std::fill_n(onWalls.push, walls, 0.0);
    std::fill_n(onWalls.rates, walls, 0.0);
    const Rows rows = rowsOf(world, ws, block);
    if (ledger == Ledger::on) {
        Tally tally;
        runWallRows(world, rows, dt, onWalls, ws.rates.data(), tally);
        ws.dissipated[block] += tally.sum;
    } else {
        NoTally tally;
        runWallRows(world, rows, dt, onWalls, ws.rates.data(), tally);
    }
}

void addCrossForces(WorldState& world, ForceWorkspace& ws, std::size_t block) {
    for (std::size_t e = ws.firstEntry[block]; e < ws.firstEntry[block + 1]; ++e) {
        const Wrench& sum = ws.slots[ws.entrySlot[e]];
        const std::uint32_t grain = ws.other[ws.entrySlot[e]];
        world.bodies.force[grain] += sum.force;
        world.bodies.torque[grain] += sum.torque;
        ws.rates[grain] += rateOfSphere(sum.dashpots, world.bodies.inverseMass[grain], OtherSide::moves);
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

// Finds the grains of other blocks that these rows list, and where each partner stands.
void placePartners(const WorldState& world, ForceWorkspace& ws, std::size_t block) {
    const GrainCandidates& list = world.contacts.grains;
    const Rows rows = rowsOf(world, ws, block);
    const std::uint32_t size = rows.end - rows.begin, first = list.rowStart[rows.begin], last = list.rowStart[rows.end];
    std::vector<std::uint32_t>& others = ws.listed[block];
    others.clear();
    for (std::uint32_t k = first; k < last; ++k) {
        if (list.partner[k] - rows.begin >= size) others.push_back(list.partner[k]);
    }
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    for (std::uint32_t k = first; k < last; ++k) {
        const std::uint32_t j = list.partner[k];
        const auto place = [&] { return std::lower_bound(others.begin(), others.end(), j) - others.begin(); };
        ws.place[k] = j - rows.begin < size ? j - rows.begin : size + static_cast<std::uint32_t>(place());
    }
}

// All in one array, block by block.
void joinOthers(ForceWorkspace& ws) {
    ws.firstOther.assign(ws.listed.size() + 1, 0);
    for (std::size_t block = 0; block < ws.listed.size(); ++block) {
        ws.firstOther[block + 1] = ws.firstOther[block] + ws.listed[block].size();
    }
    ws.other.resize(ws.firstOther.back());
    ws.slots.resize(ws.other.size());
    for (std::size_t block = 0; block < ws.listed.size(); ++block) {
        std::copy(ws.listed[block].begin(), ws.listed[block].end(),
                  ws.other.begin() + static_cast<long>(ws.firstOther[block]));
    }
}

// Slots are handed out in order: each target block then meets its own in order, too.
void orderSlots(ForceWorkspace& ws, std::size_t blocks) {
    ws.firstEntry.assign(blocks + 1, 0);
    for (const std::uint32_t grain : ws.other) ++ws.firstEntry[grain / ws.blockSize + 1];
    for (std::size_t block = 0; block < blocks; ++block) ws.firstEntry[block + 1] += ws.firstEntry[block];
    ws.entrySlot.resize(ws.other.size());
    std::vector<std::size_t> next(ws.firstEntry.begin(), ws.firstEntry.end());
    for (std::uint32_t slot = 0; slot < ws.other.size(); ++slot) {
        ws.entrySlot[next[ws.other[slot] / ws.blockSize]++] = slot;
    }
}

// For the largest block and each thread.
void makeRooms(ForceWorkspace& ws) {
    std::size_t most = 0;
    for (const std::vector<std::uint32_t>& others : ws.listed) most = std::max(most, others.size());
    ws.rooms.entries.resize(static_cast<std::size_t>(threadCount()));
    for (std::unique_ptr<ForceWorkspace::Rooms::Entry>& entry : ws.rooms.entries) {
        if (entry == nullptr) entry = std::make_unique<ForceWorkspace::Rooms::Entry>();
        entry->room.resize(ws.blockSize + most);
    }
}

}  // namespace

double ForceWorkspace::deepestOverlap() const {
    return deepest.empty() ? 0.0 : *std::max_element(deepest.begin(), deepest.end());
}

void planForces(const WorldState& world, ForceWorkspace& ws) {
    ws.blockSize = std::clamp<std::size_t>(world.bodies.grainCount / 64, 128, mostRows);
    const std::size_t blocks = blockCount(world, ws);
    ws.place.resize(world.contacts.grains.partner.size());
    ws.listed.resize(blocks);
    parallelBlocks(blocks, [&](std::size_t block) { placePartners(world, ws, block); });
    joinOthers(ws);
    orderSlots(ws, blocks);
    makeRooms(ws);
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
    parallelBlocks(blocks, [&](std::size_t block) {
        const UsedRoom room(ws.rooms);
        GrainForceTask task = makeTask(world, dt, ledger, ws, block, *room);
        grainForceVariant().run(task);
        ws.dissipated[block] = task.dissipated;
        ws.deepest[block] = task.deepest;
        addWallContacts(world, dt, ledger, ws, block);
    });
    parallelBlocks(blocks, [&](std::size_t block) { addCrossForces(world, ws, block); });
    addWallForces(world, ws, blocks);
    for (const DissipatedEnergy& part : ws.dissipated) world.ledger.dissipated += part;
}

}  // namespace talus
