#include "io/scene/stage_scene.hpp"

#include <algorithm>

#include "io/scene/scene_rules.hpp"
#include "io/scene/stage_fields.hpp"

namespace talus {
namespace {

void apply(const StageSettings& stage, Scene& scene) {
    if (stage.method && *stage.method != scene.method) scene.run.step = {};
    scene.method = stage.method.value_or(scene.method);
    scene.run.step = stage.step.value_or(scene.run.step);
    scene.run.stepFraction = stage.stepFraction.value_or(scene.run.stepFraction);
    scene.run.time = stage.time;
    scene.gravity = stage.gravity.value_or(scene.gravity);
    for (const auto& [name, changes] : stage.materials) {
        // One that is not there is an error of the scene, which others tell.
        if (const auto found = scene.materials.find(name); found != scene.materials.end()) {
            applyOverrides(changes, found->second.contact);
        }
    }
    // Where a pair has several entries, the later ones count.
    scene.pairs.insert(scene.pairs.end(), stage.pairs.begin(), stage.pairs.end());
    applyChanges(stage.contactDynamics, scene.contactDynamics);
    applyChanges(stage.quasiStatic, scene.quasiStatic);
    applyChanges(stage.output, scene.output);
}

}  // namespace

std::vector<StageSettings> stagesOf(const Scene& scene) {
    if (!scene.stages.empty()) return scene.stages;
    StageSettings whole;
    whole.time = scene.run.time;
    return {whole};
}

Scene sceneInStage(const Scene& scene, std::size_t stage) {
    Scene result = scene;
    for (std::size_t k = 0; k <= stage && k < scene.stages.size(); ++k) apply(scene.stages[k], result);
    return result;
}

}  // namespace talus
