#include "talus/scene_world.hpp"

#include "api/fingerprint.hpp"
#include "api/world_data.hpp"
#include "io/scene/build_world.hpp"
#include "io/scene/scene_rules.hpp"
#include "run/setup.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

void adopt(const Scene& scene, BuiltScene built, WorldParts& parts) {
    parts.state = std::move(built.world);
    parts.names = std::move(built.named);
    parts.materials = materialsOf(scene);
    parts.entries = static_cast<std::uint32_t>(scene.bodies.size());
    parts.facts.materials = scene.materials;
    parts.facts.bodies = scene.bodies;
    // Bodies that come later are checked against all that are there as against grains made many at once.
    parts.generated = {{0, parts.state.nextId}};
}

}  // namespace

SceneWorld worldOf(const Scene& scene) {
    if (!scene.stages.empty()) {
        throw InputError(
            "stages: a World knows no stages; run the scene (runScene(), talus run), or step it as a Simulation");
    }
    WorldSettings settings{.gravity = scene.gravity,
                           .planar = scene.planar,
                           .domain = scene.domain,
                           .seed = scene.seed,
                           .contactLaw = scene.contactLaw,
                           .folder = scene.source ? scene.source->folder : std::filesystem::path{},
                           .skin = scene.run.skin.value.value_or(0.0)};
    SceneWorld made{.world = World(settings),
                    .method = methodOf(scene),
                    .settings = {.horizon = scene.run.time,
                                 .maxOverlap = scene.run.maxOverlap,
                                 .energyLedger = scene.run.energyLedger,
                                 .trackSpheres = scene.run.orientation},
                    .time = scene.run.time};
    adopt(scene, buildScene(scene), made.world.data().parts);
    return made;
}

bool areMadeAlike(const World& a, const World& b) {
    return digestOfCalls(a.data().parts) == digestOfCalls(b.data().parts);
}

}  // namespace talus
