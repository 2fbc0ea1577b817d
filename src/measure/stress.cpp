#include "measure/stress.hpp"

#include "base/check.hpp"
#include "base/parallel.hpp"

namespace talus {
namespace {

struct Momentum {
    double mass = 0;  // kg
    Vec3 momentum;    // kg m/s
    Momentum& operator+=(const Momentum& b) { return mass += b.mass, momentum += b.momentum, *this; }
};

// Share of the branch inside the region, images included.
double branchShare(const Domain& domain, const MeasureBox& region, const Vec3& owner, const Vec3& branch) {
    if (!domain.anyPeriodic()) return shareInside(region, owner, owner - branch);
    double share = 0;
    forEachImage(domain, [&](const Vec3& shift) {
        const Vec3 start = owner + shift;
        share += shareInside(region, start, start - branch);
    });
    return share;
}

// Sum over the grains that `isInside` accepts of m v' (x) v', with v' relative to their mean velocity; J.
template <class Inside>
Mat3 fluctuation(const Bodies& b, Inside&& isInside) {
    const auto counts = [&](std::size_t i) { return b.inverseMass[i] > 0 && isInside(b.position[i]); };
    const Momentum all = parallelSum(b.grainCount, Momentum{}, [&](std::size_t i) -> Momentum {
        if (!counts(i)) return {};
        return {1.0 / b.inverseMass[i], b.velocity[i] / b.inverseMass[i]};
    });
    if (all.mass == 0) return {};
    const Vec3 mean = all.momentum / all.mass;
    return parallelSum(b.grainCount, Mat3{}, [&](std::size_t i) -> Mat3 {
        if (!counts(i)) return {};
        const Vec3 v = b.velocity[i] - mean;
        return outer(v / b.inverseMass[i], v);
    });
}

}  // namespace

Mat3 measureStress(const WorldState& world, const std::vector<ContactSample>& samples, const MeasureBox& region,
                   StressParts parts) {
    const MeasureBox inside = inPlane(region, planarAxis(world));
    Mat3 sum = parallelSum(samples.size(), Mat3{}, [&](std::size_t k) -> Mat3 {
        const ContactSample& s = samples[k];
        const double share = branchShare(world.domain, inside, world.bodies.position[s.owner], s.branch);
        return share > 0 ? outer(share * s.force, s.branch) : Mat3{};
    });
    if (parts == StressParts::contactsAndKinetic) {
        sum += fluctuation(world.bodies, [&](const Vec3& p) { return containsImage(inside, world.domain, p); });
    }
    const double volume = volumeOf(region);
    sum *= volume > 0 ? 1.0 / volume : 0.0;  // walls may have closed it
    return sum;
}

Mat3 measureStress(const WorldState& world, const std::vector<ContactSample>& samples, double volume,
                   StressParts parts) {
    ENGINE_CHECK(volume > 0);
    Mat3 sum =
        parallelSum(samples.size(), Mat3{}, [&](std::size_t k) { return outer(samples[k].force, samples[k].branch); });
    if (parts == StressParts::contactsAndKinetic) sum += fluctuation(world.bodies, [](const Vec3&) { return true; });
    sum *= 1.0 / volume;
    return sum;
}

std::vector<Mat3> particleStress(const WorldState& world, const std::vector<ContactSample>& samples) {
    const Bodies& b = world.bodies;
    std::vector<Mat3> stress(b.grainCount);
    // One after the other in the order of the list: each grain is written by contacts of several rows.
    for (const ContactSample& s : samples) {
        const Vec3 ownerLever = b.position[s.owner] - s.point;
        stress[s.owner] += outer(s.force, ownerLever);
        if (s.partner < b.grainCount) stress[s.partner] += outer(-s.force, ownerLever - s.branch);
    }
    parallelFor(b.grainCount, [&](std::size_t i) {
        const double volume = massProperties(world.shapes[b.shape[i]], scaleOf(world, i)).volume;
        stress[i] *= volume > 0 ? 1.0 / volume : 0.0;  // open surfaces have none
    });
    return stress;
}

}  // namespace talus
