// A contact problem as the gradient methods see it: steps against the velocities, each contact in its own unit of mass,
//
//     g_i -> P_Y(g_i - t m_i (u_i + s_i n)),      m_i = 1 / mean diagonal of W_ii  (kg).
//
// This is the plain method in the variables g_i / sqrt(m_i), in which the diagonal of W is about one whatever the
// masses, while cones stay cones (one number per contact, not three). Lengths are those of these variables: |g|^2 / m.
// With GradientScaling::common m is the same for all contacts.
// The shift s = mu |u_t| of Coulomb's law is held until it is told to follow the slip.
#pragma once

#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "problem/residual.hpp"

namespace talus {

class GradientProblem {
public:
    using Vectors = std::vector<Vec3>;

    void load(const ContactProblem& problem, FrictionLaw law, GradientScaling scaling);

    std::size_t size() const { return mass_.size(); }
    const Diagonals& diagonals() const { return diagonals_; }  // of W
    double mass(std::size_t i) const { return mass_[i]; }

    // The slope of the objective at a contact with velocity u: u + s n.
    Vec3 slope(std::size_t i, const Vec3& u) const { return {u.x + shift_[i], u.y, u.z}; }

    // P_Y(g - t m slope)
    Vec3 step(std::size_t i, double t, const Vec3& g, const Vec3& slope) const {
        const Vec3 target = g - (t * mass_[i]) * slope;
        return plainCones_ ? projectOnPlainCone(friction_[i], target) : project(problem_->sets[i], target);
    }

    // u = W g + q, and in the same pass over the contacts the sum of term(i), which may use u_i.
    template <class Value, class Term>
    Value velocitiesAndSum(const Vectors& g, Vectors& u, Value zero, const Term& term) {
        return std::visit(
            [&](const auto& op) {
                auto& state = states_.of(op);
                op.start(g, state);
                return parallelSum(size(), zero, [&](std::size_t i) {
                    u[i] = op.velocity(state, i) + problem_->offset[i] + problem_->complianceTimes(i, g[i]);
                    return term(i);
                });
            },
            problem_->contacts);
    }

    // Lets the shift of a contact go this part of the way to the slip of the velocity u.
    void followSlip(std::size_t i, double part, const Vec3& u) {
        shift_[i] += part * (friction_[i] * std::sqrt(u.y * u.y + u.z * u.z) - shift_[i]);
    }
    bool hasShift() const { return law_ == FrictionLaw::coulomb; }

private:
    const ContactProblem* problem_ = nullptr;
    FrictionLaw law_ = FrictionLaw::coulomb;
    bool plainCones_ = false;
    Diagonals diagonals_;
    std::vector<double> mass_, friction_, shift_;  // m_i, mu_i (0: bilateral), s_i
    OperatorStates states_;
};

}  // namespace talus
