// Where two bodies meet, as contact dynamics sees it. Shared by the parts that build problems and that use their
// answers.
#pragma once

#include "collision/narrow/spheres.hpp"
#include "problem/sphere_contacts.hpp"
#include "state/world.hpp"

namespace talus {

// One candidate, touching or not.
struct FoundContact {
    SphereContact contact;
    double gap;  // m, negative: overlap
    const PairLaw* law;
    double radius;          // m, effective
    const YieldLaw* yield;  // none unless contacts yield
};

inline FoundContact lookAtPair(const World& world, const BodyView& b, const Vec3& period, std::uint32_t i,
                               std::uint32_t j) {
    const Vec3 separation = nearestImage(b.position[i] - b.position[j], period);
    const double distance = norm(separation), gap = distance - b.radius[i] - b.radius[j];
    return {{separation / distance, b.radius[i] + 0.5 * gap, b.radius[j] + 0.5 * gap, i, j},
            gap,
            &world.materials.between(b.material[i], b.material[j]),
            b.radius[i] * b.radius[j] / (b.radius[i] + b.radius[j]),
            world.materials.yieldBetween(b.material[i], b.material[j])};
}

inline FoundContact lookAtWall(const World& world, const BodyView& b, const WallCandidate& c) {
    const auto wall = static_cast<std::uint32_t>(world.bodies.grainCount + c.wall);
    const Shape& shape = world.shapes[world.bodies.shape[wall]];
    const WallApproach a = wallApproach(b, shape, wall, c.face, b.position[c.grain]);
    const double gap = a.distance - b.radius[c.grain], lever = b.radius[c.grain] + 0.5 * gap;
    return {{a.normal, lever, 0.0, c.grain, wall},
            gap,
            &world.materials.between(b.material[c.grain], b.material[wall]),
            wallContactRadius(b.radius[c.grain], a.curvature),
            world.materials.yieldBetween(b.material[c.grain], b.material[wall])};
}

inline bool isPrescribed(const Bodies& b, std::uint32_t i) { return b.inverseMass[i] == 0; }

// From the wall's position to the contact.
inline Vec3 wallArm(const Bodies& b, const SphereContact& c) {
    return b.position[c.a] - c.leverA * c.normal - b.position[c.b];
}

// At the contact point; prescribed bodies move as they do on average during the step.
inline Vec3 relativeVelocity(const Bodies& b, const SphereContact& c) {
    const auto velocityOf = [&](std::uint32_t k) { return isPrescribed(b, k) ? b.midVelocity[k] : b.velocity[k]; };
    const auto spinOf = [&](std::uint32_t k) { return isPrescribed(b, k) ? b.midSpin[k] : b.spin[k]; };
    const Vec3 ofA = velocityOf(c.a) - c.leverA * cross(spinOf(c.a), c.normal);
    if (c.b < b.grainCount) return ofA - velocityOf(c.b) - c.leverB * cross(spinOf(c.b), c.normal);
    return ofA - velocityOf(c.b) - cross(spinOf(c.b), wallArm(b, c));
}

// What gravity and applied forces add to the relative velocity in this time.
inline Vec3 outerChange(const World& world, double time, const SphereContact& c) {
    const auto of = [&](std::uint32_t k) {
        return isPrescribed(world.bodies, k) ? Vec3{} : outerAcceleration(world, k);
    };
    return time * (of(c.a) - of(c.b));
}

}  // namespace talus
