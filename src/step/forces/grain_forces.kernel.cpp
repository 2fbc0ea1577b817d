// Compiled once per vector unit, with TALUS_VARIANT set to the name of the function to define. Everything called
// here is inlined or local to this file ([[gnu::flatten]]), so that no code for a newer machine leaks into the program
// through a shared inline function; a test looks at the symbols of the object files.
//
// Two passes over a batch of candidates: find those that touch, without a branch on the outcome; then work off the
// touching ones, eight at a time for the plain laws, one at a time for the others.
#include "step/forces/grain_forces.hpp"
#include "base/pack.hpp"
#include "laws/plain_kinds.hpp"

namespace talus {
namespace {

constexpr std::uint32_t batchSize = 256;

// The touching ones of a number of candidates. Room for one pack more than fits.
struct Batch {
    std::uint32_t count = 0;
    std::uint32_t candidate[batchSize + packLanes];
    std::uint32_t owner[batchSize + packLanes];
    std::uint32_t partner[batchSize + packLanes];
    std::uint32_t slot[batchSize + packLanes];  // where the force on the partner goes, if in another block
    double x[batchSize + packLanes], y[batchSize + packLanes], z[batchSize + packLanes];  // m, separation

    Vec3 separation(std::uint32_t n) const { return {x[n], y[n], z[n]}; }
};

inline Wrench& sumOf(GrainForceTask& task, std::uint32_t body) { return task.sums[body - task.begin]; }

inline void add(Wrench& sum, const Wrench& more) { store(load(&sum.force.x) + load(&more.force.x), &sum.force.x); }

inline void addToPartner(GrainForceTask& task, std::uint32_t partner, std::uint32_t slot, const Wrench& wrench) {
    if (slot == noSlot) {
        add(sumOf(task, partner), wrench);
    } else {
        task.cross[slot] = wrench;
    }
}

// The division is left out where it cannot matter: nearly always.
inline void noteOverlap(GrainForceTask& task, double overlap, double smallerRadius) {
    if (overlap > task.deepest * smallerRadius) task.deepest = overlap / smallerRadius;
}

// One contact at a time, any law.
template <class Kinds, class TallyType>
inline void workOff(const Kinds& kinds, GrainForceTask& task, const Batch& batch, TallyType& tally) {
    const BodyView& b = task.bodies;
    for (std::uint32_t n = 0; n < batch.count; ++n) {
        const std::uint32_t i = batch.owner[n], j = batch.partner[n], k = batch.candidate[n];
        const PairLaw& law = task.laws[b.material[i] * task.materials + b.material[j]];
        LeverArms arms;
        PairGeometry g = grainGeometry(kinds, motionOf(b, i), motionOf(b, j), batch.separation(n), task.dt, arms);
        noteOverlap(task, g.overlap, smaller(b.radius[i], b.radius[j]));
        g.dashpotShare = dashpotShare(b, i, j);
        RollingSpring* rolling = task.rolling != nullptr ? task.rolling + k : nullptr;
        const ContactForce f = evaluateOrPart(kinds, law, g, task.dt, task.tangent[k], rolling, tally);
        const Vec3 perLever = cross(f.force, g.normal);
        add(sumOf(task, i), {.force = f.force,
                             .dashpots = strongestDashpot(f, b.radius[i]),
                             .torque = arms.owner * perLever + f.couple});
        addToPartner(task, j, batch.slot[n],
                     {.force = -f.force,
                      .dashpots = strongestDashpot(f, b.radius[j]),
                      .torque = arms.partner * perLever - f.couple});
    }
}

inline Vector3<Pack> gather3(const Vec3* values, const std::uint32_t* index) {
    Pack columns[3];
    gatherRows<3, 3>(&values->x, index, columns);
    return {columns[0], columns[1], columns[2]};
}

inline GrainMotion<Pack> motionOf(const BodyView& b, const std::uint32_t* index) {
    return {Vector3<Pack>{},  // known already: only the separation matters
            gather3(b.velocity, index),
            gather3(b.spin, index),
            gather3(b.midVelocity, index),
            gather3(b.midSpin, index),
            gather<1>(b.radius, index),
            gather<1>(b.inverseMass, index),
            Pack(0.0)};
}

inline PairLawOf<Pack> lawsOf(const GrainForceTask& task, const std::uint32_t* owner, const std::uint32_t* partner) {
    constexpr int stride = sizeof(PairLaw) / sizeof(double);
    std::uint32_t pair[packLanes] = {};
    for (int lane = 0; lane < packLanes && task.materials > 1; ++lane) {
        pair[lane] = static_cast<std::uint32_t>(task.bodies.material[owner[lane]] * task.materials +
                                                task.bodies.material[partner[lane]]);
    }
    const auto all = [&](double PairLaw::*field) {
        return task.materials == 1 ? Pack(task.laws->*field) : gather<stride>(&(task.laws->*field), pair);
    };
    PairLawOf<Pack> law;
    law.stiffness = all(&PairLaw::stiffness);
    law.stiffnessPerRadius = all(&PairLaw::stiffnessPerRadius);
    law.modulus = all(&PairLaw::modulus);
    law.shearModulus = all(&PairLaw::shearModulus);
    law.dampingRatio = all(&PairLaw::dampingRatio);
    law.friction = all(&PairLaw::friction);
    law.tangentialRatio = all(&PairLaw::tangentialRatio);
    law.tangentialDamping = all(&PairLaw::tangentialDamping);
    return law;
}

// What eight contacts do to a body each.
struct Wrenches {
    Wrench lane[packLanes];

    Wrenches(const Vector3<Pack>& force, const Pack& dashpots, const Vector3<Pack>& torque) {
        const Pack columns[8] = {force.x, force.y, force.z, dashpots, torque.x, torque.y, torque.z, Pack(0.0)};
        storeRows(columns, &lane[0].force.x);
    }
};

struct Lanes1 {
    alignas(64) double value[packLanes];

    explicit Lanes1(const Pack& v) { store(v, value); }
    double operator[](int lane) const { return value[lane]; }
};

inline void noteOverlap(GrainForceTask& task, const Pack& overlap, const Pack& smallerRadius) {
    if (bits(overlap > task.deepest * smallerRadius) == 0) return;
    const Lanes1 overlaps(overlap), radii(smallerRadius);
    for (int l = 0; l < packLanes; ++l) noteOverlap(task, overlaps[l], radii[l]);
}

inline Vector3<Pack> nearestImages(const Vector3<Pack>& d, const Vec3& period) {
    const auto wrapPack = [](const Pack& x, double length) {
        const Pack half = 0.5 * length;
        return select(x > half, x - length, select(x < -half, x + length, x));
    };
    return {wrapPack(d.x, period.x), wrapPack(d.y, period.y), wrapPack(d.z, period.z)};
}

// Eight contacts at a time; the plain laws. The last pack is filled up with copies of its last contact.
template <class Kinds, class TallyType, class PackTally>
inline void workOffPacked(const Kinds& kinds, GrainForceTask& task, Batch& batch, TallyType& tally) {
    const BodyView& b = task.bodies;
    for (std::uint32_t n = batch.count; n % packLanes != 0; ++n) {
        batch.candidate[n] = batch.candidate[batch.count - 1];
        batch.owner[n] = batch.owner[batch.count - 1];
        batch.partner[n] = batch.partner[batch.count - 1];
        batch.x[n] = batch.x[batch.count - 1];
        batch.y[n] = batch.y[batch.count - 1];
        batch.z[n] = batch.z[batch.count - 1];
    }
    for (std::uint32_t n = 0; n < batch.count; n += packLanes) {
        const std::uint32_t *i = batch.owner + n, *j = batch.partner + n, *k = batch.candidate + n;
        const GrainMotion<Pack> owner = motionOf(b, i), partner = motionOf(b, j);
        const Vector3<Pack> separation{load(batch.x + n), load(batch.y + n), load(batch.z + n)};
        Pack memory[4];
        gatherRows<4, 4>(&task.tangent->stretch.x, k, memory);
        TangentSpringOf<Pack> spring{{memory[0], memory[1], memory[2]}, memory[3]};
        LeverArmsOf<Pack> arms;
        PairGeometryOf<Pack> g = grainGeometry(kinds, owner, partner, separation, task.dt, arms);
        noteOverlap(task, g.overlap, smaller(owner.radius, partner.radius));
        if constexpr (!haveFreeDashpots<Kinds>) {
            g.dashpotShare = smaller(gather<1>(b.dashpotShare, i), gather<1>(b.dashpotShare, j));
        }
        PackTally packTally;
        const ContactForceOf<Pack> f = evaluate(kinds, lawsOf(task, i, j), g, task.dt, spring, nullptr, packTally);
        const Vector3<Pack> perLever = cross(f.force, g.normal);
        const Pack dashpots = strongestDashpot(f);
        const Wrenches toOwner(f.force, dashpots, arms.owner * perLever);
        const Wrenches toPartner(-f.force, dashpots, arms.partner * perLever);
        const int lanes = static_cast<int>(std::min<std::uint32_t>(packLanes, batch.count - n));
        const Pack newMemory[4] = {spring.stretch.x, spring.stretch.y, spring.stretch.z, spring.contactRadius};
        scatterRows(newMemory, &task.tangent->stretch.x, k, lanes);
        for (int l = 0; l < lanes; ++l) {
            add(sumOf(task, i[l]), toOwner.lane[l]);
            addToPartner(task, j[l], batch.slot[n + static_cast<std::uint32_t>(l)], toPartner.lane[l]);
        }
        if constexpr (TallyType::on) {
            const Lanes1 damping(packTally.sum.normalDamping), shear(packTally.sum.tangentialDamping);
            const Lanes1 sliding(packTally.sum.sliding);
            for (int l = 0; l < lanes; ++l) {
                tally.sum.normalDamping += damping[l];
                tally.sum.tangentialDamping += shear[l];
                tally.sum.sliding += sliding[l];
            }
        }
    }
}

template <class Kinds, class TallyType>
inline void workOffBatch(const Kinds& kinds, GrainForceTask& task, Batch& batch, TallyType& tally) {
    if (batch.count == 0) return;
    if constexpr (std::is_same_v<Kinds, LawKinds>) {
        workOff(kinds, task, batch, tally);
    } else if constexpr (TallyType::on) {
        workOffPacked<Kinds, TallyType, TallyOf<Pack>>(kinds, task, batch, tally);
    } else {
        workOffPacked<Kinds, TallyType, NoTallyOf<Pack>>(kinds, task, batch, tally);
    }
}

// A candidate that no longer touches but did at the last step.
template <class Kinds, class TallyType>
inline void forget(const Kinds& kinds, GrainForceTask& task, std::uint32_t i, std::uint32_t k, TallyType& tally) {
    const BodyView& b = task.bodies;
    const std::uint32_t j = task.partner[k];
    const PairLaw& law = task.laws[b.material[i] * task.materials + b.material[j]];
    RollingSpring* rolling = task.rolling != nullptr ? task.rolling + k : nullptr;
    release(kinds, law, b.radius[i] * b.radius[j] / (b.radius[i] + b.radius[j]), task.tangent[k], rolling, tally);
}

// Eight candidates in a row. The last pack of a batch is filled up with copies of its last candidate.
struct Candidates {
    std::uint32_t index[packLanes], owner[packLanes], partner[packLanes], slot[packLanes];
    unsigned present;  // lanes that are not copies

    Candidates(const GrainForceTask& task, std::uint32_t first, std::uint32_t last) {
        present = last - first >= packLanes ? 0xFFu : (1u << (last - first)) - 1;
        for (std::uint32_t l = 0; l < packLanes; ++l) index[l] = std::min(first + l, last - 1);
        copyLanes(task.owner, owner);
        copyLanes(task.partner, partner);
        copyLanes(task.slot, slot);
    }

private:
    void copyLanes(const std::uint32_t* from, std::uint32_t* to) const {
        if (present == 0xFFu) {
            __builtin_memcpy(to, from + index[0], packLanes * sizeof(std::uint32_t));
        } else {
            for (int l = 0; l < packLanes; ++l) to[l] = from[index[l]];
        }
    }
};

// JKR contacts may touch across a gap: those lanes are looked at one by one.
template <class Kinds>
inline unsigned touchingLanes(const Kinds& kinds, const GrainForceTask& task, const Candidates& c,
                              const Pack& distanceSquared, const Pack& radii) {
    unsigned touching = bits(distanceSquared < radii * radii);
    if (kinds.cohesion != CohesionLaw::jkr) return touching;
    const BodyView& b = task.bodies;
    const Lanes1 squared(distanceSquared), sums(radii);
    for (int l = 0; l < packLanes; ++l) {
        const std::uint32_t i = c.owner[l], j = c.partner[l];
        const TangentSpring& memory = task.tangent[c.index[l]];
        if (memory.contactRadius <= 0) continue;
        const PairLaw& law = task.laws[b.material[i] * task.materials + b.material[j]];
        const double radius = b.radius[i] * b.radius[j] / sums[l];
        const bool bound = isTouching(kinds, law, sums[l] - std::sqrt(squared[l]), radius, memory);
        touching = (touching & ~(1u << l)) | static_cast<unsigned>(bound) << l;
    }
    return touching;
}

// Those of eight candidates that touched at the last step. Cohesion may end a contact that still touches, so only the
// plain laws know without reading the contact's memory.
template <class Kinds>
inline unsigned touchedLanes(const Kinds&, const GrainForceTask& task, const Candidates& c, const std::uint8_t& noted) {
    if constexpr (!std::is_same_v<Kinds, LawKinds>) return noted;
    return bits(gather<4>(&task.tangent->contactRadius, c.index) > Pack(0.0)) & c.present;
}

// Looks at candidates [first, last) and gathers the touching ones in the batch. With cohesion that ends at full force,
// those that have just parted too.
template <class Kinds, class TallyType>
inline void findTouching(const Kinds& kinds, GrainForceTask& task, std::uint32_t first, std::uint32_t last,
                         Batch& batch, TallyType& tally) {
    const BodyView& b = task.bodies;
    batch.count = 0;
    for (std::uint32_t k = first; k < last; k += packLanes) {
        const Candidates c(task, k, last);
        const Vector3<Pack> apart = gather3(b.position, c.owner) - gather3(b.position, c.partner);
        const Vector3<Pack> separation = nearestImages(apart, task.period);
        const Pack radii = c.present == 0xFFu ? load(task.radii + k) : gather<1>(task.radii, c.index);
        unsigned touching = touchingLanes(kinds, task, c, normSquared(separation), radii) & c.present;
        std::uint8_t& noted = task.touched[(k - task.rowStart[task.begin]) / packLanes];
        const unsigned touched = touchedLanes(kinds, task, c, noted);
        if (law_parts::cohesionJumps(kinds)) touching |= touched;
        const unsigned ended = touched & ~touching;
        noted = static_cast<std::uint8_t>(touching);

        storeChosen(c.index, touching, batch.candidate + batch.count);
        storeChosen(c.owner, touching, batch.owner + batch.count);
        storeChosen(c.partner, touching, batch.partner + batch.count);
        storeChosen(c.slot, touching, batch.slot + batch.count);
        storeChosen(separation.x, touching, batch.x + batch.count);
        storeChosen(separation.y, touching, batch.y + batch.count);
        storeChosen(separation.z, touching, batch.z + batch.count);
        batch.count += static_cast<std::uint32_t>(__builtin_popcount(touching));
        for (unsigned left = ended; left != 0; left &= left - 1) {
            const int l = __builtin_ctz(left);
            forget(kinds, task, c.owner[l], c.index[l], tally);
        }
    }
}

// All rows of the block: candidates in batches, each first searched, then worked off.
template <class Kinds, class TallyType>
[[gnu::flatten, gnu::noinline]] void runRows(const Kinds& kinds, GrainForceTask& task) {
    TallyType tally;
    Batch batch;
    for (std::uint32_t i = task.begin; i < task.end; ++i) sumOf(task, i) = {};
    for (std::uint32_t slot = task.firstSlot; slot < task.lastSlot; ++slot) task.cross[slot] = {};
    const std::uint32_t end = task.rowStart[task.end];
    for (std::uint32_t first = task.rowStart[task.begin]; first < end; first += batchSize) {
        findTouching(kinds, task, first, std::min(end, first + batchSize), batch, tally);
        workOffBatch(kinds, task, batch, tally);
    }
    for (std::uint32_t i = task.begin; i < task.end; ++i) {
        const Wrench& sum = sumOf(task, i);
        task.force[i] = sum.force;
        task.torque[i] = sum.torque;
        task.rates[i] = rateOfSphere(sum.dashpots, task.bodies.inverseMass[i], OtherSide::moves);
    }
    task.dissipated = tally.sum;
}

template <class Kinds>
void runWithTally(const Kinds& kinds, GrainForceTask& task) {
    if (task.tally) {
        runRows<Kinds, Tally>(kinds, task);
    } else {
        runRows<Kinds, NoTally>(kinds, task);
    }
}

}  // namespace

// The four plain laws have loops of their own, without a branch on the kind of law, and each one more for steps in
// which no dashpot comes near its limits; all others share the last one.
void TALUS_VARIANT(GrainForceTask& task) {
    const auto run = [&](const auto& kinds) { runWithTally(kinds, task); };
    if (task.dashpots == Dashpots::free) {
        withPlainKinds<Dashpots::free>(task.kinds, run);
    } else {
        withPlainKinds(task.kinds, run);
    }
}

}  // namespace talus
