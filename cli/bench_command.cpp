// talus bench: measured speed, beside other programs where they are installed.
#include <memory>

#include "command.hpp"
#include "talus/error.hpp"
#include "talus/tools/bench.hpp"

namespace talus::cli {
namespace {

struct BenchArguments {
    std::string name;
    BenchOptions options;
    ProblemBenchOptions problems;
    CostBenchOptions cost;
    FactorBenchOptions factor;
    bool json = false;
};

int bench(const BenchArguments& a) {
    const std::vector<BenchResult> results = runBench(a.name, a.options, say);
    print("{}", a.json ? benchAsJson(results) : benchAsTable(results));
    return 0;
}

int benchProblems(const BenchArguments& a) {
    const ProblemBench results = runProblemBench(a.problems, say);
    print("{}", a.json ? problemBenchAsJson(results) : problemBenchAsTable(results));
    return 0;
}

int benchCost(const BenchArguments& a) {
    const CostBench results = runCostBench(a.cost, say);
    print("{}", a.json ? costBenchAsJson(results) : costBenchAsTable(results));
    return 0;
}

int benchFactor(const BenchArguments& a) {
    const FactorBench results = runFactorBench(a.factor, say);
    print("{}", a.json ? factorBenchAsJson(results) : factorBenchAsTable(results));
    return 0;
}

void addFactor(CLI::App* sub, BenchArguments& a) {
    sub->add_option("--grains", a.factor.grains, "numbers of grains; default: 343 1728 4096 10648")->type_name("N");
    sub->add_option("--threads", a.factor.threads, "number of threads; default: 1")->check(CLI::Range(1, 1024));
    sub->add_flag("--json", a.json, "print JSON");
}

void addCost(CLI::App* sub, BenchArguments& a) {
    CostBenchOptions& o = a.cost;
    sub->add_option("--grains", o.grains, "numbers of grains; default: 343 1728 10648")->type_name("N");
    sub->add_option("--solver", o.solvers, "solvers to run; default: all but jacobi")->type_name("NAME");
    sub->add_option("--friction-law", o.frictionLaw, "coulomb or associated; default: coulomb")->type_name("LAW");
    sub->add_option("--tol", o.tolerance, "residual to reach; default: 1e-6")->check(CLI::PositiveNumber);
    sub->add_option("--time-limit", o.timeLimit, "seconds for each solver and packing at most; default: 60")
        ->check(CLI::PositiveNumber);
    sub->add_option("--threads", o.threads, "number of threads; default: 1")->check(CLI::Range(1, 1024));
    sub->add_option("--compliance", o.compliance, "of each contact, over its diagonal of W; default: 0, rigid")
        ->check(CLI::NonNegativeNumber);
    sub->add_option("--save", o.save, "folder for the problems as FCLIB files, without compliance")->type_name("DIR");
    sub->add_option("-o,--output", o.output, "folder for the plot; default: out/bench-cost")->type_name("DIR");
    sub->add_flag("--json", a.json, "print JSON");
}

void addProblems(CLI::App* sub, BenchArguments& a) {
    ProblemBenchOptions& o = a.problems;
    sub->add_option("DIR", o.folder, "folder of FCLIB files")->required();
    sub->add_option("--solver", o.solvers, "solvers to run; default: all")->type_name("NAME");
    sub->add_option("--tol,--tolerance", o.tolerances, "residuals to reach; default: 1e-4 1e-6")
        ->check(CLI::PositiveNumber);
    sub->add_option("--time-limit", o.timeLimit, "seconds for each solve at most; default: 10")
        ->check(CLI::PositiveNumber);
    sub->add_option("--threads", o.threads, "number of threads; default: 1, as Siconos")->check(CLI::Range(1, 1024));
    sub->add_option("-o,--output", o.output, "folder for the plots; default: out/bench-problems")->type_name("DIR");
    sub->add_flag("--no-peer", o.noPeer, "do not run Siconos");
    sub->add_flag("--json", a.json, "print JSON");
}

// The environments are Python's own; the `talus` of the Python package runs them itself.
int benchEnvs() {
    throw InputError(
        "bench envs: the environments are those of the Python package: run 'python -m talus.bench envs', or talus as "
        "'pip install talus' brings it (docs/python.md)");
}

}  // namespace

void addBenchCommand(CLI::App& app, int& status) {
    const auto a = std::make_shared<BenchArguments>();
    CLI::App* sub = app.add_subcommand("bench", "measure speed, beside other programs if they are installed");
    sub->add_option("NAME", a->name, "packing, chute, rigid, shapes, outlines or compatible; default: all")
        ->check(CLI::IsMember({"packing", "chute", "rigid", "shapes", "outlines", "compatible"}));
    sub->add_option("--grains", a->options.grains, "numbers of grains; default: 10000 100000")->type_name("N");
    sub->add_option("--threads", a->options.threads, "numbers of threads; default: 1 2")->type_name("N");
    sub->add_flag("--no-peer", a->options.noPeer, "do not run LAMMPS");
    sub->add_flag("--json", a->json, "print JSON");
    CLI::App* problems =
        sub->add_subcommand("problems", "time to tolerance of all solvers on saved contact problems, beside Siconos");
    addProblems(problems, *a);
    CLI::App* cost = sub->add_subcommand("cost", "time of a solve against the number of contacts, in packings at rest");
    addCost(cost, *a);
    CLI::App* factor = sub->add_subcommand("factor", "the linear systems of second-order solvers, in packings at rest");
    addFactor(factor, *a);
    CLI::App* envs =
        sub->add_subcommand("envs", "steps per second of the environments to learn in, by the Python package");
    envs->prefix_command();
    // The callback of `bench` runs for all.
    sub->callback([a, problems, cost, factor, envs, &status] {
        status = envs->parsed()       ? benchEnvs()
                 : problems->parsed() ? benchProblems(*a)
                 : cost->parsed()     ? benchCost(*a)
                 : factor->parsed()   ? benchFactor(*a)
                                      : bench(*a);
    });
}

}  // namespace talus::cli
