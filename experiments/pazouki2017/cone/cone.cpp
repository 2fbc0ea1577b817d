// A cone falls into glass beads (Pazouki and others 2017, section II B).
//
// Beads fall into a mould, with friction for a loose packing and without for a dense one. At rest, with friction in
// both, a cone that is guided upright is let go at their surface. From a height H it arrives there with
//
//     v = sqrt(2 * 0.79 g H)
//
// where 0.79 g is what the paper found falls through its guide to have. Judged are the void ratios at rest (Table II;
// Table III follows from them) and the depth at which the cone comes to rest (Table IV); what the two methods cost
// (Table V) is noted. Moulds, cones and heights are the paper's; beads may be larger, by a factor, for fewer of them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/experiment.hpp"
#include "experiments/pazouki2017/common.hpp"
#include "talus/results.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

using pazouki2017::processorSeconds;

constexpr double beadRadius = 1.4245e-3;  // m
constexpr double beadDensity = 2500;      // kg/m^3
constexpr double gravity = 0.79 * 9.81;   // m/s^2, on the falling cone
constexpr double friction = 0.7;
constexpr double penaltyStep = 8e-6;  // s, for beads of the paper's size: a fifth of the Rayleigh time
constexpr double rigidStep = 1.5e-4;  // s, likewise: at 2 m/s a bead goes a fifth of its radius
constexpr int samples = 60;           // of a fall

struct TestCone {
    int angle;            // degrees, at the apex
    double length, mass;  // m, kg
    double radius() const { return length * std::tan(angle * std::numbers::pi / 360); }
    double density() const { return mass / (std::numbers::pi / 3 * radius() * radius() * length); }
};
const TestCone slim{30, 34.36e-3, 141.1e-3}, wide{60, 22.10e-3, 135.7e-3};

enum class Packing { loose, dense };

// A mould with its beads, and what the paper has for them: the void ratios of the laboratory, DEM-P and DEM-C.
struct Fill {
    int inches;
    Packing packing;
    int beads;
    double voidRatio[3];  // of the laboratory, DEM-P and DEM-C: Table II
    double density[3];    // kg/m^3, Table III

    double mouldRadius() const { return 0.0127 * inches; }
    std::string name() const { return fmt::format("{} in, {}", inches, packing == Packing::loose ? "loose" : "dense"); }
};
const Fill loose4{4, Packing::loose, 48864, {0.66, 0.72, 0.75}, {1504.29, 1449.50, 1426.00}},
    dense4{4, Packing::dense, 53296, {0.53, 0.55, 0.57}, {1630.34, 1608.79, 1593.69}},
    loose6{6, Packing::loose, 110786, {0.66, 0.71, 0.74}, {1504.32, 1462.70, 1433.39}},
    dense6{6, Packing::dense, 120860, {0.53, 0.55, 0.56}, {1630.35, 1610.93, 1601.22}};

// A row of Table IV: depths in cm of the laboratory, DEM-P and DEM-C; zeros where the paper has none.
struct Scenario {
    const Fill& fill;
    const TestCone& cone;
    double height;  // -, over the length of the cone
    double depth[3];
    bool isReported() const { return depth[0] > 0; }
};

const std::vector<Scenario>& tableFour() {
    static const std::vector<Scenario> rows{
        {dense6, slim, 0, {5.01, 4.90, 4.73}},   {dense6, slim, 0.5, {5.49, 5.42, 5.11}},
        {dense6, slim, 1, {5.86, 5.92, 5.44}},   {loose6, slim, 0, {6.25, 6.56, 6.84}},
        {loose6, slim, 0.5, {6.79, 7.17, 7.29}}, {loose6, slim, 1, {7.17, 7.63, 7.73}},
        {loose4, slim, 0, {6.43, 6.45, 6.57}},   {loose4, slim, 0.5, {7.04, 7.01, 7.01}},
        {loose4, slim, 1, {7.30, 7.38, 7.52}},   {dense6, wide, 0, {3.29, 3.28, 3.11}},
        {dense6, wide, 0.5, {3.59, 3.56, 3.40}}, {dense6, wide, 1, {3.44, 3.85, 3.64}}};
    return rows;
}

// Beads at rest, by one of the methods, perhaps larger than the paper's.
struct Bed {
    const Fill& fill;
    Method method;
    double coarseness;  // -, diameter of the beads over the paper's
    double voidRatio = 0;
    double seconds = 0;  // of processor time

    int column() const { return method == Method::penalty ? 1 : 2; }  // of the paper's numbers
    double radius() const { return coarseness * beadRadius; }
    int beads() const { return static_cast<int>(std::lround(fill.beads / std::pow(coarseness, 3))); }
    double step() const { return coarseness * (method == Method::penalty ? penaltyStep : rigidStep); }
    // Random places fill 0.28 of this height, in m.
    double height() const {
        const double solid = beads() * 4.0 / 3 * std::numbers::pi * std::pow(radius(), 3);
        return solid / (0.28 * std::numbers::pi * fill.mouldRadius() * fill.mouldRadius());
    }
    double mouldHeight() const { return height() + 0.02; }
    std::string methodName() const { return method == Method::penalty ? "DEM-P" : "DEM-C"; }
    std::string name() const { return fmt::format("{}, {}, beads x {:g}", fill.name(), methodName(), coarseness); }
};

struct Drop {
    Bed bed;
    Scenario scenario;
    double depth = 0;                             // m, at the end, of the tip below where it touched first
    double endSpeed = 0;                          // m/s downwards, of the cone at the end
    double topSpeed = 0;                          // m/s, the largest on its way
    double seconds = 0;                           // of processor time
    std::vector<std::pair<double, double>> path;  // s, m

    std::string name() const {
        return fmt::format("{}, {} degrees, from {:g} L", bed.name(), scenario.cone.angle, scenario.height);
    }
};

// --- beads at rest -------------------------------------------------------------------------------------------------

// The scene of the file, with the mould of this bed and its method.
Scene sceneInMould(const Trial& trial, const std::string& file, const Bed& bed) {
    Scene scene = trial.scene(file);
    scene.method = bed.method;
    auto& mould = kindOf<Drum>(scene, 0);
    mould.centre = {0, 0, bed.mouldHeight() / 2};
    mould.length = bed.mouldHeight();
    mould.radius = bed.fill.mouldRadius();
    scene.run.step = {bed.step()};
    return scene;
}

Scene fillScene(const Trial& trial, const Bed& bed) {
    Scene scene = sceneInMould(trial, "fill.yaml", bed);
    auto& beads = kindOf<RandomBodies>(scene, 1);
    beads.radius = SingleSize{bed.radius()};
    beads.count = static_cast<std::uint64_t>(bed.beads());
    beads.region =
        CylinderRegion{.centre = {0, 0, bed.height() / 2}, .radius = bed.fill.mouldRadius(), .length = bed.height()};
    scene.materials.at("glass").contact.friction = bed.fill.packing == Packing::loose ? friction : 0.0;
    return scene;
}

// m^3, of a ball below a height.
double volumeBelow(double level, double centre, double radius) {
    const double cap = std::clamp(level - (centre - radius), 0.0, 2 * radius);
    return std::numbers::pi * cap * cap * (3 * radius - cap) / 3;
}

// Of the whole width of the mould, up to nine tenths of the height of the packing.
double voidRatioOf(const std::vector<BodyState>& beads, double mouldRadius) {
    double sum = 0;
    for (const BodyState& b : beads) sum += b.position.z;
    const double level = 0.9 * 2 * sum / static_cast<double>(beads.size());
    double solid = 0;
    for (const BodyState& b : beads) solid += volumeBelow(level, b.position.z, b.radius);
    return std::numbers::pi * mouldRadius * mouldRadius * level / solid - 1;
}

std::vector<BodyState> beadsOf(const Simulation& simulation) {
    std::vector<BodyState> bodies = simulation.bodies();
    std::erase_if(bodies, [](const BodyState& b) { return b.group != "grains"; });
    return bodies;
}

void writeBeads(const Trial& trial, const std::vector<BodyState>& beads) {
    std::string text = "x,y,z,radius\n";
    for (const BodyState& b : beads) {
        text += fmt::format("{:.17g},{:.17g},{:.17g},{:.17g}\n", b.position.x, b.position.y, b.position.z, b.radius);
    }
    writeResultFile(trial.folder() / "beads.csv", text);
}

// Calls after each of so many equal parts of these steps.
template <class Visit>
void advanceInParts(Simulation& simulation, double time, Visit&& visit) {
    const auto steps = static_cast<std::uint64_t>(std::llround(time / simulation.stepLength()));
    for (std::uint64_t k = 0; k < samples; ++k) {
        simulation.advance(steps * (k + 1) / samples - steps * k / samples);
        visit(static_cast<int>(100 * (k + 1) / samples));
    }
}

void fillMould(const Trial& trial, Bed& bed, double share) {
    const double begin = processorSeconds();
    const Scene scene = fillScene(trial, bed);
    Simulation simulation(scene);
    advanceInParts(simulation, scene.run.time,
                   [&](int done) { trial.progress(fmt::format("{}: {} %", bed.name(), done), share); });
    const std::vector<BodyState> beads = beadsOf(simulation);
    bed.voidRatio = voidRatioOf(beads, bed.fill.mouldRadius());
    bed.seconds = processorSeconds() - begin;
    writeBeads(trial, beads);
}

// --- the fall of the cone ------------------------------------------------------------------------------------------

Scene dropScene(const Trial& trial, const Bed& bed, const Scenario& s) {
    Scene scene = sceneInMould(trial, "cone.yaml", bed);
    auto& cone = kindOf<SolidBody<Cone>>(scene, 2);
    cone.form.length = s.cone.length;
    cone.form.highRadius = s.cone.radius();
    cone.position = {0, 0, bed.mouldHeight() + s.cone.length};
    scene.materials.at("steel").density = s.cone.density();
    scene.stages[1].change[0].velocity = Vec3{0, 0, -std::sqrt(2 * gravity * s.height * s.cone.length)};
    return scene;
}

Drop dropCone(const Trial& trial, const Bed& bed, const Scenario& scenario, double share) {
    const double begin = processorSeconds();
    const Scene scene = dropScene(trial, bed, scenario);
    Simulation simulation(scene);
    Drop drop{.bed = bed, .scenario = scenario, .path = {}};
    // The first step of the second stage puts the cone onto the beads; depths count from there.
    while (simulation.stages().size() < 2) simulation.advance(1);
    const double start = simulation.time(), surface = simulation.measured("slide_guide");
    advanceInParts(simulation, scene.stages[1].time, [&](int done) {
        trial.progress(fmt::format("{}: {} %", drop.name(), done), share);
        drop.path.emplace_back(simulation.time() - start, simulation.measured("slide_guide") - surface);
        drop.endSpeed = std::abs(simulation.measured("slide_speed_guide"));
        drop.topSpeed = std::max(drop.topSpeed, drop.endSpeed);
    });
    drop.depth = drop.path.back().second;
    drop.seconds = processorSeconds() - begin;
    return drop;
}

// --- what is run and compared --------------------------------------------------------------------------------------

const Scenario dense4Slim{dense4, slim, 0, {}};  // not in Table IV

// A bed, and the rows of Table IV that fall into it.
struct Plan {
    Bed bed;
    std::vector<Scenario> drops;
};

std::vector<Scenario> rowsOf(const Fill& fill) {
    std::vector<Scenario> rows;
    for (const Scenario& s : tableFour()) {
        if (&s.fill == &fill) rows.push_back(s);
    }
    return rows;
}

std::vector<Plan> plansOf(const Trial& trial) {
    const Scenario& loose4Slim = tableFour()[6];
    if (trial.isQuick()) {
        return {{{loose4, Method::penalty, 3}, {loose4Slim, tableFour()[8]}},
                {{dense4, Method::penalty, 3}, {dense4Slim}},
                {{loose4, Method::contactDynamics, 3}, {loose4Slim}}};
    }
    std::vector<Plan> plans;
    for (const Method method : {Method::penalty, Method::contactDynamics}) {
        plans.push_back({{loose4, method, 2}, rowsOf(loose4)});
        plans.push_back({{dense4, method, 2}, {dense4Slim}});
    }
    // Rigid beads in the larger mould would take longer than all the rest together.
    plans.push_back({{loose6, Method::penalty, 2}, rowsOf(loose6)});
    plans.push_back({{dense6, Method::penalty, 2}, rowsOf(dense6)});
    // How the answer changes with the size of the beads.
    plans.push_back({{loose4, Method::penalty, 3}, {loose4Slim}});
    plans.push_back({{loose4, Method::penalty, 1.5}, {loose4Slim}});
    return plans;
}

void compareBed(Trial& trial, const Bed& bed) {
    trial.add(within(bed.name() + ": void ratio", "", bed.fill.voidRatio[bed.column()], bed.voidRatio,
                     trial.pick(0.2, 0.12)));
    trial.add(within(bed.name() + ": density", "kg/m^3", bed.fill.density[bed.column()],
                     beadDensity / (1 + bed.voidRatio), trial.pick(0.08, 0.06)));
}

void compareDepth(Trial& trial, const Drop& drop) {
    if (!drop.scenario.isReported()) return;
    // Beads that are not much smaller than the cone stop it earlier.
    trial.add(sameOrder(drop.name() + ": depth", "cm", drop.scenario.depth[drop.bed.column()], 100 * drop.depth,
                        trial.pick(1.7, 1.4)));
    // Depths are those of the end: the cone must have come to rest by then.
    trial.add(atMost(drop.name() + ": speed of the cone at the end over its largest", "", 0.03,
                     drop.endSpeed / drop.topSpeed, Source::theory));
}

const Drop& find(const std::vector<Drop>& drops, const Fill& fill, Method method, double height) {
    return *std::find_if(drops.begin(), drops.end(), [&](const Drop& d) {
        return &d.bed.fill == &fill && d.bed.method == method && d.scenario.height == height;
    });
}

// What holds for beads of any size. Costs (Table V) are those of two programs, so they are told and not judged.
void compareWithEachOther(Trial& trial, const std::vector<Drop>& drops) {
    const Drop& loose = find(drops, loose4, Method::penalty, 0);
    const Drop& higher = find(drops, loose4, Method::penalty, 1);
    const Drop& dense = find(drops, dense4, Method::penalty, 0);
    const Drop& rigid = find(drops, loose4, Method::contactDynamics, 0);
    trial.add(atLeast("4 in, DEM-P: depth in loose beads over that in dense ones", "", 1.05, loose.depth / dense.depth,
                      Source::theory));
    trial.add(
        atLeast("4 in, loose, DEM-P: depth from height L over that from 0", "", 1.02, higher.depth / loose.depth));
    trial.add(
        within("4 in, loose: depth by DEM-C over that by DEM-P", "", 6.57 / 6.45, rigid.depth / loose.depth, 0.2));
    const double soft = loose.bed.seconds + loose.seconds, hard = rigid.bed.seconds + rigid.seconds;
    trial.note(
        fmt::format("4 in, loose: {:.1f} s of processor time with DEM-P, {:.1f} s with DEM-C, {:.1f} times as "
                    "much; the paper has 1.56 times (Table V)",
                    soft, hard, hard / soft));
}

// --- plots ---------------------------------------------------------------------------------------------------------

void writeResults(const Trial& trial, const std::vector<Drop>& drops) {
    std::vector<std::vector<double>> rows;
    for (const Drop& d : drops) {
        const Scenario& s = d.scenario;
        rows.push_back({static_cast<double>(s.fill.inches), s.fill.packing == Packing::loose ? 0.0 : 1.0,
                        static_cast<double>(s.cone.angle), s.height, d.bed.method == Method::penalty ? 0.0 : 1.0,
                        d.bed.coarseness, static_cast<double>(d.bed.beads()), d.bed.voidRatio, 100 * d.depth,
                        s.depth[0], s.depth[1], s.depth[2], d.bed.seconds, d.seconds});
    }
    trial.writeTable(
        "cone",
        {"mould [in]", "dense", "angle [deg]", "height / L", "contact dynamics", "coarseness", "beads", "void ratio",
         "depth [cm]", "laboratory [cm]", "paper DEM-P [cm]", "paper DEM-C [cm]", "filling [s]", "falling [s]"},
        rows);
}

void plotPaths(Trial& trial, const std::vector<Drop>& drops) {
    std::string curves;
    int number = 0;
    for (const Drop& d : drops) {
        if (d.scenario.fill.inches != 4 || d.bed.coarseness != drops.front().bed.coarseness) continue;
        const std::string file = fmt::format("path{}", ++number);
        std::vector<std::vector<double>> rows;
        for (const auto& [time, depth] : d.path) rows.push_back({1e3 * time, 100 * depth});
        trial.writeTable(file, {"time [ms]", "depth [cm]"}, rows);
        // A colour for each experiment, full lines for one method and dashes for the other.
        const bool isLoose = d.scenario.fill.packing == Packing::loose;
        const int colour = isLoose ? 1 + static_cast<int>(std::lround(2 * d.scenario.height)) : 4;
        curves += fmt::format("'{}.csv' skip 1 using 1:2 with lines ls {} dt {} title '{}, {}, from {:g} L', ", file,
                              colour, d.bed.method == Method::penalty ? 1 : 2, isLoose ? "loose" : "dense",
                              d.bed.methodName(), d.scenario.height);
    }
    trial.plot("depth",
               "set xlabel 'time [ms]'\nset ylabel 'depth [cm]'\nset yrange [10:0]\nset key right top\n"
               "set title 'A cone of 30 degrees in beads, mould of 4 in'\nplot " +
                   curves +
                   "6.43 with lines ls 1 dt 3 title 'laboratory, loose, from 0 L', 7.30 with lines ls 3 dt 3 title "
                   "'laboratory, loose, from 1 L'\n");
}

void plotDepths(Trial& trial) {
    trial.plot("depths",
               "set xlabel 'depth in the laboratory [cm]'\nset ylabel 'depth [cm]'\nset key left top\n"
               "set xrange [3:8]\nset yrange [0:10]\nset title 'Depths of Table IV'\n"
               "plot x with lines ls 7 title 'laboratory', "
               "'cone.csv' skip 1 using ($5 == 0 ? $10 : NaN):11 with points ls 1 pt 4 title 'paper, DEM-P', "
               "'' skip 1 using ($5 == 1 ? $10 : NaN):12 with points ls 2 pt 6 title 'paper, DEM-C', "
               "'' skip 1 using ($5 == 0 && $10 > 0 ? $10 : NaN):9 with points ls 1 pt 7 title 'Talus, DEM-P', "
               "'' skip 1 using ($5 == 1 && $10 > 0 ? $10 : NaN):9 with points ls 2 pt 7 title 'Talus, DEM-C'\n");
}

void run(Trial& trial) {
    std::vector<Plan> plans = plansOf(trial);
    std::vector<Drop> drops;
    double share = 0;
    for (Plan& plan : plans) {
        fillMould(trial, plan.bed, share);
        compareBed(trial, plan.bed);
        for (const Scenario& scenario : plan.drops) {
            drops.push_back(dropCone(trial, plan.bed, scenario, share));
            compareDepth(trial, drops.back());
        }
        share += 1 / static_cast<double>(plans.size());
    }
    compareWithEachOther(trial, drops);
    writeResults(trial, drops);
    plotPaths(trial, drops);
    plotDepths(trial);
}

}  // namespace

Experiment pazouki2017_cone() {
    return {.paper = pazouki2017::citation,
            .title = "A cone falls into loose and dense beads: void ratios, depths, and the cost of both methods",
            .run = run};
}

}  // namespace talus::reproduce
