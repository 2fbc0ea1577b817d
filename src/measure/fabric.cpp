#include "measure/fabric.hpp"

#include "base/parallel.hpp"
#include "measure/tensor.hpp"

namespace talus {
namespace {

struct NormalSum {
    Mat3 tensor;
    std::uint64_t contacts = 0;
    NormalSum& operator+=(const NormalSum& b) { return tensor += b.tensor, contacts += b.contacts, *this; }
};

template <class Inside>
Fabric average(const WorldState& world, const std::vector<ContactSample>& samples, Inside&& isInside) {
    const NormalSum sum = parallelSum(samples.size(), NormalSum{}, [&](std::size_t k) -> NormalSum {
        const ContactSample& s = samples[k];
        if (!isInside(s.point)) return {};
        return {outer(s.normal, s.normal), 1};
    });
    Fabric fabric{.tensor = sum.tensor, .contacts = sum.contacts};
    if (sum.contacts == 0) return fabric;
    fabric.tensor *= 1.0 / static_cast<double>(sum.contacts);
    const std::optional<int> planar = planarAxis(world);
    fabric.deviator = deviatorOf(fabric.tensor, planar);
    fabric.anisotropy = (planar ? 4.0 : 7.5) * fabric.deviator;
    return fabric;
}

}  // namespace

Fabric measureFabric(const WorldState& world, const std::vector<ContactSample>& samples) {
    return average(world, samples, [](const Vec3&) { return true; });
}

Fabric measureFabric(const WorldState& world, const std::vector<ContactSample>& samples, const MeasureBox& region) {
    const MeasureBox inside = inPlane(region, planarAxis(world));
    return average(world, samples, [&](const Vec3& p) { return containsImage(inside, world.domain, p); });
}

}  // namespace talus
