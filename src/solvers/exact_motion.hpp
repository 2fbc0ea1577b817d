// Reactions of frictionless contacts whose motion is exact, from those of any solver at any tolerance.
//
// First a guess, which costs one linear system: the contacts that push now are those that push in the end. Then their
// velocities are zero, and reactions change by x with W x = u among them. Whether the guess was right shows when the
// reactions are made compatible: if that succeeds and nothing closes, the motion is the rigid one. If not, the
// interior-point method finds it from the beginning.
#pragma once

#include "solvers/compatible/conjugate_gradients.hpp"
#include "solvers/compatible/sphere_normals.hpp"
#include "solvers/compatible/sphere_stiffness.hpp"
#include "solvers/linear/contact_system.hpp"
#include "talus/solver.hpp"

namespace talus {

class ExactMotion {
public:
    // Brings the contacts that push to rest; velocities are those of the new reactions, whose normal parts may be
    // slightly negative. False if that does not work.
    bool bringToRest(const ContactProblem& problem, std::vector<Vec3>& reactions, std::vector<Vec3>& velocities);

    // A better guess for the former, by gradient steps; returns how many.
    std::uint64_t comeCloser(const ContactProblem& problem, std::vector<Vec3>& reactions);

    // The solver's own way, by factors or by gradient steps, for so long (s) at most.
    SolveReport solve(const ContactProblem& problem, SolverKind kind, double timeLimit, std::vector<Vec3>& reactions,
                      std::vector<Vec3>& velocities);

    FactorReport factors() const { return system_.factors(); }
    void startCount() { system_.startCount(); }

private:
    bool findChangeByGradients(const BodyContacts& spheres);
    bool findChangeByFactors(const ContactProblem& problem);

    std::vector<double> inverseMass_, pushed_, change_;  // normal diagonal of W, u where a contact pushes, x
    std::vector<double> effect_;                         // W g
    std::vector<bool> pushes_;
    SphereNormals normals_;
    SphereStiffness sphereStiffness_;
    ConjugateGradientsWorkspace gradients_;
    std::vector<double> springs_, push_, motion_, displacement_;
    ContactSystem system_;
    std::vector<ContactStiffness> stiffness_;
    std::vector<Mat3> compliance_, rigid_;
    std::vector<Vec3> right_, x_;
};

}  // namespace talus
