// The solvers of contact problems: what each is called and what it can do, in one table.
//
// Names in scenes, on the command line and in reports, what is refused, and what `solver: auto` may take all follow
// from it. src/solvers/registry.cpp has the function of each. How to add one: docs/solvers.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace talus {

enum class SolverKind {
    gaussSeidel,
    jacobi,
    apgd,
    spg,
    interiorPoint,
    newton,
    automatic,  // chosen by size and tolerance; the report says which and why
};

// Associated: sliding contacts also open, by mu times the slip; the problem is convex. Coulomb: they do not.
enum class FrictionLaw { associated, coulomb };

// The order in which Gauss-Seidel visits the contacts.
enum class SweepOrder {
    list,      // as they stand; in a scene, in the order of the bodies
    given,     // as GaussSeidelSettings::order says
    random,    // another one at each sweep (Unger, Brendel, Wolf and Kertesz, Phys. Rev. E 65, 2002)
    coloured,  // contacts without a common body together: runs on all threads, the same bits for any number of them
};

// In which unit gradient steps (apgd, spg) measure impulses. Where forces are not unique, it decides which are found.
enum class GradientScaling {
    contact,  // each contact in that of the mass it moves: fewer iterations where masses differ
    common,   // the same for all: the plain method, as published
};

// What an iteration is: a sweep or a gradient step, cheap and many; or a linear system, costly and few.
enum class SolverOrder { first, second };

// What a solver knows; problems that ask for more are refused.
struct SolverAbilities {
    bool coulomb = true;         // Coulomb's law proper, besides the associated one
    bool rigid = true;           // contacts without compliance
    bool bilateral = true;       // rows that bear any reaction, as joints have them
    bool capsAndBalls = true;    // reaction sets that are no cones
    bool fixedWork = true;       // so many iterations, whatever the residual
    bool skew = false;           // plastic flow that is not normal to the reaction set
    bool slidingCoulomb = true;  // promised to settle where many redundant contacts slide under Coulomb's law
};

struct SolverTraits {
    SolverKind kind;
    std::string_view name;   // as users write it
    std::string_view about;  // what it is good for, in half a line
    SolverOrder order = SolverOrder::first;
    SolverAbilities can = {};
};

// One row per solver, in the order of SolverKind.
inline constexpr auto solverTraits = std::to_array<SolverTraits>({
    {SolverKind::gaussSeidel, "gauss-seidel", "robust, quick to a loose tolerance"},
    {SolverKind::jacobi, "jacobi", "all contacts at once; slow"},
    {SolverKind::apgd, "apgd", "accelerated gradient steps"},
    {SolverKind::spg, "spg", "spectral gradient steps"},
    {SolverKind::interiorPoint,
     "interior-point",
     "tight tolerances",
     SolverOrder::second,
     {.fixedWork = false, .skew = true, .slidingCoulomb = false}},
    {SolverKind::newton,
     "newton",
     "compliant contacts, last digits",
     SolverOrder::second,
     {.fixedWork = false, .slidingCoulomb = false}},
    {SolverKind::automatic,
     "auto",
     "chosen by size and tolerance",
     SolverOrder::first,
     {.fixedWork = false, .skew = true}},
});

inline constexpr std::size_t solverCount = solverTraits.size();
static_assert(solverCount == static_cast<std::size_t>(SolverKind::automatic) + 1, "one row per SolverKind");

constexpr const SolverTraits& traitsOf(SolverKind kind) { return solverTraits[static_cast<std::size_t>(kind)]; }
constexpr std::string_view nameOf(SolverKind kind) { return traitsOf(kind).name; }

// All names, in the order of SolverKind.
constexpr std::array<std::string_view, solverCount> namesOfSolvers() {
    std::array<std::string_view, solverCount> names{};
    for (std::size_t k = 0; k < solverCount; ++k) names[k] = solverTraits[k].name;
    return names;
}

}  // namespace talus
