// Measured speed, as `talus bench` prints it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace talus {

struct BenchOptions {
    std::vector<std::uint64_t> grains;  // sizes to run; empty: 10,000 and 100,000
    std::vector<int> threads;           // empty: 1 and 2
    bool noPeer = false;                // do not run LAMMPS beside
};

struct BenchResult {
    std::string name;     // packing, chute, rigid/ and a solver, shapes/ and a shape, outlines/ and what is sought,
                          // compatible/ and a law
    std::uint64_t n = 0;  // grains, contacts of rigid and compatible, or what was sought of outlines
    int threads = 1;
    double value = 0;  // in `unit`
    std::string unit = "particle-steps/s";
    double bytesPerItem = 0;     // peak memory of the process per grain or contact
    double contactsPerItem = 0;  // contacts with other grains, per grain: each counts for both
    double bytesMoved = 0;       // estimate per grain and step, or contact and iteration
    double bandwidthShare = 0;   // -, of the memory bandwidth measured in the same run
    std::string peer;            // empty if there was none
    double peerValue = 0;        // in `unit`
    double peerBytesPerItem = 0;
    double ratio = 0;  // value / peerValue
};

// Runs the benchmark of this name, or all if it is empty. `say` gets lines about the progress. Sizes are those of the
// nearest packing that can be made (planPacking); the chute has one size. All programs take turns five times, and the
// best of each counts. The process must not have threads of its own: measurements run in forked children.
std::vector<BenchResult> runBench(const std::string& name, const BenchOptions& options,
                                  const std::function<void(const std::string&)>& say);

// A list of objects, and a table for people with the facts of the machine.
std::string benchAsJson(const std::vector<BenchResult>& results);
std::string benchAsTable(const std::vector<BenchResult>& results);

struct ProblemBenchOptions {
    std::filesystem::path folder;                         // of FCLIB files
    std::vector<std::string> solvers;                     // names; empty: all
    std::vector<double> tolerances;                       // -, residuals to reach; empty: 1e-4 and 1e-6
    double timeLimit = 10;                                // s for each solve
    int threads = 1;                                      // of Talus; Siconos has one
    bool noPeer = false;                                  // do not run Siconos beside
    std::filesystem::path output = "out/bench-problems";  // for plots
};

// One solver of one program on one problem, exact Coulomb friction, from zero reactions.
struct ProblemTiming {
    std::string file;
    std::uint64_t contacts = 0;
    std::string program, solver;  // Talus or Siconos
    std::vector<double> seconds;  // to each tolerance, in Talus' residual; infinite if it was not reached
    double residual = 0;          // the best that was reached
};

struct ProblemBench {
    std::vector<double> tolerances;  // falling
    int threads = 1;
    std::vector<ProblemTiming> timings;
    std::vector<std::filesystem::path> plots;  // performance profiles, one per tolerance; none without gnuplot
};

// All solvers on all problems of a folder, those of Siconos too if it is installed.
ProblemBench runProblemBench(const ProblemBenchOptions& options, const std::function<void(const std::string&)>& say);

std::string problemBenchAsJson(const ProblemBench& bench);
std::string problemBenchAsTable(const ProblemBench& bench);

struct CostBenchOptions {
    std::vector<std::uint64_t> grains;                // nearest cubes are taken; empty: 343, 1728 and 10648
    std::vector<std::string> solvers;                 // names; empty: all but jacobi
    std::string frictionLaw = "coulomb";              // or "associated"
    double tolerance = 1e-6;                          // -, residual to reach
    double timeLimit = 60;                            // s for each solver and packing
    int threads = 1;                                  // of Talus
    double compliance = 0;                            // -, of each contact, over its own diagonal of W; 0: rigid
    std::filesystem::path save;                       // folder for the problems as FCLIB files; empty: none
    std::filesystem::path output = "out/bench-cost";  // for the plot
};

// One solve of a packing at rest, from zero reactions.
struct CostPoint {
    std::string solver;
    std::uint64_t grains = 0, contacts = 0, iterations = 0;
    double seconds = 0;  // infinite if the tolerance was not reached
    double residual = 0;
    std::uint64_t factorBytes = 0;  // of second-order solvers
};

struct CostBench {
    std::vector<CostPoint> points;
    std::vector<std::pair<std::string, double>> exponents;  // of seconds against contacts, per solver; least squares
    std::filesystem::path plot;                             // empty without gnuplot
};

// The cost curve of the solvers: time to a fixed residual against the number of contacts, in packings as deep as wide.
CostBench runCostBench(const CostBenchOptions& options, const std::function<void(const std::string&)>& say);

std::string costBenchAsJson(const CostBench& bench);
std::string costBenchAsTable(const CostBench& bench);

struct FactorBenchOptions {
    std::vector<std::uint64_t> grains;  // nearest cubes are taken; empty: 343, 1728, 4096 and 10648
    int threads = 1;
};

// The linear system of a packing at rest, in one order of elimination.
struct FactorPoint {
    std::string order;
    std::uint64_t grains = 0, contacts = 0;
    double orderSeconds = 0;                 // to find the order and the places of the fill
    double operations = 0;                   // floating-point, of L L^T; L U takes twice as many
    std::uint64_t bytes = 0;                 // of L
    double seconds = 0, generalSeconds = 0;  // of L L^T and L U; 0: not measured
};

struct FactorBench {
    int threads = 1;
    std::vector<FactorPoint> points;
};

// What factors of second-order solvers cost.
FactorBench runFactorBench(const FactorBenchOptions& options, const std::function<void(const std::string&)>& say);

std::string factorBenchAsJson(const FactorBench& bench);
std::string factorBenchAsTable(const FactorBench& bench);

}  // namespace talus
