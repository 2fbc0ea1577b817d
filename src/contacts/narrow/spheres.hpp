// Narrow phase of grains and walls: where two bodies touch, and how they move there.
//
// A contact's lever arms run from each centre to the contact point, half way into the overlap. Relative motion is
// taken at two times: the velocity at the end of the step (dashpots), and the displacement during the step from the
// mid-step velocities, with the normal of mid step. Position, normal and velocity then belong to the same instant;
// mixing mid-step velocities with end-of-step normals lets small grains stick to large ones (Vyas, Ottino, Lueptow,
// Umbanhowar, Comput. Phys. Commun. 310, 2025).
#pragma once

#include <cstdint>

#include "geometry/shape.hpp"
#include "laws/contact_law.hpp"
#include "model/world.hpp"

namespace talus {

// Raw pointers into Bodies for inner loops.
struct BodyView {
    const Vec3* position;
    const Quat* orientation;
    const Vec3* velocity;
    const Vec3* spin;
    const Vec3* midVelocity;
    const Vec3* midSpin;
    const double* radius;
    const double* inverseMass;
    const Vec3* inverseInertia;
    const double* dashpotShare;
    const std::uint16_t* material;
};

inline BodyView view(const Bodies& b) {
    return {b.position.data(),       b.orientation.data(),  b.velocity.data(), b.spin.data(),
            b.midVelocity.data(),    b.midSpin.data(),      b.radius.data(),   b.inverseMass.data(),
            b.inverseInertia.data(), b.dashpotShare.data(), b.material.data()};
}

// What the step bears of the dashpots at a contact of two bodies.
inline double dashpotShare(const BodyView& b, std::uint32_t i, std::uint32_t j) {
    return smaller(b.dashpotShare[i], b.dashpotShare[j]);
}

struct GrainMotion {
    Vec3 position, velocity, spin, midVelocity, midSpin;
    double radius, inverseMass, inverseInertia;
};

inline GrainMotion motionOf(const BodyView& b, std::uint32_t i) {
    return {b.position[i], b.velocity[i], b.spin[i],        b.midVelocity[i],
            b.midSpin[i],  b.radius[i],   b.inverseMass[i], b.inverseInertia[i].x};
}

// What matters of the motions of two grains, or of eight times two (Real = Pack).
template <class Real>
struct PairMotionOf {
    Vector3<Real> velocity, midVelocity;  // m/s, of the owner relative to the partner
    Real inverseMass, inverseInertia;     // 1/kg, 1/(kg m^2), sums
    Vector3<Real> ownerSpin, ownerMidSpin;
    Real ownerRadius;
    Vector3<Real> partnerSpin, partnerMidSpin;
    Real partnerRadius;
};

inline PairMotionOf<double> pairMotion(const GrainMotion& owner, const GrainMotion& partner) {
    return {owner.velocity - partner.velocity,
            owner.midVelocity - partner.midVelocity,
            owner.inverseMass + partner.inverseMass,
            owner.inverseInertia + partner.inverseInertia,
            owner.spin,
            owner.midSpin,
            owner.radius,
            partner.spin,
            partner.midSpin,
            partner.radius};
}

template <class Real>
struct LeverArmsOf {
    Real owner = 0, partner = 0;  // m, from the centres to the contact point, along the normal
};
using LeverArms = LeverArmsOf<double>;

// Slip and turn during the step, taken with the normal of mid step. The mid-step separation s_h = s - h differs from s
// by a small part of a radius, so the inverses of its length follow from those of s by a short series.
template <class Real>
inline void displacementDuringStep(const PairMotionOf<Real>& pair, const Vector3<Real>& separation,
                                   const Real& inverseDistance, const LeverArmsOf<Real>& arms, double dt,
                                   PairGeometryOf<Real>& g) {
    const Vector3<Real> h = (0.5 * dt) * pair.midVelocity;
    const Vector3<Real> middle = separation - h;
    const Real e = (2.0 * dot(separation, h) - normSquared(h)) * (inverseDistance * inverseDistance);
    const Real inverseLength = inverseDistance * (1.0 + e * (0.5 + 0.375 * e));
    const Vector3<Real> normal = inverseLength * middle;
    const Vector3<Real> spins = arms.owner * pair.ownerMidSpin + arms.partner * pair.partnerMidSpin;
    g.midNormal = normal;
    g.slip = dt * (pair.midVelocity - dot(pair.midVelocity, normal) * normal - cross(spins, normal));
    g.twist = (0.5 * dt) * dot(pair.ownerMidSpin + pair.partnerMidSpin, g.normal);
}

// Two overlapping (or JKR-bound) spheres; separation from partner to owner, of length > 0.
template <class Kinds, class Real>
inline PairGeometryOf<Real> grainGeometry(const Kinds& kinds, const PairMotionOf<Real>& pair,
                                          const Vector3<Real>& separation, double dt, LeverArmsOf<Real>& arms) {
    using std::sqrt;
    const Real distance = sqrt(normSquared(separation));
    const Real radii = pair.ownerRadius + pair.partnerRadius;
    // One division for three inverses.
    const Real inverseOfAll = 1.0 / (distance * radii * pair.inverseMass);
    const Real inverseDistance = radii * pair.inverseMass * inverseOfAll, inverseOfBoth = distance * inverseOfAll;
    PairGeometryOf<Real> g;
    g.overlap = radii - distance;
    g.normal = inverseDistance * separation;
    g.radius = pair.ownerRadius * pair.partnerRadius * pair.inverseMass * inverseOfBoth;
    g.mass = radii * inverseOfBoth;
    arms = {pair.ownerRadius - 0.5 * g.overlap, pair.partnerRadius - 0.5 * g.overlap};

    const Vector3<Real> spins = arms.owner * pair.ownerSpin + arms.partner * pair.partnerSpin;
    g.velocity = pair.velocity - cross(spins, g.normal);
    g.midNormal = g.normal;
    if (kinds.tangential == TangentialLaw::mindlin) {
        displacementDuringStep(pair, separation, inverseDistance, arms, dt, g);
    }
    if (kinds.rolling != RollingLaw::none) {
        const Vector3<Real> relative = pair.ownerSpin - pair.partnerSpin;
        g.rollingRate = relative - dot(relative, g.normal) * g.normal;
        g.inverseInertia = pair.inverseInertia;
    }
    return g;
}

inline PairGeometry grainGeometry(const LawKinds& kinds, const GrainMotion& owner, const GrainMotion& partner,
                                  const Vec3& separation, double dt, LeverArms& arms) {
    return grainGeometry(kinds, pairMotion(owner, partner), separation, dt, arms);
}

// A sphere at one face of a wall. The wall's velocity is that of its material at the contact point.
struct WallApproach {
    Vec3 normal;           // unit, world frame, from the wall to the grain
    double distance = 0;   // m, of the grain's centre from the face
    double curvature = 0;  // 1/m, of the wall
};

inline WallApproach wallApproach(const BodyView& b, const WallNow& form, std::uint32_t wall, int face,
                                 const Vec3& point) {
    const Quat& q = b.orientation[wall];
    const FaceDistance local = distanceToFace(form, face, rotateBack(q, point - b.position[wall]));
    return {rotate(q, local.normal), local.distance, local.curvature};
}

PairGeometry wallGeometry(const LawKinds& kinds, const BodyView& b, std::uint32_t grain, std::uint32_t wall,
                          const WallApproach& approach, double dt, LeverArms& arms);

// Effective radius of a sphere on a wall of given curvature (negative: hollow).
inline double wallContactRadius(double radius, double curvature) { return radius / (1.0 + radius * curvature); }

}  // namespace talus
