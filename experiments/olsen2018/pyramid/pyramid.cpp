// Cannonball packing (Olsen and Kamrin 2018, section 8.2): a pyramid of spheres on a fixed layer, frictionless. Rigid
// contacts leave the forces open, and each classic solver finds others; compatible forces are those of stiff springs.
//
// Runs: penalty method with three laws (Hooke, two species, Hertz); contact dynamics with APGD, with Gauss-Seidel in
// several orders, and with compatible forces for each law, by Newton's method and by the augmented Lagrangian of the
// paper's Algorithm 1. The energy minimum of the network of contacts is another way to the compatible forces.
#include <fmt/format.h>

#include <cmath>

#include "experiments/olsen2018/common.hpp"
#include "experiments/olsen2018/pyramid/pile.hpp"
#include "experiments/olsen2018/pyramid/pile_plots.hpp"

namespace talus::reproduce {
namespace {

// What the paper's table 1 has for a law.
struct ReportedErrors {
    double apgd, gaussSeidel, compatible;
};

struct LawAndErrors {
    PileLaw law;
    ReportedErrors reported;
};

const std::vector<LawAndErrors> laws = {
    {{"hooke", "Hooke", NormalLaw::hooke, false}, {0.17, 0.19, 1.9e-5}},
    {{"species", "two species", NormalLaw::hooke, true}, {0.22, 0.25, 2.3e-5}},
    {{"hertz", "Hertz", NormalLaw::hertz, false}, {0.17, 0.19, 2.8e-5}},
};
const PileLaw& uniformLaw = laws.front().law;  // classic contact dynamics knows no stiffness

// Classic solvers are only expected to be wrong by as much as the paper's: theirs are not unique.
double orderOfClassic(const Trial& trial) { return trial.pick(4.0, 3.0); }

PileForces settleClassic(const Trial& trial, SolverKind solver, SweepOrder order, double begin, double end) {
    Scene scene = olsen2018::rigid(pileScene(trial, uniformLaw));
    scene.contactDynamics.solver = solver;
    scene.contactDynamics.sweep = order;
    // From zero in each step: what the solver makes of the forces, not what the impacts left in them.
    scene.contactDynamics.warmStart = false;
    return settle(trial, scene, std::string(nameOf(solver)), begin, end);
}

ClassicForces settleClassics(const Trial& trial) {
    return {.apgd = settleClassic(trial, SolverKind::apgd, SweepOrder::list, 0, 0.1),
            .gaussSeidel = settleClassic(trial, SolverKind::gaussSeidel, SweepOrder::coloured, 0.1, 0.2),
            .otherOrder = settleClassic(trial, SolverKind::gaussSeidel, SweepOrder::random, 0.2, 0.3)};
}

LawForces settleLaw(const Trial& trial, const PileLaw& law, double begin, double end) {
    const double middle = begin + 0.9 * (end - begin);
    LawForces found{.law = law};
    const Scene soft = pileScene(trial, law);
    found.penalty = settle(trial, soft, "penalty method, " + law.title, begin, middle);
    Scene scene = olsen2018::rigid(soft);
    scene.contactDynamics.forces = ForceRule::compatible;
    found.compatible = settle(trial, scene, "compatible forces, " + law.title, middle, end);
    scene.contactDynamics.compatibleMethod = CompatibleMethod::augmentedLagrangian;
    found.augmented = settle(trial, scene, "compatible forces by gradient steps, " + law.title, end, end);
    found.minimum = minimumOfPile(trial, law);
    return found;
}

void compareClassic(Trial& trial, const LawForces& found, const ClassicForces& classic, const ReportedErrors& paper) {
    const double factor = orderOfClassic(trial);
    const auto error = [&](const PileForces& forces) { return relativeError(forces.floor, found.penalty.floor); };
    const std::string name = found.law.title + ": floor error of ";
    trial.add(sameOrder(name + "APGD", "", paper.apgd, error(classic.apgd), factor));
    trial.add(sameOrder(name + "Gauss-Seidel", "", paper.gaussSeidel, error(classic.gaussSeidel), factor));
}

void compareCompatible(Trial& trial, const LawForces& found, const ReportedErrors& paper) {
    const std::string& name = found.law.title;
    trial.add(atMost(name + ": floor error of compatible forces", "", paper.compatible,
                     relativeError(found.compatible.floor, found.penalty.floor)));
    trial.add(atMost(name + ": floor error of compatible forces, augmented Lagrangian", "", paper.compatible,
                     relativeError(found.augmented.floor, found.penalty.floor)));
    trial.add(near(name + ": compatible contact forces, distance from the energy minimum", "", 0,
                   relativeError(found.compatible.contacts, found.minimum.contacts), 1e-9, Source::theory));
    trial.add(atMost(name + ": floor error of the penalty method to the energy minimum", "", paper.compatible,
                     relativeError(found.penalty.floor, found.minimum.floor), Source::theory));
}

void compareLargest(Trial& trial, const LawForces& hooke, const ClassicForces& classic) {
    const double factor = orderOfClassic(trial), reference = largestForce(hooke.penalty);
    const auto excess = [&](const PileForces& forces) { return largestForce(forces) / reference - 1; };
    trial.add(sameOrder("largest force over-predicted by APGD", "", 0.14, excess(classic.apgd), factor));
    trial.add(sameOrder("largest force over-predicted by Gauss-Seidel", "", 0.41, excess(classic.gaussSeidel), factor));
    // It shows that the order matters; how much is not known beforehand. The solves have a tolerance of 1e-5.
    trial.add(atLeast("floor forces of Gauss-Seidel in another order differ by", "", 0.01,
                      relativeError(classic.otherOrder.floor, classic.gaussSeidel.floor), Source::theory));
}

// What the forces of classic solvers depend on: the order of the sweeps, and where each step starts.
struct ClassicVariant {
    std::string name;
    PileForces forces;
};

std::vector<ClassicVariant> settleVariants(const Trial& trial) {
    std::vector<ClassicVariant> variants;
    const auto add = [&](const std::string& name, SolverKind solver, SweepOrder order, std::uint64_t seed, bool warm) {
        Scene scene = olsen2018::rigid(pileScene(trial, uniformLaw));
        scene.contactDynamics.solver = solver;
        scene.contactDynamics.sweep = order;
        scene.contactDynamics.warmStart = warm;
        scene.seed = seed;
        variants.push_back({name, settle(trial, scene, name, 1, 1)});
    };
    add("APGD, from the step before", SolverKind::apgd, SweepOrder::list, 1, true);
    add("Gauss-Seidel, from the step before", SolverKind::gaussSeidel, SweepOrder::coloured, 1, true);
    add("Gauss-Seidel, layer by layer", SolverKind::gaussSeidel, SweepOrder::list, 1, false);
    for (const std::uint64_t seed : {1, 2, 3, 4, 5, 6}) {
        add(fmt::format("Gauss-Seidel, random order {}", seed), SolverKind::gaussSeidel, SweepOrder::random, seed,
            false);
    }
    return variants;
}

// How far the paper's figures are from those of random orders, in their standard deviations: they are one order more.
void compareVariants(Trial& trial, const LawForces& hooke) {
    const double reference = largestForce(hooke.penalty);
    std::vector<double> excesses;
    for (const ClassicVariant& v : settleVariants(trial)) {
        const double error = relativeError(v.forces.floor, hooke.penalty.floor);
        const double excess = largestForce(v.forces) / reference - 1;
        trial.note(fmt::format("{}: floor error {:.2f}, largest force {:+.0f} %", v.name, error, 100 * excess));
        if (v.name.starts_with("Gauss-Seidel, random")) excesses.push_back(excess);
    }
    double mean = 0, variance = 0;
    const auto count = static_cast<double>(excesses.size());
    for (const double e : excesses) mean += e / count;
    for (const double e : excesses) variance += (e - mean) * (e - mean) / (count - 1);
    trial.add(near("largest force over-predicted by Gauss-Seidel in random orders", "", 0.41, mean,
                   2 * std::sqrt(variance * (1 + 1 / count))));
}

void run(Trial& trial) {
    const ClassicForces classic = settleClassics(trial);
    std::vector<LawForces> found;
    for (std::size_t k = 0; k < laws.size(); ++k) {
        const double begin = 0.3 + 0.7 * static_cast<double>(k) / static_cast<double>(laws.size());
        found.push_back(settleLaw(trial, laws[k].law, begin, begin + 0.7 / static_cast<double>(laws.size())));
        compareClassic(trial, found[k], classic, laws[k].reported);
        compareCompatible(trial, found[k], laws[k].reported);
    }
    compareLargest(trial, found.front(), classic);
    compareVariants(trial, found.front());
    plotFloor(trial, found, classic);
    plotHistograms(trial, found, classic);
}

}  // namespace

Experiment olsen2018_pyramid() {
    return {.paper = olsen2018::citation,
            .title = "Forces in a cannonball packing: classic and compatible contact dynamics, penalty method",
            .run = run};
}

}  // namespace talus::reproduce
