#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/parallel.hpp"
#include "bench/child.hpp"
#include "bench/chute.hpp"
#include "bench/lammps.hpp"
#include "bench/measure.hpp"
#include "bench/packing.hpp"
#include "bench/siconos.hpp"
#include "io/fclib/fclib.hpp"
#include "source_folder.hpp"
#include "talus/error.hpp"
#include "talus/tools/bench.hpp"

namespace talus {
namespace {

// --- packing ---------------------------------------------------------------------------------------------------------

StartState settledPacking(int edge) {
    StartState start = makePackingLattice(edge);
    start.tile = settleGrains(start);
    return start;
}

// Largest overlap of two grains, by looking at all pairs.
double largestOverlap(const StartState& start) {
    double largest = -1;
    for (std::uint64_t i = 0; i < start.grainCount(); ++i) {
        for (std::uint64_t j = 0; j < i; ++j) {
            const double gap = norm(start.grain(i).position - start.grain(j).position) - start.diameter;
            largest = std::max(largest, -gap);
        }
    }
    return largest;
}

TEST(PackingBenchmark, TakesTheNearestPackingThatCanBeMade) {
    EXPECT_EQ(planPacking(1000), (PackingPlan{10, 1}));
    EXPECT_EQ(planPacking(10'000), (PackingPlan{22, 1}));
    EXPECT_EQ(planPacking(100'000), (PackingPlan{22, 3}));
    EXPECT_EQ(planPacking(1'000'000), (PackingPlan{22, 10}));
    EXPECT_EQ(planPacking(100'000).grainCount(), 95'832u);
    EXPECT_EQ(planPacking(1'000'000).grainCount(), 1'064'800u);
    EXPECT_EQ(planPacking(1).grainCount(), 1u);
}

TEST(PackingBenchmark, LatticeStartsWithoutOverlapsAndInsideTheBox) {
    const StartState lattice = makePackingLattice(6);
    EXPECT_EQ(lattice.tile.size(), 216u);
    EXPECT_LT(largestOverlap(lattice), 0);
    for (const StartGrain& grain : lattice.tile) {
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_GT(grain.position[axis], 0.5 * lattice.diameter);
            EXPECT_LT(grain.position[axis], lattice.tileSize[axis] - 0.5 * lattice.diameter);
        }
    }
}

TEST(PackingBenchmark, SettlesToATouchingPackingThatStaysAtRest) {
    const StartState start = settledPacking(8);
    const double overlap = largestOverlap(start);
    EXPECT_GT(overlap, 0);
    EXPECT_LT(overlap, 0.01 * start.diameter);

    WorldState world = makePackingWorld(start);
    const Measurement m = measureSteps(world, packingStep, {.warmUp = 50, .measured = 500});
    EXPECT_LT(unrest(world), 1e-3);
    EXPECT_GT(m.contactsPerGrain, 3);
    EXPECT_LT(m.contactsPerGrain, 6);
    EXPECT_EQ(m.rebuilds, 0u);
}

// A grain pressed into a wall meets its own image behind it, at twice that depth.
TEST(PackingBenchmark, RepeatingByReflectionMakesNoNewOverlaps) {
    StartState start = settledPacking(6);
    double deepest = largestOverlap(start);
    for (const StartGrain& grain : start.tile) {
        for (const double toWall : {grain.position.x, start.tileSize.x - grain.position.x, grain.position.y,
                                    start.tileSize.y - grain.position.y}) {
            deepest = std::max(deepest, 2 * (0.5 * start.diameter - toWall));
        }
    }
    start.copiesX = 3;
    start.copiesY = 2;
    EXPECT_EQ(start.grainCount(), 6u * 216);
    EXPECT_LE(largestOverlap(start), deepest * (1 + 1e-9));
    const WorldState world = makePackingWorld(start);
    EXPECT_EQ(world.bodies.grainCount, start.grainCount());
}

// --- chute -----------------------------------------------------------------------------------------------------------

TEST(ChuteBenchmark, FlowsDownItsBedAndStaysOnIt) {
    StartState start = makeChuteLattice({.along = 8, .across = 6, .layers = 10});
    EXPECT_EQ(start.grainCount(), 480u);
    const std::vector<StartGrain> before = start.tile;
    start.tile = flowGrains(start, 500);
    double speed = 0;
    for (std::size_t i = 0; i < start.tile.size(); ++i) {
        const StartGrain& grain = start.tile[i];
        EXPECT_EQ(grain.fixed != 0, i < 48);
        EXPECT_GT(grain.position.z, 0);
        EXPECT_LT(grain.position.z, start.tileSize.z);
        EXPECT_GE(grain.position.x, 0);
        EXPECT_LE(grain.position.x, start.tileSize.x);
        EXPECT_TRUE(grain.fixed == 0 || grain.position == before[i].position);
        speed += grain.velocity.x / 480;
    }
    EXPECT_GT(speed, 0.5);
}

// LAMMPS, gran/hooke/history: damping force = 50 m_eff v.
TEST(ChuteBenchmark, DampsTwoGrainsAsLammpsDoes) {
    const WorldState world = makeChuteWorld(makeChuteLattice({.along = 4, .across = 4, .layers = 2}));
    const PairLaw& law = world.materials.laws.at(0);
    PairGeometry g;
    g.overlap = 0.01;
    g.normal = g.midNormal = {0, 0, 1};
    g.velocity = {0, 0, -0.1};
    g.radius = 0.25;
    g.mass = 0.5;
    NoTally tally;
    TangentSpring spring{{}, g.radius};  // a contact that has begun already
    const ContactForce f = evaluate(world.materials.kinds, law, g, chuteStep, spring, nullptr, tally);
    EXPECT_NEAR(f.force.z, 2000 * 0.01 + 50 * 0.5 * 0.1, 1e-12);
    EXPECT_NEAR(world.bodies.inverseMass.back(), 1, 1e-12);
}

// --- processes -------------------------------------------------------------------------------------------------------

TEST(Child, PeakMemoryIsThatOfItsOwnWork) {
    const auto use = [](std::size_t bytes) { return std::string(bytes, 'x').substr(bytes - 3); };
    const std::size_t large = 100'000'000;
    EXPECT_EQ(use(large), "xxx");  // what this process used before does not count
    const ChildReport little = runInChild([&] { return use(1000); });
    const ChildReport much = runInChild([&] { return use(large); });
    EXPECT_EQ(much.output, "xxx");
    EXPECT_GT(much.peakBytes, little.peakBytes + large * 9 / 10);
}

TEST(Child, ReportsItsFailures) {
    EXPECT_THROW(runInChild([]() -> std::string { throw RunError("broken"); }), RunError);
    EXPECT_THROW(runInChild([]() -> std::string { std::_Exit(3); }), RunError);
    EXPECT_EQ(runProgram({"sh", "-c", "exit 4"}, "/").exitStatus, 4);
    EXPECT_EQ(runProgram({"no-such-program"}, "/").exitStatus, 127);
}

TEST(Child, WorksAfterThreadsWereUsedAndMayUseThreads) {
    setThreadCount(3);
    const ChildReport report = runInChild([] {
        setThreadCount(2);
        return std::to_string(parallelSum(10'000, 0.0, [](std::size_t) { return 1.0; }));
    });
    EXPECT_EQ(report.output, std::to_string(10'000.0));
    EXPECT_EQ(threadCount(), 1);
}

// --- LAMMPS ----------------------------------------------------------------------------------------------------------

TEST(LammpsPeer, DataFileHoldsEveryGrainToTheLastBit) {
    StartState start{.tileSize = {2, 3, 4}, .diameter = 1, .density = 2};
    start.tile = {{{1.0 / 3, 0.2, 0.1}, {}, {}, 1}, {{0.7, 1.9, 3}, {1.0 / 7, 0, 0}, {0, 0, 5}, 0}};
    std::ostringstream out;
    writeLammpsData(start, out);
    const std::string text = out.str();
    EXPECT_NE(text.find("2 atoms\n2 atom types\n"), std::string::npos);
    EXPECT_NE(text.find("0 3 ylo yhi"), std::string::npos);
    EXPECT_NE(text.find("2 1 1 2 0.69999999999999996 1.8999999999999999 3\n"), std::string::npos);
    EXPECT_NE(text.find("2 0.14285714285714285 0 0 0 0 5\n"), std::string::npos);
    std::istringstream bed(text.substr(text.find("\n1 2 ") + 1));
    double id, type, diameter, density, x;
    bed >> id >> type >> diameter >> density >> x;
    EXPECT_EQ(x, 1.0 / 3);
}

TEST(LammpsPeer, SpeedIsThatOfTheLastLoop) {
    const std::string warmUp = "Loop time of 2 on 1 procs for 50 steps with 1000 atoms\n";
    EXPECT_DOUBLE_EQ(particleStepsPerSecond(warmUp + "Loop time of 0.5 on 1 procs for 200 steps with 1000 atoms\n"),
                     400'000);
    EXPECT_THROW(particleStepsPerSecond("ERROR: lost atoms"), RunError);
}

TEST(LammpsPeer, InputsTravelInsideTheProgram) {
    std::vector<std::string_view> names;
    for (const auto& [name, text] : lammpsInputs()) {
        names.push_back(name);
        EXPECT_GT(text.size(), 100u) << name;
    }
    for (const char* needed : {"packing.in", "material.in", "chute.in"}) {
        EXPECT_NE(std::find(names.begin(), names.end(), needed), names.end()) << needed;
    }
}

TEST(LammpsPeer, RunsTheSameStartStates) {
    if (!lammpsIsInstalled()) GTEST_SKIP() << "LAMMPS is not installed";
    StartState chute = makeChuteLattice({.along = 8, .across = 6, .layers = 6});
    chute.tile = flowGrains(chute, 100);
    EXPECT_GT(LammpsFolder(chute).measure("chute.in", {10, 20}).particleStepsPerSecond, 0);
    StartState packing = settledPacking(5);
    packing.copiesX = 2;
    EXPECT_GT(LammpsFolder(packing).measure("packing.in", {10, 20}).particleStepsPerSecond, 0);
    EXPECT_THROW(LammpsFolder(packing).measure("missing.in", {10, 20}), RunError);
}

// --- Siconos ---------------------------------------------------------------------------------------------------------

TEST(SiconosPeer, ASolveCountsIfItEndsWithinTheLimit) {
    if (!siconosIsInstalled()) GTEST_SKIP() << "Siconos is not installed";
    const std::filesystem::path data = sourceFolder() / "tests/problems/data";
    const ContactProblem problem = readFclib(data / "NESpheres_30_1.hdf5").problem;
    std::set<std::string> good;
    for (const SiconosAnswer& answer : runSiconos(problem, {1e-4, 1e-8}, 20)) {
        EXPECT_GT(answer.seconds, 0);
        EXPECT_LE(answer.seconds, 20);
        if (answer.residual <= 1e-8) good.insert(answer.solver);
    }
    EXPECT_EQ(good, std::set<std::string>(std::begin(siconosSolvers), std::end(siconosSolvers)));
    EXPECT_TRUE(runSiconos(problem, {1e-4}, 1e-9).empty());
}

// --- results ---------------------------------------------------------------------------------------------------------

BenchResult sample() {
    BenchResult r;
    r.name = "packing";
    r.n = 95'832;
    r.value = 6e6;
    return r;
}

TEST(BenchResults, JsonHasEveryFieldAndNullWithoutAPeer) {
    BenchResult compared = sample();
    compared.peer = "LAMMPS";
    compared.peerValue = 3e6;
    compared.ratio = 2;
    const nlohmann::json list = nlohmann::json::parse(benchAsJson({sample(), compared}));
    ASSERT_EQ(list.size(), 2u);
    for (const char* field : {"name", "n", "threads", "value", "unit", "bytes_per_item", "peer", "peer_value", "ratio",
                              "contacts_per_item", "bytes_moved", "bandwidth_share"}) {
        EXPECT_TRUE(list[0].contains(field)) << field;
    }
    EXPECT_EQ(list[0]["n"], 95'832);
    EXPECT_EQ(list[0]["unit"], "particle-steps/s");
    EXPECT_TRUE(list[0]["peer"].is_null() && list[0]["peer_value"].is_null() && list[0]["ratio"].is_null());
    EXPECT_EQ(list[1]["peer"], "LAMMPS");
    EXPECT_EQ(list[1]["ratio"], 2);
}

TEST(BenchResults, TableNamesTheMachineAndTheRatio) {
    BenchResult compared = sample();
    compared.peer = "LAMMPS";
    compared.ratio = 1.75;
    const std::string table = benchAsTable({compared});
    EXPECT_NE(table.find("core"), std::string::npos);
    EXPECT_NE(table.find("95832"), std::string::npos);
    EXPECT_NE(table.find("ratio 1.75"), std::string::npos);
    EXPECT_EQ(benchAsTable({sample()}).find(": ratio"), std::string::npos);
}

TEST(Bench, RefusesWhatDoesNotExist) {
    const auto silent = [](const std::string&) {};
    EXPECT_THROW(runBench("pile", {}, silent), InputError);
    EXPECT_THROW(runBench("packing", {.grains = {0}}, silent), InputError);
    EXPECT_THROW(runBench("packing", {.threads = {0}}, silent), InputError);
}

TEST(Bench, MeasuresASmallPackingOnOneAndTwoThreads) {
    const std::vector<BenchResult> results =
        runBench("packing", {.grains = {125}, .threads = {1, 2}, .noPeer = true}, [](const std::string&) {});
    ASSERT_EQ(results.size(), 2u);
    for (const BenchResult& r : results) {
        EXPECT_EQ(r.n, 125u);
        EXPECT_GT(r.value, 1e4);
        EXPECT_GT(r.bytesPerItem, 0);
        EXPECT_GT(r.bytesMoved, 500);
        EXPECT_LT(r.bytesMoved, 3000);
        EXPECT_GT(r.bandwidthShare, 0);
        EXPECT_TRUE(r.peer.empty());
    }
    EXPECT_EQ(results[1].threads, 2);
}

}  // namespace
}  // namespace talus
