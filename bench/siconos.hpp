// Siconos as a peer: its solvers for exact Coulomb friction on a contact problem, judged by Talus' residual.
//
// The script is bench/peers/siconos/solve.py, carried inside the program; it runs in the system's Python, to which the
// package python3-siconos belongs.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "problem/contact_problem.hpp"

namespace talus {

// Name and text of the script; defined by the build (cmake/embed.cmake).
std::vector<std::pair<std::string_view, std::string_view>> siconosScripts();

// Gauss-Seidel, proximal point, ADMM and two semismooth Newton methods (Alart-Curnier). Each reaches 1e-8 on some of
// the saved problems; its other solvers were seen to be slower there or to fail.
inline constexpr const char* siconosSolvers[] = {"NSGS", "PROX", "ADMM", "NSN_AC", "NSN_AC_TEST"};

bool siconosIsInstalled();

// Plain cones only.
bool canRunSiconos(const ContactProblem& problem);

struct SiconosAnswer {
    std::string solver;
    double seconds = 0;
    double residual = 0;  // problem/residual.hpp
};

// What each of its solvers answered, at falling tolerances of its own, until the last of ours (falling) is reached or a
// solve takes longer than the time limit (s).
std::vector<SiconosAnswer> runSiconos(const ContactProblem& problem, const std::vector<double>& tolerances,
                                      double timeLimit);

}  // namespace talus
