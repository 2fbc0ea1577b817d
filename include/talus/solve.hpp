// Solving saved contact problems (FCLIB files), as `talus solve` does.
//
//   for (const talus::SolveResult& r : talus::solveProblems({"pile.hdf5"}, {.solvers = {"apgd"}, .tolerance = 1e-6}))
//       std::cout << r.solver << ' ' << r.status << ' ' << r.residual << '\n';
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "talus/answer_error.hpp"
#include "talus/factor_report.hpp"

namespace talus {

struct SolveOptions {
    std::vector<std::string> solvers = {"auto"};                 // names, or "all"
    std::string frictionLaw = "coulomb";                         // or "associated": convex, opens sliding contacts
    double tolerance = 1e-6;                                     // -, relative natural map, the same for every solver
    std::uint64_t maxIterations = 100'000;                       // sweeps or gradient steps
    double timeLimit = std::numeric_limits<double>::infinity();  // s of wall clock per solve
    std::string forces = "solver";  // or "compatible": of redundant contacts those of springs that grow stiff together
    std::optional<double> power;  // -, of these springs, force = stiffness times compression^(power - 1): 2.5 is Hertz;
                                  // 2, Hooke, if not set
    std::filesystem::path stiffness;  // their relative stiffnesses, one per line and contact; empty: all alike
    int threads = 0;                  // 0: one per core
    std::filesystem::path output;     // if given, gets the (one) problem and the best answer as its /solution
    bool overwrite = false;           // an output that is there already; the problem itself is never replaced
    std::function<void(const std::string&)> progress = [](const std::string&) {};  // before each solve: what is next
};

struct SolveResult {
    std::string file, solver, frictionLaw;
    std::string forces;        // solver or compatible: what the reactions are
    std::string form;          // of compatible forces: two-step, without friction, or one-step; empty otherwise
    std::string used, reason;  // what auto stood for, and why; empty otherwise
    std::string status;        // converged, stalled, iteration limit, time limit, numerical error, infeasible
    double residual = 0;       // -, of the answer, computed anew from its reactions
    double penetration = 0;    // m/s, fastest closing of a contact; 0 at a solution
    std::uint64_t iterations = 0;
    double seconds = 0;          // s of wall clock, reading not included
    std::uint64_t contacts = 0;  // bilateral ones included, three rows each
    FactorReport factors;        // of second-order solvers
    double changeOfMotion = 0;   // -, of a contact by compatible forces, of the largest velocity that reactions make
    AnswerError error;           // how much that is, in N s and m/s
    bool converged() const { return status == "converged"; }
};

// Names that SolveOptions::solvers knows.
std::vector<std::string> solverNames();

// Files as they are, folders replaced by their *.hdf5 files in alphabetical order. Throws InputError if there is none.
std::vector<std::filesystem::path> findProblems(const std::vector<std::filesystem::path>& filesAndFolders);

// Every solver on every problem, from zero reactions. All files are read once before the first is solved, so that a bad
// one is told at once: InputError.
std::vector<SolveResult> solveProblems(const std::vector<std::filesystem::path>& files, const SolveOptions& options);

// A list of objects for programs, and a table for people.
std::string solveAsJson(const std::vector<SolveResult>& results);
std::string solveAsTable(const std::vector<SolveResult>& results);

}  // namespace talus
