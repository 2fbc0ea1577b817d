// talus solve: saved contact problems, one or several solvers, one residual for all.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include "command.hpp"
#include "talus/solve.hpp"

namespace talus::cli {
namespace {

struct SolveArguments {
    std::vector<std::string> problems;
    SolveOptions options;
    bool json = false;
};

// `--solver apgd pile.hdf5`: an option that takes several names also takes a file that follows them.
void giveBackProblems(SolveArguments& a) {
    const std::vector<std::string> names = solverNames();
    const auto isSolver = [&](const std::string& word) {
        return std::find(names.begin(), names.end(), word) != names.end() || !std::filesystem::exists(word);
    };
    std::vector<std::string>& words = a.options.solvers;
    const auto files = std::stable_partition(words.begin(), words.end(), isSolver);
    a.problems.insert(a.problems.end(), files, words.end());
    words.erase(files, words.end());
}

std::vector<SolveResult> solveWithProgress(const SolveArguments& a) {
    const ProgressLine line;
    SolveOptions options = a.options;
    options.progress = [&](const std::string& text) { line.show(text); };
    return solveProblems(findProblems({a.problems.begin(), a.problems.end()}), options);
}

int solve(SolveArguments& a) {
    giveBackProblems(a);
    const std::vector<SolveResult> results = solveWithProgress(a);
    print("{}", a.json ? solveAsJson(results) : solveAsTable(results));
    if (!a.options.output.empty()) say(fmt::format("solution in {}", a.options.output.string()));
    const auto failed = std::count_if(results.begin(), results.end(), [](const auto& r) { return !r.converged(); });
    if (failed > 0) say(fmt::format("{} of {} did not converge to {:g}", failed, results.size(), a.options.tolerance));
    return failed == 0 ? 0 : exitFailed;
}

}  // namespace

void addSolveCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<SolveArguments>();
    CLI::App* sub =
        command(app, "solve", "solve saved contact problems (FCLIB files)", status, [a] { return solve(*a); });
    SolveOptions& o = a->options;
    sub->add_option("PROBLEM", a->problems, "problem files, or folders of *.hdf5 files");
    sub->add_option("--solver", o.solvers,
                    fmt::format("one or more of {}, or all; default: {}", fmt::join(solverNames(), ", "), o.solvers[0]))
        ->type_name("NAME");
    sub->add_option("--tol,--tolerance", o.tolerance, "relative residual to reach; default: 1e-6")
        ->check(CLI::Range(0.0, 1.0));
    sub->add_option("--max-iterations", o.maxIterations, "iterations at most; default: 100000")
        ->type_name("N")
        ->check(CLI::TypeValidator<std::uint32_t>());
    sub->add_option("--time-limit", o.timeLimit, "seconds for each solve at most; default: none")
        ->check(CLI::PositiveNumber);
    sub->add_option("--friction-law", o.frictionLaw, "coulomb, or associated (convex; opens contacts that slide)")
        ->check(CLI::IsMember({"coulomb", "associated"}))
        ->capture_default_str();
    sub->add_option("--forces", o.forces,
                    "solver, as it finds them, or compatible: of redundant contacts the unique ones of springs that "
                    "grow stiff together")
        ->check(CLI::IsMember({"solver", "compatible"}))
        ->capture_default_str();
    sub->add_option("--power", o.power,
                    "of these springs, force = k compression^(power - 1): 2 is Hooke, 2.5 Hertz; default: 2");
    sub->add_option("--stiffness", o.stiffness, "file of their k, of which the ratios count, one per line and contact")
        ->type_name("FILE");
    sub->add_option("--threads", o.threads, "number of threads; default: one per core")->check(CLI::Range(1, 1024));
    sub->add_option("-o,--output", o.output, "a new file with the problem and the best answer as its /solution")
        ->type_name("OUT.hdf5");
    sub->add_flag("--overwrite", o.overwrite, "replace an output file that is there already");
    sub->add_flag("--json", a->json, "print JSON");
}

}  // namespace talus::cli
