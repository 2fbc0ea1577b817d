// A platform on three supports (Olsen and Kamrin 2018, section 8.1): two equations of balance, three forces. Rigid
// contacts leave one of them open, and classic solvers fill it in by accident; compatible forces are those of springs.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "experiments/experiment.hpp"
#include "experiments/olsen2018/common.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

constexpr double weight = 10;                 // N
using SupportForces = std::array<double, 3>;  // N, left, middle, right

// Where each support stands in the list of bodies; Gauss-Seidel visits their contacts in this order.
using ListOrder = std::array<int, 3>;
constexpr ListOrder leftToRight{0, 1, 2}, middleFirst{1, 0, 2};

Scene inOrder(Scene scene, const ListOrder& order) {
    const std::vector<BodySettings> bodies = scene.bodies;
    for (std::size_t k = 0; k < order.size(); ++k) scene.bodies[k] = bodies[static_cast<std::size_t>(order[k])];
    return scene;
}

Scene withStiffMiddle(Scene scene) {
    scene.pairs[1].contact.stiffness = 3e6;
    return scene;
}

Scene solvedBy(SolverKind solver, Scene scene) {
    scene.contactDynamics.solver = solver;
    return scene;
}

// In the order of the list, which Gauss-Seidel visits its contacts in.
Scene sweptAsListed(Scene scene) {
    scene.contactDynamics.sweep = SweepOrder::list;
    return scene;
}

Scene withCompatibleForces(Scene scene) {
    scene.contactDynamics.forces = ForceRule::compatible;
    return scene;
}

// The supports by their place, at the end of the run.
SupportForces settle(const Trial& trial, const Scene& scene, const std::string& what, double share) {
    trial.progress(what, share);
    Simulation simulation(scene);
    simulation.advance(static_cast<std::uint64_t>(std::llround(scene.run.time / simulation.stepLength())));
    SupportForces forces{};
    for (const BodyState& body : simulation.bodies()) {
        if (body.radius > 0) forces.at(static_cast<std::size_t>(std::lround(2 * body.position.x))) = -body.force.z;
    }
    return forces;
}

// Gauss-Seidel from zero by hand: contact velocities are W f - 1 in units of the weight, W = 1 + 12 x_i x_j / L^2.
SupportForces sweepByHand(const ListOrder& order) {
    constexpr std::array<double, 3> place{-0.5, 0, 0.5};
    SupportForces f{};
    for (int sweep = 0; sweep < 10000; ++sweep) {
        for (const int number : order) {
            const auto i = static_cast<std::size_t>(number);
            double velocity = -1;
            for (std::size_t j = 0; j < 3; ++j) velocity += (1 + 12 * place[i] * place[j]) * f[j];
            f[i] = std::max(0.0, f[i] - velocity / (1 + 12 * place[i] * place[i]));
        }
    }
    for (double& force : f) force *= weight;
    return f;
}

void compare(Trial& trial, const std::string& what, const SupportForces& expected, const SupportForces& found,
             double difference, Source source = Source::paper) {
    constexpr std::array<const char*, 3> names{"left", "middle", "right"};
    for (std::size_t k = 0; k < 3; ++k) {
        trial.add(near(fmt::format("{}: {} support", what, names[k]), "N", expected[k], found[k], difference, source));
    }
}

struct Case {
    std::string what;
    SupportForces forces;
};

void plotForces(Trial& trial, const std::vector<Case>& cases) {
    std::vector<std::vector<double>> rows(3, std::vector<double>(1));
    std::vector<std::string> columns = {"place [L]"};
    for (std::size_t k = 0; k < 3; ++k) rows[k][0] = 0.5 * static_cast<double>(k);
    std::string commands =
        "set style data histograms\nset style fill solid 0.8\nset yrange [0:*]\n"
        "set xlabel 'place of the support [L]'\nset ylabel 'force [N]'\n"
        "set title 'Platform of weight 10 N on three supports'\nplot ";
    for (const Case& c : cases) {
        columns.push_back(c.what + " [N]");
        for (std::size_t k = 0; k < 3; ++k) rows[k].push_back(c.forces[k]);
        commands += fmt::format("{}'supports.csv' skip 1 using {}:xtic(1) ls {} title '{}'",
                                columns.size() > 2 ? ", " : "", columns.size(), columns.size() - 1, c.what);
    }
    trial.writeTable("supports", columns, rows);
    trial.plot("supports", commands + "\n");
}

void run(Trial& trial) {
    const SupportForces equal{weight / 3, weight / 3, weight / 3}, stiff{2, 6, 2}, middleOnly{0, weight, 0};
    constexpr double exact = 1e-8;   // of the weight; compatible forces
    constexpr double atRest = 1e-6;  // of the weight; what is left of the fall
    std::vector<Case> cases;
    const auto check = [&](const std::string& what, const Scene& scene, const SupportForces& expected, double share,
                           Source source = Source::paper) {
        cases.push_back({what, settle(trial, scene, what, static_cast<double>(cases.size()) / 7)});
        compare(trial, what, expected, cases.back().forces, share * weight, source);
    };
    const Scene soft = trial.scene("beam.yaml"), rigid = olsen2018::rigid(soft);
    check("DEM-P, equal", soft, equal, atRest);
    check("DEM-P, stiff middle", withStiffMiddle(soft), stiff, atRest);
    check("APGD", solvedBy(SolverKind::apgd, rigid), equal, atRest);
    check("Gauss-Seidel, middle first", inOrder(sweptAsListed(rigid), middleFirst), middleOnly, atRest);
    check("Gauss-Seidel, left to right", sweptAsListed(rigid), sweepByHand(leftToRight), atRest, Source::theory);
    check("compatible, equal", withCompatibleForces(rigid), equal, exact);
    check("compatible, stiff middle", withCompatibleForces(withStiffMiddle(rigid)), stiff, exact);
    plotForces(trial, cases);
}

}  // namespace

Experiment olsen2018_beam() {
    return {.paper = olsen2018::citation,
            .title = "A platform on three supports: which force does each carry?",
            .run = run};
}

}  // namespace talus::reproduce
