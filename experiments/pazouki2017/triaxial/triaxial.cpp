// Triaxial compression of steel beads (Pazouki and others 2017, section II D).
//
// Beads of 5 mm, or of 4, 5 and 6 mm in equal numbers, settle in a cylinder, are brought to 80 kPa from the side and
// from above, and are then compressed along the axis while the stress from the side stays. Here the side is a sleeve of
// rings, each of which holds the stress for itself, so that the specimen can bulge. Reported are, as in the paper,
//
//     void ratio after settling      e = V/V_s - 1
//     stress ratio                   (s1 - s3)/(s1 + s3)
//
// with s1 the force on the lid over the mean cross section, and s3 the stress on the sleeve. V is the volume between
// floor, lid and sleeve and V_s that of the beads; in a small specimen, where the loose layer at its walls would count
// too much, V is a box inside.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "experiments/case_run.hpp"
#include "experiments/experiment.hpp"
#include "experiments/pazouki2017/common.hpp"
#include "talus/results.hpp"

namespace talus::reproduce {
namespace {

constexpr double confining = 80e3;              // Pa
constexpr double interval = 5e-3;               // s, between measurements
constexpr double diameter = 5e-3;               // m, mean
constexpr double consolidated = 2, loaded = 3;  // numbers of the stages

enum class Sizes { mono, mixed };

// How large the specimen is, and how it is loaded.
struct Plan {
    double radius, height;  // m
    int mono, mixed;        // numbers of beads
    int rings;
    double rate;    // 1/s, axial strain
    double strain;  // at the end

    double fill() const { return 2.1 * height; }  // m, of loose beads
};

constexpr Plan quickPlan{17.5e-3, 60e-3, 510, 475, 7, 0.2, 0.1};
constexpr Plan paperPlan{50.5e-3, 203e-3, 15918, 15740, 20, 0.1, 0.15};

struct Point {
    double strain = 0, ratio = 0, lateral = 0, volumetric = 0;  // -, -, Pa, -
};

struct Test {
    Sizes sizes = Sizes::mono;
    Method method = Method::penalty;
    double voidRatio = 0, voidRatioInside = 0;
    std::vector<Point> points;
    std::vector<std::vector<double>> sleeve;  // height and radius of each ring at the end, mm
    double seconds = 0;                       // s of wall clock
    bool takenOver = false;                   // from an earlier run
    std::vector<std::string> warnings;

    std::string name() const {
        return fmt::format("{}, {}", sizes == Sizes::mono ? "mono" : "mixed",
                           method == Method::penalty ? "penalty" : "contact dynamics");
    }
    std::string file() const {
        return fmt::format("{}_{}", sizes == Sizes::mono ? "mono" : "mixed",
                           method == Method::penalty ? "penalty" : "rigid");
    }
};

// --- one test ------------------------------------------------------------------------------------------------------

// What is inside ends a diameter from the walls of the specimen, and far enough below its lid.
Scene sceneOf(const Trial& trial, const Plan& plan, const Test& test) {
    const double fill = plan.fill(), sleeve = 1.3 * plan.height;
    const double settling = std::round(0.2 * std::sqrt(plan.height / quickPlan.height) / interval) * interval;
    const double half = (plan.radius - diameter) / std::numbers::sqrt2;
    const bool mono = test.sizes == Sizes::mono;
    Scene scene = trial.scene("triaxial.yaml");
    scene.method = test.method;

    auto& mould = kindOf<Drum>(scene, 1);
    mould.centre = {0, 0, 0.5 * fill};
    mould.radius = plan.radius;
    mould.length = fill;
    auto& beads = kindOf<RandomBodies>(scene, 2);
    beads.region = CylinderRegion{.centre = mould.centre, .radius = plan.radius, .length = fill};
    beads.count = static_cast<std::uint64_t>(mono ? plan.mono : plan.mixed);
    if (!mono) beads.radius = TableSize{{2e-3, 2.5e-3, 3e-3}, {1, 1, 1}};

    StageSettings &settle = scene.stages[0], &consolidate = scene.stages[1], &load = scene.stages[2];
    settle.time = settling;
    auto& ring = std::get<Sleeve>(consolidate.bodies[0].kind);
    ring.centre = {0, 0, 0.5 * sleeve};
    ring.radius = plan.radius;
    ring.length = sleeve;
    ring.rings = static_cast<std::uint64_t>(plan.rings);
    std::get<Plane>(consolidate.bodies[1].kind).point = {0, 0, fill};
    auto& pressing = std::get<ServoMotion>(*consolidate.bodies[1].motion);
    pressing.area = std::numbers::pi * plan.radius * plan.radius;
    load.time = plan.strain / plan.rate;
    load.change[0].motion = ConstantMotion{{0, 0, -plan.rate * plan.height}, {}};
    scene.run.time = settle.time + consolidate.time + load.time;

    scene.measure.regions[0].box = {{-half, -half, diameter}, {half, half, 0.8 * plan.height}};
    scene.measure.regions[1].box = {{-plan.radius, -plan.radius, 0}, {plan.radius, plan.radius, fill}};
    scene.output.series = {interval};
    if (test.method == Method::contactDynamics) {
        scene.run.step = {0.5e-3};
        // Walls are pushed against a drag here: the stress is off by their speed over the largest.
        std::get<RadialServoMotion>(*consolidate.bodies[0].motion).maxSpeed = 1;
        pressing.maxSpeed = 1;
    }
    return scene;
}

// What the specimen was like at the output times.
struct Course {
    std::vector<double> stage, height, volume, force, lateral, inside;
    std::vector<double> packing;  // of the mould and its corners
    std::size_t lastOf(double number) const {
        return static_cast<std::size_t>(std::find(stage.rbegin(), stage.rend(), number).base() - stage.begin()) - 1;
    }
};

Course readCourse(const std::filesystem::path& folder) {
    auto columns = readSeriesColumns(folder, {"stage", "position_z_lid", "volume_sleeve", "force_z_lid",
                                              "stress_sleeve", "void_ratio_inside", "packing_mould"});
    return {columns[0], columns[1], columns[2], columns[3], columns[4], columns[5], columns[6]};
}

Point pointOf(const Course& c, std::size_t row, std::size_t start) {
    const double axial = c.force[row] * c.height[row] / c.volume[row], lateral = c.lateral[row];
    return {.strain = 1 - c.height[row] / c.height[start],
            .ratio = (axial - lateral) / (axial + lateral),
            .lateral = lateral,
            .volumetric = 1 - c.volume[row] / c.volume[start]};
}

std::vector<std::vector<double>> shapeOfSleeve(const nlohmann::json& results, const Plan& plan) {
    std::vector<std::vector<double>> rows;
    for (int k = 1; k <= plan.rings; ++k) {
        rows.push_back({1e3 * 1.3 * plan.height * (k - 0.5) / plan.rings,
                        1e3 * results.at(fmt::format("radius_sleeve_{}", k)).get<double>()});
    }
    return rows;
}

Test compress(const Trial& trial, const Plan& plan, Sizes sizes, Method method, double share) {
    Test test{.sizes = sizes, .method = method};
    trial.progress(test.name(), share);
    const std::filesystem::path folder = trial.folder() / test.file();
    const CaseRun run = runCase(sceneOf(trial, plan, test), folder);
    const nlohmann::json summary = nlohmann::json::parse(run.summary);
    const Course course = readCourse(folder);
    const std::size_t start = course.lastOf(consolidated);
    const double solid = course.packing.front() * std::pow(2 * plan.radius, 2) * plan.fill();
    test.voidRatio = course.volume[start] / solid - 1;
    test.voidRatioInside = course.inside[start];
    for (std::size_t row = start; row <= course.lastOf(loaded); ++row) {
        test.points.push_back(pointOf(course, row, start));
    }
    test.sleeve = shapeOfSleeve(summary.at("results"), plan);
    test.seconds = summary.at("wall_seconds").get<double>();
    test.takenOver = run.takenOver;
    test.warnings = run.warnings;
    return test;
}

// --- findings ------------------------------------------------------------------------------------------------------

template <class Value>
double meanOver(const Test& test, double low, double high, Value&& value) {
    double sum = 0, count = 0;
    for (const Point& p : test.points) {
        if (p.strain < low || p.strain > high) continue;
        sum += value(p);
        ++count;
    }
    return sum / count;
}

double ratioAtEnd(const Test& test, const Plan& plan) {
    return meanOver(test, 0.6 * plan.strain, plan.strain, [](const Point& p) { return p.ratio; });
}

double ratioAtStart(const Test& test, const Plan& plan) {
    return meanOver(test, 0.0, 0.1 * plan.strain, [](const Point& p) { return p.ratio; });
}

// Table VI.
double paperVoidRatio(const Test& test) {
    if (test.sizes == Sizes::mono) return test.method == Method::penalty ? 0.641 : 0.611;
    return test.method == Method::penalty ? 0.660 : 0.626;
}

void compare(Trial& trial, const Test& test, const Plan& plan) {
    const bool small = trial.isQuick();
    trial.add(within(test.name() + (small ? ": void ratio inside, after settling" : ": void ratio after settling"), "",
                     paperVoidRatio(test), small ? test.voidRatioInside : test.voidRatio, small ? 0.15 : 0.06));
    const double lateral = meanOver(test, 0, plan.strain, [](const Point& p) { return p.lateral; });
    trial.add(within(test.name() + ": mean stress on the sleeve during the test", "Pa", confining, lateral,
                     trial.pick(0.05, 0.02)));
}

void writeTest(const Trial& trial, const Test& test) {
    std::vector<std::vector<double>> rows;
    for (const Point& p : test.points) rows.push_back({100 * p.strain, p.ratio, 1e-3 * p.lateral, 100 * p.volumetric});
    trial.writeTable(test.file(), {"axial strain [%]", "stress ratio", "lateral stress [kPa]", "volume strain [%]"},
                     rows);
    trial.writeTable(test.file() + "_sleeve", {"height [mm]", "radius [mm]"}, test.sleeve);
}

void plotTests(Trial& trial, const std::vector<Test>& tests) {
    const auto curves = [&](const std::string& suffix, const std::string& columns) {
        std::string text;
        for (std::size_t k = 0; k < tests.size(); ++k) {
            text += fmt::format("{}'{}{}.csv' skip 1 using {} with lines ls {} title '{}'", k == 0 ? "plot " : ", ",
                                tests[k].file(), suffix, columns, k + 1, tests[k].name());
        }
        return text + "\n";
    };
    trial.plot(
        "ratio",
        "set xlabel 'axial strain [%]'\nset ylabel '(s1 - s3)/(s1 + s3)'\nset key bottom right\n"
        "set title \"Stress ratio\\n{/*0.75 the laboratory's, in the paper's figure 12, is not known in numbers}\"\n" +
            curves("", "1:2"));
    trial.plot("volume",
               "set xlabel 'axial strain [%]'\nset ylabel 'volume strain [%], compression positive'\n"
               "set title 'Change of volume'\n" +
                   curves("", "1:4"));
    trial.plot("sleeve", "set xlabel 'radius [mm]'\nset ylabel 'height [mm]'\nset title 'The sleeve at the end'\n" +
                             curves("_sleeve", "2:1"));
}

void compareMethods(Trial& trial, const Test& penalty, const Test& rigid, const Plan& plan) {
    const std::string name = penalty.sizes == Sizes::mono ? "mono" : "mixed";
    trial.add(near(name + ": stress ratio at large strain, contact dynamics as penalty", "", ratioAtEnd(penalty, plan),
                   ratioAtEnd(rigid, plan), 0.1, Source::theory));
    trial.add(atLeast(name + ": mean stress ratio of the first tenth, contact dynamics over penalty", "", 1,
                      ratioAtStart(rigid, plan) / ratioAtStart(penalty, plan)));
}

void writeOverview(const Trial& trial, const std::vector<Test>& tests, const Plan& plan) {
    std::vector<std::vector<double>> rows;
    for (const Test& t : tests) {
        rows.push_back({t.sizes == Sizes::mono ? 0.0 : 1.0, t.method == Method::penalty ? 0.0 : 1.0, t.voidRatio,
                        t.voidRatioInside, ratioAtEnd(t, plan), t.seconds});
    }
    trial.writeTable(
        "tests",
        {"mixed", "contact dynamics", "void ratio", "void ratio inside", "stress ratio at the end", "wall clock [s]"},
        rows);
}

void run(Trial& trial) {
    const Plan& plan = trial.pick(quickPlan, paperPlan);
    std::vector<Test> tests;
    const auto add = [&](Sizes sizes, Method method) {
        tests.push_back(compress(trial, plan, sizes, method, 0.25 * static_cast<double>(tests.size())));
        compare(trial, tests.back(), plan);
        writeTest(trial, tests.back());
    };
    for (const Sizes sizes : {Sizes::mono, Sizes::mixed}) {
        add(sizes, Method::penalty);
        add(sizes, Method::contactDynamics);
        compareMethods(trial, tests[tests.size() - 2], tests.back(), plan);
    }
    writeOverview(trial, tests, plan);
    plotTests(trial, tests);
    for (const Test& t : tests) {
        trial.note(fmt::format("{}: {:.0f} s{}, void ratio {:.3f}, inside {:.3f}, stress ratio at large strain {:.3f}",
                               t.name(), t.seconds, t.takenOver ? " in an earlier run in this folder" : "", t.voidRatio,
                               t.voidRatioInside, ratioAtEnd(t, plan)));
        trial.noteWarnings(t.name(), t.warnings);
    }
}

}  // namespace

Experiment pazouki2017_triaxial() {
    return {.paper = pazouki2017::citation,
            .title = "Triaxial compression of steel beads in a flexible sleeve: void ratios and stress ratio",
            .run = run};
}

}  // namespace talus::reproduce
