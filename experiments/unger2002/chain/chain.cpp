// A chain of 50 rigid discs rings, because a finite number of sweeps makes it soft (Unger and others 2002).
//
// With N_I sweeps per step dt the reactions spread as in a medium with diffusivity D and sound speed c:
//
//     D = q N_I d^2/dt,  c = sqrt(q N_I) d/dt,  q = (4 sqrt(e) - 5)/2 for random sweeps, 1/2 for parallel updates
//     omega^2 = c^2 k^2 - D^2 k^4/4,  tau = 2/(D k^2),  k = 2 pi/(4 x 50 d),  k_c = 2 c/D
//
// A chain of springs q m N_I/dt^2 and dashpots q m N_I/dt between soft discs rings alike.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "experiments/experiment.hpp"
#include "experiments/unger2002/ringing.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

constexpr double diameter = 0.01;  // m, as in chain.yaml
constexpr double step = 1e-3;      // s
constexpr int discs = 50;
constexpr double waveNumber = 2 * std::numbers::pi / (4 * discs * diameter);  // 1/m

const double randomSweeps = (4 * std::sqrt(std::numbers::e) - 5) / 2;  // q
constexpr double parallelUpdate = 0.5;

struct Theory {
    double omega, tau, criticalWaveNumber;  // rad/s, s, 1/m
};

Theory theory(double q, double sweeps) {
    const double diffusivity = q * sweeps * diameter * diameter / step;
    const double speed = std::sqrt(q * sweeps) * diameter / step;
    const double k2 = waveNumber * waveNumber;
    return {std::sqrt(speed * speed * k2 - diffusivity * diffusivity * k2 * k2 / 4), 2 / (diffusivity * k2),
            2 * speed / diffusivity};
}

// The motion of the last disc, and when the chain last touched the wall anew.
struct Motion {
    std::vector<double> time, position;  // s, m
    double pressed = 0;                  // s
};

// Steps of the simulation per point of the curve, so that both methods give points at the same times.
Motion watch(const Trial& trial, Scene scene, std::uint64_t stepsPerPoint, const std::string& what, double share) {
    trial.progress(what, share);
    Simulation simulation(scene);
    const auto points = static_cast<std::uint64_t>(std::llround(scene.run.time / step));
    Motion motion;
    for (std::uint64_t point = 0; point < points; ++point) {
        simulation.advance(stepsPerPoint);
        double first = 0, last = 0;
        for (const BodyState& body : simulation.bodies()) {
            if (body.radius == 0) continue;
            if (first == 0) first = body.position.x;
            last = body.position.x;
        }
        motion.time.push_back(simulation.time());
        motion.position.push_back(last);
        if (first > 0.5 * diameter) motion.pressed = simulation.time();
    }
    return motion;
}

// After the chain stays at the wall, the higher modes have a third of tau to fade: theirs are tau/9 and less.
Ringing fitAfterImpact(const Motion& motion, double tau) {
    std::vector<double> time, position;
    for (std::size_t k = 0; k < motion.time.size(); ++k) {
        const double since = motion.time[k] - motion.pressed;
        if (since < tau / 2 || since > 4 * tau) continue;
        time.push_back(motion.time[k]);
        position.push_back(motion.position[k]);
    }
    return fitRinging(time, position);
}

std::vector<std::string> pushed(double mass, std::vector<std::string> more) {
    more.push_back(fmt::format("bodies[2].force=[{:.17g}, 0, 0]", -0.05 * diameter * mass / (step * step)));
    return more;
}

double massOfDisc(const Trial& trial) { return Simulation(trial.scene("chain.yaml")).bodies().at(0).mass; }

// Long enough for the impact, and for four damping times after it.
double duration(const Theory& t) { return 0.1 + 7 * t.tau; }

void compare(Trial& trial, const std::string& what, const Theory& expected, const Ringing& found) {
    trial.add(within(what + ": frequency omega", "rad/s", expected.omega, found.omega, 0.03));
    trial.add(within(what + ": damping time tau", "s", expected.tau, found.tau, 0.03));
}

void run(Trial& trial) {
    const double mass = massOfDisc(trial);
    for (int sweeps : {10, 20, 40, 80}) {
        const Theory t = theory(randomSweeps, sweeps);
        const Motion m =
            watch(trial,
                  trial.scene("chain.yaml", pushed(mass, {fmt::format("contact_dynamics.fixed_iterations={}", sweeps),
                                                          fmt::format("run.time={}", duration(t))})),
                  1, "x", 0);
        const Ringing r = fitAfterImpact(m, t.tau);
        fmt::print("N {}: pressed {} err {} omega {} {} {:.4f} tau {} {} {:.4f}\n", sweeps, m.pressed, r.error, t.omega,
                   r.omega, r.omega / t.omega - 1, t.tau, r.tau, r.tau / t.tau - 1);
        compare(trial, fmt::format("{} sweeps", sweeps), t, r);
    }
}

}  // namespace

Experiment unger2002_chain() {
    return {.paper =
                "Unger, Brendel, Wolf and Kertesz, Elastic behavior in contact dynamics of rigid particles, Phys. Rev. "
                "E 65, 061305 (2002)",
            .title = "A chain of rigid discs rings like springs and dashpots",
            .run = run};
}

}  // namespace talus::reproduce
