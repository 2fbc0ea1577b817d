// A contact in the variables of interior point paths: scaled by the root of the mass m that it moves, and stretched so
// that every friction cone has 45 degrees,
//
//     x = (mu (r_n + cohesion), r_t) / sqrt(m),   z = sqrt(m) (u_n / mu, u_t),
//
// and its part of their linear systems (W + E + R) dg = r with R = U f' N^-2 U, U from standard variables.
#pragma once

#include <cmath>

#include "base/matrix3.hpp"
#include "solvers/interior/second_order_cone.hpp"
#include "solvers/linear/contact_system.hpp"
#include "talus/reaction_set.hpp"

namespace talus {

struct StandardContact {
    static constexpr double softness = 1e-9;  // -, of W_ii, least compliance in the factors; refinement removes it
    static constexpr double lockedCompliance = 1e12;  // -, of W_ii, for directions in which no reaction acts

    ConeKind kind = ConeKind::cone;
    double root = 1;      // sqrt(kg), of m
    double friction = 1;  // -, 1 where there is no cone
    double cohesion = 0;  // N s

    StandardContact() = default;
    // m is that of the diagonal block of the problem's matrix.
    StandardContact(const ReactionSet& set, const Mat3& diagonal)
        : kind(set.kind()), root(std::sqrt(3 / trace(diagonal))) {
        if (kind != ConeKind::free) cohesion = set.cohesion;
        if (kind == ConeKind::cone) friction = set.friction;
    }

    // May be on the border of a cone or a half-line, or within.
    bool isConical() const { return kind == ConeKind::cone || kind == ConeKind::halfLine; }

    // U and its inverse.
    Mat3 stretch() const { return (1 / root) * diagonal3({friction, 1, 1}); }
    Mat3 unstretch() const { return root * diagonal3({1 / friction, 1, 1}); }

    Vec3 reaction(const Vec3& x) const { return {root * x.x / friction - cohesion, root * x.y, root * x.z}; }
    Vec3 standardVelocity(const Vec3& u) const {
        const double tangential = kind == ConeKind::halfLine ? 0.0 : root;
        return {root * u.x / friction, tangential * u.y, tangential * u.z};
    }
    Vec3 physicalVelocity(const Vec3& u) const { return {u.x * friction / root, u.y / root, u.z / root}; }
};

// E + R of a contact; the same for the factors, where nothing is stiffer than softness allows; and the inverse of that.
struct LinearContact {
    Mat3 compliance, softened;
    ContactStiffness stiffness;
};

// f' at the present point, and its inverse.
struct ShiftSlope {
    Mat3 slope = identity3(), unslope = identity3();
};

// A contact without cap and ball, with a compliance of its own (none: rigid); N is the scaling of a cone or half-line.
LinearContact linearise(const StandardContact& contact, const cone::Spectral& n, const ShiftSlope& shift,
                        const Mat3* own);
// The same for a free reaction, and for one that cannot act.
LinearContact lineariseFree(const StandardContact& contact, const Mat3* own);
LinearContact lineariseLocked(const StandardContact& contact);

}  // namespace talus
