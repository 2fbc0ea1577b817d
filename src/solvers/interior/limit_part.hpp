// Cap and ball of a contact on the path of the interior-point method, beside its cone (interior_point.hpp).
//
// g = g1 + g2 with g1 in the cone and below the cap, and |g2| <= d. With reactions and velocities in units of the
// contact's mass, as x and z of the cone are, and y for g2:
//
//     cap     slack r = top - x_n, push l, r l = m                                      u = f(z) - l n
//     ball    (d, y) and (s, v) in the cone of four dimensions, (d, y) o (s, v) = m e   u = v; d is fixed, s is free
//
// Both parts see the same velocity, so that their stiffnesses add up, S = S1 + S2, and with their right sides r1, r2
//
//     dg = S1 (r1 - du) + S2 (r2 - du),      dg1 = S1 S^-1 (dg + S2 (r1 - r2))
//
// Near a solution each stiffness is large in some directions and small in others. They are held along a basis in which
// these stand apart: the axes of the cone's scaling, or the normal and the tangents where the cap holds.
#pragma once

#include "solvers/interior/tall_cone.hpp"

namespace talus {

struct LimitPart {
    bool isCapped = false, isRound = false;

    // Cap: r and l; along the direction; where that is driven to, and its part of second order.
    double slack = 1, push = 1;
    double slackChange = 0, pushChange = 0;
    double capDrive = 0, capTerm = 0;

    // The same of the ball: (d, y) and (s, v).
    cone::Tall x, z, dx, dz, ballTerm;
    cone::Tall ballPush, ballDrive;  // of N dz + N^-1 dx and dz + N^-2 dx
    cone::TallScaling scaling;

    // In standard variables along the columns of `basis`: S1, S2, and their sum as half half^T.
    Mat3 basis = identity3(), ofCone, ofBall, half, unhalf;  // unhalf = half^-1
    Vec3 coneRight, ballRight;                               // r1, r2
    double shiftSlope = 1;                                   // -, by which f grows along n
    cone::Spectral ofScaling{1, 1, 1, 1, 0};                 // N of the cone
    Vec3 conePush;                                           // where N dz + N^-1 dx of the cone is driven to

    // In the middle, with this product of each pair; the slack is known.
    void start(double bound, double product);

    // How many pairs there are, and the sum of their products at a step along the direction.
    std::size_t pairs() const { return (isCapped ? 1u : 0u) + (isRound ? 1u : 0u); }
    double products(double step) const;
    double pushAt(double step) const { return isCapped ? push + step * pushChange : 0.0; }
    Vec3 velocityAt(double step) const { return z.rest + step * dz.rest; }

    // Stiffness at the present point: of the cone or half-line with its cap, of the ball, and of both, with a largest
    // compliance where nothing is stiff. Standard variables have the normal stretched by the friction coefficient.
    void measureCone();
    void measureHalfLine();
    void measureBall(double friction);
    void addUp(double largestCompliance);

    // S^-1, and (S^-1 + E)^-1 as left times right.
    Mat3 compliance() const { return transpose(unhalf) * unhalf; }
    struct Product {
        Mat3 left, right;
    };
    Product stiffnessWith(const Mat3& compliance) const;

    // Towards products of `target`, with what the last direction had of second order or without.
    void noteSecondOrder();
    void forgetSecondOrder() { capTerm = 0, ballTerm = {}; }
    void drive(double target);

    // The right side of both parts, and the cone's share of a change of the reaction.
    Vec3 right() const;
    Vec3 shareOfCone(const Vec3& change) const;

    // Along the direction: dz of the cone or half-line and the push of its cap, with dx and f'^-1 (du + error of u);
    // and of the ball with its share y, where v has an error `gap` and u changes so.
    Vec3 moveCone(const Vec3& change, const Vec3& seen);
    double moveHalfLine(double change, double seen);
    void moveBall(const Vec3& change, const Vec3& gap, const Vec3& velocityChange);

    void advance(double step);
    double toBorder() const;
    // The least of the products at a step; 0 outside.
    double leastProduct(double step) const;

private:
    void moveCap(double normalChange);
    double capResistance() const { return isCapped ? push / (slack * shiftSlope) : 0.0; }
};

}  // namespace talus
