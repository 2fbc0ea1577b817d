#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/parallel.hpp"
#include "problem/fclib/fclib.hpp"
#include "solvers/solver.hpp"
#include "talus/error.hpp"
#include "talus/solve.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

std::vector<SolverKind> solversNamed(const std::vector<std::string>& names) {
    std::vector<SolverKind> kinds;
    for (const std::string& name : names) {
        if (name == "all") return allSolvers();
        const SolverKind kind = solverNamed(name);
        if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) kinds.push_back(kind);
    }
    if (kinds.empty()) throw InputError("solver: none is named");
    return kinds;
}

std::vector<SolverSettings> settingsOf(const SolveOptions& options) {
    std::vector<SolverSettings> list;
    for (const SolverKind kind : solversNamed(options.solvers)) {
        list.push_back({.kind = kind,
                        .law = frictionLawNamed(options.frictionLaw),
                        .tolerance = options.tolerance,
                        .maxIterations = options.maxIterations,
                        .timeLimit = options.timeLimit});
        validate(list.back());
    }
    return list;
}

// An answer and its report, in the words of the public header.
struct Answer {
    SolveResult result;
    Reactions reactions;
};

Answer solveOne(const fs::path& path, const FclibFile& file, const SolverSettings& settings) {
    Answer answer;
    Solver solver(settings);
    const SolveReport report = solver.solve(file.problem, answer.reactions);
    answer.result = {.file = path.string(),
                     .solver = std::string(nameOf(settings.kind)),
                     .frictionLaw = std::string(nameOf(settings.law)),
                     .used = report.reason.empty() ? "" : std::string(nameOf(report.solver)),
                     .reason = std::string(report.reason),
                     .status = std::string(nameOf(report.status)),
                     .residual = report.residuals.naturalMap,
                     .penetration = report.residuals.penetration,
                     .iterations = report.iterations,
                     .seconds = report.seconds,
                     .contacts = file.problem.contactCount()};
    return answer;
}

void keepBetter(std::optional<Answer>& best, const Answer& answer) {
    if (!best || answer.result.residual < best->result.residual) best = answer;
}

}  // namespace

std::vector<std::string> solverNames() {
    std::vector<std::string> names;
    for (const SolverKind kind : allSolvers()) names.emplace_back(nameOf(kind));
    return names;
}

std::vector<fs::path> findProblems(const std::vector<fs::path>& filesAndFolders) {
    std::vector<fs::path> files;
    for (const fs::path& path : filesAndFolders) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            files.push_back(path);
            continue;
        }
        std::vector<fs::path> found;
        for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
            if (entry.path().extension() == ".hdf5" && entry.is_regular_file(error)) found.push_back(entry.path());
        }
        if (found.empty()) throw InputError(fmt::format("{}: has no *.hdf5 files", path.string()));
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    if (files.empty()) throw InputError("there is no problem to solve");
    return files;
}

std::vector<SolveResult> solveProblems(const std::vector<fs::path>& files, const SolveOptions& options) {
    const std::vector<SolverSettings> solvers = settingsOf(options);
    if (!options.output.empty() && files.size() != 1) {
        throw InputError(fmt::format("output: takes the solution of one problem, but there are {}", files.size()));
    }
    setThreadCount(options.threads);
    if (files.size() > 1) {
        for (const fs::path& path : files) readFclib(path);
    }

    std::vector<SolveResult> results;
    for (std::size_t k = 0; k < files.size(); ++k) {
        const FclibFile file = readFclib(files[k]);
        std::optional<Answer> best;
        for (const SolverSettings& settings : solvers) {
            options.progress(fmt::format("{} of {}: {}, {} contacts, {}", k + 1, files.size(),
                                         files[k].filename().string(), file.problem.contactCount(),
                                         nameOf(settings.kind)));
            const Answer answer = solveOne(files[k], file, settings);
            results.push_back(answer.result);
            keepBetter(best, answer);
        }
        if (!options.output.empty()) writeFclibSolution(files[k], file, best->reactions, options.output);
    }
    return results;
}

std::string solveAsJson(const std::vector<SolveResult>& results) {
    nlohmann::json list = nlohmann::json::array();
    for (const SolveResult& r : results) {
        list.push_back({{"file", r.file},
                        {"solver", r.solver},
                        {"friction_law", r.frictionLaw},
                        {"used", r.used.empty() ? r.solver : r.used},
                        {"reason", r.reason},
                        {"status", r.status},
                        {"residual", r.residual},
                        {"penetration", r.penetration},
                        {"iterations", r.iterations},
                        {"seconds", r.seconds},
                        {"contacts", r.contacts}});
    }
    return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string solveAsTable(const std::vector<SolveResult>& results) {
    std::size_t width = 7;
    for (const SolveResult& r : results) width = std::max(width, fs::path(r.file).filename().string().size());
    std::string table = fmt::format("{:{}}  {:>8}  {:14} {:>9}  {:>10}  {:>9}  {}\n", "problem", width, "contacts",
                                    "solver", "residual", "iterations", "seconds", "status");
    for (const SolveResult& r : results) {
        const std::string choice = r.used.empty() ? "" : fmt::format(", {}: {}", r.used, r.reason);
        table +=
            fmt::format("{:{}}  {:>8}  {:14} {:>9.2e}  {:>10}  {:>9.4f}  {}{}\n", fs::path(r.file).filename().string(),
                        width, r.contacts, r.solver, r.residual, r.iterations, r.seconds, r.status, choice);
    }
    return table;
}

}  // namespace talus
