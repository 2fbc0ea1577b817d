// The benchmarks in turn: start state, rounds of measurements, results.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>

#include "base/parallel.hpp"
#include "bench/bandwidth.hpp"
#include "bench/child.hpp"
#include "bench/chute.hpp"
#include "bench/compatible.hpp"
#include "bench/lammps.hpp"
#include "bench/measure.hpp"
#include "bench/outlines.hpp"
#include "bench/packing.hpp"
#include "bench/shapes.hpp"
#include "bench/solver_speed.hpp"
#include "io/results/reports.hpp"
#include "talus/error.hpp"
#include "talus/solver.hpp"
#include "talus/tools/bench.hpp"

namespace talus {
namespace {

using Say = std::function<void(const std::string&)>;

// Other work on the machine can only slow a run down: programs take turns, and the best of the rounds counts.
constexpr int rounds = 5;
constexpr std::uint64_t mostGrains = 100'000'000;
constexpr int mostThreads = 1024;

struct Case {
    std::string name, peer, peerInput;
    double dt = 0;
    StartState start;
    WorldState (*makeWorld)(const StartState&) = nullptr;
    std::optional<SolverKind> solver;  // measure this on the contacts, instead of steps
};

// --- start states: made in processes of their own, which leave no memory behind in this one -------------------------

StartState afterwards(StartState start, std::vector<StartGrain> (*evolve)(const StartState&)) {
    const ChildReport report = runInChild([&] {
        setThreadCount(0);
        return toBytes(evolve(start));
    });
    start.tile = fromBytes<StartGrain>(report.output);
    return start;
}

std::vector<Case> packingCases(const std::vector<std::uint64_t>& sizes, const Say& say) {
    std::vector<Case> cases;
    StartState tile;
    int tileEdge = 0;
    for (const std::uint64_t size : sizes) {
        const PackingPlan plan = planPacking(size);
        if (plan.edge != tileEdge) {
            say(fmt::format("packing: {0} x {0} x {0} grains settle", plan.edge));
            tile = afterwards(makePackingLattice(plan.edge), settleGrains);
            tileEdge = plan.edge;
        }
        cases.push_back({"packing", "LAMMPS gran/hertz/history", "packing.in", packingStep, tile, makePackingWorld});
        cases.back().start.copiesX = cases.back().start.copiesY = plan.copies;
    }
    return cases;
}

// The same packings, as problems of contact dynamics.
std::vector<Case> rigidCases(const std::vector<std::uint64_t>& sizes, const Say& say) {
    std::vector<Case> cases;
    for (const Case& packing : packingCases(sizes, say)) {
        for (const SolverKind kind : {SolverKind::gaussSeidel, SolverKind::apgd, SolverKind::spg}) {
            cases.push_back(packing);
            cases.back().name = fmt::format("rigid/{}", nameOf(kind));
            cases.back().peer.clear();
            cases.back().solver = kind;
        }
    }
    return cases;
}

Case chuteCase(const Say& say) {
    const StartState lattice = makeChuteLattice();
    say(fmt::format("chute: {} grains begin to flow", lattice.tile.size()));
    const auto flow = [](const StartState& start) { return flowGrains(start); };
    StartState start = afterwards(lattice, flow);
    start.copiesX = 4;
    start.copiesY = 2;
    return {"chute", "LAMMPS gran/hooke/history", "chute.in", chuteStep, start, makeChuteWorld};
}

// --- measurements ----------------------------------------------------------------------------------------------------

struct Sample {
    Measurement speed;
    double bytesPerItem = 0;
};

Sample measureTalus(const Case& c, int threads) {
    const ChildReport report = runInChild([&] {
        setThreadCount(threads);
        WorldState world = c.makeWorld(c.start);
        return toBytes<Measurement>(
            {c.solver ? measureSolver(world, *c.solver) : measureSteps(world, c.dt, stepsFor(c.start.grainCount()))});
    });
    const Measurement speed = fromBytes<Measurement>(report.output).at(0);
    return {speed, static_cast<double>(report.peakBytes) / static_cast<double>(speed.items)};
}

// A number of threads and the memory bandwidth they get, bytes/s.
struct Threads {
    int count = 1;
    double bandwidth = 0;
};

Threads measureThreads(int count) {
    const ChildReport report = runInChild([&] {
        setThreadCount(count);
        return toBytes<double>({measureBandwidth()});
    });
    return {count, fromBytes<double>(report.output).at(0)};
}

// LAMMPS beside Talus, as long as it works; why not is said once.
class Peer {
public:
    Peer(const Case& c, const Say& say) : case_(c), say_(say) {
        guarded([&] { folder_ = std::make_unique<LammpsFolder>(c.start); });
    }

    void measureInto(BenchResult& result) {
        if (folder_ == nullptr) return;
        guarded([&] {
            const PeerMeasurement m = folder_->measure(case_.peerInput, stepsFor(case_.start.grainCount()));
            result.peer = case_.peer;
            result.peerValue = std::max(result.peerValue, m.particleStepsPerSecond);
            result.peerBytesPerItem = std::max(result.peerBytesPerItem, m.bytesPerGrain);
            say_(fmt::format("  LAMMPS, one rank: {:.3g} particle-steps/s", m.particleStepsPerSecond));
        });
    }

private:
    template <class Work>
    void guarded(Work&& work) {
        try {
            work();
        } catch (const RunError& error) {
            say_(fmt::format("  no comparison with LAMMPS: {}", error.what()));
            folder_.reset();
        }
    }

    const Case& case_;
    const Say& say_;
    std::unique_ptr<LammpsFolder> folder_;
};

void takeBest(const Sample& sample, BenchResult& result) {
    result.n = sample.speed.items;
    result.value = std::max(result.value, sample.speed.itemsPerSecond);
    result.bytesPerItem = std::max(result.bytesPerItem, sample.bytesPerItem);
    result.contactsPerItem = sample.speed.contactsPerGrain;
    result.bytesMoved = sample.speed.bytesMovedPerItem;
}

// All numbers of threads and the peer take one turn.
void runRound(const Case& c, const std::vector<Threads>& threads, Peer* peer, const Say& say,
              std::vector<BenchResult>& results) {
    for (std::size_t k = 0; k < threads.size(); ++k) {
        const int count = threads[k].count;
        const Sample sample = measureTalus(c, count);
        takeBest(sample, results[k]);
        std::string line = fmt::format("  Talus, {} thread{}: {:.3g} {}", count, count == 1 ? "" : "s",
                                       sample.speed.itemsPerSecond, results[k].unit);
        if (!c.solver) {
            line += fmt::format(", lists rebuilt {} times in {} steps", sample.speed.rebuilds,
                                stepsFor(c.start.grainCount()).measured);
        }
        say(line);
        if (peer != nullptr && count == 1) peer->measureInto(results[k]);
    }
}

std::vector<BenchResult> runCase(const Case& c, const std::vector<Threads>& threads, const BenchOptions& options,
                                 const Say& say) {
    const bool single = std::any_of(threads.begin(), threads.end(), [](const Threads& t) { return t.count == 1; });
    std::unique_ptr<Peer> peer;
    if (single && !c.peer.empty() && !options.noPeer && lammpsIsInstalled()) peer = std::make_unique<Peer>(c, say);

    std::vector<BenchResult> results(threads.size());
    for (BenchResult& result : results) result.unit = c.solver ? "contact-iterations/s" : "particle-steps/s";
    for (int round = 1; round <= rounds; ++round) {
        say(fmt::format("{}: {} grains, round {} of {}", c.name, c.start.grainCount(), round, rounds));
        runRound(c, threads, peer.get(), say, results);
    }
    for (std::size_t k = 0; k < threads.size(); ++k) {
        BenchResult& r = results[k];
        r.name = c.name;
        r.threads = threads[k].count;
        r.bandwidthShare = r.value * r.bytesMoved / threads[k].bandwidth;
        r.ratio = r.peerValue > 0 ? r.value / r.peerValue : 0;
    }
    return results;
}

// --- what was asked for ----------------------------------------------------------------------------------------------

void check(const std::string& name, const BenchOptions& options) {
    if (!name.empty() && name != "packing" && name != "chute" && name != "rigid" && name != "shapes" &&
        name != "outlines" && name != "compatible") {
        throw InputError(fmt::format(
            "bench: there is no benchmark '{}'; there are packing, chute, rigid, shapes, outlines and compatible",
            name));
    }
    for (const std::uint64_t grains : options.grains) {
        if (grains >= 1 && grains <= mostGrains) continue;
        throw InputError(fmt::format("bench: grains: must be 1 to {}, got {}", mostGrains, grains));
    }
    for (const int threads : options.threads) {
        if (threads >= 1 && threads <= mostThreads) continue;
        throw InputError(fmt::format("bench: threads: must be 1 to {}, got {}", mostThreads, threads));
    }
}

// Speeds on a busy machine mean little; ratios still something, since programs take turns.
void sayIfBusy(const Say& say) {
    double load = 0;
    const int cores = machineFacts().cores;
    if (getloadavg(&load, 1) != 1 || load < 0.5 * cores) return;
    say(fmt::format("note: this machine is busy (load {:.1f} on {} cores); speeds will be too low", load, cores));
}

}  // namespace

std::vector<BenchResult> runBench(const std::string& name, const BenchOptions& options, const Say& say) {
    check(name, options);
    sayIfBusy(say);
    if (name == "outlines") return measureOutlines(rounds);
    if (name == "shapes") return measureShapes(rounds);
    if (name == "compatible") return measureCompatible(rounds);
    const std::vector<std::uint64_t> sizes =
        options.grains.empty() ? std::vector<std::uint64_t>{10'000, 100'000} : options.grains;
    std::vector<Threads> threads;
    for (const int count : options.threads.empty() ? std::vector<int>{1, 2} : options.threads) {
        threads.push_back(measureThreads(count));
        say(fmt::format("memory bandwidth with {} thread{}: {:.3g} GB/s", count, count == 1 ? "" : "s",
                        1e-9 * threads.back().bandwidth));
    }

    std::vector<Case> cases;
    if (name.empty() || name == "packing") cases = packingCases(sizes, say);
    if (name.empty() || name == "chute") cases.push_back(chuteCase(say));
    if (name.empty() || name == "rigid") {
        const std::vector<Case> rigid = rigidCases(sizes, say);
        cases.insert(cases.end(), rigid.begin(), rigid.end());
    }
    std::vector<BenchResult> results;
    for (const Case& c : cases) {
        const std::vector<BenchResult> more = runCase(c, threads, options, say);
        results.insert(results.end(), more.begin(), more.end());
    }
    if (name.empty()) {
        for (const auto& more : {measureShapes(rounds), measureOutlines(rounds), measureCompatible(rounds)}) {
            results.insert(results.end(), more.begin(), more.end());
        }
    }
    return results;
}

}  // namespace talus
