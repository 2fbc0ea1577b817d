#include "problem/sphere_contacts.hpp"

#include "base/parallel.hpp"

namespace talus {

// Each body sums over its own contacts in their order: the same bits for any number of threads.
void SphereContacts::start(const std::vector<Vec3>& reactions, State& state) const {
    state.resize(bodyCount());
    parallelFor(bodyCount(), [&](std::size_t i) {
        Vec3 impulse{}, turning{};
        for (const Incidence::Entry& e : incidence_.of(i)) {
            const SphereContact& c = contacts[e.contact()];
            const Vec3 world = contactFrame(c.normal).toWorld(reactions[e.contact()]);
            impulse += e.sign() * world;
            turning += (e.side() == 0 ? c.leverA : c.leverB) * cross(world, c.normal);
        }
        Body& body = state[i];
        body.inverseMass = inverseMass[i];
        body.inverseInertia = inverseInertia[i];
        body.velocity = body.inverseMass * hadamard(linearFreedom, impulse);
        body.spin = body.inverseInertia * hadamard(angularFreedom, turning);
    });
}

Mat3 SphereContacts::diagonal(std::size_t contact) const {
    const SphereContact& c = contacts[contact];
    const double normal = inverseMass[c.a] + inverseMass[c.b];
    const double tangent =
        normal + c.leverA * c.leverA * inverseInertia[c.a] + c.leverB * c.leverB * inverseInertia[c.b];
    return {{normal, 0, 0, 0, tangent, 0, 0, 0, tangent}};
}

}  // namespace talus
