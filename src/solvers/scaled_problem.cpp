#include "solvers/scaled_problem.hpp"

#include <cmath>

namespace talus {

void ScaledProblem::load(const ContactProblem& p, FrictionLaw frictionLaw) {
    problem = &p;
    law = frictionLaw;
    meanDiagonal = talus::meanDiagonal(p);
    const std::size_t n = p.contactCount();
    scale.resize(n);
    sets.resize(n);
    linear.resize(n);
    reactions_.resize(n);
    parallelFor(n, [&](std::size_t i) {
        scale[i] = 1 / std::sqrt(trace(p.diagonal(i)) / 3);
        sets[i] = inUnitsOf(p.sets[i], scale[i]);
        linear[i] = scale[i] * p.offset[i];
    });
}

void ScaledProblem::toScaled(const Vectors& reactions, Vectors& x) const {
    x.resize(size());
    parallelFor(size(), [&](std::size_t i) { x[i] = reactions[i] / scale[i]; });
}

void ScaledProblem::toReactions(const Vectors& x, Vectors& reactions) const {
    reactions.resize(size());
    parallelFor(size(), [&](std::size_t i) { reactions[i] = scale[i] * x[i]; });
}

void ScaledProblem::apply(const Vectors& x, Vectors& product) {
    product.resize(size());
    toReactions(x, reactions_);
    const auto multiply = [&](const auto& op, auto& state) {
        op.start(reactions_, state);
        parallelFor(size(), [&](std::size_t i) {
            product[i] = scale[i] * (op.velocity(state, i) + problem->complianceTimes(i, reactions_[i]));
        });
    };
    if (const auto* spheres = std::get_if<SphereContacts>(&problem->contacts)) {
        multiply(*spheres, sphereState_);
    } else if (const auto* bodies = std::get_if<BodyContacts>(&problem->contacts)) {
        multiply(*bodies, bodyState_);
    } else {
        multiply(std::get<BlockMatrix>(problem->contacts), matrixState_);
    }
}

void ScaledProblem::velocities(const Vectors& product, Vectors& u) const {
    u.resize(size());
    parallelFor(size(), [&](std::size_t i) { u[i] = product[i] / scale[i] + problem->offset[i]; });
}

void ScaledProblem::updateShift(const Vectors& u) {
    if (law == FrictionLaw::associated) return;
    parallelFor(size(), [&](std::size_t i) {
        linear[i].x = scale[i] * (problem->offset[i].x + slipShift(problem->sets[i], u[i]));
    });
}

}  // namespace talus
