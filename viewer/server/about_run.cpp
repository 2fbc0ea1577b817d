#include "viewer/server/about_run.hpp"

#include "talus/error.hpp"
#include "talus/version.hpp"
#include "viewer/server/encode.hpp"

namespace talus::view {
namespace {

using nlohmann::json;

json asJson(const std::vector<FrameField>& fields) {
    json list = json::array();
    for (const FrameField& f : fields)
        list.push_back({{"name", f.name}, {"label", f.label}, {"unit", f.unit}, {"category", f.isCategory}});
    return list;
}

// The scene as a user would write it, where it can be read without the files it names.
std::string sceneText(const json& scene, const std::filesystem::path& folder) {
    if (!scene.is_object()) return "";
    try {
        return writeScene(parseScene(scene.dump(), "run.json", folder));
    } catch (const std::exception&) {
        return scene.dump(2);
    }
}

// Fields of the first frame that can be read; all of them before there is one.
std::vector<FrameField> fieldsOfRun(RunFiles& files) {
    try {
        if (!files.times().empty()) return frameFieldsOf(files.frame(0)->bodies);
    } catch (const std::exception&) {
    }
    return allFrameFields();
}

}  // namespace

std::string textOf(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

json aboutRun(RunFiles& files) {
    json run = files.run();
    const json scene = run.is_object() && run.contains("scene") ? run["scene"] : json();
    if (run.is_object()) run.erase("scene");
    const FrameNames names = files.names();
    std::string name = files.folder().filename().string();
    return {{"kind", "run"},
            {"name", name},
            {"run", run},
            {"scene", scene},
            {"sceneText", sceneText(scene, files.folder())},
            {"groups", names.groups},
            {"materials", names.materials},
            {"fields", asJson(fieldsOfRun(files))},
            {"version", version()}};
}

json aboutScene(const Scene& scene, const SceneLook& look) {
    const std::string file = scene.source ? scene.source->file : "";
    const std::string name = !scene.name.empty() ? scene.name : std::filesystem::path(file).stem().string();
    return {{"kind", "scene"},
            {"name", name.empty() ? "scene" : name},
            {"run", json()},
            {"scene", json::parse(sceneAsJson(scene), nullptr, false)},
            {"sceneText", writeScene(scene)},
            {"groups", look.names.groups},
            {"materials", look.names.materials},
            {"fields", asJson(frameFieldsOf(look.frame.bodies))},
            {"stepLength", look.stepLength},
            {"stepReason", look.stepReason},
            {"version", version()}};
}

}  // namespace talus::view
