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

#include <limits>

#include "talus/vec3.hpp"

namespace talus {

// What is above the apex of a set, caps and balls apart.
enum class ConeKind {
    cone,
    halfLine,  // without friction
    point,     // nothing: the apex alone, to which a ball is added
    free,      // all of space: a bilateral reaction
};

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

    // The one classification of sets: a kind of cone, with a cap or not, with a ball or not.
    ConeKind kind() const {
        if (bilateral) return ConeKind::free;
        if (cap <= -cohesion) return ConeKind::point;
        return friction == 0 ? ConeKind::halfLine : ConeKind::cone;
    }
    bool isCapped() const { return !bilateral && cap < std::numeric_limits<double>::infinity() && cap > -cohesion; }
    bool isRounded() const { return !bilateral && ball > 0; }

    // What follows from it.

    // A half-line, a cone, a shifted one, or free: without cap and ball.
    bool isConical() const { return bilateral || (ball == 0 && isUnbounded()); }

    // A cone with its apex at zero, half-line included: scaling a reaction keeps it admissible.
    bool isPlainCone() const { return !bilateral && cohesion == 0 && ball == 0 && isUnbounded(); }

    // A half-line, shifted or not: frictionless contact.
    bool isHalfLine() const { return !actsAcross() && isUnbounded(); }

    // Whether it bears reactions of any size.
    bool isUnbounded() const { return bilateral || cap == std::numeric_limits<double>::infinity(); }

    // Whether it bears a push without end or up to a cap; a ball alone does not stand for a gap.
    bool hasGap() const { return !bilateral && cap > 0; }

    // Whether it bears anything across the normal.
    bool actsAcross() const { return friction > 0 || ball > 0 || bilateral; }

    bool operator==(const ReactionSet&) const = default;
};

// The nearest member of the set.
Vec3 project(const ReactionSet& set, const Vec3& reaction);

}  // namespace talus
