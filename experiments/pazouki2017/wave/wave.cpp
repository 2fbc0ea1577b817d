// A wave runs through one close-packed layer of small adhesive spheres (Pazouki and others 2017, section II A).
//
// Adhesion 2 pi w R presses the spheres together until Hertz holds against it, so that contacts have a stiffness k and
// the layer a speed of sound before anything is struck:
//
//     4/3 E* sqrt(R) d^(3/2) = 2 pi w R,   k = 2 E* sqrt(R d),   k_t = 4 G*/E* k
//     c^2 = s^2 (9 k + 3 k_t) / (8 m),     s = 2 r - d
//
// (long waves of a triangular lattice of springs). One grain of the surface gets a speed downwards; the run lasts as
// long as sound needs to the floor. Judged is what the ledger misses: kinetic, gravity, contact, shear work and
// adhesion must add up to the energy of the start.
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

constexpr double radius = 0.54e-6;  // m, r
constexpr int samples = 200;        // of a run

// The layer at rest; symbols as above.
struct Silica {
    double mass, modulus, shearRatio, adhesion;  // kg, E* in Pa, 4 G*/E*, w in J/m^2
};

Silica silicaOf(const Scene& scene) {
    const MaterialSettings& m = scene.materials.at("silica");
    const double nu = m.elastic.poissonRatio;
    return {.mass = m.density * 4.0 / 3 * std::numbers::pi * std::pow(radius, 3),
            .modulus = m.elastic.youngsModulus / (2 * (1 - nu * nu)),
            .shearRatio = 2 * (1 - nu) / (2 - nu),
            .adhesion = m.contact.adhesionWork};
}

// m, d: where adhesion and Hertz balance for a contact of effective radius R.
double restOverlap(const Silica& s, double effectiveRadius) {
    const double pull = 2 * std::numbers::pi * s.adhesion * effectiveRadius;
    return std::pow(pull / (4.0 / 3 * s.modulus * std::sqrt(effectiveRadius)), 2.0 / 3);
}

double spacingOf(const Silica& s) { return 2 * radius - restOverlap(s, radius / 2); }

double soundSpeed(const Silica& s) {
    const double stiffness = 2 * s.modulus * std::sqrt(radius / 2 * restOverlap(s, radius / 2));
    return spacingOf(s) * std::sqrt(stiffness / s.mass * (9 + 3 * s.shearRatio) / 8);
}

// Rows and columns are as 3 to 4, as in the paper.
struct Layer {
    int unit = 1;

    int rows() const { return 3 * unit; }
    int columns() const { return 4 * unit; }
    int grains() const { return rows() * columns(); }
    bool isStruck(int row, int column) const { return row == rows() - 1 && column == columns() / 2; }
    double height(double spacing) const { return (rows() - 1) * spacing * std::sqrt(0.75); }
};

Vec3 placeOf(const Silica& s, int row, int column) {
    const double spacing = spacingOf(s), floorOverlap = restOverlap(s, radius);
    return {spacing * (column + 0.5 * (row % 2)), 0, radius - floorOverlap + row * spacing * std::sqrt(0.75)};
}

// All grains but the struck one, which has a place of its own in the scene.
void writeLayer(const Trial& trial, const Silica& s, const Layer& layer) {
    std::string text = "x,y,z,radius\n";
    for (int row = 0; row < layer.rows(); ++row) {
        for (int column = 0; column < layer.columns(); ++column) {
            if (layer.isStruck(row, column)) continue;
            const Vec3 place = placeOf(s, row, column);
            text += fmt::format("{:.17g},0,{:.17g},{:.17g}\n", place.x, place.z, radius);
        }
    }
    writeResultFile(trial.folder() / "layer.csv", text);
}

// J, less what it was at the start, but for the kinetic energy.
struct LedgerRow {
    double time = 0;  // s
    double kinetic = 0, gravity = 0, contact = 0, shear = 0, adhesion = 0;

    double total() const { return kinetic + gravity + contact + shear + adhesion; }
};

LedgerRow ledgerOf(const Simulation& simulation, const EnergyState& start) {
    const EnergyState e = simulation.energy();
    return {.time = simulation.time(),
            .kinetic = e.kinetic,
            .gravity = e.potential - start.potential,
            .contact = e.elasticNormal - start.elasticNormal,
            .shear = e.elasticTangential + e.dissipatedSliding,
            .adhesion = e.elasticCohesion - start.elasticCohesion};
}

// A grain straight below the struck one, and how fast it was at each sample.
struct Witness {
    std::uint32_t id = 0;
    double depth = 0;           // m
    std::vector<double> speed;  // m/s
};

struct Wave {
    Layer layer;
    double impact = 0;  // m/s
    double speedOfFront = 0;
    std::vector<LedgerRow> ledger;
    std::vector<std::vector<double>> picture;  // x, z, speed of every grain: um, um, m/s

    double firstEnergy() const { return ledger.front().kinetic; }
    // What the ledger misses, as a share of the kinetic energy of the start.
    double errorAt(const LedgerRow& row) const { return (row.total() - ledger.front().total()) / firstEnergy(); }
    double errorAtEnd() const { return std::abs(errorAt(ledger.back())); }
    double largestError() const {
        double largest = 0;
        for (const LedgerRow& row : ledger) largest = std::max(largest, std::abs(errorAt(row)));
        return largest;
    }
};

const BodyState& struckOf(const std::vector<BodyState>& bodies) {
    return *std::find_if(bodies.begin(), bodies.end(), [](const BodyState& b) { return b.group == "struck"; });
}

std::vector<Witness> witnessesBelow(const std::vector<BodyState>& bodies) {
    const Vec3 struck = struckOf(bodies).position;
    std::vector<Witness> found;
    for (const BodyState& b : bodies) {
        const bool below = b.radius > 0 && std::abs(b.position.x - struck.x) < 0.1 * radius && b.position.z < struck.z;
        if (below) found.push_back({b.id, struck.z - b.position.z, {}});
    }
    return found;
}

void listen(std::vector<Witness>& witnesses, const std::vector<BodyState>& bodies) {
    for (Witness& w : witnesses) {
        const auto at = std::lower_bound(bodies.begin(), bodies.end(), w.id,
                                         [](const BodyState& b, std::uint32_t id) { return b.id < id; });
        w.speed.push_back(norm(at->velocity));
    }
}

// s: when a grain first had half of its largest speed.
double arrivalAt(const Witness& w, double interval) {
    const double half = 0.5 * *std::max_element(w.speed.begin(), w.speed.end());
    const auto at = std::find_if(w.speed.begin(), w.speed.end(), [&](double speed) { return speed >= half; });
    if (at == w.speed.begin()) return 0;
    const double before = *(at - 1), share = (half - before) / (*at - before);
    return interval * (static_cast<double>(at - w.speed.begin()) + share);  // the first sample is one interval late
}

// m/s: the slope of depth against arrival, between a third and three quarters of the depth.
double fitFront(const std::vector<Witness>& witnesses, double interval, double height) {
    double n = 0, t = 0, z = 0, tt = 0, tz = 0;
    for (const Witness& w : witnesses) {
        if (w.depth < height / 3 || w.depth > 0.75 * height) continue;
        const double arrival = arrivalAt(w, interval);
        n += 1, t += arrival, z += w.depth, tt += arrival * arrival, tz += arrival * w.depth;
    }
    return (n * tz - t * z) / (n * tt - t * t);
}

std::vector<std::vector<double>> pictureOf(const std::vector<BodyState>& bodies) {
    std::vector<std::vector<double>> rows;
    for (const BodyState& b : bodies) {
        if (b.radius > 0) rows.push_back({1e6 * b.position.x, 1e6 * b.position.z, norm(b.velocity)});
    }
    return rows;
}

Scene sceneOf(const Trial& trial, const Silica& s, const Layer& layer, double impact) {
    const Vec3 place = placeOf(s, layer.rows() - 1, layer.columns() / 2);
    Scene scene = trial.scene("wave.yaml");
    auto& struck = kindOf<SphereBody>(scene, 1);
    struck.position = place;
    struck.velocity = {0, 0, -impact};
    scene.run.time = layer.height(spacingOf(s)) / soundSpeed(s);
    return scene;
}

Wave strike(const Trial& trial, const Silica& s, const Layer& layer, double impact, double share) {
    writeLayer(trial, s, layer);
    const Scene scene = sceneOf(trial, s, layer, impact);
    Simulation simulation(scene);
    const auto steps = static_cast<std::uint64_t>(scene.run.time / simulation.stepLength() / samples);
    std::vector<Witness> witnesses = witnessesBelow(simulation.bodies());
    const EnergyState start = simulation.energy();
    Wave wave{.layer = layer, .impact = impact, .ledger = {ledgerOf(simulation, start)}, .picture = {}};
    for (int k = 1; k <= samples; ++k) {
        trial.progress(fmt::format("{} grains at {} m/s, {} %", layer.grains(), impact, 100 * k / samples), share);
        simulation.advance(steps);
        const std::vector<BodyState> bodies = simulation.bodies();
        listen(witnesses, bodies);
        wave.ledger.push_back(ledgerOf(simulation, start));
        if (k == 2 * samples / 3) wave.picture = pictureOf(bodies);
    }
    const double interval = static_cast<double>(steps) * simulation.stepLength();
    wave.speedOfFront = fitFront(witnesses, interval, layer.height(spacingOf(s)));
    return wave;
}

// The paper's figure 2: what becomes of the energy of the struck grain.
void plotLedger(Trial& trial, const Wave& wave) {
    const double unit = wave.firstEnergy();
    std::vector<std::vector<double>> rows;
    for (const LedgerRow& r : wave.ledger) {
        rows.push_back({1e9 * r.time, r.kinetic / unit, r.gravity / unit, r.contact / unit, r.adhesion / unit,
                        r.shear / unit, r.total() / unit, wave.errorAt(r)});
    }
    trial.writeTable("ledger",
                     {"time [ns]", "kinetic", "gravity", "contact", "adhesion", "shear work", "total", "error"}, rows);
    std::string plot = "plot ";
    const char* const names[] = {"kinetic", "gravity", "contact", "adhesion", "shear work", "total"};
    for (int k = 0; k < 6; ++k) {
        plot += fmt::format("{}'ledger.csv' skip 1 using 1:{} with lines ls {} title '{}'", k > 0 ? ", " : "", k + 2,
                            k < 5 ? k + 1 : 7, names[k]);
    }
    const std::string where = fmt::format("{} grains, one struck at {} m/s", wave.layer.grains(), wave.impact);
    trial.plot("ledger", "set xlabel 'time [ns]'\nset ylabel 'energy / first kinetic energy'\nset title 'Energies of " +
                             where + "'\n" + plot + "\n");
    trial.plot("error",
               "set xlabel 'time [ns]'\nset ylabel 'error / first kinetic energy'\nset format y '%.1e'\n"
               "set key off\nset title 'Error of the ledger, " +
                   where + "'\nplot 'ledger.csv' skip 1 using 1:8 with lines ls 1\n");
}

void plotFront(Trial& trial, const Wave& wave) {
    trial.writeTable("front", {"x [um]", "z [um]", "speed [m/s]"}, wave.picture);
    trial.plot(
        "front",
        fmt::format("set size ratio -1\nset xrange [0:*]\nset yrange [0:*]\nset rmargin at screen 0.84\n"
                    "set format cb '%.0e'\nset logscale cb\nset cbrange [{:g}:{:g}]\nset key off\n"
                    "set palette defined (0 '#f4f4f4', 0.4 '#9ecae1', 0.7 '#0072b2', 0.85 '#e69f00', 1 '#d55e00')\n"
                    "set xlabel 'x [um]'\nset ylabel 'z [um]'\nset cblabel 'speed [m/s]'\n"
                    "set title 'The front in {} grains, one struck at {} m/s'\n"
                    "plot 'front.csv' skip 1 using 1:2:($3 < {:g} ? {:g} : $3) with points pt 7 ps {:g} palette\n",
                    1e-5 * wave.impact, 0.1 * wave.impact, wave.layer.grains(), wave.impact, 1e-5 * wave.impact,
                    1e-5 * wave.impact, 40.0 / wave.layer.columns()));
}

void plotSpeeds(Trial& trial, const std::vector<Wave>& waves, double sound) {
    std::vector<std::vector<double>> rows;
    for (const Wave& w : waves)
        rows.push_back({w.impact, w.speedOfFront, sound, static_cast<double>(w.layer.grains())});
    trial.writeTable("speed", {"impact [m/s]", "front [m/s]", "sound [m/s]", "grains"}, rows);
    trial.plot("speed",
               "set logscale x\nset xlabel 'speed of the struck grain [m/s]'\nset ylabel 'speed of the front [m/s]'\n"
               "set title 'Speed of the front'\nset offsets graph 0.05, graph 0.05, graph 0.2, graph 0.2\n"
               "plot 'speed.csv' skip 1 using 1:2:4 with points ls 1 pt 7 ps 1.5 title 'front', "
               "'' skip 1 using 1:3 with lines ls 2 title 'sound in the layer at rest'\n");
}

void compare(Trial& trial, const Wave& wave) {
    trial.add(atMost(fmt::format("{} grains, {} m/s: error of the ledger at the end", wave.layer.grains(), wave.impact),
                     "", 1e-6, wave.errorAtEnd()));
}

void run(Trial& trial) {
    const std::vector<int> units = trial.isQuick() ? std::vector{6} : std::vector{6, 12, 20};
    const Silica s = silicaOf(trial.scene("wave.yaml"));
    std::vector<Wave> largest;
    double worst = 0;
    for (const int unit : units) {
        largest.clear();
        for (const double impact : {0.1, 1.0, 10.0}) {
            const double cost = std::pow(static_cast<double>(unit) / units.back(), 3);
            largest.push_back(strike(trial, s, {unit}, impact, cost * static_cast<double>(largest.size()) / 3));
            compare(trial, largest.back());
            worst = std::max(worst, largest.back().largestError());
        }
    }
    // Within the step in which grains touch or part the sum is one half of a kick away.
    trial.add(atMost("largest error of all ledgers on the way", "", 1e-5, worst, Source::theory));
    const double sound = soundSpeed(s);
    trial.add(within("0.1 m/s: speed of the front", "m/s", sound, largest[0].speedOfFront, 0.05, Source::theory));
    trial.add(atLeast("10 m/s: speed of the front", "m/s", sound, largest[2].speedOfFront, Source::theory));
    plotLedger(trial, largest[1]);
    plotFront(trial, largest[1]);
    plotSpeeds(trial, largest, sound);
}

}  // namespace

Experiment pazouki2017_wave() {
    return {.paper = pazouki2017::citation,
            .title = "A wave in a close-packed layer: does the energy ledger close to a millionth?",
            .run = run};
}

}  // namespace talus::reproduce
