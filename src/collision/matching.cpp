#include "collision/matching.hpp"

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

}  // namespace

void carryMemory(const Bodies& b, const LawKinds& kinds, const GrainContacts& old, GrainContacts& fresh) {
    const bool rolling = kinds.rolling == RollingLaw::spring;
    fresh.tangent.assign(fresh.partner.size(), {});
    fresh.rolling.assign(rolling ? fresh.partner.size() : 0, {});
    parallelFor(b.grainCount, [&](std::size_t i) {
        const std::uint32_t rowI = b.row[i];
        if (rowI == noRow) return;
        for (std::uint32_t k = fresh.rowStart[i]; k < fresh.rowStart[i + 1]; ++k) {
            const std::uint32_t rowJ = b.row[fresh.partner[k]];
            if (rowJ == noRow) continue;
            if (const std::uint32_t same = findPartner(old, rowI, rowJ); same != none) {
                fresh.tangent[k] = old.tangent[same];
                if (rolling) fresh.rolling[k] = old.rolling[same];
            } else if (const std::uint32_t other = findPartner(old, rowJ, rowI); other != none) {
                fresh.tangent[k] = seenFromPartner(old.tangent[other]);
                if (rolling) fresh.rolling[k] = seenFromPartner(old.rolling[other]);
            }
        }
    });
}

void carryMemory(const Bodies& b, const LawKinds& kinds, const WallContacts& old, WallContacts& fresh) {
    const bool rolling = kinds.rolling == RollingLaw::spring;
    fresh.tangent.assign(fresh.candidate.size(), {});
    fresh.rolling.assign(rolling ? fresh.candidate.size() : 0, {});
    parallelFor(fresh.candidate.size(), [&](std::size_t k) {
        const WallCandidate& c = fresh.candidate[k];
        const std::uint32_t row = b.row[c.grain];
        if (row == noRow) return;
        for (std::uint32_t m = old.rowStart[row]; m < old.rowStart[row + 1]; ++m) {
            if (old.candidate[m].wall != c.wall || old.candidate[m].face != c.face) continue;
            fresh.tangent[k] = old.tangent[m];
            if (rolling) fresh.rolling[k] = old.rolling[m];
        }
    });
}

}  // namespace talus
