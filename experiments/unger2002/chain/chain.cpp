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
#include "experiments/unger2002/common.hpp"
#include "experiments/unger2002/ringing.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

constexpr double diameter = 0.01;  // m, as in chain.yaml
constexpr double step = 1e-3;      // s
constexpr int discs = 50;
constexpr int usualSweeps = 40;
constexpr double waveNumber = 2 * std::numbers::pi / (4 * discs * diameter);  // 1/m

const double randomSweeps = (4 * std::sqrt(std::numbers::e) - 5) / 2;  // q
constexpr double parallelUpdate = 0.5;

struct Medium {
    double soundSpeed, diffusivity;  // m/s, m^2/s
};

struct Tone {
    double omega, tau;  // rad/s, s
};

Medium mediumOf(double q, double sweeps) {
    return {std::sqrt(q * sweeps) * diameter / step, q * sweeps * diameter * diameter / step};
}

Tone toneOf(const Medium& m) {
    const double ck = m.soundSpeed * waveNumber, damping = m.diffusivity * waveNumber * waveNumber / 2;
    return {std::sqrt(ck * ck - damping * damping), 1 / damping};
}

// The other way round: the medium that rings like this.
Medium mediumThatRings(const Ringing& r) {
    return {std::hypot(r.omega, 1 / r.tau) / waveNumber, 2 / (r.tau * waveNumber * waveNumber)};
}

double criticalWaveNumber(const Medium& m) { return 2 * m.soundSpeed / m.diffusivity; }

// The motion of the last disc, and the last time at which a contact of the chain was open.
struct Motion {
    std::vector<double> time, position;  // s, m
    double pressed = 0;                  // s
};

int loadedContacts(const Simulation& simulation) {
    int loaded = 0;
    for (const ContactState& c : simulation.contacts()) loaded += dot(c.force, c.normal) > 0 ? 1 : 0;
    return loaded;
}

double lastPosition(const Simulation& simulation) {
    double x = 0;
    for (const BodyState& body : simulation.bodies()) {
        if (body.radius > 0) x = body.position.x;  // walls have none
    }
    return x;
}

Motion watch(const Trial& trial, const Scene& scene, const std::string& what, double share) {
    trial.progress(what, share);
    Simulation simulation(scene);
    const auto stepsPerPoint = static_cast<std::uint64_t>(std::llround(step / simulation.stepLength()));
    const auto points = static_cast<std::uint64_t>(std::llround(scene.run.time / step));
    Motion motion;
    for (std::uint64_t point = 0; point < points; ++point) {
        simulation.advance(stepsPerPoint);
        motion.time.push_back(simulation.time());
        motion.position.push_back(lastPosition(simulation));
        if (loadedContacts(simulation) < discs) motion.pressed = simulation.time();
    }
    return motion;
}

// Random sweeps leave noise in the motion: the mean of several runs that differ in their seed has less.
Motion watchMany(const Trial& trial, Scene scene, const std::string& what, double share) {
    constexpr std::uint64_t runs = 8;
    Motion mean;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        scene.seed = seed;
        const Motion motion = watch(trial, scene, what, share);
        mean.time = motion.time;
        mean.position.resize(motion.position.size(), 0.0);
        for (std::size_t k = 0; k < motion.position.size(); ++k) mean.position[k] += motion.position[k] / runs;
        mean.pressed = std::max(mean.pressed, motion.pressed);
    }
    return mean;
}

// After all contacts stay closed, the higher modes have tau to fade: theirs are tau/9 and less.
Ringing fitPressed(const Motion& motion, double tau) {
    std::vector<double> time, position;
    for (std::size_t k = 0; k < motion.time.size(); ++k) {
        const double since = motion.time[k] - motion.pressed;
        if (since < tau || since > 4.5 * tau) continue;
        time.push_back(motion.time[k]);
        position.push_back(motion.position[k]);
    }
    return fitRinging(time, position);
}

double massOfDisc(const Trial& trial) {
    double mass = 0;
    for (const BodyState& body : Simulation(trial.scene("chain.yaml")).bodies()) mass = std::max(mass, body.mass);
    return mass;
}

// The scene with its push, 0.05 d m/dt^2, for as long as the impact and four damping times after it take.
Scene pushedScene(const Trial& trial, double mass, double tau) {
    Scene scene = trial.scene("chain.yaml");
    scene.bodies[2].force = ConstantForce{{-0.05 * diameter * mass / (step * step), 0, 0}};
    scene.run.time = 0.1 + 12 * tau;
    return scene;
}

Scene sweeping(Scene scene, int sweeps) {
    scene.contactDynamics.fixedIterations = static_cast<std::uint64_t>(sweeps);
    return scene;
}

Scene updatingInParallel(Scene scene, int sweeps) {
    scene.contactDynamics.solver = SolverKind::jacobi;
    scene.contactDynamics.relaxation = 1;
    return sweeping(std::move(scene), sweeps);
}

// Springs and dashpots in place of rigid contacts. A wall is half a contact of two discs that move against each other:
// twice as stiff. The step is small because of the dashpots.
Scene withSprings(Scene scene, double mass, double q, int sweeps) {
    const double stiffness = q * mass * sweeps / (step * step), shareOfCritical = std::sqrt(q * sweeps / 2);
    scene.method = Method::penalty;
    scene.contactLaw.damping = DampingLaw::viscous;
    ContactProperties& disc = scene.materials.at("disc").contact;
    disc.stiffness = stiffness;
    disc.viscosity = shareOfCritical;
    ContactOverrides& wall = scene.pairs[0].contact;
    wall.stiffness = 2 * stiffness;
    wall.viscosity = shareOfCritical;
    scene.run.step = {step / 200};
    return scene;
}

void compareTone(Trial& trial, const std::string& what, const Tone& expected, const Ringing& found) {
    trial.add(within(what + ": frequency", "rad/s", expected.omega, found.omega, 0.03, Source::theory));
    trial.add(within(what + ": damping time", "s", expected.tau, found.tau, 0.03, Source::theory));
}

// What the paper derives from the same numbers.
void compareMedium(Trial& trial, double mass, const Medium& expected, const Ringing& ringing) {
    const Medium found = mediumThatRings(ringing);
    const auto spring = [&](const Medium& m) { return mass * std::pow(m.soundSpeed / diameter, 2); };
    const auto dashpot = [&](const Medium& m) { return mass * m.diffusivity / (diameter * diameter); };
    trial.add(within("effective spring", "N/m", spring(expected), spring(found), 0.05, Source::theory));
    trial.add(within("effective dashpot", "N s/m", dashpot(expected), dashpot(found), 0.05, Source::theory));
    trial.add(within("critical wave number", "1/m", criticalWaveNumber(expected), criticalWaveNumber(found), 0.05,
                     Source::theory));
}

// The paper's figure 4: the motion, and the curve with frequency and damping of theory.
void plotMotion(Trial& trial, const Motion& rigid, const Motion& soft, const Ringing& fitted) {
    std::vector<std::vector<double>> rows;
    for (std::size_t k = 0; k < rigid.time.size() && k < soft.time.size(); ++k) {
        const bool isFitted = rigid.time[k] > rigid.pressed;
        rows.push_back({rigid.time[k] / step, rigid.position[k] / diameter, soft.position[k] / diameter,
                        isFitted ? fitted.at(rigid.time[k]) / diameter : std::nan("")});
    }
    trial.writeTable("motion", {"t/dt", "x/d", "x/d of springs", "x/d fitted"}, rows);
    const double begin = rigid.pressed / step;
    trial.plot(
        "motion",
        fmt::format("set xlabel 't / dt'\nset ylabel 'x / d'\nset datafile missing 'nan'\nset xrange [{:g}:{:g}]\n"
                    "set title 'Last of 50 discs, 40 random sweeps per step'\n"
                    "plot 'motion.csv' skip 1 using 1:2 with points ls 1 pt 7 ps 0.6 title 'contact dynamics', "
                    "'' skip 1 using 1:4 with lines ls 2 title 'fit', "
                    "'' skip 1 using 1:3 with lines ls 3 title 'springs and dashpots'\n",
                    begin - 50, begin + 250));
}

void plotTones(Trial& trial, const std::vector<std::vector<double>>& rows) {
    trial.writeTable("tones", {"sweeps", "omega", "omega of theory", "tau", "tau of theory"}, rows);
    trial.plot("tones",
               "set logscale xy\nset xlabel 'sweeps per step'\nset ylabel 'omega dt, dt/tau'\n"
               "set title 'Frequency and damping of the chain'\n"
               "plot 'tones.csv' skip 1 using 1:($2*1e-3) with points ls 1 pt 7 title 'omega', "
               "'' skip 1 using 1:($3*1e-3) with lines ls 1 title 'theory', "
               "'' skip 1 using 1:(1e-3/$4) with points ls 2 pt 7 title '1/tau', "
               "'' skip 1 using 1:(1e-3/$5) with lines ls 2 title 'theory'\n");
}

// Random sweeps in one step from rest until the wall bears nine tenths of a push at the other end of the chain.
double sweepsUntilRigid(const Trial& trial, int length, double mass) {
    Scene scene = pushedScene(trial, mass, 0);
    auto& lattice = kindOf<LatticeBodies>(scene, 1);
    lattice.count = std::array{static_cast<std::uint64_t>(length - 1), std::uint64_t{1}, std::uint64_t{1}};
    lattice.origin.x = 0;
    kindOf<SphereBody>(scene, 2).position.x = (length - 0.5) * diameter;
    const double push = norm(std::get<ConstantForce>(*scene.bodies[2].force).force);
    return unger2002::leastSweeps(0.9, [&](int sweeps) {
        Simulation simulation(sweeping(scene, sweeps));
        simulation.advance();
        for (const BodyState& body : simulation.bodies()) {
            if (body.radius == 0) return std::abs(body.force.x) / push;
        }
        return 0.0;
    });
}

// "One is forced to apply a relatively large number of iterations, N_I ~ L^2."
void compareLengths(Trial& trial, double mass) {
    std::vector<double> lengths, sweeps;
    for (const int length : {12, 25, 50, 100}) {
        lengths.push_back(length);
        sweeps.push_back(sweepsUntilRigid(trial, length, mass));
    }
    trial.writeTable("rigid", {"discs", "sweeps"}, [&] {
        std::vector<std::vector<double>> rows;
        for (std::size_t k = 0; k < lengths.size(); ++k) rows.push_back({lengths[k], sweeps[k]});
        return rows;
    }());
    trial.add(near("sweeps until rigid: exponent over the length", "", 2, fittedExponent(lengths, sweeps), 0.1));
}

void run(Trial& trial) {
    const double mass = massOfDisc(trial);
    const std::vector<int> allSweeps =
        trial.isQuick() ? std::vector{20, usualSweeps} : std::vector{10, 20, usualSweeps, 80};
    std::vector<std::vector<double>> tones;
    Ringing usual;
    for (const int sweeps : allSweeps) {
        const Tone tone = toneOf(mediumOf(randomSweeps, sweeps));
        const std::string what = fmt::format("{} random sweeps", sweeps);
        const Scene scene = sweeping(pushedScene(trial, mass, tone.tau), sweeps);
        const Ringing found = fitPressed(watchMany(trial, scene, what, 0.1), tone.tau);
        compareTone(trial, what, tone, found);
        tones.push_back({static_cast<double>(sweeps), found.omega, tone.omega, found.tau, tone.tau});
        if (sweeps == usualSweeps) usual = found;
    }
    const Medium medium = mediumOf(randomSweeps, usualSweeps);
    compareMedium(trial, mass, medium, usual);
    compareLengths(trial, mass);

    const Tone parallel = toneOf(mediumOf(parallelUpdate, usualSweeps));
    const Motion updated =
        watch(trial, updatingInParallel(pushedScene(trial, mass, parallel.tau), usualSweeps), "parallel update", 0.4);
    compareTone(trial, fmt::format("{} parallel updates", usualSweeps), parallel, fitPressed(updated, parallel.tau));

    const Tone tone = toneOf(medium);
    const Scene pushed = pushedScene(trial, mass, tone.tau);
    const Motion soft = watch(trial, withSprings(pushed, mass, randomSweeps, usualSweeps), "springs and dashpots", 0.5);
    compareTone(trial, "springs and dashpots", tone, fitPressed(soft, tone.tau));
    // One run, as in the paper.
    const Motion rigid = watch(trial, sweeping(pushed, usualSweeps), "one more run", 0.9);
    plotMotion(trial, rigid, soft, fitPressed(rigid, tone.tau));
    plotTones(trial, tones);
}

}  // namespace

Experiment unger2002_chain() {
    return {
        .paper = unger2002::citation, .title = "A chain of rigid discs rings like springs and dashpots", .run = run};
}

}  // namespace talus::reproduce
