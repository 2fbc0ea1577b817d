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

// Of a contact with linear springs.
StoredEnergy storedInSprings(const PairLaw& law, const PairGeometry& g, const Vec3& tangentialForce) {
    const LinearStiffness k = linearStiffness(law, g.radius);
    const double overlap = std::max(0.0, g.overlap);
    StoredEnergy e;
    e.normal = 0.5 * k.normal * overlap * overlap;
    if (k.tangential > 0) e.tangential = 0.5 * normSquared(tangentialForce) / k.tangential;
    return e;
}

// The same of one that yields: the force is not that of the springs alone.
StoredEnergy storedInSprings(const PairLaw& law, const PairGeometry& g, const ContactStretch& s) {
    const LinearStiffness k = linearStiffness(law, g.radius);
    return springEnergy(k, {normalStretch(s, -g.overlap), norm(s.tangential), 0});
}

// The mean force during the last step of contact dynamics.
template <class List>
void applyImpulse(const WorldState& w, const PairLaw& law, const PairGeometry& g, const List& list, std::uint32_t k,
                  ContactSample& sample) {
    sample.force = list.impulse[k] / w.contacts.impulseTime;
    sample.normalForce = dot(sample.force, g.normal);
    sample.normal = g.normal;
    sample.overlap = g.overlap;
    if (w.contacts.yielding) {
        sample.energy = storedInSprings(law, g, list.stretch[k]);
    } else if (w.contacts.elastic) {
        sample.energy = storedInSprings(law, g, sample.force - sample.normalForce * g.normal);
    }
}

// Fills what the memory of candidate k of the list says.
template <class List>
void applyMemory(const WorldState& w, const PairLaw& law, const PairGeometry& g, const List& list, std::uint32_t k,
                 ContactSample& sample) {
    if (w.contacts.memory == ContactMemory::impulses) {
        applyImpulse(w, law, g, list, k, sample);
    } else {
        applyLaw(w.materials.kinds, law, g, list.tangent[k], rollingAt(list.rolling, k), sample);
    }
}

void sampleRow(const WorldState& w, const BodyView& b, const Vec3& period, std::uint32_t i,
               std::vector<ContactSample>& out) {
    const GrainContacts& list = w.contacts.grains;
    for (std::uint32_t k = list.rowStart[i]; k < list.rowStart[i + 1]; ++k) {
        if (!isActive(list, k)) continue;
        const std::uint32_t j = list.partner[k];
        LeverArms arms;
        const Vec3 separation = nearestImage(b.position[i] - b.position[j], period);
        PairGeometry g = grainGeometry(w.materials.kinds, motionOf(b, i), motionOf(b, j), separation, 0.0, arms);
        g.dashpotShare = dashpotShare(b, i, j);
        ContactSample sample{.owner = i, .partner = j};
        applyMemory(w, w.materials.between(b.material[i], b.material[j]), g, list, k, sample);
        sample.point = b.position[i] - arms.owner * g.normal;
        sample.branch = separation;
        out.push_back(sample);
    }
}

void sampleWalls(const WorldState& w, const BodyView& b, std::uint32_t i, std::vector<ContactSample>& out) {
    const WallContacts& list = w.contacts.walls;
    for (std::uint32_t k = list.rowStart[i]; k < list.rowStart[i + 1]; ++k) {
        if (!isActive(list, k)) continue;
        const WallCandidate& c = list.candidate[k];
        const std::uint32_t wall = static_cast<std::uint32_t>(w.bodies.grainCount) + c.wall;
        LeverArms arms;
        const WallApproach approach = wallApproach(b, w.shapes[w.bodies.shape[wall]], wall, c.face, b.position[i]);
        PairGeometry g = wallGeometry(w.materials.kinds, b, i, wall, approach, 0.0, arms);
        g.dashpotShare = dashpotShare(b, i, wall);
        ContactSample sample{.owner = i, .partner = wall, .face = c.face};
        applyMemory(w, w.materials.between(b.material[i], b.material[wall]), g, list, k, sample);
        sample.point = b.position[i] - arms.owner * g.normal;
        sample.branch = arms.owner * g.normal;
        out.push_back(sample);
    }
}

void samplePair(const WorldState& w, const BodyView& b, std::size_t p, std::vector<ContactSample>& out) {
    const ShapeContacts& list = w.contacts.shapes;
    const ShapePair& pair = list.pair[p];
    for (std::uint32_t k = list.pointStart[p]; k < list.pointStart[p + 1]; ++k) {
        if (!isActive(list, k)) continue;
        const PointArms arms = pointArms(w.bodies, pair, list.point[k], w.domain.period());
        PairGeometry g = pointGeometry(w.materials.kinds, b, pair, list.point[k], arms, 0.0);
        g.dashpotShare = dashpotShare(b, pair.a, pair.b);
        ContactSample sample{.owner = pair.a, .partner = pair.b};
        applyMemory(w, w.materials.between(b.material[pair.a], b.material[pair.b]), g, list, k, sample);
        sample.point = list.point[k].position;
        sample.branch = pair.b < w.bodies.grainCount ? arms.b - arms.a : -arms.a;
        out.push_back(sample);
    }
}

}  // namespace

bool hasContactLists(const WorldState& world) {
    const std::size_t rows = world.bodies.grainCount + 1;
    return !world.contacts.stale && world.contacts.grains.rowStart.size() == rows &&
           world.contacts.walls.rowStart.size() == rows;
}

std::vector<ContactSample> sampleContacts(const WorldState& world) {
    if (!hasContactLists(world)) return {};
    const std::size_t grains = world.bodies.grainCount;
    constexpr std::size_t block = 1024;
    std::vector<std::vector<ContactSample>> parts((grains + block - 1) / block);
    const BodyView b = view(world.bodies);
    const Vec3 period = world.domain.period();
    parallelBlocks(parts.size(), [&](std::size_t p) {
        const std::size_t end = std::min(grains, (p + 1) * block);
        for (std::size_t i = p * block; i < end; ++i) {
            sampleRow(world, b, period, static_cast<std::uint32_t>(i), parts[p]);
            sampleWalls(world, b, static_cast<std::uint32_t>(i), parts[p]);
        }
    });
    std::vector<ContactSample> all;
    for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
    for (std::size_t p = 0; p < world.contacts.shapes.pair.size(); ++p) samplePair(world, b, p, all);
    return all;
}

}  // namespace talus
