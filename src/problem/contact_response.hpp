// What a compliant contact answers to a velocity, and how stiff it is there:
//
//     g(w) with u = C g + w and -u (shifted, for Coulomb's law) in N_Y(g),       S = -dg/dw,
//
// for a symmetric positive definite C. S is symmetric and >= 0 for the associated law; for Coulomb's law it is not
// where the contact slides. Where g has a kink, S is that of one side.
//
// On the mantle, with unit slip direction t, slip l and H = C + l (1 - t t^T)/|g_t| on the tangents, g moves along
// c = (-mu, t) at most:     S = H^-1 - H^-1 e c^T H^-1 / (c.H^-1 e),   e = c (associated) or (0, t) (Coulomb).
#pragma once

#include "problem/contact_problem.hpp"

namespace talus {

struct ContactResponse {
    Vec3 reaction;   // N s
    Mat3 stiffness;  // kg
};

// Half-lines, cones, shifted cones and free reactions.
bool hasResponse(const ReactionSet& set);
ContactResponse respond(const ReactionSet& set, FrictionLaw law, const Mat3& compliance, const Vec3& velocity);

}  // namespace talus
