// Warm starting with compliant contacts (section 10.2 of the paper): spheres under a heavy lid, in a box whose side
// wall is pulled out like a drawer. Each step is solved to the same tolerance by spectral projected gradients, from the
// reactions of the step before and from zero, with compliant contacts and with rigid ones.
//
// The paper says that a warm start saves compliant contacts two to three times the iterations, that it does not help
// rigid ones, and that the forces of compliant contacts are so found sooner.
#include <fmt/format.h>

#include <cmath>

#include "experiments/experiment.hpp"
#include "experiments/tasora2012/common.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

constexpr std::size_t spheres = 5;         // place in the list of bodies
constexpr std::size_t load = 1, pull = 2;  // stages

struct Variant {
    ContactKind contacts;
    bool warm;
    std::string name() const {
        return fmt::format("{}, {}", contacts == ContactKind::elastic ? "compliant" : "rigid",
                           warm ? "from the step before" : "from zero");
    }
};

// The box grows with the cube root of the number of spheres, the load with its floor.
Scene sceneOf(const Trial& trial, const Variant& v) {
    Scene scene = trial.scene("drawer.yaml");
    scene.contactDynamics.contacts = v.contacts;
    if (v.contacts == ContactKind::rigid)
        scene.materials.at("stone").contact.dampingTime = 0;  // has no springs to damp
    scene.stages[pull].contactDynamics.values.warmStart = v.warm;
    const double count = trial.pick(120, 2000), size = std::cbrt(count / 250);
    auto& filling = kindOf<RandomBodies>(scene, spheres);
    filling.count = static_cast<std::uint64_t>(count);
    auto& region = std::get<BoxRegion>(filling.region);
    region.low = size * region.low;
    region.high = size * region.high;
    for (std::size_t wall = 1; wall < spheres; ++wall) {
        Vec3& point = kindOf<Plane>(scene, wall).point;
        point = size * point;
    }
    BodySettings& lid = scene.stages[load].bodies[0];
    auto& surface = std::get<Plane>(lid.kind);
    surface.point = size * surface.point;
    lid.free->mass = size * size * *lid.free->mass;
    return scene;
}

// Iterations of each step while the drawer is pulled.
struct Finding {
    Variant variant;
    std::vector<double> iterations;
    double unconverged = 0;

    double mean() const {
        double sum = 0;
        for (const double n : iterations) sum += n;
        return sum / static_cast<double>(iterations.size());
    }
};

Finding watch(Trial& trial, const Variant& v, double share) {
    const Scene scene = sceneOf(trial, v);
    trial.progress(v.name(), share);
    Simulation simulation(scene);
    while (simulation.stages().size() < pull + 1) simulation.advance();
    Finding found{v, {}};
    while (!simulation.finished()) {
        simulation.advance();
        found.iterations.push_back(simulation.measured("solver_iterations"));
    }
    found.unconverged = simulation.measured("unconverged_steps");
    return found;
}

void plotIterations(Trial& trial, const std::vector<Finding>& findings) {
    std::vector<std::vector<double>> rows;
    for (std::size_t k = 0; k < findings.front().iterations.size(); ++k) {
        rows.push_back({static_cast<double>(k + 1)});
        for (const Finding& f : findings) rows.back().push_back(f.iterations[k]);
    }
    std::vector<std::string> columns{"step"};
    std::string curves;
    for (std::size_t k = 0; k < findings.size(); ++k) {
        columns.push_back(findings[k].variant.name());
        curves += fmt::format("{}'iterations.csv' skip 1 using 1:{} with lines ls {} dt {} title '{}'",
                              k > 0 ? ", " : "", k + 2, k / 2 + 1, k % 2 + 1, findings[k].variant.name());
    }
    trial.writeTable("iterations", columns, rows);
    trial.plot("iterations",
               "set logscale y\nset xlabel 'step, while the drawer is pulled'\nset ylabel 'iterations'\n"
               "set title 'Spectral projected gradients'\nplot " +
                   curves + "\n");
}

void run(Trial& trial) {
    std::vector<Finding> found;
    for (const ContactKind contacts : {ContactKind::elastic, ContactKind::rigid}) {
        for (const bool warm : {true, false}) {
            found.push_back(watch(trial, {contacts, warm}, 0.25 * static_cast<double>(found.size())));
        }
    }
    const Finding &compliant = found[0], &compliantCold = found[1], &rigid = found[2], &rigidCold = found[3];
    // "Two to three times."
    trial.add(sameOrder("compliant: iterations from zero over those from the step before", "", 2.5,
                        compliantCold.mean() / compliant.mean(), 2));
    // "Does not improve convergence": by less than half.
    trial.add(between("rigid: iterations from zero over those from the step before", "", 1, 1.5,
                      rigidCold.mean() / rigid.mean()));
    trial.add(atLeast("iterations of rigid contacts over those of compliant ones, from the step before", "", 1,
                      rigid.mean() / compliant.mean()));
    double unconverged = 0;
    for (const Finding& f : found) unconverged += f.unconverged;
    trial.add(atMost("steps that were not solved to the tolerance", "", 0, unconverged, Source::theory));
    for (const Finding& f : found)
        trial.note(fmt::format("{}: {:.1f} iterations per step", f.variant.name(), f.mean()));
    plotIterations(trial, found);
}

}  // namespace

Experiment tasora2012_warmstart() {
    return {.paper = tasora2012::citation,
            .title = "Spheres under a load in a box with a drawer: how many iterations does a warm start save?",
            .run = run};
}

}  // namespace talus::reproduce
