#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/input_file.hpp"
#include "base/parallel.hpp"
#include "base/utf8.hpp"
#include "io/fclib/fclib.hpp"
#include "run/field_json.hpp"
#include "run/solve_statistics.hpp"
#include "solvers/compatible/compatible.hpp"
#include "talus/error.hpp"
#include "talus/solve.hpp"
#include "talus/solver.hpp"

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

bool wantsCompatible(const SolveOptions& options) {
    if (options.forces == "compatible") return true;
    if (options.forces == "solver") return false;
    throw InputError(fmt::format("forces: must be solver or compatible, got '{}'", options.forces));
}

double powerOf(const SolveOptions& options) { return options.power.value_or(2.0); }

void checkForces(const SolveOptions& options) {
    if (wantsCompatible(options)) return validate(CompatibleSettings{.power = powerOf(options)});
    const auto refuse = [](const std::string& name) {
        throw InputError(
            fmt::format("{}: is of the springs of compatible forces; set forces to compatible "
                        "(--forces compatible), or leave it out",
                        name));
    };
    if (options.power) refuse("power");
    if (!options.stiffness.empty()) refuse("stiffness");
}

// One number per line; empty lines and what follows # are left out.
std::vector<RelativeStiffness> readStiffness(const fs::path& path) {
    std::ifstream stream = openInput(path, {.name = "a list of stiffnesses"});
    std::vector<RelativeStiffness> list;
    std::string line;
    for (int number = 1; std::getline(stream, line); ++number) {
        line.resize(std::min(line.size(), line.find('#')));
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        char* end = nullptr;
        const double k = std::strtod(line.c_str(), &end);
        const bool isNumber =
            line.find_first_not_of(" \t\r", static_cast<std::size_t>(end - line.c_str())) == std::string::npos;
        if (!isNumber || !(k > 0) || !std::isfinite(k)) {
            throw InputError(
                fmt::format("{}:{}: a stiffness must be one number > 0, got '{}'", path.string(), number, line));
        }
        list.push_back({k, k});
    }
    return list;
}

// Every contact of a problem has one; bilateral ones, which files do not count among them, are like the mean of the
// others.
std::vector<RelativeStiffness> stiffnessOf(const FclibFile& file, const fs::path& path) {
    if (path.empty()) return std::vector<RelativeStiffness>(file.problem.contactCount());
    std::vector<RelativeStiffness> list = readStiffness(path);
    if (list.size() != file.layout.contacts) {
        throw InputError(fmt::format("{}: has {} stiffnesses for {} contacts; one per line and contact is wanted",
                                     path.string(), list.size(), file.layout.contacts));
    }
    double sum = 0;
    for (const RelativeStiffness& k : list) sum += k.normal;
    const double mean = list.empty() ? 1.0 : sum / static_cast<double>(list.size());
    list.resize(file.problem.contactCount(), {mean, mean});
    return list;
}

// s, that a solve has left at least: enough to begin with and see that it is late.
constexpr double leastTime = 1e-3;

// Replaces the reactions; the report is then that of the new ones, of both solves together.
CompatibleReport makeCompatible(const FclibFile& file, const SolveOptions& options, const SolverSettings& settings,
                                Reactions& reactions, SolveReport& report) {
    CompatibleSolver solver({.power = powerOf(options),
                             .tolerance = settings.tolerance,
                             .law = settings.law,
                             .timeLimit = std::max(leastTime, settings.timeLimit - report.seconds)});
    const CompatibleReport compatible = solver.replace(file.problem, stiffnessOf(file, options.stiffness), reactions);
    report.status = compatible.solve.status;
    report.residuals = compatible.solve.residuals;
    report.iterations += compatible.solve.iterations;
    report.factors.add(compatible.solve.factors);
    report.seconds += compatible.solve.seconds;
    return compatible;
}

// Contacts with friction have no two-step form.
std::string formOf(const CompatibleReport& compatible) { return compatible.inOneStep ? "one-step" : "two-step"; }

Answer solveOne(const fs::path& path, const FclibFile& file, const SolverSettings& settings,
                const SolveOptions& options) {
    Answer answer;
    Solution found = solve(file.problem, settings);
    SolveReport& report = found.report;
    answer.reactions = std::move(found.reactions);
    CompatibleReport compatible;
    const bool wanted = wantsCompatible(options);
    if (wanted) compatible = makeCompatible(file, options, settings, answer.reactions, report);
    answer.result = {.file = path.string(),
                     .solver = std::string(nameOf(settings.kind)),
                     .frictionLaw = std::string(nameOf(settings.law)),
                     .forces = compatible.replaced ? "compatible" : "solver",
                     .form = wanted ? formOf(compatible) : "",
                     .used = report.reason.empty() ? "" : std::string(nameOf(report.solver)),
                     .reason = std::string(report.reason),
                     .status = std::string(nameOf(report.status)),
                     .residual = report.residuals.naturalMap,
                     .penetration = report.residuals.penetration,
                     .iterations = report.iterations,
                     .seconds = report.seconds,
                     .contacts = file.problem.contactCount(),
                     .factors = report.factors,
                     .changeOfMotion = compatible.changeOfMotion,
                     .error = measureAnswerError(file.problem, settings.law, answer.reactions)};
    return answer;
}

void checkOutput(const std::vector<fs::path>& files, const SolveOptions& options) {
    if (options.output.empty()) return;
    if (files.size() != 1) {
        throw InputError(fmt::format("output: takes the solution of one problem, but there are {}", files.size()));
    }
    std::error_code error;
    if (fs::equivalent(files[0], options.output, error)) {
        throw InputError(fmt::format("output: {} is the problem itself; name another file", options.output.string()));
    }
    if (fs::exists(options.output, error) && !options.overwrite) {
        throw InputError(fmt::format("output: {} is there already; name another file, or replace it with --overwrite",
                                     options.output.string()));
    }
    const fs::path folder = options.output.parent_path();
    if (!folder.empty() && !fs::is_directory(folder, error)) {
        throw InputError(fmt::format("output: there is no folder {}", folder.string()));
    }
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
    checkForces(options);
    checkOutput(files, options);
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
            const Answer answer = solveOne(files[k], file, settings, options);
            results.push_back(answer.result);
            keepBetter(best, answer);
        }
        if (!options.output.empty()) writeFclibSolution(options.output, file, best->reactions);
    }
    return results;
}

std::string solveAsJson(const std::vector<SolveResult>& results) {
    nlohmann::json list = nlohmann::json::array();
    for (const SolveResult& r : results) {
        list.push_back({{"file", escapeBytes(r.file)},
                        {"solver", r.solver},
                        {"friction_law", r.frictionLaw},
                        {"forces", r.forces},
                        {"used", r.used.empty() ? r.solver : r.used},
                        {"reason", r.reason},
                        {"status", r.status},
                        {"residual", r.residual},
                        {"penetration", r.penetration},
                        {"iterations", r.iterations},
                        {"seconds", r.seconds},
                        {"contacts", r.contacts},
                        {"error",
                         {{"impulse", r.error.impulse},
                          {"impulse_at", r.error.impulseAt},
                          {"velocity", r.error.velocity},
                          {"velocity_at", r.error.velocityAt},
                          {"largest_reaction", r.error.largestReaction},
                          {"contacts_of_90_percent", r.error.contactsOfMost}}}});
        if (r.factors.count > 0) list.back()["factors"] = fieldsAsJson(r.factors);
        if (r.form.empty()) continue;
        list.back()["form"] = r.form;
        list.back()["change_of_motion"] = r.changeOfMotion;
    }
    return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string solveAsTable(const std::vector<SolveResult>& results) {
    std::size_t width = 7;
    for (const SolveResult& r : results) width = std::max(width, fs::path(r.file).filename().string().size());
    std::string table = fmt::format("{:{}}  {:>8}  {:14} {:>9}  {:>10}  {:>9}  {}\n", "problem", width, "contacts",
                                    "solver", "residual", "iterations", "seconds", "status");
    for (const SolveResult& r : results) {
        std::string choice = r.used.empty() ? "" : fmt::format(", {}: {}", r.used, r.reason);
        if (!r.form.empty()) {
            choice += r.forces == "compatible"
                          ? fmt::format(", compatible forces in {} form", r.form)
                          : fmt::format(", no compatible forces found in {} form: those of the solver", r.form);
        }
        table +=
            fmt::format("{:{}}  {:>8}  {:14} {:>9.2e}  {:>10}  {:>9.4f}  {}{}\n", fs::path(r.file).filename().string(),
                        width, r.contacts, r.solver, r.residual, r.iterations, r.seconds, r.status, choice);
        if (!r.converged() && r.contacts > 0) table += fmt::format("{:{}}  {}\n", "", width, asText(r.error));
    }
    return table;
}

}  // namespace talus
