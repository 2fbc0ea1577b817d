#include "problem/contact_response.hpp"

#include <cmath>

namespace talus {
namespace {

// S where the contact slides with reaction g and velocity u.
Mat3 slidingStiffness(const ReactionSet& set, FrictionLaw law, const Mat3& compliance, const Vec3& g, const Vec3& u) {
    const double tangent = std::hypot(g.y, g.z);
    const Vec3 t{0, g.y / tangent, g.z / tangent};
    // Friction opposes the slip, u_t = -l t.
    const double slip = std::max(0.0, -dot(u, t)), curvature = slip / tangent;
    Mat3 h = compliance;
    h(1, 1) += curvature * (1 - t.y * t.y);
    h(2, 2) += curvature * (1 - t.z * t.z);
    h(1, 2) -= curvature * t.y * t.z;
    h(2, 1) -= curvature * t.y * t.z;
    const Mat3 inverted = inverse(h);
    const Vec3 c{-set.friction, t.y, t.z}, e = law == FrictionLaw::coulomb ? t : c;
    const Vec3 he = inverted * e, hc = transpose(inverted) * c;
    return inverted - (1 / dot(c, he)) * outer(he, hc);
}

constexpr double onMantle = 1e-12;  // -, of the cone's radius

// What the law sees of a change of the velocity u.
Mat3 slopeOfShift(const ReactionSet& set, FrictionLaw law, const Vec3& u) {
    const double slip = std::hypot(u.y, u.z);
    if (law != FrictionLaw::coulomb || slip == 0) return identity3();
    return identity3() + set.friction * outer({1, 0, 0}, {0, u.y / slip, u.z / slip});
}

ContactResponse respondWithCapOrBall(const ReactionSet& set, FrictionLaw law, const Mat3& c, const Vec3& w) {
    const Vec3 g = solveContact(set, law, c, w);
    const Vec3 u = c * g + w;
    const double shift = law == FrictionLaw::coulomb ? slipShift(set, u) : 0.0, s = 3 / trace(c);
    const Mat3 j = projectionDerivative(set, g - s * (u + Vec3{shift, 0, 0}));
    const Mat3 right = s * (j * slopeOfShift(set, law, u));
    const Mat3 stiffness = inverse(identity3() - j + right * c) * right;
    return {g, law == FrictionLaw::coulomb ? stiffness : 0.5 * (stiffness + transpose(stiffness))};
}

}  // namespace

ContactResponse respond(const ReactionSet& set, FrictionLaw law, const Mat3& compliance, const Vec3& w) {
    if (set.bilateral) {
        const Mat3 stiffness = inverse(compliance);
        return {-(stiffness * w), stiffness};
    }
    if (!set.isConical()) return respondWithCapOrBall(set, law, compliance, w);
    const Vec3 g = solveContact(set, law, compliance, w);
    const double above = g.x + set.cohesion;  // the apex
    if (above <= 0) return {g, Mat3{}};
    if (set.friction == 0) return {g, diagonal3({1 / compliance(0, 0), 0, 0})};
    if (std::hypot(g.y, g.z) < (1 - onMantle) * set.friction * above) return {g, inverse(compliance)};
    return {g, slidingStiffness(set, law, compliance, g, compliance * g + w)};
}

}  // namespace talus
