// The cost curve of the solvers: time to a fixed residual against the number of contacts, in packings at rest as deep
// as they are wide.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/atomic_file.hpp"
#include "base/parallel.hpp"
#include "bench/child.hpp"
#include "bench/settled_problem.hpp"
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
constexpr int mostRounds = 3;           // of short solves; the best counts
constexpr double enoughSeconds = 0.25;  // of measuring one solver on one packing

// Each contact gives way as much as so many times the mean diagonal of its own part of W.
void makeCompliant(ContactProblem& problem, double compliance) {
    if (compliance == 0) return;
    problem.compliance.resize(problem.contactCount());
    for (std::size_t i = 0; i < problem.contactCount(); ++i) {
        problem.compliance[i] =
            (compliance / 3 * trace(std::get<BodyContacts>(problem.contacts).diagonal(i))) * identity3();
    }
}

CostPoint measure(const ContactProblem& problem, const std::string& solver, const CostBenchOptions& options) {
    CostPoint point{.solver = solver, .contacts = problem.contactCount(), .seconds = infinity};
    double spent = 0;
    for (int round = 0; round < mostRounds && spent < enoughSeconds; ++round) {
        const SolveReport report = solve(problem, {.kind = solverNamed(solver),
                                                   .law = frictionLawNamed(options.frictionLaw),
                                                   .tolerance = options.tolerance,
                                                   .maxIterations = std::numeric_limits<std::uint64_t>::max(),
                                                   .timeLimit = options.timeLimit})
                                       .report;
        if (report.status == SolveStatus::converged) point.seconds = std::min(point.seconds, report.seconds);
        point.iterations = report.iterations;
        point.residual = report.residuals.naturalMap;
        point.factorBytes = report.factors.bytes;
        spent += report.seconds;
    }
    return point;
}

// Least squares in logarithms; not a number for fewer than two points.
double exponentOf(const std::vector<CostPoint>& points, const std::string& solver) {
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (const CostPoint& p : points) {
        if (p.solver != solver || !std::isfinite(p.seconds)) continue;
        const double x = std::log(static_cast<double>(p.contacts)), y = std::log(p.seconds);
        n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return n < 2 ? std::numeric_limits<double>::quiet_NaN() : (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

constexpr const char* scriptHead = R"(set terminal pngcairo size 900,650 font 'DejaVu Sans,12' linewidth 2
set border 3 lc rgb '#404040'
set tics nomirror out scale 0.6
set grid lc rgb '#dddddd' lt 1 lw 0.5
set key left top Left reverse samplen 2 noenhanced
set xlabel 'contacts'
set ylabel 'seconds of one solve'
set logscale xy
)";

fs::path plotCurves(const CostBench& bench, double tolerance, const fs::path& folder, const Say& say) {
    makeFolder(folder);
    std::string data, plot;
    int number = 0;
    for (const auto& [solver, exponent] : bench.exponents) {
        if (std::isnan(exponent)) continue;
        data += fmt::format("$solver{} << EOD\n", number);
        for (const CostPoint& p : bench.points) {
            if (p.solver == solver && std::isfinite(p.seconds)) data += fmt::format("{} {}\n", p.contacts, p.seconds);
        }
        data += "EOD\n";
        plot += fmt::format("{}$solver{} with linespoints pt 7 lc {} title '{}, n^{:.2f}'",
                            number > 0 ? ", \\\n     " : "plot ", number, number + 1, solver, exponent);
        ++number;
    }
    if (number == 0) return {};
    writeFileAtomically(
        folder / "cost.gp",
        fmt::format("{}set output 'cost.png'\nset title 'Time to a residual of {:g}' noenhanced\n{}{}\n", scriptHead,
                    tolerance, data, plot));
    if (runProgram({"gnuplot", "cost.gp"}, folder).exitStatus != 0) {
        say("no plot: gnuplot is missing or failed; the package is gnuplot-nox");
        return {};
    }
    return folder / "cost.png";
}

void saveProblem(const ContactProblem& problem, int edge, const fs::path& folder) {
    makeFolder(folder);
    writeFclib(folder / fmt::format("packing-{}.hdf5", edge * edge * edge), problem, {.form = FclibForm::global});
}

}  // namespace

CostBench runCostBench(const CostBenchOptions& options, const Say& say) {
    std::vector<std::string> solvers = options.solvers;
    if (solvers.empty()) {
        solvers = solverNames();
        std::erase(solvers, "jacobi");
    }
    for (const std::string& solver : solvers) solverNamed(solver);
    frictionLawNamed(options.frictionLaw);
    std::vector<int> edges;
    for (const std::uint64_t grains :
         options.grains.empty() ? std::vector<std::uint64_t>{343, 1728, 10648} : options.grains) {
        edges.push_back(edgeOfCube(grains));
    }

    CostBench bench;
    for (const int edge : edges) {
        say(fmt::format("{0} x {0} x {0} grains settle", edge));
        setThreadCount(0);
        ContactProblem problem = settledProblem(edge);
        setThreadCount(options.threads);
        say(fmt::format("{} contacts", problem.contactCount()));
        if (!options.save.empty()) saveProblem(problem, edge, options.save);
        makeCompliant(problem, options.compliance);
        for (const std::string& solver : solvers) {
            CostPoint point = measure(problem, solver, options);
            point.grains = static_cast<std::uint64_t>(edge) * edge * edge;
            say(fmt::format("  {}: {:.4g} s, residual {:.1e}", solver, point.seconds, point.residual));
            bench.points.push_back(point);
        }
    }
    for (const std::string& solver : solvers) bench.exponents.emplace_back(solver, exponentOf(bench.points, solver));
    bench.plot = plotCurves(bench, options.tolerance, options.output, say);
    if (!bench.plot.empty()) say(bench.plot.string());
    return bench;
}

std::string costBenchAsJson(const CostBench& bench) {
    using nlohmann::json;
    const auto finite = [](double x) { return std::isfinite(x) ? json(x) : json(); };
    json list = json::array();
    for (const CostPoint& p : bench.points) {
        const auto exponent = std::find_if(bench.exponents.begin(), bench.exponents.end(),
                                           [&](const auto& e) { return e.first == p.solver; });
        list.push_back({{"name", "cost/" + p.solver},
                        {"n", p.contacts},
                        {"grains", p.grains},
                        {"value", finite(p.seconds)},
                        {"unit", "s"},
                        {"iterations", p.iterations},
                        {"residual", p.residual},
                        {"bytes_per_item", static_cast<double>(p.factorBytes) / static_cast<double>(p.contacts)},
                        {"exponent", finite(exponent->second)}});
    }
    return list.dump(2) + "\n";
}

std::string costBenchAsTable(const CostBench& bench) {
    std::string table = fmt::format("{:14} {:>9} {:>9} {:>10} {:>10} {:>9} {:>14}\n", "solver", "grains", "contacts",
                                    "seconds", "iterations", "residual", "factors MB");
    for (const CostPoint& p : bench.points) {
        table += fmt::format("{:14} {:>9} {:>9} {:>10} {:>10} {:>9.1e} {:>14}\n", p.solver, p.grains, p.contacts,
                             std::isfinite(p.seconds) ? fmt::format("{:.4g}", p.seconds) : "-", p.iterations,
                             p.residual, p.factorBytes > 0 ? fmt::format("{:.1f}", 1e-6 * double(p.factorBytes)) : "");
    }
    table += "\nseconds ~ contacts^e:";
    for (const auto& [solver, exponent] : bench.exponents) {
        table += std::isnan(exponent) ? fmt::format("  {} -", solver) : fmt::format("  {} {:.2f}", solver, exponent);
    }
    return table + "\n";
}

}  // namespace talus
