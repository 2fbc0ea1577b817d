// Flow of glass beads and of grains of other shapes out of a wedge hopper (Pazouki and others 2017, section II E).
//
// Tables VIII and IX: spheres of 0.5 mm, both methods, gaps w of 1.5, 2 and 2.5 mm, and Young's moduli from 6 MPa on.
// Tables X and XI: grains of the same volume, contact dynamics: ellipsoids, cubes, and a mixture of four shapes. The
// rate is the paper's: ten straight lines through the mass that has passed, between 0.3 and 0.9 of the duration of the
// flow; their mean and standard deviation (docs/observables.md). A flow does not depend on how high the grains stand
// above the slot as long as they stand some gaps high, so fewer of them than the paper's 40,000 have the same rate for
// a shorter time. A case ends when only as many are left as are needed for that.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "experiments/case_run.hpp"
#include "experiments/experiment.hpp"
#include "experiments/pazouki2017/common.hpp"

namespace talus::reproduce {
namespace {

constexpr double radius = 0.25e-3;             // m, of the ball of equal volume
constexpr double depth = 9.398e-3;             // m, of the cavity along the slot
constexpr double fillFraction = 0.28;          // -, of bounding balls where grains start
constexpr double gravity = 9.81;               // m/s^2
constexpr double rigidStep = 1.5e-4;           // s
constexpr double softModulus = 6e6;            // Pa
constexpr double stepAtSoftModulus = 4e-6;     // s, a seventh of the Rayleigh time
constexpr int heldBoxes = 1;                   // the sloping wall counts among the grains
constexpr std::size_t slope = 0, filling = 5;  // places in the list of bodies

// What the hopper is filled with, and the paper's rates for w = 1.5, 2 and 2.5 mm.
struct Composition {
    std::string name, label;
    std::vector<GrainForm> forms;  // none: spheres
    double boundingRatio;          // -, radius of the bounding ball over that of equal volume
    double rate[3];                // g/s, Table X
    double deviation[3];           // %, Table XI
};

double ratioOfEllipsoid(double elongation) { return std::pow(elongation, 2.0 / 3); }

// Of any size: grains are scaled to the volume of the ball.
GrainForm ellipsoid(double elongation) { return {Ellipsoid{{1, 1, elongation}}}; }

const GrainForm sphereOfAnySize{Sphere{1}}, cube{Box{{1, 1, 1}}}, cylinder{Cylinder{.radius = 1, .length = 2}};
const double cubeRatio = std::sqrt(3.0) / 2 * std::cbrt(4 * std::numbers::pi / 3);

const std::vector<Composition>& compositions() {
    static const std::vector<Composition> all{
        {"sphere", "spheres", {}, 1, {1.60, 2.87, 4.42}, {5.6, 3.6, 2.1}},
        {"ellipsoid2", "ellipsoids 2:1", {ellipsoid(2)}, ratioOfEllipsoid(2), {1.45, 2.54, 4.07}, {6.7, 5.7, 5.2}},
        {"ellipsoid3", "ellipsoids 3:1", {ellipsoid(3)}, ratioOfEllipsoid(3), {1.00, 2.20, 3.33}, {19.5, 9.6, 6.5}},
        {"ellipsoid4", "ellipsoids 4:1", {ellipsoid(4)}, ratioOfEllipsoid(4), {0.49, 1.46, 2.49}, {21.5, 22.7, 10.6}},
        {"cube", "cubes", {cube}, cubeRatio, {0.58, 1.96, 3.28}, {19.6, 17.2, 7.5}},
        {"mixture",
         "mixture",
         {sphereOfAnySize, cube, cylinder, ellipsoid(2)},
         ratioOfEllipsoid(2),
         {1.14, 2.25, 3.59},
         {16.3, 8.1, 5.6}}};
    return all;
}

const Composition& composition(const std::string& name) {
    return *std::find_if(compositions().begin(), compositions().end(), [&](const auto& c) { return c.name == name; });
}

constexpr double gaps[3] = {1.5e-3, 2.0e-3, 2.5e-3};  // m
constexpr double labRate[3] = {1.42, 2.69, 4.23};     // g/s, Table VIII
constexpr double penaltyRate[3] = {1.50, 2.71, 4.20}, rigidRate[3] = {1.48, 2.80, 4.28};

struct Case {
    const Composition& grains;
    Method method;
    int gap;  // index of gaps
    int count;
    double modulus = softModulus;

    std::string methodName() const { return method == Method::penalty ? "penalty" : "contact-dynamics"; }
    std::string name() const {
        return fmt::format("{}-{}-{:.1f}mm-{}-{:g}Pa", grains.name, methodName(), 1e3 * gaps[gap], count, modulus);
    }
    std::string title() const {
        return fmt::format("{}, {}, w = {:.1f} mm", grains.label, method == Method::penalty ? "DEM-P" : "DEM-C",
                           1e3 * gaps[gap]);
    }
};

struct Flow {
    Case of;
    double rate = 0, deviation = 0;  // g/s
    int left = 0;                    // grains above the slot at the end
    bool jammed = false;             // the time allowed was over before as many had run out as should
    double seconds = 0;              // s of wall clock
    bool takenOver = false;          // from an earlier run
    std::vector<std::string> warnings;

    double unsteadiness() const { return 100 * deviation / rate; }  // of Table XI
};

// Grains that are to stay above the slot, for the flow to be that of a full hopper: they stand as many gaps high at any
// gap, on a slope of 45 degrees.
int leastGrains(int gap) { return static_cast<int>(std::lround(700 * std::pow(gaps[gap] / gaps[1], 2))); }

// A column of grains wholly above the sloping wall, half again as high as it is wide.
struct Column {
    double width, low, high;  // m
};

Column columnOf(const Case& c) {
    const double ball = 4.0 / 3 * std::numbers::pi * std::pow(c.grains.boundingRatio * radius, 3);
    const double volume = c.count * ball / fillFraction;
    const double width = std::sqrt(volume / (1.5 * depth)) + 2 * c.grains.boundingRatio * radius;
    return {width, width, 2.5 * width};
}

// s. The time of a collision, and the step with it, goes as 1/sqrt(E). Thin grains would be passed in one rigid step.
double stepOf(const Case& c) {
    if (c.method == Method::penalty) return stepAtSoftModulus * std::sqrt(softModulus / c.modulus);
    return c.grains.boundingRatio > 2 ? 0.5 * rigidStep : rigidStep;
}

// s, that the flow may take.
double longestFlow(const Case& c) {
    const double mass = 2500 * 4.0 / 3 * std::numbers::pi * radius * radius * radius;  // kg, of a grain
    return 2.5 * mass * (c.count - leastGrains(c.gap)) / (1e-3 * std::min(c.grains.rate[c.gap], labRate[c.gap]));
}

Scene sceneOf(const Trial& trial, const Case& c) {
    Scene scene = trial.scene("hopper.yaml");
    scene.method = c.method;
    kindOf<SolidBody<Box>>(scene, slope).position.x = -gaps[c.gap] - 30.884e-3;
    const Column column = columnOf(c);
    auto& beads = kindOf<RandomBodies>(scene, filling);
    beads.grains = c.grains.forms;
    beads.count = static_cast<std::uint64_t>(c.count);
    beads.region = BoxRegion{{-column.width, -depth / 2, column.low}, {0, depth / 2, column.high}};
    scene.materials.at("glass").elastic.youngsModulus = c.modulus;
    scene.stages[0].time = std::sqrt(2 * column.high / gravity) + 0.025;
    scene.stages[1].time = longestFlow(c);
    scene.stages[1].until[0].below = {std::to_string(leastGrains(c.gap) + heldBoxes)};
    scene.run.time = scene.stages[0].time + scene.stages[1].time;
    scene.run.step = {stepOf(c)};
    return scene;
}

Flow flowOf(const Case& c, const CaseRun& run) {
    const nlohmann::json summary = nlohmann::json::parse(run.summary);
    const nlohmann::json& results = summary.at("results");
    const nlohmann::json& outlet = results.at("flow").at("outlet");
    return {.of = c,
            .rate = 1e3 * outlet.value("rate", 0.0),
            .deviation = 1e3 * outlet.value("deviation", 0.0),
            .left = results.at("grains").get<int>() - heldBoxes,
            .jammed = results.at("stages").back().at("ended") == "time",
            .seconds = summary.at("wall_seconds").get<double>(),
            .takenOver = run.takenOver,
            .warnings = run.warnings};
}

Flow discharge(const Trial& trial, const Case& c) {
    return flowOf(c, runCase(sceneOf(trial, c), trial.folder() / c.name()));
}

// Few grains for a gap: those that are to stay, and as many as give the regression something to go by.
int fewGrains(int gap) { return leastGrains(gap) + 900; }

std::vector<Case> quickCases() {
    const Composition& sphere = composition("sphere");
    std::vector<Case> cases;
    for (const int gap : {0, 1, 2}) cases.push_back({sphere, Method::penalty, gap, fewGrains(gap)});
    for (const char* name : {"sphere", "ellipsoid2"}) {
        cases.push_back({composition(name), Method::contactDynamics, 1, fewGrains(1)});
    }
    return cases;
}

constexpr int manySpheres = 5000;

// All rows of the tables, other shapes with few grains; how rates go on with the number of grains; and other moduli.
std::vector<Case> paperCases() {
    const Composition& sphere = composition("sphere");
    std::vector<Case> cases;
    for (int gap = 0; gap < 3; ++gap) {
        for (const Method method : {Method::penalty, Method::contactDynamics}) {
            cases.push_back({sphere, method, gap, manySpheres});
        }
        for (const Composition& grains : compositions()) {
            cases.push_back({grains, Method::contactDynamics, gap, fewGrains(gap)});
        }
    }
    for (const int count : {1600, 2500, 10000}) cases.push_back({sphere, Method::penalty, 1, count});
    for (const char* name : {"ellipsoid2", "mixture"}) {
        cases.push_back({composition(name), Method::contactDynamics, 1, 3000});
    }
    for (const double modulus : {2.5e7, 1e8}) cases.push_back({sphere, Method::penalty, 1, 2500, modulus});
    return cases;
}

double paperRate(const Case& c) {
    if (!c.grains.forms.empty()) return c.grains.rate[c.gap];
    return (c.method == Method::penalty ? penaltyRate : rigidRate)[c.gap];
}

void compare(Trial& trial, const Flow& f) {
    const Case& c = f.of;
    std::string what = fmt::format("{}, {} grains", c.title(), c.count);
    if (c.modulus != softModulus) what += fmt::format(", E = {:g} MPa", 1e-6 * c.modulus);
    trial.add(within(what + ": flow rate", "g/s", paperRate(c), f.rate, trial.pick(0.2, 0.15)));
    if (f.jammed) trial.note(fmt::format("{}: jammed, {} grains stayed", what, f.left));
    if (f.takenOver) trial.note(what + ": taken over from an earlier run in this folder");
    trial.noteWarnings(what, f.warnings);
}

// There must be one.
const Flow& spheres(const std::vector<Flow>& flows, Method method, int gap, int count, double modulus = softModulus) {
    return *std::find_if(flows.begin(), flows.end(), [&](const Flow& f) {
        const Case& c = f.of;
        return c.grains.forms.empty() && c.method == method && c.gap == gap && c.count == count && c.modulus == modulus;
    });
}

// Other shapes flow more slowly (Table X) and less steadily (Table XI) than as many spheres.
void compareWithSpheres(Trial& trial, const Flow& f, const Flow& like) {
    const Case& c = f.of;
    const std::string what = fmt::format("{}, {} grains: over spheres, ", c.title(), c.count);
    trial.add(
        within(what + "rate", "", c.grains.rate[c.gap] / composition("sphere").rate[c.gap], f.rate / like.rate, 0.2));
    trial.add(atLeast(what + "standard deviation over rate", "", 1, f.unsteadiness() / like.unsteadiness()));
}

// What holds for any number of grains.
void compareWithEachOther(Trial& trial, const std::vector<Flow>& flows) {
    const auto rate = [&](Method method, int gap) {
        return spheres(flows, method, gap, trial.isQuick() ? fewGrains(gap) : manySpheres).rate;
    };
    const double soft = rate(Method::penalty, 1);
    trial.add(within("spheres, DEM-P: rate at w = 2 mm over that at 1.5 mm", "", penaltyRate[1] / penaltyRate[0],
                     soft / rate(Method::penalty, 0), 0.2));
    trial.add(within("spheres, w = 2 mm: rate by DEM-C over that by DEM-P", "", rigidRate[1] / penaltyRate[1],
                     rate(Method::contactDynamics, 1) / soft, 0.15));
    for (const Flow& f : flows) {
        const Case& c = f.of;
        if (c.modulus != softModulus) {
            trial.add(
                within(fmt::format("spheres, w = 2 mm: rate at E = {:g} MPa over that at 6 MPa", 1e-6 * c.modulus), "",
                       1.0, f.rate / spheres(flows, c.method, c.gap, c.count).rate, 0.1));
        } else if (!c.grains.forms.empty() && c.count == fewGrains(c.gap)) {
            compareWithSpheres(trial, f, spheres(flows, c.method, c.gap, c.count));
        }
    }
    const auto jams = std::count_if(flows.begin(), flows.end(), [](const Flow& f) { return f.jammed; });
    trial.add(atMost("cases that jam: none, as in the paper", "", 0, static_cast<double>(jams)));
}

void writeRates(const Trial& trial, const std::vector<Flow>& flows) {
    std::vector<std::vector<double>> rows;
    for (const Flow& f : flows) {
        const auto kind = static_cast<double>(&f.of.grains - compositions().data());
        rows.push_back({kind, f.of.method == Method::penalty ? 0.0 : 1.0, 1e3 * gaps[f.of.gap],
                        static_cast<double>(f.of.count), f.of.modulus, f.rate, f.deviation, f.unsteadiness(),
                        paperRate(f.of), f.of.grains.deviation[f.of.gap], static_cast<double>(f.left), f.seconds});
    }
    trial.writeTable(
        "rates",
        {"composition", "method", "gap [mm]", "grains", "modulus [Pa]", "rate [g/s]", "deviation [g/s]",
         "100 deviation / rate", "paper [g/s]", "paper 100 deviation / rate, DEM-C", "grains left", "wall clock [s]"},
        rows);
}

void plotSpheres(Trial& trial) {
    std::vector<std::vector<double>> rows;
    for (int k = 0; k < 3; ++k) rows.push_back({1e3 * gaps[k], labRate[k], penaltyRate[k], rigidRate[k]});
    trial.writeTable("paper", {"gap [mm]", "laboratory [g/s]", "DEM-P [g/s]", "DEM-C [g/s]"}, rows);
    trial.plot("spheres",
               "set xlabel 'gap w [mm]'\nset ylabel 'flow rate [g/s]'\nset xrange [1.3:2.7]\n"
               "set yrange [0:*]\nset title 'Spheres of 0.5 mm'\n"
               "plot 'paper.csv' skip 1 using 1:2 with linespoints ls 7 title 'laboratory', "
               "'' skip 1 using 1:3 with points ls 1 pt 4 title 'paper, DEM-P', "
               "'' skip 1 using 1:4 with points ls 2 pt 6 title 'paper, DEM-C', "
               "'rates.csv' skip 1 using ($1 == 0 && $2 == 0 ? $3 - 0.02 : NaN):6:7 with yerrorbars ls 1 pt 7 "
               "title 'Talus, DEM-P', "
               "'' skip 1 using ($1 == 0 && $2 == 1 ? $3 + 0.02 : NaN):6:7 with yerrorbars ls 2 pt 7 "
               "title 'Talus, DEM-C'\n");
}

void plotShapes(Trial& trial) {
    std::string ticks;
    for (std::size_t k = 0; k < compositions().size(); ++k) {
        ticks += fmt::format("{}'{}' {}", k > 0 ? ", " : "", compositions()[k].label, k);
    }
    // The three gaps stand beside each other.
    trial.plot("shapes",
               "set ylabel 'flow rate [g/s]'\nset yrange [0:*]\nset xrange [-0.5:5.5]\nset xtics (" + ticks +
                   ") rotate by 20 right\nset title 'Grains of equal volume, DEM-C, w = 1.5, 2 and 2.5 mm'\n"
                   "at(kind, gap) = kind + 0.5*(gap - 2)\n"
                   "plot 'rates.csv' skip 1 using ($2 == 1 ? at($1, $3) - 0.06 : NaN):9 with points ls 7 pt 6 "
                   "title 'paper', "
                   "'' skip 1 using ($2 == 1 ? at($1, $3) + 0.06 : NaN):6:7 with yerrorbars ls 1 pt 7 "
                   "title 'Talus'\n");
}

void plotMasses(Trial& trial, const std::vector<Flow>& flows) {
    std::string curves;
    int style = 0;
    for (const Flow& f : flows) {
        if (f.of.gap != 1 || f.of.count != fewGrains(1)) continue;
        curves += fmt::format(
            "{}'{}/series.csv' using 1:(1e3*column('mass_through_outlet [kg]')) with lines "
            "ls {} title '{}'",
            style > 0 ? ", " : "", f.of.name(), style + 1, f.of.title());
        ++style;
    }
    trial.plot("mass",
               "set xlabel 'time [s]'\nset ylabel 'mass through the slot [g]'\nset title "
               "'Outflow, w = 2 mm'\nset datafile columnheaders\nplot " +
                   curves + "\n");
}

void run(Trial& trial) {
    const std::vector<Case> cases = trial.isQuick() ? quickCases() : paperCases();
    std::vector<Flow> flows;
    for (const Case& c : cases) {
        trial.progress(fmt::format("{}, {} grains", c.title(), c.count),
                       static_cast<double>(flows.size()) / static_cast<double>(cases.size()));
        flows.push_back(discharge(trial, c));
        compare(trial, flows.back());
    }
    compareWithEachOther(trial, flows);
    writeRates(trial, flows);
    plotSpheres(trial);
    plotShapes(trial);
    plotMasses(trial, flows);
}

}  // namespace

Experiment pazouki2017_hopper() {
    return {.paper = pazouki2017::citation,
            .title = "Flow out of a wedge hopper: spheres, ellipsoids, cubes and mixtures, both methods",
            .run = run};
}

}  // namespace talus::reproduce
