// Compiled once per vector unit, with TALUS_VARIANT set to the name of the function to define. Everything called
// here is inlined or local to this file ([[gnu::flatten]]), so that no code for a newer machine leaks into the program
// through a shared inline function; a test looks at the symbols of the object files.
//
// Two passes over a batch of candidates: find those that touch, without a branch on the outcome; then work off the
// touching ones, eight at a time.
#include "step/forces/grain_forces.hpp"
#include <utility>

#include "base/pack.hpp"
#include "laws/plain_kinds.hpp"

namespace talus {
namespace {

// Those that the compiler knows.
template <class Kinds>
constexpr bool isPlain = !std::is_same_v<Kinds, LawKinds>;

constexpr std::uint32_t batchSize = 256;
constexpr std::uint32_t batchRoom =
    batchSize + 2 * packLanes;  // what was left of the last one; whole packs are written

// The touching ones of a number of candidates. Grains are known by their places in the block.
struct Batch {
    std::uint32_t count = 0;
    std::uint32_t candidate[batchRoom];
    std::uint32_t owner[batchRoom];
    std::uint32_t partner[batchRoom];
    double x[batchRoom], y[batchRoom], z[batchRoom];  // m, separation

    Vec3 separation(std::uint32_t n) const { return {x[n], y[n], z[n]}; }
};

// The division is left out where it cannot matter: nearly always.
inline void noteOverlap(GrainForceTask& task, double overlap, double smallerRadius) {
    if (overlap > task.deepest * smallerRadius) task.deepest = overlap / smallerRadius;
}

inline const PairLaw& lawBetween(const GrainForceTask& task, std::uint32_t i, std::uint32_t j) {
    return task.materials == 1 ? *task.laws : task.laws[task.material[i] * task.materials + task.material[j]];
}

// Eight pairs of grains, by their places in the block.
struct PackedPair {
    PairMotionOf<Pack> motion;
    Pack dashpotShare;

    PackedPair(const GrainState* states, const std::uint32_t* owner, const std::uint32_t* partner) {
        Pack m[8];
        const Pack apart(Pack::Lanes{-1, -1, -1, -1, -1, -1, 1, 1});
        for (int l = 0; l < packLanes; ++l) {
            m[l] = load(&states[owner[l]].velocity.x) + apart * load(&states[partner[l]].velocity.x);
        }
        transpose(m);
        motion.velocity = {m[0], m[1], m[2]};
        motion.midVelocity = {m[3], m[4], m[5]};
        motion.inverseMass = m[6];
        motion.inverseInertia = m[7];
        loadTurning(states, owner, m);
        motion.ownerSpin = {m[0], m[1], m[2]};
        motion.ownerMidSpin = {m[3], m[4], m[5]};
        motion.ownerRadius = m[6];
        dashpotShare = m[7];
        loadTurning(states, partner, m);
        motion.partnerSpin = {m[0], m[1], m[2]};
        motion.partnerMidSpin = {m[3], m[4], m[5]};
        motion.partnerRadius = m[6];
        dashpotShare = smaller(dashpotShare, m[7]);
    }

private:
    static void loadTurning(const GrainState* states, const std::uint32_t* grain, Pack (&m)[8]) {
        for (int l = 0; l < packLanes; ++l) m[l] = load(&states[grain[l]].spin.x);
        transpose(m);
    }
};

template <class Kinds>
inline PairLawOf<Pack> lawsOf(const GrainForceTask& task, const std::uint32_t* owner, const std::uint32_t* partner) {
    constexpr int stride = sizeof(PairLaw) / sizeof(double);
    std::uint32_t pair[packLanes] = {};
    for (int lane = 0; lane < packLanes && task.materials > 1; ++lane) {
        pair[lane] =
            static_cast<std::uint32_t>(task.material[owner[lane]] * task.materials + task.material[partner[lane]]);
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
    if constexpr (isPlain<Kinds>) return law;
    law.rollingFriction = all(&PairLaw::rollingFriction);
    law.rollingDamping = all(&PairLaw::rollingDamping);
    law.cohesionForce = all(&PairLaw::cohesionForce);
    law.adhesionWork = all(&PairLaw::adhesionWork);
    return law;
}

// What eight contacts do to a body each, a row for each of them.
struct Wrenches {
    Pack row[packLanes];

    Wrenches(const Vector3<Pack>& force, const Pack& dashpots, const Vector3<Pack>& torque)
        : row{force.x, force.y, force.z, dashpots, torque.x, torque.y, torque.z, Pack(0.0)} {
        transpose(row);
    }
};

// On the owner and on the partner.
template <class Kinds>
inline std::pair<Wrenches, Wrenches> wrenchesOf(const ContactForceOf<Pack>& f, const PairMotionOf<Pack>& pair,
                                                const LeverArmsOf<Pack>& arms, const Vector3<Pack>& normal) {
    const Vector3<Pack> perLever = cross(f.force, normal);
    const Vector3<Pack> onOwner = arms.owner * perLever, onPartner = arms.partner * perLever;
    if constexpr (isPlain<Kinds>) {
        const Pack dashpots = strongestDashpot(f);
        return {Wrenches(f.force, dashpots, onOwner), Wrenches(-f.force, dashpots, onPartner)};
    } else {
        return {Wrenches(f.force, strongestDashpot(f, pair.ownerRadius), onOwner + f.couple),
                Wrenches(-f.force, strongestDashpot(f, pair.partnerRadius), onPartner - f.couple)};
    }
}

inline void add(Wrench& sum, const Pack& row) { store(load(&sum.force.x) + row, &sum.force.x); }

struct Lanes {
    alignas(64) double value[packLanes];

    explicit Lanes(const Pack& v) { store(v, value); }
    double operator[](int lane) const { return value[lane]; }
};

inline void noteOverlap(GrainForceTask& task, const Pack& overlap, const Pack& smallerRadius) {
    if (bits(overlap > task.deepest * smallerRadius) == 0) return;
    const Lanes overlaps(overlap), radii(smallerRadius);
    for (int l = 0; l < packLanes; ++l) noteOverlap(task, overlaps[l], radii[l]);
}

// The last pack of a block is filled up with copies of its last contact.
inline void fillLastPack(Batch& batch) {
    for (std::uint32_t n = batch.count, last = n - 1; n % packLanes != 0; ++n) {
        batch.candidate[n] = batch.candidate[last];
        batch.owner[n] = batch.owner[last];
        batch.partner[n] = batch.partner[last];
        batch.x[n] = batch.x[last];
        batch.y[n] = batch.y[last];
        batch.z[n] = batch.z[last];
    }
}

// What does not fill a pack waits for the next batch.
inline void keepFrom(Batch& batch, std::uint32_t first) {
    for (std::uint32_t n = first; n < batch.count; ++n) {
        batch.candidate[n - first] = batch.candidate[n];
        batch.owner[n - first] = batch.owner[n];
        batch.partner[n - first] = batch.partner[n];
        batch.x[n - first] = batch.x[n];
        batch.y[n - first] = batch.y[n];
        batch.z[n - first] = batch.z[n];
    }
    batch.count -= first;
}

inline void addLanes(const Pack& eight, int lanes, double& sum) {
    const Lanes values(eight);
    for (int l = 0; l < lanes; ++l) sum += values[l];
}

template <class Kinds, class PackTally>
inline void addLanes(const Kinds&, const PackTally& eight, int lanes, Tally& tally) {
    addLanes(eight.sum.normalDamping, lanes, tally.sum.normalDamping);
    addLanes(eight.sum.tangentialDamping, lanes, tally.sum.tangentialDamping);
    addLanes(eight.sum.sliding, lanes, tally.sum.sliding);
    if constexpr (!isPlain<Kinds>) addLanes(eight.sum.rolling, lanes, tally.sum.rolling);
}

inline RollingSpringOf<Pack> loadRolling(const RollingSpring* springs, const std::uint32_t* k) {
    const double* turn = &springs->turn.x;
    return {{gather<3>(turn, k), gather<3>(turn + 1, k), gather<3>(turn + 2, k)}};
}

inline void storeRolling(const RollingSpringOf<Pack>& spring, RollingSpring* springs, const std::uint32_t* k,
                         int lanes) {
    const Lanes x(spring.turn.x), y(spring.turn.y), z(spring.turn.z);
    for (int l = 0; l < lanes; ++l) springs[k[l]].turn = {x[l], y[l], z[l]};
}

// Eight contacts at a time.
template <class Kinds, class TallyType>
inline void workOff(const Kinds& kinds, GrainForceTask& task, const Batch& batch, std::uint32_t count,
                    TallyType& tally) {
    for (std::uint32_t n = 0; n < count; n += packLanes) {
        const std::uint32_t *i = batch.owner + n, *j = batch.partner + n, *k = batch.candidate + n;
        const int lanes = static_cast<int>(std::min<std::uint32_t>(packLanes, count - n));
        const PackedPair pair(task.states, i, j);
        const Vector3<Pack> separation{load(batch.x + n), load(batch.y + n), load(batch.z + n)};
        LeverArmsOf<Pack> arms;
        PairGeometryOf<Pack> g = grainGeometry(kinds, pair.motion, separation, task.dt, arms);
        noteOverlap(task, g.overlap, smaller(pair.motion.ownerRadius, pair.motion.partnerRadius));
        g.dashpotShare = pair.dashpotShare;

        Pack memory[4];
        gatherRows(&task.tangent->stretch.x, k, memory);
        TangentSpringOf<Pack> spring{{memory[0], memory[1], memory[2]}, memory[3]};
        RollingSpringOf<Pack> rolling;
        const bool rolls = !isPlain<Kinds> && task.rolling != nullptr;
        if (rolls) rolling = loadRolling(task.rolling, k);
        std::conditional_t<TallyType::on, TallyOf<Pack>, NoTallyOf<Pack>> packTally;
        const PairLawOf<Pack> laws = lawsOf<Kinds>(task, i, j);
        const ContactForceOf<Pack> f = evaluateOrPart(kinds, laws, g, task.dt, spring, &rolling, packTally);
        const Pack newMemory[4] = {spring.stretch.x, spring.stretch.y, spring.stretch.z, spring.contactRadius};
        scatterRows(newMemory, &task.tangent->stretch.x, k, lanes);
        if (rolls) storeRolling(rolling, task.rolling, k, lanes);
        if constexpr (TallyType::on) addLanes(kinds, packTally, lanes, tally);

        const auto [toOwner, toPartner] = wrenchesOf<Kinds>(f, pair.motion, arms, g.normal);
#pragma GCC unroll 8
        for (int l = 0; l < packLanes; ++l) {
            if (l >= lanes) break;
            add(task.sums[i[l]], toOwner.row[l]);
            add(task.sums[j[l]], toPartner.row[l]);
        }
    }
}

enum class More { follows, ends };

template <class Kinds, class TallyType>
inline void workOffBatch(const Kinds& kinds, GrainForceTask& task, Batch& batch, More more, TallyType& tally) {
    if (more == More::ends) fillLastPack(batch);
    const std::uint32_t count = more == More::ends ? batch.count : batch.count / packLanes * packLanes;
    workOff(kinds, task, batch, count, tally);
    keepFrom(batch, count);
}

// Eight candidates in a row. The last pack of a block is filled up with copies of its last candidate.
struct Candidates {
    std::uint32_t index[packLanes], owner[packLanes], partner[packLanes];
    unsigned present = 0xFF;  // lanes that are not copies

    Candidates(const GrainForceTask& task, const std::uint32_t* owners, std::uint32_t first, std::uint32_t last) {
        if (last - first >= packLanes) {
            for (std::uint32_t l = 0; l < packLanes; ++l) index[l] = first + l;
            __builtin_memcpy(owner, owners, sizeof owner);
            __builtin_memcpy(partner, task.partner + first, sizeof partner);
            return;
        }
        present = (1u << (last - first)) - 1;
        for (std::uint32_t l = 0; l < packLanes; ++l) {
            index[l] = std::min(first + l, last - 1);
            owner[l] = owners[index[l] - first];
            partner[l] = task.partner[index[l]];
        }
    }
};

inline Vector3<Pack> nearestImages(const Vector3<Pack>& d, const Vec3& period) {
    const auto wrapPack = [](const Pack& x, double length) {
        const Pack half = 0.5 * length;
        if (!any((x > half) | (x < -half))) return x;
        return select(x > half, x - length, select(x < -half, x + length, x));
    };
    return {wrapPack(d.x, period.x), wrapPack(d.y, period.y), wrapPack(d.z, period.z)};
}

// A candidate that no longer touches but did at the last step.
template <class Kinds, class TallyType>
inline void forget(const Kinds& kinds, GrainForceTask& task, const Candidates& c, int lane, TallyType& tally) {
    const std::uint32_t i = c.owner[lane], j = c.partner[lane], k = c.index[lane];
    const double radiusA = task.places[i].radius, radiusB = task.places[j].radius;
    RollingSpring* rolling = task.rolling != nullptr ? task.rolling + k : nullptr;
    release(kinds, lawBetween(task, i, j), radiusA * radiusB / (radiusA + radiusB), task.tangent[k], rolling, tally);
}

// Of those that touched at the last step and overlap no more, which JKR necks still hold: looked at one by one.
template <class Kinds>
inline unsigned lanesHeld(const Kinds& kinds, const GrainForceTask& task, const Candidates& c, unsigned parted,
                          const Pack& distanceSquared, const Pack& radii) {
    const Lanes squared(distanceSquared), sums(radii);
    unsigned held = 0;
    for (unsigned left = parted; left != 0; left &= left - 1) {
        const int l = __builtin_ctz(left);
        const std::uint32_t i = c.owner[l], j = c.partner[l];
        const double radius = task.places[i].radius * task.places[j].radius / sums[l];
        const double overlap = sums[l] - std::sqrt(squared[l]);
        if (isTouching(kinds, lawBetween(task, i, j), overlap, radius, task.tangent[c.index[l]])) held |= 1u << l;
    }
    return held;
}

// The memory of eight candidates in a row will be asked for when the batch is worked off.
inline void fetchMemory(const GrainForceTask& task, std::uint32_t first) {
    for (std::uint32_t k = 0; k < packLanes; k += 2) __builtin_prefetch(task.tangent + first + k, 1);
}

// Looks at candidates [first, last) and gathers the touching ones in the batch. With cohesion that ends at full force,
// those that have just parted too.
template <class Kinds, class TallyType>
inline void findTouching(const Kinds& kinds, GrainForceTask& task, const std::uint32_t* owners, std::uint32_t first,
                         std::uint32_t last, Batch& batch, TallyType& tally) {
    constexpr double apartOfAll[4] = {-1, -1, -1, 1};  // separation, and the sum of the radii
    for (std::uint32_t k = first; k < last; k += packLanes) {
        const Candidates c(task, owners + (k - first), k, last);
        Pack apart[4];
        gatherRowSums(&task.places->position.x, c.owner, c.partner, apartOfAll, apart);
        const Vector3<Pack> separation = nearestImages({apart[0], apart[1], apart[2]}, task.period);
        const Pack distanceSquared = normSquared(separation);
        std::uint8_t& noted = task.touched[(k - task.rowStart[task.begin]) / packLanes];
        unsigned touching = bits(distanceSquared < apart[3] * apart[3]) & c.present;
        unsigned ended = noted & ~touching;
        if (kinds.cohesion == CohesionLaw::jkr && ended != 0) {
            touching |= lanesHeld(kinds, task, c, ended, distanceSquared, apart[3]);
            ended &= ~touching;
        }
        noted = static_cast<std::uint8_t>(touching);
        fetchMemory(task, k);
        if (law_parts::cohesionJumps(kinds)) touching |= std::exchange(ended, 0u);

        storeChosen(c.index, touching, batch.candidate + batch.count);
        storeChosen(c.owner, touching, batch.owner + batch.count);
        storeChosen(c.partner, touching, batch.partner + batch.count);
        storeChosen(separation.x, touching, batch.x + batch.count);
        storeChosen(separation.y, touching, batch.y + batch.count);
        storeChosen(separation.z, touching, batch.z + batch.count);
        batch.count += static_cast<std::uint32_t>(__builtin_popcount(touching));
        for (unsigned left = ended; left != 0; left &= left - 1) {
            forget(kinds, task, c, __builtin_ctz(left), tally);
        }
    }
}

// The rows of candidates [first, last), from this row on; returns the one of the last candidate. Written a pack at a
// time, the next row over what is too much.
inline std::uint32_t listOwners(const GrainForceTask& task, std::uint32_t row, std::uint32_t first, std::uint32_t last,
                                std::uint32_t* owners) {
    while (true) {
        const std::uint32_t begin = std::max(first, task.rowStart[row]), end = std::min(last, task.rowStart[row + 1]);
        for (std::uint32_t k = begin; k < end; k += packLanes) {
            for (std::uint32_t l = 0; l < packLanes; ++l) owners[k - first + l] = row - task.begin;
        }
        if (task.rowStart[row + 1] >= last) return row;
        ++row;
    }
}

// What no part of this law reads is left out.
template <class Kinds>
inline void copyGrain(const Kinds& kinds, GrainForceTask& task, std::uint32_t grain, std::uint32_t to) {
    const BodyView& b = task.bodies;
    task.places[to] = {b.position[grain], b.radius[grain]};
    GrainState& state = task.states[to];
    state.velocity = b.velocity[grain];
    state.midVelocity = b.midVelocity[grain];
    state.inverseMass = b.inverseMass[grain];
    state.inverseInertia = kinds.rolling == RollingLaw::none ? 0.0 : b.inverseInertia[grain].x;
    state.spin = b.spin[grain];
    state.midSpin = b.midSpin[grain];
    state.radius = b.radius[grain];
    state.dashpotShare = haveFreeDashpots<Kinds> ? 1.0 : b.dashpotShare[grain];
    if (task.materials > 1) task.material[to] = b.material[grain];
    task.sums[to] = {};
}

// What will be read of a grain some grains later.
inline void fetchGrain(const BodyView& b, std::uint32_t grain) {
    for (const Vec3* values : {b.position, b.velocity, b.midVelocity, b.spin, b.midSpin}) {
        __builtin_prefetch(values + grain);
    }
}

template <class Kinds>
inline void copyGrains(const Kinds& kinds, GrainForceTask& task) {
    constexpr std::uint32_t ahead = 16;
    for (std::uint32_t i = 0; i < task.rows(); ++i) {
        fetchGrain(task.bodies, task.begin + i + ahead);
        copyGrain(kinds, task, task.begin + i, i);
    }
    for (std::uint32_t i = 0; i < task.others; ++i) {
        fetchGrain(task.bodies, task.other[std::min(i + ahead, task.others - 1)]);
        copyGrain(kinds, task, task.other[i], task.rows() + i);
    }
}

inline void writeSums(GrainForceTask& task) {
    for (std::uint32_t i = 0; i < task.rows(); ++i) {
        const Wrench& sum = task.sums[i];
        task.force[task.begin + i] = sum.force;
        task.torque[task.begin + i] = sum.torque;
        task.rates[task.begin + i] = rateOfSphere(sum.dashpots, task.states[i].inverseMass, OtherSide::moves);
    }
    for (std::uint32_t i = 0; i < task.others; ++i) task.onOthers[i] = task.sums[task.rows() + i];
}

// All rows of the block: candidates in batches, each first searched, then worked off.
template <class Kinds, class TallyType>
[[gnu::flatten, gnu::noinline]] void runRows(const Kinds& kinds, GrainForceTask& task) {
    copyGrains(kinds, task);
    TallyType tally;
    Batch batch;
    std::uint32_t owners[batchRoom];
    const std::uint32_t end = task.rowStart[task.end];
    std::uint32_t row = task.begin;
    for (std::uint32_t first = task.rowStart[task.begin]; first < end; first += batchSize) {
        const std::uint32_t last = std::min(end, first + batchSize);
        row = listOwners(task, row, first, last, owners);
        findTouching(kinds, task, owners, first, last, batch, tally);
        workOffBatch(kinds, task, batch, last == end ? More::ends : More::follows, tally);
    }
    writeSums(task);
    task.dissipated = tally.sum;
}

}  // namespace

// The four plain laws have loops of their own, without a branch on the kind of law, and each one more for steps in
// which no dashpot comes near its limits; all others share the last one.
void TALUS_VARIANT(GrainForceTask& task) {
    const auto run = [&](const auto& kinds) {
        using Kinds = std::remove_cvref_t<decltype(kinds)>;
        task.tally ? runRows<Kinds, Tally>(kinds, task) : runRows<Kinds, NoTally>(kinds, task);
    };
    if (task.dashpots == Dashpots::free) {
        withPlainKinds<Dashpots::free>(task.kinds, run);
    } else {
        withPlainKinds(task.kinds, run);
    }
}

}  // namespace talus
