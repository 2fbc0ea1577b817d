// How two bodies of any shape move at a contact point: what the penalty laws want to know.
#pragma once

#include "contacts/narrow/spheres.hpp"

namespace talus {

// From the positions of the two bodies (the nearest image of the second) to the point, m.
struct PointArms {
    Vec3 a, b;
};

// With the period of the domain, m; walls have no images.
inline PointArms pointArms(const Bodies& b, const ShapePair& pair, const ContactPoint& point, const Vec3& period) {
    const Vec3 arm = point.position - b.position[pair.a], apart = b.position[pair.a] - b.position[pair.b];
    return {arm, arm + (pair.b < b.grainCount ? nearestImage(apart, period) : apart)};
}

// 1/(kg m^2), for turning about any axis: the mean of the principal ones.
inline double meanInverseInertia(const BodyView& b, std::uint32_t i) {
    const Vec3& inverse = b.inverseInertia[i];
    return (inverse.x + inverse.y + inverse.z) / 3;
}

// 1/(kg m^2), about the axis that turns easiest.
inline double largestInverseInertia(const BodyView& b, std::uint32_t i) {
    const Vec3& inverse = b.inverseInertia[i];
    return std::max({inverse.x, inverse.y, inverse.z});
}

// The normal at mid step is that of its end: memory was turned with the contact when the point was found.
template <class Kinds>
inline PairGeometry pointGeometry(const Kinds& kinds, const BodyView& b, const ShapePair& pair,
                                  const ContactPoint& point, const PointArms& arms, double dt) {
    PairGeometry g;
    g.overlap = -point.gap;
    g.normal = g.midNormal = point.normal;
    g.radius = point.radius;
    const double linear = b.inverseMass[pair.a] + b.inverseMass[pair.b];
    g.mass = 1 / linear;
    const double turningA = largestInverseInertia(b, pair.a), turningB = largestInverseInertia(b, pair.b);
    g.normalInertia = linear / (linear + turningA * normSquared(cross(arms.a, g.normal)) +
                                turningB * normSquared(cross(arms.b, g.normal)));
    g.tangentialInertia = linear / (linear + turningA * normSquared(arms.a) + turningB * normSquared(arms.b));
    const auto relative = [&](const Vec3* velocity, const Vec3* spin) {
        return velocity[pair.a] + cross(spin[pair.a], arms.a) - velocity[pair.b] - cross(spin[pair.b], arms.b);
    };
    g.velocity = relative(b.velocity, b.spin);
    const Vec3 mid = relative(b.midVelocity, b.midSpin);
    g.slip = dt * (mid - dot(mid, g.normal) * g.normal);
    g.twist = 0.5 * dt * dot(b.midSpin[pair.a] + b.midSpin[pair.b], g.normal);
    if (kinds.rolling != RollingLaw::none) {
        const Vec3 turning = b.spin[pair.a] - b.spin[pair.b];
        g.rollingRate = turning - dot(turning, g.normal) * g.normal;
        g.inverseInertia = meanInverseInertia(b, pair.a) + meanInverseInertia(b, pair.b);
    }
    return g;
}

}  // namespace talus
