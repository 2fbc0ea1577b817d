// The path that the interior point method follows through one contact problem (interior_point.hpp): where it is, and
// its steps.
#pragma once

#include "solvers/interior/limit_part.hpp"
#include "solvers/interior/second_order_cone.hpp"
#include "solvers/interior/standard_contact.hpp"
#include "solvers/linear/contact_system.hpp"

namespace talus {

struct InteriorPointWorkspace;

class CentralPath {
public:
    enum class Aim { onward, middle };

    CentralPath(const ContactProblem& problem, FrictionLaw law, InteriorPointWorkspace& ws);

    // Reactions and velocities of the present point.
    void evaluate();

    double error() const { return gapNorm_; }

    // Reactions on a ball turn with the velocity, by an error of the order of the root of m unless they are in the
    // middle: near round-off it pays to lead them there rather than on.
    bool isNearRoundOff() const;

    // One step along the path, or to its middle; false if there are no factors.
    bool move(Aim aim);

private:
    bool factorise();

    // Straight to m = 0; returns the part of m that would be left at the border.
    double predict();

    // To m = part of the present one, with what the predictor saw of second order.
    void correct(double part);

    // Back to the middle, at nearly the same m.
    void centre(double part);

    // The longest step that stays inside, near the path, and leaves no larger error of u = f(z) behind.
    double longestStep() const;

    void advance(double step);

    void driveLimits(double target);

    std::size_t size() const { return entries_.size(); }
    bool isConical(std::size_t i) const { return entries_[i].isConical(); }
    bool isRound(std::size_t i) const { return !limits_.empty() && limits_[i].isRound; }
    bool isCapped(std::size_t i) const { return !limits_.empty() && limits_[i].isCapped; }
    bool isLimited(std::size_t i) const { return isCapped(i) || isRound(i); }

    // Standard variables and back: x = T (g + c n)/root with T = diag(mu, 1, 1), velocities the other way round.
    Vec3 reaction(std::size_t i, const Vec3& x) const;
    Vec3 standardVelocity(std::size_t i, const Vec3& u) const { return entries_[i].standardVelocity(u); }
    Vec3 physicalVelocity(std::size_t i, const Vec3& u) const { return entries_[i].physicalVelocity(u); }

    // f(z), less the push of the cap.
    Vec3 withoutShift(std::size_t i, const Vec3& z, double push) const;
    // f' and its inverse.
    void findSlope(std::size_t i, const Vec3& z);
    bool slides(std::size_t i) const { return law_ == FrictionLaw::coulomb && entries_[i].kind == ConeKind::cone; }

    // All contacts in the middle of their cones, with an energy like that of the first velocities.
    void start();

    // Caps and balls, if there are any; a contact starts below half of its cap.
    void startLimits(double middle);

    // The error of u = f(z) at a step along the direction.
    Vec3 gap(std::size_t i, double step) const;
    // The same of a ball: of H u = v.
    Vec3 ballGap(std::size_t i, double step) const;
    Vec3 skewed(std::size_t i, const Vec3& u) const;
    double norm(double step) const;
    double meanProduct(double step) const;

    // R + E of a contact, and the inverse of that for the factors, where nothing is stiffer than softness allows.
    void prepareContact(std::size_t i);

    // The same for a ball alone, and with a cap or a ball, N being the scaling of the cone.
    void preparePoint(std::size_t i);
    void prepareLimited(std::size_t i, const cone::Spectral& n);
    void finishLimited(std::size_t i);
    void keep(std::size_t i, const LinearContact& c);

    // The direction that brings x o z to where target(l, contact), in scaled variables, points.
    template <class Target>
    void findDirection(const Target& target);

    // The right side of a contact with cap or ball, from that of its cone.
    Vec3 rightOfLimited(std::size_t i, Vec3 ofCone);

    // Along the direction, of which ws_.dx has the whole change of the reaction: what is the cone's share of it, and
    // how cap and ball go along.
    void moveLimited(std::size_t i);

    double toBorder() const;

    bool isGood(double step) const;

    const ContactProblem& problem_;
    FrictionLaw law_;
    InteriorPointWorkspace& ws_;
    std::vector<StandardContact> entries_;
    std::vector<Mat3> forth_, back_;       // N at the present point and its inverse
    std::vector<Mat3> slopes_, unslopes_;  // f' there and its inverse
    std::vector<Mat3> unskews_;            // H^-1 in standard variables; empty: 1
    std::vector<Vec3> change_;             // of the velocities along the direction
    std::vector<LimitPart> limits_;        // empty where all sets are cones
    std::size_t cones_ = 0;                // and half-lines, caps and balls
    int shortSteps_ = 0;
    double gapNorm_ = 0, mean_ = 1, firstGap_ = 0, firstMean_ = 1, mostGap_ = 0;
};

}  // namespace talus
