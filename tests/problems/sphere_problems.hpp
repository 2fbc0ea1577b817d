// Contact problems of spheres made for tests: piles at rest under gravity for one step.
#pragma once

#include <cmath>

#include "base/random.hpp"
#include "problem/contact_problem.hpp"

namespace talus {

struct SpherePile {
    double friction = 0.5;
    double step = 1e-3;         // s
    double radius = 5e-3;       // m
    double density = 2500;      // kg/m^3
    double jitter = 0;          // -, of the radius: shifts of the centres, so that normals differ
    Vec3 gravity{0, 0, -9.81};  // m/s^2
    Vec3 velocity;              // m/s, of all spheres before the step
};

// Spheres of a body-centred lattice of nx x ny x nz cells in a box without lid; every pair nearer than a twentieth of
// a diameter is a contact, as are spheres near a wall. Body 0 is the box.
inline ContactProblem makeLatticePile(const SpherePile& pile, int nx, int ny, int nz) {
    const double r = pile.radius, cell = 4 * r / std::sqrt(3.0), mass = pile.density * 4.1887902047863905 * r * r * r;
    std::vector<Vec3> centre{{}};
    Random random(3, 1);
    for (int z = 0; z < nz; ++z) {
        for (int y = 0; y < ny; ++y) {
            for (int x = 0; x < nx; ++x) {
                for (const double half : {0.0, 0.5}) {
                    const Vec3 site{cell * (x + half), cell * (y + half), cell * (z + half)};
                    centre.push_back(site + Vec3{r, r, r} + (pile.jitter * r) * random.inBox({-1, -1, -1}, {1, 1, 1}));
                }
            }
        }
    }
    SphereContacts contacts;
    contacts.inverseMass.assign(centre.size(), 1 / mass);
    contacts.inverseInertia.assign(centre.size(), 2.5 / (mass * r * r));
    contacts.inverseMass[0] = contacts.inverseInertia[0] = 0;

    ContactProblem p;
    const double margin = 0.1 * r;
    const auto add = [&](std::uint32_t a, std::uint32_t b, const Vec3& normal, double gap) {
        contacts.contacts.push_back({normal, r, b == 0 ? 0.0 : r, a, b});
        p.sets.push_back(ReactionSet::coulomb(pile.friction));
        const Vec3 free = pile.velocity + pile.step * pile.gravity;  // both spheres of a pair have it
        const Vec3 relative = b == 0 ? contactFrame(normal).toLocal(free) : Vec3{};
        p.offset.push_back(relative + Vec3{std::max(0.0, gap) / pile.step, 0, 0});
    };
    const Vec3 high{cell * (nx - 0.5) + 2 * r, cell * (ny - 0.5) + 2 * r, 1e30};
    for (std::uint32_t i = 1; i < centre.size(); ++i) {
        for (std::uint32_t j = i + 1; j < centre.size(); ++j) {
            const Vec3 d = centre[i] - centre[j];
            const double distance = norm(d);
            if (distance < 2 * r + margin) add(i, j, d / distance, distance - 2 * r);
        }
        for (int axis = 0; axis < 3; ++axis) {
            Vec3 n;
            n[axis] = 1;
            if (centre[i][axis] - r < margin) add(i, 0, n, centre[i][axis] - r);
            if (high[axis] - r - centre[i][axis] < margin) add(i, 0, -n, high[axis] - r - centre[i][axis]);
        }
    }
    contacts.finish();
    p.contacts = std::move(contacts);
    return p;
}

}  // namespace talus
