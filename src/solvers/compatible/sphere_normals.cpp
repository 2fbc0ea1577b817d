#include "solvers/compatible/sphere_normals.hpp"

#include <cmath>

#include "base/parallel.hpp"

namespace talus {

void SphereNormals::load(const BodyContacts& op) {
    incidence_ = op.incidence();
    bodies_ = op.bodyCount();
    rows_.resize(op.contactCount());
    parallelFor(rows_.size(), [&](std::size_t i) {
        const ContactRow& c = op.contacts[i];
        const Vec3 n = hadamard(op.linearFreedom, c.normal);
        rows_[i] = {std::sqrt(op.inverseMass[c.a]) * n, -std::sqrt(op.inverseMass[c.b]) * n, c.a, c.b};
    });
}

void SphereNormals::gather(const std::vector<double>& impulses, std::vector<double>& bodies) const {
    bodies.resize(bodyNumbers());
    parallelFor(bodies_, [&](std::size_t i) {
        Vec3 sum;
        for (const Incidence::Entry& e : incidence_.of(i)) sum += impulses[e.contact()] * rowOf(e);
        bodies[3 * i] = sum.x, bodies[3 * i + 1] = sum.y, bodies[3 * i + 2] = sum.z;
    });
}

}  // namespace talus
