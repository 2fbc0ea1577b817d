// The shear box of the paper's section 11: a block falls on grains in a box of two halves and compacts them, then the
// upper half is drawn aside, slowly.
//
// Contacts are damped for 0.1 s times their stiffness, so that the packing creeps under its load long after the block
// has come to rest to the eye, and forces follow the drawer with that delay.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "experiments/experiment.hpp"
#include "experiments/tasora2012/common.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

// Places in the list of bodies.
constexpr std::size_t lower = 1, drawer = 2, block = 3, largeGrains = 4, smallGrains = 5;
constexpr double gravity = 9.80665;                         // m/s^2
constexpr double plate = 0.02;                              // m, thickness
constexpr double fillTime = 0.5, compactTime = 0.2;         // s
constexpr double lowering = 0.2;                            // s, that the block is let fall, and then is caught
constexpr double drawerSpeed = 40e-6;                       // m/s, as in box.yaml
constexpr double pictureAt = fillTime + compactTime + 0.1;  // s

// The box and what is in it. The smaller one has half the width and height, the same grains and the same pressure.
struct Box {
    double width, cut, loose, hang;  // m: inner; where the halves meet; heights of the loose grains and of the block
    std::uint64_t large, small;      // grains

    double blockMass() const { return 1e4 * width * width; }  // kg, of 200000 kg/m^3 and 50 mm
    double grainMass() const {
        return 1700 * 4.0 / 3 * std::numbers::pi *
               (static_cast<double>(large) * std::pow(0.01, 3) + static_cast<double>(small) * std::pow(0.005, 3));
    }
    double weight() const { return gravity * (blockMass() + grainMass()); }
};

Box boxOf(const Trial& trial) {
    return trial.pick(Box{0.05, 0.03, 0.165, 0.08, 11, 79}, Box{0.1, 0.06, 0.33, 0.15, 90, 630});
}

// One half of the box: four plates, about this height.
void setPlates(Scene& scene, std::size_t body, const Box& box, double middle, double height) {
    const double away = 0.5 * (box.width + plate);
    auto& half = kindOf<SolidBody<Compound>>(scene, body);
    half.position = {0, 0, middle};
    for (std::size_t k = 0; k < 4; ++k) {
        const double side = k % 2 == 0 ? -away : away;
        CompoundPart& part = half.form.parts[k];
        part.position = k < 2 ? Vec3{side, 0, 0} : Vec3{0, side, 0};
        part.form = talus::Box{k < 2 ? Vec3{plate, box.width + 2 * plate, height} : Vec3{box.width, plate, height}};
    }
}

// The block hangs clear of the loose grains at first and is let down to where it is to fall from.
void setBlock(Scene& scene, const Box& box) {
    const double start = box.loose + 0.003, mass = box.blockMass();
    const double acceleration = (start - box.hang) / (lowering * lowering);
    const double falling = mass * (gravity - acceleration), caught = mass * (gravity + acceleration);
    const double first = lowering, last = 2 * lowering;
    auto& body = kindOf<SolidBody<talus::Box>>(scene, block);
    body.form.size = {box.width, box.width, 0.05};
    body.position = {0, 0, start + 0.025};
    scene.bodies[block].force =
        TableForce{{0, first, first + 1e-6, last, last + 1e-6},
                   {{0, 0, falling}, {0, 0, falling}, {0, 0, caught}, {0, 0, caught}, {0, 0, mass * gravity}}};
}

void setGrains(Scene& scene, std::size_t body, const Box& box, std::uint64_t count) {
    const double half = 0.5 * box.width;
    auto& grains = kindOf<RandomBodies>(scene, body);
    grains.count = count;
    grains.region = BoxRegion{{-half, -half, 0}, {half, half, box.loose}};
}

Scene sceneOf(const Trial& trial, const Box& box) {
    Scene scene = trial.scene("box.yaml");
    setPlates(scene, lower, box, box.cut - 0.1, 0.2);
    setPlates(scene, drawer, box, box.cut + 0.15, 0.3);
    setBlock(scene, box);
    setGrains(scene, largeGrains, box, box.large);
    setGrains(scene, smallGrains, box, box.small);
    return scene;
}

// What is drawn in figures 9 to 11.
struct Sample {
    double time, height;          // s; m, of the underside of the block
    double floor, plates, shear;  // N: down on the floor and on the plates, and what holds the upper half back
    double dissipated;            // J
};

Sample sampleOf(const Simulation& simulation, const Box& box) {
    const auto measured = [&](const char* column) { return simulation.measured(column); };
    return {.time = simulation.time(),
            .height = box.loose + 0.003 + measured("slide_guide"),
            .floor = -measured("force_z_floor"),
            .plates = -(measured("force_z_lower") + measured("force_z_drawer")),
            .shear = measured("joint_force_x_guide") - measured("force_x_drawer"),
            .dissipated = simulation.energy().dissipated};
}

// A grain of figures 12 and 13.
struct MovingGrain {
    Vec3 position, velocity;
};

struct Findings {
    std::vector<Sample> samples;
    std::vector<MovingGrain> picture;

    // Largest less smallest over the samples of a time span.
    template <class Value>
    double range(double from, double to, const Value& value) const {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (const Sample& s : samples) {
            if (s.time < from || s.time > to) continue;
            low = std::min(low, value(s));
            high = std::max(high, value(s));
        }
        return high - low;
    }

    // Mean over the samples of a time span.
    template <class Value>
    double mean(double from, double to, const Value& value) const {
        double sum = 0, count = 0;
        for (const Sample& s : samples) {
            if (s.time < from || s.time > to) continue;
            sum += value(s);
            ++count;
        }
        return sum / count;
    }
};

std::vector<MovingGrain> grainsOf(const Simulation& simulation) {
    std::vector<MovingGrain> grains;
    for (const BodyState& b : simulation.bodies()) {
        if (b.group == "grains") grains.push_back({b.position, b.velocity});
    }
    return grains;
}

Findings watch(const Trial& trial, const Box& box) {
    const Scene scene = sceneOf(trial, box);
    Simulation simulation(scene);
    Findings found;
    while (!simulation.finished()) {
        found.samples.push_back(sampleOf(simulation, box));
        if (found.picture.empty() && simulation.time() >= pictureAt) found.picture = grainsOf(simulation);
        trial.progress(fmt::format("{} grains, {:.3f} s", box.large + box.small, simulation.time()),
                       simulation.time() / 0.95);
        simulation.advance(2);
    }
    found.samples.push_back(sampleOf(simulation, box));
    return found;
}

void writeSeries(Trial& trial, const Findings& found) {
    std::vector<std::vector<double>> rows;
    for (const Sample& s : found.samples) {
        rows.push_back({s.time, 1e3 * s.height, s.floor, s.plates, s.shear, s.dissipated});
    }
    trial.writeTable("series", {"time [s]", "block [mm]", "floor [N]", "plates [N]", "shear [N]", "dissipated [J]"},
                     rows);
}

// Figures 9, 10 and 11, from the moment when the block is let go.
void plotSeries(Trial& trial) {
    const auto draw = [&](const char* name, const char* title, const char* label, int column) {
        trial.plot(name, fmt::format("set xlabel 'time [s]'\nset ylabel '{}'\nset title '{}'\nset key off\n"
                                     "set xrange [{}:*]\nplot 'series.csv' skip 1 using 1:{} with lines ls 1\n",
                                     label, title, fillTime - 0.02, column));
    };
    draw("block", "Height of the block: it falls, compacts, then creeps", "height [mm]", 2);
    draw("floor", "Load on the floor", "force [N]", 3);
    const double drawn = fillTime + compactTime - 0.02;
    // The blow of the landing block is some thirty times what the drawer is held back by.
    trial.plot("shear", fmt::format("set multiplot layout 2,1\nset key off\nset ylabel 'force [N]'\n"
                                    "set title 'What holds the upper half back, from the moment the block is let go'\n"
                                    "set xrange [{}:*]\nplot 'series.csv' skip 1 using 1:5 with lines ls 1\n"
                                    "set title 'The same while the drawer is drawn, from 0.7 s on'\n"
                                    "set xlabel 'time [s]'\nset xrange [{}:*]\n"
                                    "plot 'series.csv' skip 1 using ($1 < {} ? NaN : $1):5 with lines ls 1\n"
                                    "unset multiplot\n",
                                    fillTime - 0.02, drawn, drawn));
}

// Figures 12 and 13: speeds and directions, seen from the side.
void plotSpeeds(Trial& trial, const Findings& found, const Box& box) {
    std::vector<std::vector<double>> rows;
    for (const MovingGrain& g : found.picture) {
        rows.push_back(
            {1e3 * g.position.x, 1e3 * g.position.z, 1e6 * g.velocity.x, 1e6 * g.velocity.z, 1e6 * norm(g.velocity)});
    }
    trial.writeTable("speeds", {"x [mm]", "z [mm]", "v_x [um/s]", "v_z [um/s]", "speed [um/s]"}, rows);
    trial.plot(
        "speeds",
        fmt::format("stats 'speeds.csv' skip 1 using 2 nooutput\nset multiplot\nset size ratio -1\nset xrange [{}:{}]\n"
                    "set yrange [0:1.04*STATS_max]\nset tmargin at screen 0.9\nset bmargin at screen 0.1\nset key off\n"
                    "set xlabel 'x [mm]'\nset ylabel 'z [mm]'\nset logscale cb\nset cbrange [1:*]\n"
                    "set format cb '10^{{%L}}'\nset cblabel 'speed [um/s]'\n"
                    "set palette defined (0 '#e4e4e4', 0.4 '#9ecae1', 0.7 '#0072b2', 0.85 '#e69f00', 1 '#d55e00')\n"
                    "set lmargin at screen 0.06\nset rmargin at screen 0.44\n"
                    "set title 'Speeds 0.1 s after the drawer set out'\n"
                    "plot 'speeds.csv' skip 1 using 1:2:5 with points pt 7 ps 1.2 palette\n"
                    "set lmargin at screen 0.6\nset rmargin at screen 0.98\nunset ylabel\nset title "
                    "'Directions'\nlen(v, s) = 4*v/s\n"
                    "plot 'speeds.csv' skip 1 using 1:2:(len($3, $5)):(len($4, $5)) with vectors filled lc rgb "
                    "'#303030'\nunset multiplot\n",
                    -500 * box.width, 500 * box.width));
}

// m/s, of the block downwards about the time of the picture.
double speedOfBlock(const std::vector<Sample>& samples) {
    constexpr double around = 0.03;  // s
    const auto at = [&](double time) {
        return *std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.time >= time; });
    };
    const Sample before = at(pictureAt - around), after = at(pictureAt + around);
    return (before.height - after.height) / (after.time - before.time);
}

// J, of the dissipated energy below what it was before: contacts that are not solved for well enough give energy back.
double largestFall(const std::vector<Sample>& samples) {
    double most = 0, fall = 0;
    for (const Sample& s : samples) {
        if (s.time < fillTime) continue;
        most = std::max(most, s.dissipated);
        fall = std::max(fall, most - s.dissipated);
    }
    return fall;
}

void run(Trial& trial) {
    const Box box = boxOf(trial);
    const Findings found = watch(trial, box);
    writeSeries(trial, found);
    plotSeries(trial);
    plotSpeeds(trial, found, box);

    const double shearStart = fillTime + compactTime, end = found.samples.back().time;
    const auto floor = [](const Sample& s) { return s.floor; };
    const auto shear = [](const Sample& s) { return s.shear; };
    const double load = gravity * box.blockMass();
    trial.add(within("force on the floor at the end: that of the block", "N", load, found.mean(end - 0.05, end, floor),
                     0.05));
    trial.add(within("force on floor and plates at the end: the weight of all", "N", box.weight(),
                     found.mean(end - 0.05, end, [](const Sample& s) { return s.floor + s.plates; }), 0.02,
                     Source::theory));
    // A rise is one only if it is more than what the force does by itself while the drawer still rests.
    const double rise = found.mean(end - 0.02, end, shear) - found.mean(shearStart - 0.02, shearStart, shear);
    const double unrest = found.range(shearStart - 0.05, shearStart, shear);
    trial.add(atLeast("rise of the shear force while the drawer moves, over its range in the 50 ms before", "", 2,
                      rise / unrest));
    trial.note(fmt::format("the shear force rises by {:.3f} of the load; in the 50 ms before it ranged over {:.3f}",
                           rise / load, unrest / load));
    trial.add(atMost("shear force at the end over the load: no break-up, below friction", "", 0.5,
                     std::abs(found.mean(end - 0.02, end, shear)) / load));
    trial.add(atLeast("speed of the block downwards over that of the drawer, 0.1 s after it set out", "", 1,
                      speedOfBlock(found.samples) / drawerSpeed));
    trial.add(atMost("largest fall of the dissipated energy after the block was let go, over all of it", "", 1e-3,
                     largestFall(found.samples) / found.samples.back().dissipated, Source::theory));
}

}  // namespace

Experiment tasora2012_shearbox() {
    return {.paper = tasora2012::citation,
            .title = "A shear box: grains compacted by a heavy block, then sheared slowly",
            .run = run};
}

}  // namespace talus::reproduce
