// A random packing of discs under a piston rings like the chain (Unger and others 2002, section IV): after a step in
// the load the piston swings, omega ~ sqrt(N_I) and tau ~ 1/N_I, because N_I sweeps per step make the packing soft.
#include <fmt/format.h>

#include <cmath>

#include "experiments/experiment.hpp"
#include "experiments/unger2002/common.hpp"
#include "experiments/unger2002/ringing.hpp"
#include "talus/results.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

constexpr double step = 1e-3;        // s, as in packing.yaml
constexpr double pressure = 0.4;     // N per m of the width of the box
constexpr double stepOfLoad = 1.02;  // load after the step over that before it; small, so that few contacts open
constexpr std::size_t side = 2, piston = 3, discs = 4;  // places in the list of bodies

struct Sizes {
    std::uint64_t discs;
    double width, height;  // m, before compaction
    double fading;         // s, rough damping time times sweeps: how long to wait and watch
};

Sizes sizesOf(const Trial& trial) {
    return trial.isQuick() ? Sizes{500, 0.067, 0.118, 0.42} : Sizes{1000, 0.094, 0.17, 0.83};
}

Scene sceneOf(const Trial& trial) {
    const Sizes s = sizesOf(trial);
    Scene scene = trial.scene("packing.yaml");
    kindOf<Plane>(scene, side).point = {s.width, 0, 0};
    kindOf<Plane>(scene, piston).point = {s.width / 2, 0, s.height};
    scene.bodies[piston].force = ConstantForce{{0, 0, -pressure * s.width}};
    auto& filling = kindOf<RandomBodies>(scene, discs);
    filling.count = s.discs;
    std::get<BoxRegion>(filling.region).high = {s.width, 0, s.height};
    return scene;
}

// A packing at rest: the table of its discs, and where the piston stands.
struct Packing {
    std::string table;
    double pistonHeight = 0;  // m
};

Packing packingOf(const Simulation& simulation) {
    Packing packing{.table = "x,y,z,radius\n"};
    for (const BodyState& b : simulation.bodies()) {
        if (b.group == "piston") packing.pistonHeight = b.position.z;
        if (b.radius == 0) continue;
        packing.table += fmt::format("{:.17g},0,{:.17g},{:.17g}\n", b.position.x, b.position.z, b.radius);
    }
    return packing;
}

double pistonHeight(const Simulation& simulation) {
    for (const BodyState& b : simulation.bodies()) {
        if (b.group == "piston") return b.position.z;
    }
    return 0;
}

// From loose to dense, until the piston stands still.
Packing compact(const Trial& trial) {
    Simulation simulation(sceneOf(trial));
    double before = 0;
    for (int part = 0; part < 40; ++part) {
        trial.progress(fmt::format("compacting, piston at {:.2f} mm", 1e3 * pistonHeight(simulation)), 0.003 * part);
        simulation.advance(50);
        const double now = pistonHeight(simulation);
        if (std::abs(now - before) < 1e-5) break;
        before = now;
    }
    return packingOf(simulation);
}

struct Curve {
    std::vector<double> time, height;  // s since the step in the load, m
};

// The packing rests under the first load with these sweeps for 20 times tau, then the load steps up.
Curve stepLoad(const Trial& trial, const Packing& packing, int sweeps, double tau, double share) {
    const auto stepsAtRest = static_cast<std::uint64_t>(std::llround(20 * tau / step));
    const double rest = static_cast<double>(stepsAtRest) * step;
    writeResultFile(trial.folder() / "discs.csv", packing.table);
    Scene scene = sceneOf(trial);
    scene.contactDynamics.fixedIterations = static_cast<std::uint64_t>(sweeps);
    scene.contactDynamics.stabilisation = Stabilisation::quasiInelastic;
    kindOf<Plane>(scene, piston).point.z = packing.pistonHeight;
    const double load = -pressure * sizesOf(trial).width;
    scene.bodies[piston].force = TableForce{{rest, rest + 1e-6 * step}, {{0, 0, load}, {0, 0, stepOfLoad * load}}};
    scene.bodies[discs] = {.kind = CsvBodies{"discs.csv"}};

    Simulation simulation(scene);
    trial.progress(fmt::format("{} sweeps, at rest", sweeps), share);
    simulation.advance(stepsAtRest);
    trial.progress(fmt::format("{} sweeps, ringing", sweeps), share + 0.05);
    Curve curve;
    for (double time = 0; time < 5 * tau; time += step) {
        curve.time.push_back(simulation.time() - rest);
        curve.height.push_back(pistonHeight(simulation));
        simulation.advance(1);
    }
    return curve;
}

// Higher modes have tau to fade.
Ringing fitLate(const Curve& curve, double tau) {
    const auto first = static_cast<long>(std::ceil(tau / step));
    return fitRinging({curve.time.begin() + first, curve.time.end()},
                      {curve.height.begin() + first, curve.height.end()});
}

struct Ring {
    int sweeps;
    Curve curve;
    Ringing fit;
};

// The paper's figure 6, for each number of sweeps.
void plotPiston(Trial& trial, const std::vector<Ring>& rings) {
    std::string commands =
        "set xlabel 't / dt'\nset ylabel 'way left to the new place, over all of it'\nset yrange [-1:1.2]\nset title "
        "'Piston after a step in its load'\nplot ";
    int style = 0;
    for (const Ring& ring : rings) {
        const std::string name = fmt::format("piston-{}", ring.sweeps);
        std::vector<std::vector<double>> rows;
        for (std::size_t k = 0; k < ring.curve.time.size(); ++k) {
            const double time = ring.curve.time[k];
            const auto left = [&](double height) {
                return (height - ring.fit.offset) / (ring.curve.height.front() - ring.fit.offset);
            };
            rows.push_back(
                {time / step, 1e3 * ring.curve.height[k], left(ring.curve.height[k]), left(ring.fit.at(time))});
        }
        trial.writeTable(name, {"t/dt", "height [mm]", "share left", "fit"}, rows);
        ++style;
        commands += fmt::format(
            "{}'{}.csv' skip 1 using 1:3 with points ls {} pt 7 ps 0.6 title '{} sweeps', "
            "'' skip 1 using 1:4 with lines ls {} notitle",
            style > 1 ? ", " : "", name, style, ring.sweeps, style);
    }
    trial.plot("piston", commands + "\n");
}

void plotTones(Trial& trial, const std::vector<Ring>& rings) {
    std::vector<std::vector<double>> rows;
    std::string ticks;  // less than a decade would have none
    for (const Ring& r : rings) {
        rows.push_back({static_cast<double>(r.sweeps), r.fit.omega * step, step / r.fit.tau});
        ticks += fmt::format("{}{}", ticks.empty() ? "" : ", ", r.sweeps);
    }
    trial.writeTable("tones", {"sweeps", "omega dt", "dt/tau"}, rows);
    trial.plot("tones",
               fmt::format("set logscale xy\nset xlabel 'sweeps per step'\nset ylabel 'omega dt, dt/tau'\n"
                           "set title 'Frequency and damping of the packing'\nset xtics ({})\nset xrange [{}:{}]\n"
                           "plot 'tones.csv' skip 1 using 1:2 with points ls 1 pt 7 title 'omega', "
                           "{:g}*sqrt(x/{}) with lines ls 1 title 'power 1/2', "
                           "'tones.csv' skip 1 using 1:3 with points ls 2 pt 7 title '1/tau', "
                           "{:g}*x/{} with lines ls 2 title 'power 1'\n",
                           ticks, 0.8 * rings.front().sweeps, 1.25 * rings.back().sweeps, rows[1][1], rings[1].sweeps,
                           rows[1][2], rings[1].sweeps));
}

void run(Trial& trial) {
    const Packing packing = compact(trial);
    std::vector<Ring> rings;
    std::vector<double> counts, omegas, taus;
    for (const int sweeps : {14, 20, 28, 40, 56}) {
        const double tau = sizesOf(trial).fading / sweeps;
        const Curve curve = stepLoad(trial, packing, sweeps, tau, 0.3 + 0.14 * static_cast<double>(rings.size()));
        rings.push_back({sweeps, curve, fitLate(curve, tau)});
        counts.push_back(sweeps);
        omegas.push_back(rings.back().fit.omega);
        taus.push_back(rings.back().fit.tau);
    }
    trial.add(near("exponent of the frequency over sweeps", "", 0.5, fittedExponent(counts, omegas), 0.1));
    trial.add(near("exponent of the damping time over sweeps", "", -1, fittedExponent(counts, taus), 0.1));
    plotPiston(trial, rings);
    plotTones(trial, rings);
}

}  // namespace

Experiment unger2002_packing() {
    return {.paper = unger2002::citation,
            .title = "A random packing under a piston rings: frequency and damping against the number of sweeps",
            .run = run};
}

}  // namespace talus::reproduce
