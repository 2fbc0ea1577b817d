// Direct shear of one layer of glass beads in a tilted box (Pazouki and others 2017, section II C).
//
// The box is 101.96 mm wide and lies on a slope, so that only a part of gravity presses on the shear plane; a dead load
// may press on top. The lower half of the frame is fixed, the upper one slides. The paper follows six beads, in the
// laboratory by a camera, and finds that neither the method nor the speed of the slider changes their ways much. Here
// both methods and all speeds begin with the same packing, so that the same six beads can be compared.
//
// The dense packing has rows of 35 and 34 beads in turn, 38 of them, which is the paper's 1,311, spread over the width:
//
//     spacing in a row  s = (101.96 mm - d)/34,   distance of rows  sqrt(d^2 - s^2/4)
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>

#include "experiments/experiment.hpp"
#include "experiments/pazouki2017/common.hpp"
#include "talus/results.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

constexpr double diameter = 2.84e-3, width = 101.96e-3, shearPlane = 50.58e-3;  // m
constexpr double lidHeight = 10e-3;                                             // m
constexpr std::size_t lid = 8;                                                  // place in the list of bodies
constexpr int longRow = 35, rows = 38;
constexpr int samples = 60;             // of a test
constexpr std::uint64_t readings = 20;  // of the force, from one sample to the next, or one at each step

enum class Packing { loose, dense };

const char* nameOf(Packing packing) { return packing == Packing::loose ? "loose" : "dense"; }
const char* nameOf(Method method) { return method == Method::penalty ? "penalty" : "contact-dynamics"; }

// What presses on the shear plane.
struct Slope {
    double angle = 18;    // degrees
    double deadMass = 0;  // g
};

struct Scenario {
    Packing packing = Packing::loose;
    Slope slope;
    double rate = 1;      // mm/min, of the laboratory
    double factor = 500;  // by which the slider is faster here
    Method method = Method::penalty;

    double speed() const { return rate * factor * 1e-3 / 60; }  // m/s
    std::string name() const {
        return fmt::format("{}, {} degrees, {} mm/min x {}", nameOf(packing), slope.angle, rate, factor);
    }
};

// A bead that is followed, as the camera of the paper does.
struct Track {
    std::uint32_t id = 0;
    std::vector<Vec3> place;  // m, at each sample

    Vec3 way() const { return place.back() - place.front(); }
    bool isAbove() const { return place.front().z > shearPlane; }
};

struct Test {
    Scenario scenario;
    std::vector<Track> tracks;
    std::vector<double> shift, force;          // m of the slider, N against it on average since the last sample
    std::vector<std::vector<double>> picture;  // of the end: x, z, radius, way along x, in mm
    double rise = 0;                           // m, of the beads of the upper half on average
    double seconds = 0;                        // s of wall clock

    // N, over the second half of the way.
    double meanForce() const {
        const auto half = static_cast<std::ptrdiff_t>(force.size() / 2);
        double sum = 0;
        for (auto f = force.begin() + half; f != force.end(); ++f) sum += *f;
        return sum / static_cast<double>(force.end() - force.begin() - half);
    }
};

// --- beads ---------------------------------------------------------------------------------------------------------

std::vector<Vec3> denseBeads() {
    const double spacing = (width - diameter) / (longRow - 1);
    const double height = std::sqrt(diameter * diameter - 0.25 * spacing * spacing);
    std::vector<Vec3> beads;
    for (int row = 0; row < rows; ++row) {
        for (int k = 0; k < longRow - row % 2; ++k) {
            beads.push_back(
                {0.5 * diameter + spacing * (k + 0.5 * (row % 2)), 0.5 * diameter, 0.5 * diameter + row * height});
        }
    }
    return beads;
}

std::vector<Vec3> looseBeads(const Trial& trial) {
    trial.progress("a loose packing", 0);
    const Scene scene = trial.scene("fill.yaml");
    Simulation simulation(scene);
    simulation.advance(static_cast<std::uint64_t>(scene.run.time / simulation.stepLength()));
    std::vector<Vec3> beads;
    for (const BodyState& b : simulation.bodies()) {
        if (b.radius > 0) beads.push_back(b.position);
    }
    return beads;
}

void writeBeads(const Trial& trial, const std::vector<Vec3>& beads) {
    std::string text = "x,y,z,radius\n";
    for (const Vec3& p : beads) text += fmt::format("{:.17g},{:.17g},{:.17g},{}\n", p.x, p.y, p.z, 0.5 * diameter);
    writeResultFile(trial.folder() / "beads.csv", text);
}

// --- one test ------------------------------------------------------------------------------------------------------

// m, of the highest bead.
double topOf(const std::vector<Vec3>& beads) {
    double highest = 0;
    for (const Vec3& p : beads) highest = std::max(highest, p.z);
    return highest + 0.5 * diameter;
}

Scene sceneOf(const Trial& trial, const Scenario& s, const std::vector<Vec3>& beads, double way) {
    const double angle = s.slope.angle * std::numbers::pi / 180;
    Scene scene = trial.scene("shear.yaml");
    scene.method = s.method;
    scene.gravity = {0, -9.81 * std::cos(angle), -9.81 * std::sin(angle)};
    StageSettings &load = scene.stages[0], &shear = scene.stages[1];
    shear.time = way / s.speed();
    shear.change[0].motion = ConstantMotion{{s.speed(), 0, 0}, {}};
    scene.run.time = load.time + shear.time;
    if (s.slope.deadMass > 0) {
        load.change[0].free->mass = 1e-3 * s.slope.deadMass;
        kindOf<SolidBody<Box>>(scene, lid).position = {0.5 * width, 1.65e-3, topOf(beads) + 0.5 * lidHeight};
    } else {
        load.change.clear();
    }
    if (s.method == Method::penalty) {
        scene.run.stepFraction = 0.15;
    } else {
        scene.run.step = {trial.pick(2e-3, 1e-3)};
    }
    scene.materials.at("glass").elastic.youngsModulus = trial.pick(30e6, 100e6);
    return scene;
}

const BodyState& bodyWith(const std::vector<BodyState>& bodies, std::uint32_t id) {
    return *std::lower_bound(bodies.begin(), bodies.end(), id,
                             [](const BodyState& b, std::uint32_t wanted) { return b.id < wanted; });
}

bool isBead(const BodyState& b) { return b.group == "grains"; }

// The beads nearest to three places above the shear plane and three below.
std::vector<Track> chooseTracks(const std::vector<BodyState>& bodies) {
    std::vector<Track> tracks;
    for (const double height : {8e-3, -8e-3}) {
        for (const double share : {0.15, 0.4, 0.65}) {
            const Vec3 wanted{share * width, 0.5 * diameter, shearPlane + height};
            const auto nearer = [&](const BodyState& a, const BodyState& b) {
                return isBead(a) != isBead(b) ? isBead(a) : norm(a.position - wanted) < norm(b.position - wanted);
            };
            tracks.push_back({std::min_element(bodies.begin(), bodies.end(), nearer)->id, {}});
        }
    }
    return tracks;
}

void sample(Test& test, const Simulation& simulation, double force) {
    const std::vector<BodyState> bodies = simulation.bodies();
    for (Track& t : test.tracks) t.place.push_back(bodyWith(bodies, t.id).position);
    test.shift.push_back(simulation.measured("displacement_x_slider"));
    test.force.push_back(force);
}

// N against the slider, on average over these steps: it comes in bursts, so one reading would say little.
double advanceAndMeasure(Simulation& simulation, std::uint64_t steps) {
    const std::uint64_t parts = std::min(steps, readings);
    double sum = 0;
    for (std::uint64_t k = 0; k < parts; ++k) {
        simulation.advance((k + 1) * steps / parts - k * steps / parts);
        sum -= simulation.measured("force_x_slider");
    }
    return sum / static_cast<double>(parts);
}

void compareEnds(Test& test, const std::vector<BodyState>& start, const std::vector<BodyState>& end) {
    double count = 0;
    for (const BodyState& b : end) {
        if (!isBead(b)) continue;
        const Vec3 before = bodyWith(start, b.id).position, way = b.position - before;
        test.picture.push_back({1e3 * b.position.x, 1e3 * b.position.z, 1e3 * b.radius, 1e3 * way.x});
        if (before.z < shearPlane) continue;
        test.rise += way.z;
        ++count;
    }
    test.rise /= count;
}

Test shear(const Trial& trial, const Scenario& scenario, const std::vector<Vec3>& beads, double way, double share) {
    trial.progress(fmt::format("{}, {}", scenario.name(), nameOf(scenario.method)), share);
    const auto begin = std::chrono::steady_clock::now();
    const Scene scene = sceneOf(trial, scenario, beads, way);
    Simulation simulation(scene);
    Test test{.scenario = scenario, .tracks = chooseTracks(simulation.bodies())};
    while (simulation.stages().size() < 2) simulation.advance();
    const std::vector<BodyState> start = simulation.bodies();
    sample(test, simulation, -simulation.measured("force_x_slider"));
    const auto steps = static_cast<std::uint64_t>(scene.stages[1].time / simulation.stepLength() / samples);
    for (int k = 0; k < samples; ++k) sample(test, simulation, advanceAndMeasure(simulation, steps));
    compareEnds(test, start, simulation.bodies());
    test.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return test;
}

// --- findings ------------------------------------------------------------------------------------------------------

// -, the mean distance between where the same beads of two tests end, as a share of the way of the slider.
double differenceOf(const Test& a, const Test& b) {
    double sum = 0;
    for (std::size_t k = 0; k < a.tracks.size(); ++k) sum += norm(a.tracks[k].way() - b.tracks[k].way());
    return sum / static_cast<double>(a.tracks.size()) / a.shift.back();
}

// -, how far the followed beads of one half went along x, as a share of the way of the slider.
double carriedShare(const Test& test, bool above) {
    double sum = 0, count = 0;
    for (const Track& t : test.tracks) {
        if (t.isAbove() != above) continue;
        sum += t.way().x;
        ++count;
    }
    return sum / count / test.shift.back();
}

void writeTracks(const Trial& trial, const std::string& name, const Test& test) {
    std::vector<std::string> columns{"shift [mm]", "force [N]"};
    for (std::size_t k = 1; k <= test.tracks.size(); ++k) {
        columns.push_back(fmt::format("x{} [mm]", k));
        columns.push_back(fmt::format("z{} [mm]", k));
    }
    std::vector<std::vector<double>> table;
    for (std::size_t k = 0; k < test.shift.size(); ++k) {
        std::vector<double> row{1e3 * test.shift[k], test.force[k]};
        for (const Track& t : test.tracks) {
            const Vec3 way = 1e3 * (t.place[k] - t.place.front());
            row.push_back(way.x);
            row.push_back(way.z);
        }
        table.push_back(row);
    }
    trial.writeTable(name, columns, table);
}

std::string fileOf(const Scenario& s) {
    return fmt::format("{}_{}_{}_{}_{}", nameOf(s.packing), s.slope.angle, s.rate, s.factor, nameOf(s.method));
}

std::string legendOf(const Scenario& s) {
    return fmt::format("{}, {:g} mm/s", s.method == Method::penalty ? "penalty" : "contact dynamics", 1e3 * s.speed());
}

// The paper's figure 9 for one packing: the ways of the six beads in all tests given.
void plotTracks(Trial& trial, const std::string& name, const std::string& title,
                const std::vector<const Test*>& tests) {
    std::string curves, forces;
    for (std::size_t t = 0; t < tests.size(); ++t) {
        const std::string file = fileOf(tests[t]->scenario) + ".csv";
        for (std::size_t k = 0; k < tests[t]->tracks.size(); ++k) {
            curves += fmt::format("{}'{}' skip 1 using {}:{} with lines ls {} {}", curves.empty() ? "plot " : ", ",
                                  file, 2 * k + 3, 2 * k + 4, t + 1,
                                  k == 0 ? "title '" + legendOf(tests[t]->scenario) + "'" : "notitle");
        }
        forces += fmt::format("{}'{}' skip 1 using 1:2 with lines ls {} title '{}'", forces.empty() ? "plot " : ", ",
                              file, t + 1, legendOf(tests[t]->scenario));
    }
    trial.plot(name + "_tracks", fmt::format("set xlabel 'way along x [mm]'\nset ylabel 'way along z [mm]'\n"
                                             "set title '{}: ways of six beads'\n{}\n",
                                             title, curves));
    trial.plot(name + "_force", fmt::format("set xlabel 'way of the slider [mm]'\nset ylabel 'shear force [N]'\n"
                                            "set title '{}: force on the slider'\n{}\n",
                                            title, forces));
}

void plotPicture(Trial& trial, const std::string& name, const Test& test) {
    trial.writeTable(name, {"x [mm]", "z [mm]", "radius [mm]", "way along x [mm]"}, test.picture);
    trial.plot(name, fmt::format("set size ratio -1\nset key off\nset xlabel 'x [mm]'\nset ylabel 'z [mm]'\n"
                                 "set cblabel 'way along x [mm]'\nset style fill solid 1 border rgb '#555555'\n"
                                 "set palette defined (0 '#f4f4f4', 0.5 '#9ecae1', 1 '#0072b2')\n"
                                 "set title '{}: beads at the end'\n"
                                 "plot '{}.csv' skip 1 using 1:2:3:4 with circles palette\n",
                                 test.scenario.name(), name));
}

void writeOverview(const Trial& trial, const std::vector<Test>& tests) {
    std::vector<std::vector<double>> table;
    for (const Test& t : tests) {
        const Scenario& s = t.scenario;
        table.push_back({s.packing == Packing::dense ? 1.0 : 0.0, s.slope.angle, s.slope.deadMass, s.rate, s.factor,
                         s.method == Method::penalty ? 0.0 : 1.0, t.meanForce(), 1e3 * t.rise, carriedShare(t, true),
                         carriedShare(t, false), t.seconds});
    }
    trial.writeTable("tests",
                     {"dense", "angle [deg]", "dead mass [g]", "rate [mm/min]", "factor", "contact dynamics",
                      "shear force [N]", "rise [mm]", "carried above", "carried below", "wall time [s]"},
                     table);
}

// Of both methods at the first speed, then at others: what the paper says of both.
void compareOnePacking(Trial& trial, const std::vector<Test>& tests) {
    const Test &penalty = tests[0], &rigid = tests[1];
    const std::string name = nameOf(penalty.scenario.packing);
    trial.add(atMost(name + ": mean distance between the ends of the six beads, penalty and contact dynamics", "way",
                     0.2, differenceOf(penalty, rigid), Source::theory));
    // Packings that differ only in their seed differ by as much (docs/experiments/pazouki2017-shear.md).
    trial.add(sameOrder(name + ": mean shear force, contact dynamics as penalty", "N", penalty.meanForce(),
                        rigid.meanForce(), 2, Source::theory));
    for (const Test* t : {&penalty, &rigid}) {
        const std::string which = fmt::format("{}, {}: ", name, nameOf(t->scenario.method));
        trial.add(atLeast(which + "beads above go further than those below by, share of the way of the slider", "", 0,
                          carriedShare(*t, true) - carriedShare(*t, false), Source::theory));
    }
    for (std::size_t k = 2; k < tests.size(); ++k) {
        const Test& base = tests[k].scenario.method == Method::penalty ? penalty : rigid;
        trial.add(atMost(
            fmt::format("{}, {}: mean distance between the ends of the six beads, {:g} and {:g} mm/s", name,
                        nameOf(tests[k].scenario.method), 1e3 * base.scenario.speed(), 1e3 * tests[k].scenario.speed()),
            "way", 0.2, differenceOf(base, tests[k]), Source::theory));
    }
    std::vector<const Test*> shown;
    for (const Test& t : tests) {
        writeTracks(trial, fileOf(t.scenario), t);
        shown.push_back(&t);
    }
    plotTracks(trial, name, fmt::format("{}, {} degrees", name, penalty.scenario.slope.angle), shown);
    plotPicture(trial, name + "_beads", penalty);
}

// Loose and dense at 18 degrees: both methods at the first speed, then at others.
std::vector<Test> testPacking(Trial& trial, const std::vector<Vec3>& beads, Packing packing, double way, double share) {
    writeBeads(trial, beads);
    const std::vector<double> factors =
        trial.isQuick() ? std::vector{500.0, 1000.0} : std::vector{500.0, 1000.0, 250.0};
    std::vector<Test> tests;
    for (const double factor : factors) {
        for (const Method method : {Method::penalty, Method::contactDynamics}) {
            const Scenario scenario{.packing = packing, .factor = factor, .method = method};
            tests.push_back(shear(trial, scenario, beads, way, share));
        }
    }
    compareOnePacking(trial, tests);
    return tests;
}

// The other angles and loads of the paper.
std::vector<Test> testSlopes(Trial& trial, const std::vector<Vec3>& beads, Packing packing, double way, double share) {
    std::vector<Test> tests;
    for (const double rate : {1.0, 0.5}) {
        for (const Slope& slope : {Slope{18, 0}, Slope{24, 8.01}, Slope{30, rate == 1 ? 53.64 : 66.64}}) {
            if (slope.angle == 18 && rate == 1) continue;
            for (const Method method : {Method::penalty, Method::contactDynamics}) {
                tests.push_back(shear(trial, {packing, slope, rate, 500, method}, beads, way, share));
                writeTracks(trial, fileOf(tests.back().scenario), tests.back());
            }
            trial.add(atMost(tests.back().scenario.name() + ": mean distance of ends, penalty and contact dynamics",
                             "way", 0.5, differenceOf(tests[tests.size() - 2], tests.back()), Source::theory));
        }
    }
    return tests;
}

void run(Trial& trial) {
    const double way = trial.pick(2e-3, 6e-3);
    const std::vector<Vec3> dense = denseBeads(), loose = looseBeads(trial);
    trial.note(fmt::format("{} beads in the dense packing and {} in the loose one, as in the paper", dense.size(),
                           loose.size()));
    std::vector<Test> all;
    double share = 0.1;
    for (const Packing packing : {Packing::loose, Packing::dense}) {
        const std::vector<Vec3>& beads = packing == Packing::loose ? loose : dense;
        for (Test& t : testPacking(trial, beads, packing, way, share)) all.push_back(std::move(t));
        if (!trial.isQuick()) {
            for (Test& t : testSlopes(trial, beads, packing, way, share + 0.1)) all.push_back(std::move(t));
        }
        share = 0.5;
    }
    trial.add(atLeast("shear force of the dense packing over that of the loose one, penalty", "", 1,
                      all[all.size() / 2].meanForce() / all[0].meanForce(), Source::theory));
    writeOverview(trial, all);
}

}  // namespace

Experiment pazouki2017_shear() {
    return {.paper = pazouki2017::citation,
            .title = "Direct shear of a layer of beads: do method and speed change their ways?",
            .run = run};
}

}  // namespace talus::reproduce
