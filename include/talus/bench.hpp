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
    std::string name;     // packing, chute, or rigid/ and the name of a solver
    std::uint64_t n = 0;  // grains, or contacts of rigid
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

}  // namespace talus
