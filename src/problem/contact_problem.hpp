// What solvers ask of a contact problem (talus/problem.hpp).
#pragma once

#include <concepts>
#include <variant>
#include <vector>

#include "base/matrix3.hpp"
#include "problem/reaction_set.hpp"
#include "talus/problem.hpp"

namespace talus {

// What a solver needs of D^T A^-1 D: a state that follows the reactions, relative velocities from it, diagonal blocks.
template <class O>
concept ContactOperator = requires(const O& op, typename O::State& state, const std::vector<Vec3>& reactions, Vec3 g) {
    { op.contactCount() } -> std::convertible_to<std::size_t>;
    op.start(reactions, state);                                          // the state of these reactions
    { op.velocity(state, std::size_t{}) } -> std::convertible_to<Vec3>;  // (D^T A^-1 D g)_i
    op.change(state, std::size_t{}, g);                                  // g_i += change
    { op.diagonal(std::size_t{}) } -> std::convertible_to<Mat3>;
};
static_assert(ContactOperator<BodyContacts> && ContactOperator<BlockMatrix>);

// States of the operators, kept from problem to problem.
struct OperatorStates {
    BodyContacts::State bodies;
    BlockMatrix::State matrix;

    BodyContacts::State& of(const BodyContacts&) { return bodies; }
    BlockMatrix::State& of(const BlockMatrix&) { return matrix; }
    const BodyContacts::State& of(const BodyContacts&) const { return bodies; }
    const BlockMatrix::State& of(const BlockMatrix&) const { return matrix; }
};

// The contacts of a problem all of whose rows are round; nullptr for any other.
const BodyContacts* roundContacts(const ContactProblem& problem);

// W_ii as a solver divides by it: directions in which nothing can move (planar problems), where the velocity is 0
// whatever the reaction, get the mean of the others.
Mat3 regularDiagonal(const ContactProblem& problem, std::size_t contact);

// mu |u_t|, what Coulomb's law adds to the normal velocity; 0 for bilateral contacts.
double slipShift(const ReactionSet& set, const Vec3& velocity);

// What the law sees of a velocity, minus which must be normal to Y: H u, plus the shift of Coulomb's law.
Vec3 lawVelocity(const ContactProblem& problem, FrictionLaw law, std::size_t contact, const Vec3& velocity);

// The reaction of one contact whose neighbours are held: u = W g + q with -u (shifted, for Coulomb's law) in N_Y(g).
Vec3 solveContact(const ReactionSet& set, FrictionLaw law, const Mat3& metric, const Vec3& linear);

}  // namespace talus
