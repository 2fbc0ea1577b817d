#include "solvers/first_order/gradient_problem.hpp"

#include <algorithm>

namespace talus {

void GradientProblem::load(const ContactProblem& p, FrictionLaw law, GradientScaling scaling) {
    problem_ = &p;
    law_ = law;
    plainCones_ = std::all_of(p.sets.begin(), p.sets.end(), [](const ReactionSet& s) { return s.isPlainCone(); });
    diagonals_.measure(p);
    mass_.resize(p.contactCount());
    friction_.resize(size());
    shift_.assign(size(), 0.0);
    parallelFor(size(), [&](std::size_t i) {
        mass_[i] = scaling == GradientScaling::contact ? 3 / diagonals_.trace[i] : 1 / diagonals_.mean;
        friction_[i] = p.sets[i].bilateral ? 0.0 : p.sets[i].friction;
    });
}

}  // namespace talus
