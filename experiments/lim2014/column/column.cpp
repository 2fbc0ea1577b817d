// A column of grains collapses when a side wall of its box is taken away (Lim, Krabbenhoft and Andrade 2014, section
// 4.2).
//
// The pile that is left is measured by its profile: in strips two mean diameters wide, the area of grains over the
// width of the strip and the solid fraction of the column. The spread is where the profile falls below half a layer of
// grains, the slope that of a line fitted to the profile between a tenth and nine tenths of the spread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/lim2014/common.hpp"
#include "talus/results.hpp"

namespace talus::reproduce {
namespace {

using namespace lim2014;

constexpr std::size_t gate = 2, grains = 3;  // places in the list of bodies
constexpr double aspect = 1.68;              // -, height over width of the column
constexpr double solidShare = 0.82;          // -, expected of the settled column
constexpr double step = 0.05;                // s, as in column.yaml
constexpr double stripWidth = 2;             // m
constexpr double leastHeight = 0.5;          // m, of the pile: half a layer

struct Sizes {
    std::size_t grains;
    int settleSteps, rough, smooth;  // steps of the drop with and without friction
    std::vector<int> shown;          // steps that are drawn
};

// Times of a fall go with the square root of the height.
Sizes sizesOf(const Trial& trial) {
    if (trial.isQuick()) return {64, 250, 400, 500, {0, 100, 200, 400, 500}};
    return {1520, 1000, 1600, 3200, {0, 200, 400, 800, 1600, 3200}};
}

struct Profile {
    std::vector<double> height;  // m, of strips
    double spread = 0;           // m
    double slope = 0;            // degrees
};

Profile profileOf(const GrainModel& model, const Packing& packing) {
    Profile p;
    for (const PlacedGrain& g : packing) {
        const auto strip = static_cast<std::size_t>(std::max(0.0, g.x) / stripWidth);
        if (strip > 10'000) continue;  // flown away
        if (p.height.size() <= strip) p.height.resize(strip + 1);
        p.height[strip] += model.area[g.form] / (stripWidth * solidShare);
    }
    std::size_t toe = 0;
    while (toe < p.height.size() && p.height[toe] >= leastHeight) ++toe;
    // Between the middles of strips the profile is straight.
    const double before = toe > 0 ? p.height[toe - 1] : leastHeight, after = toe < p.height.size() ? p.height[toe] : 0;
    p.spread = stripWidth *
               (static_cast<double>(toe) - 0.5 + (before > after ? (before - leastHeight) / (before - after) : 0));
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t k = 0; k < p.height.size(); ++k) {
        const double middle = stripWidth * (static_cast<double>(k) + 0.5);
        if (middle < 0.1 * p.spread || middle > 0.9 * p.spread) continue;
        n += 1, x += middle, y += p.height[k], xx += middle * middle, xy += middle * p.height[k];
    }
    if (n > 1) p.slope = -std::atan((n * xy - x * y) / (n * xx - x * x)) * 180 / std::numbers::pi;
    return p;
}

struct Variant {
    Shapes shapes;
    double friction;
};
std::string nameOf(const Variant& v) { return fmt::format("{}-mu{}", lim2014::nameOf(v.shapes), v.friction); }

struct Course {
    Variant variant;
    double width = 0, height = 0;  // m, of the settled column
    double deepest = 0;            // m, height of the pile at the smooth wall in the end
    Profile last;
    std::vector<std::vector<double>> spreadings;  // rows: step, spread
};

double topOf(const GrainModel& model, const Packing& packing, double width) {
    return solidArea(model, packing) / (solidShare * width);
}

Course drop(Trial& trial, const GrainModel& model, const Variant& v, double share, double ofAll) {
    const Sizes sizes = sizesOf(trial);
    Course course{v};
    const Packing unit = loosePacking(model, sizes.grains, 1);
    course.width = std::sqrt(solidArea(model, unit) / (solidShare * aspect));
    const auto columns = static_cast<std::size_t>(course.width / latticeSpacing(model));
    const Packing loose = loosePacking(model, sizes.grains, std::max<std::size_t>(1, columns));
    course.height = topOf(model, loose, course.width);
    Scene scene = trial.scene("column.yaml");
    kindOf<Plane>(scene, gate).point = {course.width, 0, 0};
    scene.materials.at("grain").contact.friction = v.friction;
    const int steps = v.friction > 0 ? sizes.rough : sizes.smooth;
    scene.stages[0].time = step * sizes.settleSteps;
    scene.stages[1].time = step * steps;
    scene.bodies[grains] = asBodies(trial, "loose-" + lim2014::nameOf(v.shapes), model, loose);
    Simulation simulation(scene);
    trial.progress(fmt::format("{}, settling", nameOf(v)), share);
    simulation.advance(static_cast<std::uint64_t>(sizes.settleSteps));
    for (int k = 0; k <= steps; k += 50) {
        const Packing now = packingOf(simulation, loose);
        course.last = profileOf(model, now);
        course.spreadings.push_back({static_cast<double>(k), course.last.spread});
        if (std::count(sizes.shown.begin(), sizes.shown.end(), k) > 0) {
            writeOutlines(trial, fmt::format("{}-{}", nameOf(v), k), model, now);
        }
        trial.progress(fmt::format("{}, step {} of {}", nameOf(v), k, steps), share + ofAll * k / steps);
        if (k < steps) simulation.advance(50);
    }
    course.deepest = course.last.height.empty() ? 0 : course.last.height.front();
    trial.writeTable(nameOf(v), {"step", "spread"}, course.spreadings);
    return course;
}

// Paper's figures 9, 10, 12 and 13.
void plotEvolution(Trial& trial, double friction, double width) {
    const Sizes sizes = sizesOf(trial);
    std::string commands;
    int shown = 0;
    for (const int k : sizes.shown) {
        if (k > (friction > 0 ? sizes.rough : sizes.smooth)) continue;
        ++shown;
        for (const Shapes shapes : allShapes) {
            commands +=
                fmt::format("set title '{}, step {}'\nplot '{}-{}.dat' with filledcurves closed lc rgb '#c8a060'\n",
                            lim2014::nameOf(shapes), k, nameOf({shapes, friction}), k);
        }
    }
    trial.plot(fmt::format("evolution-mu{}", friction),
               fmt::format("set multiplot layout {},3\nunset key\nunset tics\nset size ratio -1\nset xrange [0:{:g}]\n"
                           "set yrange [0:{:g}]\nset style fill solid 0.6 border -1\n{}unset multiplot\n",
                           shown, 6 * width, 2.6 * width, commands));
}

// Paper's figures 11 and 14: what is left.
void plotSpread(Trial& trial, const std::vector<Course>& courses) {
    std::string commands =
        "set xlabel 'step'\nset ylabel 'spread over the width of the column'\nset key left top\nplot ";
    bool first = true;
    for (const Course& c : courses) {
        commands += fmt::format("{}'{}.csv' skip 1 using 1:($2/{:g}) with lines ls {} dt {} title '{}, mu {}'",
                                first ? "" : ", ", nameOf(c.variant), c.width, static_cast<int>(c.variant.shapes) + 1,
                                c.variant.friction > 0 ? 1 : 2, lim2014::nameOf(c.variant.shapes), c.variant.friction);
        first = false;
    }
    trial.plot("spread", commands + "\n");
}

const Course& find(const std::vector<Course>& courses, Shapes shapes, double friction) {
    return *std::find_if(courses.begin(), courses.end(),
                         [&](const Course& c) { return c.variant.shapes == shapes && c.variant.friction == friction; });
}

void compare(Trial& trial, const std::vector<Course>& courses) {
    const auto at = [&](Shapes shapes, double friction) -> const Profile& {
        return find(courses, shapes, friction).last;
    };
    const Profile &rough = at(Shapes::nonConvex, 0.5), &angular = at(Shapes::angular, 0.5),
                  &discs = at(Shapes::discs, 0.5);
    trial.add(near("slope, non-convex, mu 0.5", "deg", 17, rough.slope, trial.pick(10.0, 3.0)));
    trial.add(near("slope, angular, mu 0.5", "deg", 12, angular.slope, trial.pick(10.0, 3.0)));
    trial.add(near("slope, discs, mu 0.5", "deg", 9, discs.slope, trial.pick(10.0, 3.0)));
    // Few grains show the sign at most.
    const std::string wider = "spread, angular over non-convex, mu 0.5";
    const double share = angular.spread / rough.spread;
    trial.add(trial.isQuick() ? atLeast(wider, "", 1, share) : near(wider, "", 1.14, share, 0.12));
    trial.add(
        near("spread, discs over non-convex, mu 0.5", "", 1.45, discs.spread / rough.spread, trial.pick(0.5, 0.2)));
    const auto pile = [&](Shapes shapes) { return find(courses, shapes, 0).deepest; };
    trial.add(atLeast("height of the pile in diameters, non-convex, mu 0", "", 3, pile(Shapes::nonConvex)));
    trial.add(atLeast("height of the pile in diameters, angular, mu 0", "", 2, pile(Shapes::angular)));
    trial.add(atMost("height of the pile in diameters, discs, mu 0", "", 2, pile(Shapes::discs)));
    trial.add(atLeast("spread, angular over non-convex, mu 0", "", 1,
                      at(Shapes::angular, 0).spread / at(Shapes::nonConvex, 0).spread));
}

void run(Trial& trial) {
    std::vector<Course> courses;
    for (const Shapes shapes : allShapes) {
        const GrainModel model = makeModel(trial, shapes);
        for (const double friction : {0.5, 0.0}) {
            const double share = static_cast<double>(courses.size()) / 6;
            courses.push_back(drop(trial, model, {shapes, friction}, share, 1.0 / 6));
        }
    }
    compare(trial, courses);
    plotEvolution(trial, 0.5, courses.front().width);
    plotEvolution(trial, 0, courses.front().width);
    plotSpread(trial, courses);
}

}  // namespace

Experiment lim2014_column() {
    return {.paper = citation,
            .title = "A column of discs, angular and non-convex grains collapses: slope and spread",
            .run = run};
}

}  // namespace talus::reproduce
