// One problem of every kind, small enough that every solver solves every one of them in a test.
#pragma once

#include <string>
#include <vector>

#include "problem/residual.hpp"
#include "problems/sphere_problems.hpp"
#include "talus/solver.hpp"

namespace talus {

struct NamedProblem {
    std::string name;
    ContactProblem problem;
};

// Spheres of about a kilogram and a metre, so that numbers are of order one; in a box.
inline ContactProblem makeSmallPile(double friction, const Vec3& velocity = {}, int cells = 2) {
    return makeLatticePile({.friction = friction,
                            .step = 0.1,
                            .radius = 0.5,
                            .density = 2,
                            .jitter = 0.02,
                            .gravity = {0, 0, -10},
                            .velocity = velocity},
                           cells, cells, cells);
}

inline ContactProblem withSets(ContactProblem p, const ReactionSet& set) {
    p.sets.assign(p.contactCount(), set);
    return p;
}

inline ContactProblem withCompliance(ContactProblem p, const Mat3& compliance) {
    p.compliance.assign(p.contactCount(), compliance);
    return p;
}

// Every fifth contact holds whatever pulls at it.
inline ContactProblem withJoints(ContactProblem p) {
    for (std::size_t i = 0; i < p.contactCount(); i += 5) p.sets[i] = ReactionSet::free();
    return p;
}

inline std::vector<NamedProblem> everyProblem() {
    const Vec3 sliding{1.5, 0.5, -0.3};
    const ContactProblem pile = makeSmallPile(0.5), moving = makeSmallPile(0.5, sliding);
    const ContactProblem two = makeSmallPile(0.5, sliding, 1);  // spheres; enough where a contact takes long
    ContactProblem bodies = moving, mixed = moving, matrix = moving;
    mixed.contacts = asArms(std::get<BodyContacts>(moving.contacts), 3);
    bodies.contacts = asBlocks(std::get<BodyContacts>(moving.contacts));
    matrix.contacts = asBlockMatrix(std::get<BodyContacts>(moving.contacts));
    ContactProblem planarBodies = makePlanarPile(0.3);
    planarBodies.contacts = asBlocks(std::get<BodyContacts>(planarBodies.contacts));
    return {{"frictionless pile", makeSmallPile(0)},
            {"frictionless moving pile", makeSmallPile(0, sliding)},
            {"slippery pile", makeSmallPile(0.2)},
            {"pile", pile},
            {"rough pile", makeSmallPile(1e3)},
            {"moving pile", moving},
            {"moving pile of bodies", bodies},
            {"moving pile of bodies among spheres", mixed},
            {"moving pile as a matrix", matrix},
            {"compliant pile", withCompliance(moving, diagonal3({0.3, 0.2, 0.1}))},
            {"cohesive pile", withSets(two, ReactionSet::shiftedCone(0.4, 0.3))},
            {"pile with balls", withSets(two, ReactionSet::conePlusBall(0.4, 0.2))},
            {"pile with capped contacts", withSets(two, ReactionSet::cappedConePlusBall(0.4, 1.5, 0.1))},
            {"pile with joints", withJoints(moving)},
            {"planar pile", makePlanarPile(0.3)},
            {"planar pile of bodies", planarBodies}};
}

inline std::vector<SolverSettings> firstOrderSolvers() {
    return {{.kind = SolverKind::gaussSeidel, .gaussSeidel = {.sweep = SweepOrder::list}},
            {.kind = SolverKind::gaussSeidel, .gaussSeidel = {.sweep = SweepOrder::random}},
            {.kind = SolverKind::gaussSeidel, .gaussSeidel = {.sweep = SweepOrder::coloured}},
            {.kind = SolverKind::jacobi},
            {.kind = SolverKind::apgd},
            {.kind = SolverKind::spg}};
}

inline std::vector<SolverSettings> everySolver() {
    std::vector<SolverSettings> solvers = firstOrderSolvers();
    for (const SolverKind kind : {SolverKind::interiorPoint, SolverKind::newton, SolverKind::automatic}) {
        solvers.push_back({.kind = kind});
    }
    return solvers;
}

// Largest difference of two sets of vectors.
inline double largestDifference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, norm(a[i] - b[i]));
    return largest;
}

}  // namespace talus
