// The impulses a contact can bear: the reaction set Y of the contact program.
//
// Every law of Talus is a member of one family,
//
//   Y = { g : |g_t| <= mu (g_n + c),  g_n <= N }  (+)  { b : |b| <= d },
//
// a friction cone, shifted along the normal by the cohesion c, cut off at N, and rounded by a ball of radius d
// (Minkowski sum). Special cases have names below. A bilateral reaction is free: Y is all of space.
// Vectors are (normal, first tangent, second tangent); c, N and d are impulses.
//
// Tasora, Anitescu, Negrini and Negrut, Int. J. Non-Linear Mech. 53 (2013), section 8, has the shapes.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/vec3.hpp"

namespace talus {

struct ReactionSet {
    double friction = 0;                                   // -, mu >= 0; 0: frictionless, a half-line
    double cohesion = 0;                                   // N s, c >= 0
    double cap = std::numeric_limits<double>::infinity();  // N s, N > -c; N = -c: with a ball
    double ball = 0;                                       // N s, d >= 0
    bool bilateral = false;                                // any reaction

    static ReactionSet frictionless() { return {}; }
    static ReactionSet free() { return {.bilateral = true}; }
    static ReactionSet coulomb(double friction) { return {.friction = friction}; }
    static ReactionSet shiftedCone(double friction, double cohesion) {
        return {.friction = friction, .cohesion = cohesion};
    }
    static ReactionSet conePlusBall(double friction, double ball) { return {.friction = friction, .ball = ball}; }
    static ReactionSet cappedConePlusBall(double friction, double cap, double ball) {
        return {.friction = friction, .cap = cap, .ball = ball};
    }

    // A ball alone, as resistance to turning has it: of the cone the apex is left.
    static ReactionSet ballOf(double radius) { return {.cap = 0, .ball = radius}; }

    // Whether it bears a push without end or up to a cap; a ball alone does not stand for a gap.
    bool hasGap() const { return !bilateral && cap > 0; }

    // Whether it bears anything across the normal.
    bool actsAcross() const { return friction > 0 || ball > 0 || bilateral; }

    // A half-line, a cone, a shifted one, or free: without cap and ball.
    bool isConical() const { return bilateral || (ball == 0 && cap == std::numeric_limits<double>::infinity()); }

    // A cone with its apex at zero, half-line included: scaling a reaction keeps it admissible.
    bool isPlainCone() const {
        return !bilateral && cohesion == 0 && ball == 0 && cap == std::numeric_limits<double>::infinity();
    }
    bool operator==(const ReactionSet&) const = default;
};

// The same set for reactions measured in another unit: { g / unit : g in Y }.
ReactionSet inUnitsOf(const ReactionSet& set, double unit);

// Nearest reaction of a plain cone. Without branches: in a loop over contacts nobody could foresee them.
inline Vec3 projectOnPlainCone(double friction, const Vec3& g) {
    const double tangent = std::sqrt(g.y * g.y + g.z * g.z);
    const double onMantle = std::max(0.0, g.x + friction * tangent) / (1 + friction * friction);
    const double stretch = friction * onMantle / std::max(tangent, std::numeric_limits<double>::min());
    const bool inside = (g.x >= 0) & (tangent <= friction * g.x);
    const double keep = inside ? 1.0 : stretch;
    return {inside ? g.x : onMantle, keep * g.y, keep * g.z};
}

// Nearest admissible reaction.
Vec3 project(const ReactionSet& set, const Vec3& reaction);

// Derivative of project() at a point; where it has a kink, that of one side.
Mat3 projectionDerivative(const ReactionSet& set, const Vec3& reaction);

// Distance from the set; 0 inside.
double violation(const ReactionSet& set, const Vec3& reaction);

// Largest g.u over the set; infinite where the set is unbounded in that direction.
double support(const ReactionSet& set, const Vec3& velocity);

// The member of Y with least 1/2 g.W g + q.g, for a symmetric positive definite W: the projection of -W^-1 q in the
// metric of W, and the exact solution of a contact whose neighbours are held.
Vec3 minimise(const ReactionSet& set, const Mat3& metric, const Vec3& linear);

// Projection of a reaction in the metric of W.
inline Vec3 projectInMetric(const ReactionSet& set, const Mat3& metric, const Vec3& reaction) {
    return minimise(set, metric, -(metric * reaction));
}

// Projection in the metric diag(normal, tangent, tangent) for a set without ball: closed form.
Vec3 projectInDiagonalMetric(const ReactionSet& set, double normal, double tangent, const Vec3& reaction);

}  // namespace talus
