// Warm starting with compliant contacts (section 10.2 of the paper): spheres that come to rest in a box, solved to the
// same tolerance by spectral projected gradients from the reactions of the step before, and from zero.
#include <nlohmann/json.hpp>

#include "experiments/experiment.hpp"
#include "experiments/tasora2012/common.hpp"
#include "talus/simulation.hpp"

namespace talus::reproduce {
namespace {

// Iterations per step on average.
double iterationsOf(Trial& trial, const std::string& name, const Scene& scene, double share) {
    trial.progress(name, share);
    RunOptions options;
    options.folder = trial.folder() / name;
    options.overwrite = true;
    const RunOutcome outcome = runScene(scene, options);
    const nlohmann::json solver = nlohmann::json::parse(outcome.summary).at("results").at("solver");
    return solver.at("iterations").get<double>() / solver.at("steps").get<double>();
}

void run(Trial& trial) {
    Scene scene = trial.scene("box.yaml");
    kindOf<RandomBodies>(scene, 1).count = trial.pick(80, 250);
    const double warm = iterationsOf(trial, "warm", scene, 0);
    scene.contactDynamics.warmStart = false;
    const double cold = iterationsOf(trial, "cold", scene, 0.5);
    trial.writeTable("iterations", {"warm [-]", "cold [-]"}, {{warm, cold}});
    trial.add(sameOrder("iterations from zero over those from the step before", "", 2.5, cold / warm, 2));
}

}  // namespace

Experiment tasora2012_warmstart() {
    return {.paper = tasora2012::citation,
            .title = "Compliant contacts: how many iterations does a warm start save?",
            .run = run};
}

}  // namespace talus::reproduce
