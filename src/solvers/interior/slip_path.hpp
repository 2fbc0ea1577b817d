// Coulomb's law proper by a path of its own, for cones: the shift of De Saxce is a variable that follows the slip.
//
// In the standard variables of the interior-point method (interior_point.hpp) a solution has
//
//     z = u(x) + s n,    x o z = m e,    s = |u_t|,                  m to 0
//
// For a given s this is the central path of a convex problem, which always leads somewhere. What makes Coulomb's law
// hard is s: with redundant contacts, grains that slide between others that hold them have |u_t| = s + c with a tiny c
// whatever s is, so that an error of 1e-7 remains while s is wrong by a tenth, and Newton's method finds nothing to
// hold on to; and at some m the solution that it follows ends (a fold). So s flows, ds/dt = |u_t| - s, in steps of
// implicit Euler that are part of the linear system: with h the length of a step of time
//
//     (W + E + T^-1 R) dg = r,    T = 1 + h/(1 + h) n t^T,    R of the convex problem, t the direction of the slip.
//
// h large is Newton's method, and is reached where that works; where cones are in the way h shrinks, and beyond a fold
// the flow leads away to where there is a solution again. m is lowered only while s is right beside m: else the error c
// above would be lost sight of while it is large beside the push m/x that cones exert, and found again when the steps
// are tiny. |u_t| is rounded off over a width in proportion to m. Each step is bent, to second order, along the borders
// of the cones (as Mehrotra's corrector does), without which sliding contacts could turn by no more than the root of m.
#pragma once

#include <cmath>

#include "solvers/interior/second_order_cone.hpp"
#include "solvers/interior/standard_contact.hpp"
#include "solvers/linear/contact_system.hpp"

namespace talus {

// How reactions, velocities and shifts change.
struct SlipDirection {
    std::vector<Vec3> x, z;
    std::vector<Vec3> velocity;  // m/s, of the contacts
    std::vector<double> shift;
};

struct SlipPathWorkspace {
    std::vector<Vec3> x, z, reactions, velocities;
    std::vector<double> shift, slipError;           // s; |u_t| - s
    std::vector<Vec3> drive, away, right, dg;       // of one linear system
    std::vector<double> follow;                     // by which s follows without any change of u
    std::vector<Mat3> forth, back, slope, unslope;  // N and its inverse; T^-1 and T
    std::vector<Mat3> compliance, softened;
    std::vector<ContactStiffness> stiffness;
    SlipDirection straight, bend;
};

class SlipPath {
public:
    // Care: the error of s, in units of m, with which m may be lowered.
    SlipPath(const ContactProblem& problem, double care, ContactSystem& system, SlipPathWorkspace& ws);

    // Contacts with cones, half-lines or free reactions, rigid or compliant.
    static bool fits(const ContactProblem& problem);

    // Reactions and velocities of the present point.
    void evaluate();

    // Hardly anything but round-off is left of m.
    bool isNearItsEnd() const { return mean_ <= 1e-12 * unit_ * unit_; }

    // One step; false if there are no factors.
    bool move();

private:
    std::size_t size() const { return entries_.size(); }
    bool isFree(std::size_t i) const { return entries_[i].kind == ConeKind::free; }

    // Standard variables and back.
    Vec3 reaction(std::size_t i) const { return entries_[i].reaction(ws_.x[i]); }
    Vec3 standardVelocity(std::size_t i, const Vec3& u) const { return entries_[i].standardVelocity(u); }
    Vec3 physicalVelocity(std::size_t i, const Vec3& u) const { return entries_[i].physicalVelocity(u); }
    double slip(const Vec3& u) const { return std::sqrt(u.y * u.y + u.z * u.z + roundness_ * roundness_); }

    void start();
    Vec3 gap(std::size_t i) const;  // u + s n - z
    void prepareContact(std::size_t i);
    void findSlope(std::size_t i);  // T^-1 and T
    double offCentre() const;

    // Towards x o z = part of the present m; then what that leaves out, to second order.
    void aim(double part);
    void findStraight(double part);
    void findBend();
    void solve(SlipDirection& direction);

    bool isInside(double step, double square) const;
    double longestStep(double bent) const;

    const ContactProblem& problem_;
    double care_;
    ContactSystem& system_;
    SlipPathWorkspace& ws_;
    std::vector<StandardContact> entries_;
    std::size_t cones_ = 0;
    double unit_ = 1;                    // sqrt(J), of x
    double mean_ = 1, roundness_ = 0;    // m; over which |u_t| is rounded off
    double gapNorm_ = 0, slipNorm_ = 0;  // of a contact in the mean
    double pace_ = 1;                    // h
    double step_ = 1, bent_ = 0;         // of the direction; 1 if it is bent
};

}  // namespace talus
