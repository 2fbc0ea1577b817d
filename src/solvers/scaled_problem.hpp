// A contact problem in the variables of the gradient methods: x_i = g_i / s_i with one scale per contact,
//
//     s_i = 1 / sqrt(mean diagonal of W_ii),   W' = S W S,   q' = S q,   Y'_i = Y_i / s_i,
//
// so that the diagonal of W' is about one whatever the masses, while cones stay cones (one number per contact, not
// three). The shift mu |u_t| of Coulomb's law is part of q' and held until updateShift().
#pragma once

#include <vector>

#include "base/parallel.hpp"
#include "problem/residual.hpp"

namespace talus {

struct ScaledProblem {
    using Vectors = std::vector<Vec3>;

    void load(const ContactProblem& problem, FrictionLaw law);

    std::size_t size() const { return scale.size(); }
    // x = S^-1 g, and back.
    void toScaled(const Vectors& reactions, Vectors& x) const;
    void toReactions(const Vectors& x, Vectors& reactions) const;
    // product = W' x
    void apply(const Vectors& x, Vectors& product);
    // Velocities u = S^-1 (W' x) + q, without the shift, from the product.
    void velocities(const Vectors& product, Vectors& velocities) const;
    // For Coulomb's law: the shift that belongs to these velocities. Does nothing for the associated law.
    void updateShift(const Vectors& velocities);

    const ContactProblem* problem = nullptr;
    FrictionLaw law = FrictionLaw::coulomb;
    double meanDiagonal = 1;        // 1/kg, of W
    std::vector<double> scale;      // s_i
    std::vector<ReactionSet> sets;  // Y'
    Vectors linear;                 // q' with the shift

private:
    Vectors reactions_;
    SphereContacts::State sphereState_;
    BodyContacts::State bodyState_;
    BlockMatrix::State matrixState_;
};

// Sums over all contacts, the same for any number of threads.
inline double dotProduct(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    return parallelSum(a.size(), 0.0, [&](std::size_t i) { return dot(a[i], b[i]); });
}

}  // namespace talus
