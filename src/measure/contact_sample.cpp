#include "measure/contact_sample.hpp"

#include "base/parallel.hpp"
#include "contacts/narrow/point_geometry.hpp"
#include "laws/yield_step.hpp"

namespace talus {
namespace {

const RollingSpring* rollingAt(const std::vector<RollingSpring>& springs, std::size_t k) {
    return springs.empty() ? nullptr : &springs[k];
}

// Force and energy for the present state; the memory handed to the law is a copy.
void applyLaw(const LawKinds& kinds, const PairLaw& law, const PairGeometry& g, TangentSpring tangent,
              const RollingSpring* rolling, ContactSample& sample) {
    sample.energy = storedEnergy(kinds, law, g, tangent, rolling);
    RollingSpring rollingCopy = rolling != nullptr ? *rolling : RollingSpring{};
    NoTally tally;
    const ContactForce f = evaluate(kinds, law, g, 0.0, tangent, &rollingCopy, tally);
    sample.force = f.force;
    sample.couple = f.couple;
    sample.normalForce = f.normal;
    sample.normal = g.normal;
    sample.overlap = g.overlap;
}

// J, in a contact with linear springs.
StoredEnergy storedInSprings(const PairLaw& law, const PairGeometry& g, const Vec3& tangentialForce) {
    const LinearStiffness k = linearStiffness(law, g.radius);
    const double overlap = std::max(0.0, g.overlap);
    StoredEnergy e;
    e.normal = 0.5 * k.normal * overlap * overlap;
    if (k.tangential > 0) e.tangential = 0.5 * normSquared(tangentialForce) / k.tangential;
    return e;
}

// J, in one that yields: the force is not that of the springs alone.
StoredEnergy storedInSprings(const PairLaw& law, const PairGeometry& g, const ContactStretch& s) {
    const LinearStiffness k = linearStiffness(law, g.radius);
    return springEnergy(k, {normalStretch(s, -g.overlap), norm(s.tangential), 0});
}

// The law for the present state.
void applyMemory(const WorldState& w, const PairLaw& law, const PairGeometry& g, const SpringMemory& memory,
                 std::uint32_t k, ContactSample& sample) {
    applyLaw(w.materials.kinds, law, g, memory.tangent[k], rollingAt(memory.rolling, k), sample);
}

// The mean force during the last step of contact dynamics.
void applyMemory(const WorldState& w, const PairLaw&, const PairGeometry& g, const ImpulseMemory& memory,
                 std::uint32_t k, ContactSample& sample) {
    sample.force = memory.impulse[k] / w.contacts.impulseTime;
    sample.normalForce = dot(sample.force, g.normal);
    sample.normal = g.normal;
    sample.overlap = g.overlap;
}
void applyMemory(const WorldState& w, const PairLaw& law, const PairGeometry& g, const ElasticMemory& memory,
                 std::uint32_t k, ContactSample& sample) {
    applyMemory(w, law, g, static_cast<const ImpulseMemory&>(memory), k, sample);
    sample.energy = storedInSprings(law, g, sample.force - sample.normalForce * g.normal);
}
void applyMemory(const WorldState& w, const PairLaw& law, const PairGeometry& g, const YieldingMemory& memory,
                 std::uint32_t k, ContactSample& sample) {
    applyMemory(w, law, g, static_cast<const ImpulseMemory&>(memory), k, sample);
    sample.energy = storedInSprings(law, g, memory.stretch[k]);
}

// Looks at the active contacts of rows, as bodies are now.
template <class Memory>
struct Sampler {
    const WorldState& w;
    const Memory& memory;
    std::vector<ContactSample>& out;
    BodyView b = view(w.bodies);
    Vec3 period = w.domain.period();  // m

    void run(std::size_t row) const {
        forEachInRow(w.contacts, row, [&](std::uint32_t k, const auto& candidate) {
            if (memory.isActive(k)) look(k, candidate);
        });
    }

private:
    void look(std::uint32_t k, const SpherePair& c) const {
        const auto [i, j] = c;
        LeverArms arms;
        const Vec3 separation = nearestImage(b.position[i] - b.position[j], period);
        PairGeometry g = grainGeometry(w.materials.kinds, motionOf(b, i), motionOf(b, j), separation, 0.0, arms);
        g.dashpotShare = dashpotShare(b, i, j);
        ContactSample sample{.owner = i, .partner = j};
        sample.point = b.position[i] - arms.owner * g.normal;
        sample.branch = separation;
        add(k, g, sample);
    }
    void look(std::uint32_t k, const WallCandidate& c) const {
        const std::uint32_t i = c.grain, wall = static_cast<std::uint32_t>(w.bodies.grainCount) + c.wall;
        LeverArms arms;
        const WallApproach approach = wallApproach(b, wallNow(w, wall), wall, c.face, b.position[i]);
        PairGeometry g = wallGeometry(w.materials.kinds, b, i, wall, approach, 0.0, arms);
        g.dashpotShare = dashpotShare(b, i, wall);
        ContactSample sample{.owner = i, .partner = wall, .face = c.face};
        sample.point = b.position[i] - arms.owner * g.normal;
        sample.branch = arms.owner * g.normal;
        add(k, g, sample);
    }
    void look(std::uint32_t k, const PointOfPair& c) const {
        const auto& [pair, point] = c;
        const PointArms arms = pointArms(w.bodies, pair, point, period);
        PairGeometry g = pointGeometry(w.materials.kinds, b, pair, point, arms, 0.0);
        g.dashpotShare = dashpotShare(b, pair.a, pair.b);
        ContactSample sample{.owner = pair.a, .partner = pair.b};
        sample.point = point.position;
        sample.branch = pair.b < w.bodies.grainCount ? arms.b - arms.a : -arms.a;
        add(k, g, sample);
    }
    void add(std::uint32_t k, const PairGeometry& g, ContactSample& sample) const {
        const PairLaw& law = w.materials.between(b.material[sample.owner], b.material[sample.partner]);
        applyMemory(w, law, g, memory, k, sample);
        out.push_back(sample);
    }
};

void sampleRow(const WorldState& world, std::size_t row, std::vector<ContactSample>& out) {
    std::visit(
        [&]<class Memory>(const Memory& memory) {
            Sampler<Memory>{world, memory, out}.run(row);
        },
        world.contacts.memory);
}

}  // namespace

bool hasContactLists(const WorldState& world) {
    const std::size_t rows = world.bodies.grainCount + 1;
    return !world.contacts.stale && world.contacts.grains.rowStart.size() == rows &&
           world.contacts.walls.rowStart.size() == rows;
}

std::vector<ContactSample> sampleContacts(const WorldState& world) {
    if (!hasContactLists(world)) return {};
    const std::size_t rows = world.contacts.rows();
    constexpr std::size_t block = 1024;
    std::vector<std::vector<ContactSample>> parts((rows + block - 1) / block);
    parallelBlocks(parts.size(), [&](std::size_t p) {
        const std::size_t end = std::min(rows, (p + 1) * block);
        for (std::size_t row = p * block; row < end; ++row) sampleRow(world, row, parts[p]);
    });
    std::vector<ContactSample> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
}

}  // namespace talus
