// Contact problems in files of the Frictional Contact Library (FCLIB, HDF5), as other programs of the field write them.
//
// Two forms are read. With r, u in rows (normal, tangent(s)) per contact and l a multiplier of bilateral constraints:
//
//     local    u = W r + V l + q,      0 = V^T r + R l + s
//     global   M v = H r + G l + f,    u = H^T v + w,    0 = G^T v + b
//
// A local file becomes a BlockMatrix. So does a global one (W = [H G]^T M^-1 [H G]), unless M consists of blocks of one
// body each and every contact touches at most two bodies: then it becomes BodyContacts. q = H^T M^-1 f + w.
//
// Talus has three components per contact. A planar file gets a second tangent that touches nothing else, and bilateral
// rows are taken three at a time as ReactionSet::free(), the last ones filled up the same way. What is filled in has
// the mean of the real diagonal entries of its block as its own, zero offset, and thus zero reaction.
//
// Acary, Bremond, Koziara and Perignon, FCLIB: a collection of discrete 3D frictional contact problems, INRIA RT-444
// (2014). Rolling friction (/fclib_global_rolling) is not read.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/fclib/global_system.hpp"
#include "io/fclib/layout.hpp"
#include "io/fclib/local_matrices.hpp"
#include "problem/contact_problem.hpp"

namespace talus {

enum class FclibForm { local, global };

struct FclibInfo {
    std::string title, description, mathInfo;
};

using Reactions = std::vector<Vec3>;  // N s, one per contact of the problem

struct FclibFile {
    FclibForm form = FclibForm::local;
    FclibLayout layout;
    FclibInfo info;
    ContactProblem problem;  // contacts with friction first, then bilateral ones
    std::vector<Reactions> guesses;
    std::optional<Reactions> solution;           // none if it is all zeros, as some programs leave it
    std::shared_ptr<const LocalMatrices> local;  // as they stand in the file, of the local form
    std::shared_ptr<const GlobalSystem> bodies;  // the same of the global form
};

// Throws InputError that names the file, the dataset and what is wrong with it.
FclibFile readFclib(const std::filesystem::path& path);

struct FclibContent {
    FclibForm form = FclibForm::local;  // global: for SphereContacts and BodyContacts without compliance
    FclibInfo info;
    std::vector<Reactions> guesses;
    std::optional<Reactions> solution;
};

// Writes the problem, whole or not at all, always with three components per contact. Throws InputError if the form
// cannot express it: FCLIB knows Coulomb's cone and bilateral contacts only.
void writeFclib(const std::filesystem::path& path, const ContactProblem& problem, const FclibContent& content = {});

// Writes a new file with the problem and the guesses of one that was read, in the same form, and with /solution {r, u},
// and {l, v} where it has them. What else stood in that file is left behind.
void writeFclibSolution(const std::filesystem::path& path, const FclibFile& file, const Reactions& reactions);

}  // namespace talus
