#include "contacts/table/matching.hpp"

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

std::uint32_t findPartner(const GrainContacts& list, std::uint32_t row, std::uint32_t partner) {
    for (std::uint32_t k = list.rowStart[row]; k < list.rowStart[row + 1]; ++k) {
        if (list.partner[k] == partner) return k;
    }
    return none;
}

TangentSpring seenFromPartner(const TangentSpring& s) { return {-s.stretch, s.contactRadius}; }
RollingSpring seenFromPartner(const RollingSpring& s) { return {-s.turn}; }
Vec3 seenFromPartner(const Vec3& impulse) { return -impulse; }
ContactStretch seenFromPartner(ContactStretch s) {
    s.tangential = -s.tangential;
    return s;
}

// Calls visit(fresh array, old array) for each kind of memory that this world keeps.
template <class List, class Visitor>
void forEachMemory(const WorldState& world, const List& old, List& fresh, Visitor&& visit) {
    if (world.contacts.memory == ContactMemory::impulses) {
        visit(fresh.impulse, old.impulse);
        if (world.contacts.yielding) visit(fresh.stretch, old.stretch);
        return;
    }
    visit(fresh.tangent, old.tangent);
    if (world.materials.kinds.rolling == RollingLaw::spring) visit(fresh.rolling, old.rolling);
}

template <class List>
void makeRoom(const WorldState& world, std::size_t candidates, const List& old, List& fresh) {
    forEachMemory(world, old, fresh, [&](auto& memory, const auto&) { memory.assign(candidates, {}); });
}

}  // namespace

void carryMemory(const WorldState& world, const GrainContacts& old, GrainContacts& fresh) {
    const Bodies& b = world.bodies;
    makeRoom(world, fresh.partner.size(), old, fresh);
    parallelFor(b.grainCount, [&](std::size_t i) {
        const std::uint32_t rowI = b.row[i];
        if (rowI == noRow) return;
        for (std::uint32_t k = fresh.rowStart[i]; k < fresh.rowStart[i + 1]; ++k) {
            const std::uint32_t rowJ = b.row[fresh.partner[k]];
            if (rowJ == noRow) continue;
            const std::uint32_t same = findPartner(old, rowI, rowJ);
            const std::uint32_t other = same == none ? findPartner(old, rowJ, rowI) : none;
            forEachMemory(world, old, fresh, [&](auto& memory, const auto& before) {
                if (same != none) memory[k] = before[same];
                if (other != none) memory[k] = seenFromPartner(before[other]);
            });
        }
    });
}

void carryMemory(const WorldState& world, const WallContacts& old, WallContacts& fresh) {
    const Bodies& b = world.bodies;
    makeRoom(world, fresh.candidate.size(), old, fresh);
    parallelFor(fresh.candidate.size(), [&](std::size_t k) {
        const WallCandidate& c = fresh.candidate[k];
        const std::uint32_t row = b.row[c.grain];
        if (row == noRow) return;
        for (std::uint32_t m = old.rowStart[row]; m < old.rowStart[row + 1]; ++m) {
            if (old.candidate[m].wall != c.wall || old.candidate[m].face != c.face) continue;
            forEachMemory(world, old, fresh, [&](auto& memory, const auto& before) { memory[k] = before[m]; });
        }
    });
}

}  // namespace talus
