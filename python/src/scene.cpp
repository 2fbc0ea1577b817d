// Scenes, runs of them, and results.
#include "talus/scene.hpp"

#include "bindings.hpp"
#include "talus/results.hpp"
#include "talus/scene_world.hpp"
#include "talus/settings_text.hpp"
#include "talus/simulation.hpp"

namespace talus::python {
namespace {

RunOptions optionsOf(const std::string& folder, bool overwrite, int threads, double maxTime,
                     const std::optional<nb::callable>& say) {
    RunOptions options;
    options.folder = folder;
    options.overwrite = overwrite;
    options.threads = threads;
    options.maxTime = maxTime;
    if (say) {
        options.say = [call = *say](const std::string& line) {
            const nb::gil_scoped_acquire gil;
            call(line);
        };
    }
    return options;
}

nb::dict asDict(const RunOutcome& outcome) {
    nb::dict d;
    d["status"] = outcome.status;
    d["message"] = outcome.message;
    d["summary"] = outcome.summary;
    d["signal"] = outcome.signal;
    d["folder"] = outcome.folder.string();
    return d;
}

template <class Run>
nb::dict runReleased(Run&& run) {
    RunOutcome outcome;
    {
        const nb::gil_scoped_release released;
        outcome = run();
    }
    return asDict(outcome);
}

nb::tuple makeWorld(const Scene& scene) {
    SceneWorld made = [&] {
        const nb::gil_scoped_release released;
        return worldOf(scene);
    }();
    return nb::make_tuple(std::move(made.world), settingsAsJson(made.method), settingsAsJson(made.settings), made.time);
}

// A scene with stages, step by step; its bodies are read as copies, in order of id.
void bindCourse(nb::module_& m) {
    nb::class_<Simulation>(m, "Course")
        .def(nb::init<const Scene&>())
        .def("advance",
             [](Simulation& s, std::uint64_t steps) {
                 const nb::gil_scoped_release released;
                 s.advance(steps);
             })
        .def_prop_ro("time", &Simulation::time)
        .def_prop_ro("step_length", &Simulation::stepLength)
        .def_prop_ro("step_count", &Simulation::stepCount)
        .def_prop_ro("step_reason", &Simulation::stepReason)
        .def_prop_ro("state_hash", &Simulation::stateHash)
        .def_prop_ro("finished", &Simulation::finished)
        .def("measured", &Simulation::measured);
}

}  // namespace

void bindScene(nb::module_& m) {
    nb::class_<Scene>(m, "Scene").def_ro("name", &Scene::name).def_prop_ro("has_stages", [](const Scene& s) {
        return !s.stages.empty();
    });
    m.def("parse_scene", parseScene);
    m.def("load_scene", loadScene);
    m.def("scene_as_json", sceneAsJson);
    m.def("write_scene", writeScene);
    m.def("scene_notes", sceneNotes);
    m.def("describe_scene", describeScene);
    m.def("world_of", makeWorld);
    m.def("are_made_alike", areMadeAlike);
    m.def(
        "run_scene",
        [](const Scene& scene, const std::string& folder, bool overwrite, int threads, double maxTime,
           const std::optional<nb::callable>& say) {
            const RunOptions options = optionsOf(folder, overwrite, threads, maxTime, say);
            return runReleased([&] { return runScene(scene, options); });
        },
        nb::arg("scene"), nb::arg("folder"), nb::arg("overwrite"), nb::arg("threads"), nb::arg("max_time"),
        nb::arg("say").none());
    m.def(
        "resume_run",
        [](const std::string& folder, int threads, double maxTime, const std::optional<nb::callable>& say) {
            const RunOptions options = optionsOf(folder, false, threads, maxTime, say);
            return runReleased([&] { return resumeRun(options); });
        },
        nb::arg("folder"), nb::arg("threads"), nb::arg("max_time"), nb::arg("say").none());
    m.def("plot_results", plotResults);
    m.def("parse_duration", parseDuration);
    bindCourse(m);
}

}  // namespace talus::python
