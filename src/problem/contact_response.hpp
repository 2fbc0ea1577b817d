// What a compliant contact answers to a velocity, and how stiff it is there:
//
//     g(w) with u = C g + w and -u (shifted, for Coulomb's law) in N_Y(g),       S = -dg/dw,
//
// for a symmetric positive definite C. S is symmetric and >= 0 for the associated law; for Coulomb's law it is not
// where the contact slides. Where g has a kink, S is that of one side.
//
// On the mantle, with unit slip direction t, slip l and H = C + l (1 - t t^T)/|g_t| on the tangents, g moves along
// c = (-mu, t) at most:     S = H^-1 - H^-1 e c^T H^-1 / (c.H^-1 e),   e = c (associated) or (0, t) (Coulomb).
//
// Caps and balls have more faces, edges and corners. All of them are in the derivative J of the projection on Y, since
// g = P(g - s u) for any s > 0:     (1 - J + s J T C) S = s J T,   T = 1 (associated) or 1 + mu n t^T (Coulomb).
#pragma once

#include "problem/contact_problem.hpp"

namespace talus {

struct ContactResponse {
    Vec3 reaction;   // N s
    Mat3 stiffness;  // kg
};

ContactResponse respond(const ReactionSet& set, FrictionLaw law, const Mat3& compliance, const Vec3& velocity);

}  // namespace talus
