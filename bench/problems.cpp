// Time to tolerance on saved contact problems: all solvers, and performance profiles of them.
//
// A performance profile (Dolan and More, Math. Program. 91, 2002) shows for each solver the share of problems that it
// solves within a factor tau of the time that the fastest solver takes for the same problem.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/parallel.hpp"
#include "bench/child.hpp"
#include "bench/siconos.hpp"
#include "io/fclib/fclib.hpp"
#include "talus/error.hpp"
#include "talus/solve.hpp"
#include "talus/solver.hpp"
#include "talus/tools/bench.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;
using Say = std::function<void(const std::string&)>;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int mostRounds = 5;           // of short solves; the best counts
constexpr double enoughSeconds = 0.25;  // of measuring one solver on one problem

// Times at which the residual first was below each tolerance, with all that a solver does before and after its
// iterations.
void takeBest(const SolveReport& report, const std::vector<double>& tolerances, ProblemTiming& timing) {
    if (report.history.empty()) return;
    const double around = report.seconds - report.history.back().seconds;
    for (std::size_t k = 0; k < tolerances.size(); ++k) {
        const auto reached = std::find_if(report.history.begin(), report.history.end(),
                                          [&](const IterationRecord& r) { return r.naturalMap <= tolerances[k]; });
        if (reached != report.history.end()) timing.seconds[k] = std::min(timing.seconds[k], reached->seconds + around);
    }
    // A solver that is not monotone may end worse than it was on the way.
    for (const IterationRecord& r : report.history) timing.residual = std::min(timing.residual, r.naturalMap);
}

ProblemTiming emptyTiming(const ContactProblem& problem, const ProblemBench& bench, const std::string& program,
                          const std::string& solver) {
    return {.contacts = problem.contactCount(),
            .program = program,
            .solver = solver,
            .seconds = std::vector<double>(bench.tolerances.size(), infinity),
            .residual = infinity};
}

ProblemTiming measureTalus(const ContactProblem& problem, const std::string& name, const ProblemBench& bench,
                           double timeLimit) {
    ProblemTiming timing = emptyTiming(problem, bench, "Talus", name);
    const SolverSettings settings{.kind = solverNamed(name),
                                  .law = FrictionLaw::coulomb,
                                  .tolerance = bench.tolerances.back(),
                                  .maxIterations = std::numeric_limits<std::uint64_t>::max(),
                                  .timeLimit = timeLimit,
                                  .history = true};
    double spent = 0;
    for (int round = 0; round < mostRounds && spent < enoughSeconds; ++round) {
        const SolveReport report = solve(problem, settings).report;  // anew, with its memory to be allocated
        takeBest(report, bench.tolerances, timing);
        spent += report.seconds;
    }
    return timing;
}

std::vector<ProblemTiming> measureSiconos(const ContactProblem& problem, const ProblemBench& bench, double timeLimit) {
    const std::vector<SiconosAnswer> answers = runSiconos(problem, bench.tolerances, timeLimit);
    std::vector<ProblemTiming> timings;
    for (const char* solver : siconosSolvers) {
        ProblemTiming timing = emptyTiming(problem, bench, "Siconos", solver);
        for (const SiconosAnswer& a : answers) {
            if (a.solver != solver) continue;
            for (std::size_t k = 0; k < bench.tolerances.size(); ++k) {
                if (a.residual <= bench.tolerances[k]) timing.seconds[k] = std::min(timing.seconds[k], a.seconds);
            }
            timing.residual = std::min(timing.residual, a.residual);
        }
        timings.push_back(timing);
    }
    return timings;
}

void measureProblem(const fs::path& path, const std::vector<std::string>& solvers, bool withPeer, double timeLimit,
                    const Say& say, ProblemBench& bench) {
    const ContactProblem problem = readFclib(path).problem;
    const auto add = [&](ProblemTiming timing) {
        timing.file = path.filename().string();
        std::vector<std::string> times;
        for (const double seconds : timing.seconds) times.push_back(fmt::format("{:.4g} s", seconds));
        say(fmt::format("  {} {}: {}", timing.program, timing.solver, fmt::join(times, ", ")));
        bench.timings.push_back(std::move(timing));
    };
    say(fmt::format("{}: {} contacts", path.filename().string(), problem.contactCount()));
    for (const std::string& solver : solvers) add(measureTalus(problem, solver, bench, timeLimit));
    if (!withPeer) return;
    try {
        if (canRunSiconos(problem)) {
            for (const ProblemTiming& timing : measureSiconos(problem, bench, timeLimit)) add(timing);
        }
    } catch (const RunError& error) {
        say(fmt::format("  no comparison with Siconos: {}", error.what()));
    }
}

// --- performance profiles -------------------------------------------------------------------------------------------

using Profile = std::map<std::string, std::vector<double>>;  // by solver: time over the best time, sorted

std::string labelOf(const ProblemTiming& t) { return t.program + " " + t.solver; }

Profile profileOf(const ProblemBench& bench, std::size_t tolerance) {
    std::map<std::string, double> best;  // by file
    for (const ProblemTiming& t : bench.timings) {
        double& fastest = best.try_emplace(t.file, infinity).first->second;
        fastest = std::min(fastest, t.seconds[tolerance]);
    }
    Profile profile;
    for (const ProblemTiming& t : bench.timings) {
        std::vector<double>& ratios = profile[labelOf(t)];
        if (std::isfinite(t.seconds[tolerance])) ratios.push_back(t.seconds[tolerance] / best[t.file]);
    }
    for (auto& [label, ratios] : profile) std::sort(ratios.begin(), ratios.end());
    return profile;
}

// The area under a curve up to a factor of 100, the factor in logarithms: 1 for a solver that is the fastest
// everywhere.
double areaUnder(const std::vector<double>& ratios, std::size_t problems) {
    const double widest = std::log(100.0);
    double area = 0;
    for (const double ratio : ratios) area += std::max(0.0, 1 - std::log(ratio) / widest);
    return problems == 0 ? 0.0 : area / static_cast<double>(problems);
}

std::size_t problemCount(const ProblemBench& bench) {
    std::vector<std::string> files;
    for (const ProblemTiming& t : bench.timings) files.push_back(t.file);
    std::sort(files.begin(), files.end());
    return static_cast<std::size_t>(std::unique(files.begin(), files.end()) - files.begin());
}

constexpr const char* scriptHead = R"(set terminal pngcairo size 1000,650 font 'DejaVu Sans,12' linewidth 2
set border 3 lc rgb '#404040'
set tics nomirror out scale 0.6
set grid lc rgb '#dddddd' lt 1 lw 0.5
set key outside right top vertical Left reverse samplen 2 noenhanced
set xlabel 'time over the time of the fastest solver'
set ylabel 'share of problems solved'
set logscale x
set yrange [0:1.05]
)";

// Steps: each solved problem lifts the curve at its ratio; the last level goes on to the end of the axis.
std::string profileScript(const Profile& profile, std::size_t problems, double tolerance, const std::string& picture) {
    double widest = 10;
    for (const auto& [label, ratios] : profile) {
        if (!ratios.empty()) widest = std::max(widest, 1.5 * ratios.back());
    }
    std::string data, plot;
    int number = 0;
    for (const auto& [label, ratios] : profile) {
        data += fmt::format("$solver{} << EOD\n1 0\n", number);
        for (std::size_t k = 0; k < ratios.size(); ++k) {
            data += fmt::format("{} {}\n", ratios[k], static_cast<double>(k + 1) / static_cast<double>(problems));
        }
        data += fmt::format("{} {}\nEOD\n", widest, static_cast<double>(ratios.size()) / static_cast<double>(problems));
        plot += fmt::format("{}$solver{} with steps lc {} dt {} title '{}'", number > 0 ? ", \\\n     " : "plot ",
                            number, number + 1, label.starts_with("Siconos") ? 2 : 1, label);
        ++number;
    }
    return fmt::format(
        "{}set output '{}'\nset title 'Time to a residual of {:g}, {} problems' noenhanced\n"
        "set xrange [1:{}]\n{}{}\n",
        scriptHead, picture, tolerance, problems, widest, data, plot);
}

std::vector<fs::path> plotProfiles(const ProblemBench& bench, const fs::path& folder, const Say& say) {
    makeFolder(folder);
    std::vector<fs::path> plots;
    for (std::size_t k = 0; k < bench.tolerances.size(); ++k) {
        const std::string name = fmt::format("profile-{:g}", bench.tolerances[k]);
        const std::string script =
            profileScript(profileOf(bench, k), problemCount(bench), bench.tolerances[k], name + ".png");
        writeFileAtomically(folder / (name + ".gp"), script);
        if (runProgram({"gnuplot", name + ".gp"}, folder).exitStatus != 0) {
            say("no plots: gnuplot is missing or failed; the package is gnuplot-nox");
            return plots;
        }
        plots.push_back(folder / (name + ".png"));
    }
    return plots;
}

// --- tables ---------------------------------------------------------------------------------------------------------

// The fastest solver of a program on a problem; nullptr if none reached the tolerance.
const ProblemTiming* fastest(const ProblemBench& bench, const std::string& file, const std::string& program,
                             std::size_t tolerance) {
    const ProblemTiming* best = nullptr;
    for (const ProblemTiming& t : bench.timings) {
        if (t.file != file || t.program != program || !std::isfinite(t.seconds[tolerance])) continue;
        if (best == nullptr || t.seconds[tolerance] < best->seconds[tolerance]) best = &t;
    }
    return best;
}

nlohmann::json toJson(const ProblemBench& bench, const ProblemTiming& t, std::size_t tolerance) {
    using nlohmann::json;
    const auto finite = [](double x) { return std::isfinite(x) ? json(x) : json(); };
    const ProblemTiming* peer = t.program == "Talus" ? fastest(bench, t.file, "Siconos", tolerance) : nullptr;
    return {{"name", "problems"},
            {"file", t.file},
            {"program", t.program},
            {"solver", t.solver},
            {"tolerance", bench.tolerances[tolerance]},
            {"n", t.contacts},
            {"threads", t.program == "Talus" ? bench.threads : 1},
            {"value", finite(t.seconds[tolerance])},
            {"unit", "s"},
            {"residual", finite(t.residual)},
            {"bytes_per_item", json()},
            {"peer", peer != nullptr ? json(labelOf(*peer)) : json()},
            {"peer_value", peer != nullptr ? json(peer->seconds[tolerance]) : json()},
            {"ratio", peer != nullptr ? finite(peer->seconds[tolerance] / t.seconds[tolerance]) : json()}};
}

std::string areasAsTable(const ProblemBench& bench) {
    const std::size_t problems = problemCount(bench);
    std::string table = fmt::format("\n{:23}", "area under the profile");
    for (const double tolerance : bench.tolerances) table += fmt::format(" {:>10}", fmt::format("{:g}", tolerance));
    std::map<std::string, std::string> rows;
    for (std::size_t k = 0; k < bench.tolerances.size(); ++k) {
        for (const auto& [label, ratios] : profileOf(bench, k)) {
            rows[label] += fmt::format(" {:>10.3f}", areaUnder(ratios, problems));
        }
    }
    for (const auto& [label, areas] : rows) table += fmt::format("\n{:23}{}", label, areas);
    return table + "\nTo a factor of 100 over the fastest, in logarithms; 1: the fastest everywhere.\n";
}

std::string timeText(double seconds) { return std::isfinite(seconds) ? fmt::format("{:.4g}", seconds) : "-"; }

}  // namespace

ProblemBench runProblemBench(const ProblemBenchOptions& options, const Say& say) {
    ProblemBench bench{.tolerances = options.tolerances, .threads = options.threads};
    if (bench.tolerances.empty()) bench.tolerances = {1e-4, 1e-6};
    std::sort(bench.tolerances.rbegin(), bench.tolerances.rend());
    const std::vector<std::string> solvers = options.solvers.empty() ? solverNames() : options.solvers;
    for (const std::string& solver : solvers) solverNamed(solver);
    const std::vector<fs::path> files = findProblems({options.folder});
    const bool withPeer = !options.noPeer && siconosIsInstalled();
    if (!options.noPeer && !withPeer) say("Siconos is not installed here (python3-siconos, python3-scipy)");
    setThreadCount(options.threads);
    for (const fs::path& file : files) measureProblem(file, solvers, withPeer, options.timeLimit, say, bench);
    bench.plots = plotProfiles(bench, options.output, say);
    for (const fs::path& plot : bench.plots) say(plot.string());
    return bench;
}

std::string problemBenchAsJson(const ProblemBench& bench) {
    nlohmann::json list = nlohmann::json::array();
    for (const ProblemTiming& t : bench.timings) {
        for (std::size_t k = 0; k < bench.tolerances.size(); ++k) list.push_back(toJson(bench, t, k));
    }
    return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string problemBenchAsTable(const ProblemBench& bench) {
    std::size_t width = 7;
    for (const ProblemTiming& t : bench.timings) width = std::max(width, t.file.size());
    std::string table = fmt::format("{:{}}  {:>8}  {:8} {:14}", "problem", width, "contacts", "program", "solver");
    for (const double tolerance : bench.tolerances) table += fmt::format(" {:>10}", fmt::format("{:g}", tolerance));
    table += fmt::format(" {:>10}\n", "best");
    for (const ProblemTiming& t : bench.timings) {
        table += fmt::format("{:{}}  {:>8}  {:8} {:14}", t.file, width, t.contacts, t.program, t.solver);
        for (const double seconds : t.seconds) table += fmt::format(" {:>10}", timeText(seconds));
        table += fmt::format(" {:>10}\n", std::isfinite(t.residual) ? fmt::format("{:.1e}", t.residual) : "-");
    }
    table += "\nSeconds to each residual (problem/residual.hpp), - if it was not reached; best: lowest residual.\n";
    return table + areasAsTable(bench);
}

}  // namespace talus
