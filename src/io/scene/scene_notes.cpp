// What is no mistake but may surprise. The same scene runs with both methods by switching `method` alone, so the keys
// of the other method are welcome; but whoever forgot to switch should be told.
#include "io/scene/field_reader.hpp"
#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

// The first key of contact_dynamics that the scene gives, or "".
std::string firstGivenKey(const SceneSource& source) {
    KeyCollector keys;
    ContactDynamicsSettings settings;
    fields(keys, settings);
    for (const std::string& key : keys.all) {
        std::string path = joined("contact_dynamics", key);
        if (source.lines.contains(path)) return path;
    }
    return "";
}

}  // namespace

std::vector<std::string> sceneNotes(const Scene& scene) {
    std::vector<std::string> notes;
    if (scene.method != Method::penalty) return notes;
    const SceneSource source = scene.source ? *scene.source : SceneSource{};
    if (const std::string key = firstGivenKey(source); !key.empty()) {
        notes.push_back(findingAt(source, key, "like all of contact_dynamics, has no effect with method: penalty"));
    }
    if (scene.output.problems > 0) {
        notes.push_back(findingAt(source, "output.problems", "nothing is saved: method: penalty solves no problems"));
    }
    return notes;
}

}  // namespace talus
