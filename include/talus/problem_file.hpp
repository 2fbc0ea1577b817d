// Contact problems in files of the Frictional Contact Library (FCLIB, HDF5), as other programs of the field write them:
// docs/contact-problems.md.
//
//   SavedProblem saved = readProblem("pile.hdf5");
//   Solution found = solve(saved.problem, {.kind = SolverKind::automatic});
//   writeProblem("solved.hdf5", saved.problem, found.reactions);
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "talus/problem.hpp"

namespace talus {

struct SavedProblem {
    ContactProblem problem;                     // contacts with friction first, then bilateral ones
    std::vector<std::vector<Vec3>> guesses;     // N s
    std::optional<std::vector<Vec3>> solution;  // N s
    std::string title, description;
};

// InputError that names the file, the dataset and what is wrong with it.
SavedProblem readProblem(const std::filesystem::path& file);

// In the local form (the matrix W), whole or not at all. InputError if the form cannot express it: FCLIB knows
// Coulomb's cone and bilateral contacts only.
void writeProblem(const std::filesystem::path& file, const ContactProblem& problem,
                  const std::optional<std::vector<Vec3>>& solution = {});

}  // namespace talus
