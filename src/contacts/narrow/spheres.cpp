#include "contacts/narrow/spheres.hpp"

namespace talus {

PairGeometry wallGeometry(const LawKinds& kinds, const BodyView& b, std::uint32_t grain, std::uint32_t wall,
                          const WallApproach& approach, double dt, LeverArms& arms) {
    const double radius = b.radius[grain];
    PairGeometry g;
    g.overlap = radius - approach.distance;
    g.normal = g.midNormal = approach.normal;
    g.radius = wallContactRadius(radius, approach.curvature);
    g.mass = 1.0 / (b.inverseMass[grain] + b.inverseMass[wall]);
    arms = {radius - 0.5 * g.overlap, 0.0};

    // The wall's material at the contact point moves with its own velocity; the wall's spin is in that velocity.
    const Vec3 point = b.position[grain] - arms.owner * g.normal;
    const Vec3 lever = point - b.position[wall];
    const auto surfaceMotion = [&](const Vec3& grainVelocity, const Vec3& grainSpin, const Vec3& wallVelocity,
                                   const Vec3& wallSpin) {
        return grainVelocity - arms.owner * cross(grainSpin, g.normal) - wallVelocity - cross(wallSpin, lever);
    };
    g.velocity = surfaceMotion(b.velocity[grain], b.spin[grain], b.velocity[wall], b.spin[wall]);
    const Vec3 mid = surfaceMotion(b.midVelocity[grain], b.midSpin[grain], b.midVelocity[wall], b.midSpin[wall]);
    g.slip = dt * (mid - dot(mid, g.normal) * g.normal);
    g.twist = 0.5 * dt * dot(b.midSpin[grain] + b.midSpin[wall], g.normal);
    if (kinds.rolling != RollingLaw::none) {
        const Vec3 relative = b.spin[grain] - b.spin[wall];
        g.rollingRate = relative - dot(relative, g.normal) * g.normal;
        g.inverseInertia = b.inverseInertia[grain].x + b.inverseInertia[wall].x;
    }
    // A wall that turns gives way more easily.
    const double turning = b.inverseInertia[wall].x;
    if (turning > 0) {
        const double linear = 1 / g.mass;
        g.normalInertia = linear / (linear + turning * normSquared(cross(lever, g.normal)));
        g.tangentialInertia = linear / (linear + 2.5 * b.inverseMass[grain] + turning * normSquared(lever));
    }
    return g;
}

}  // namespace talus
