#include "run/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/scene/build_world.hpp"
#include "io/scene/problems.hpp"
#include "io/scene/scene_rules.hpp"
#include "io/scene/stage_scene.hpp"
#include "measure/overlap.hpp"
#include "model/servo.hpp"
#include "step/known_speed.hpp"

namespace talus {
namespace {

// A million steps per second would take thirty years.
constexpr double largestStepCount = 1e15;

// The key that gives the step in this stage, or the time if the step is chosen.
std::string keyOfSteps(const Scene& scene, std::size_t stage) {
    const std::string path = scene.stages.empty() ? "run" : indexed("stages", stage);
    if (!sceneInStage(scene, stage).run.step.value) return path + ".time";
    for (std::size_t k = std::min(stage + 1, scene.stages.size()); k-- > 0;) {
        if (scene.stages[k].step) return indexed("stages", k) + ".step";
    }
    return "run.step";
}

// A part of the smaller radius; what gravity presses grains into each other is far less.
constexpr double notedOverlap = 0.01;

std::string nameOf(const WorldState& world, std::size_t i) {
    const Vec3& p = world.bodies.position[i];
    const std::string& group = world.groupNames[world.bodies.group[i]];
    if (i >= world.bodies.grainCount) return fmt::format("the wall '{}'", group);
    return fmt::format("body {} ('{}') at ({:.6g}, {:.6g}, {:.6g}) m", world.bodies.id[i], group, p.x, p.y, p.z);
}

bool isAnyFree(const WorldState& world) {
    const auto& inverse = world.bodies.inverseMass;
    return std::any_of(inverse.begin(), inverse.end(), [](double value) { return value > 0; });
}

// A part of the automatic step: whoever takes one this short has mistaken a unit rather than wanted the accuracy.
constexpr double notedShortness = 1e-3;

// s; infinite where nothing moves.
double usualStep(const Scene& scene, const WorldState& world) {
    if (scene.method == Method::contactDynamics) return chooseRigidStep(world, scene.run.time).dt;
    const TimeScales scales = measureTimeScales(world, expectedSpeed(world));
    return scene.run.stepFraction * std::min(scales.rayleigh, scales.contact);
}

std::optional<std::string> noteOnShortStep(const Scene& scene, const WorldState& world) {
    const Scene first = sceneInStage(scene, 0);
    if (!first.run.step.value || first.method == Method::quasiStatic) return {};
    const double given = *first.run.step.value, usual = usualStep(first, world);
    if (!std::isfinite(usual) || given >= notedShortness * usual) return {};
    return findingAt(scene.source ? *scene.source : SceneSource{}, keyOfSteps(scene, 0),
                     fmt::format("{:.3g} s is {:.1g} times shorter than the automatic step of {:.3g} s; is a unit "
                                 "wrong? The run takes that much longer",
                                 given, usual / given, usual));
}

void addUnique(std::vector<std::uint16_t>& groups, std::uint16_t group) {
    const auto place = std::lower_bound(groups.begin(), groups.end(), group);
    if (place == groups.end() || *place != group) groups.insert(place, group);
}

std::uint16_t groupIndex(const WorldState& world, const std::string& name) {
    const auto found = std::find(world.groupNames.begin(), world.groupNames.end(), name);
    return static_cast<std::uint16_t>(found - world.groupNames.begin());
}

// Groups that stages hold, move or bring count from the start, so that all rows have the same columns.
void addLaterGroups(const Scene& scene, const BuiltScene& built, SeriesSettings& settings) {
    for (std::size_t k = 0; k < scene.stages.size(); ++k) {
        for (const LaterBody& wall : built.stages[k].walls) {
            addUnique(settings.loadGroups, wall.definition.group);
            if (wall.law != noMotion || wall.definition.mass > 0) {
                addUnique(settings.movingGroups, wall.definition.group);
            }
        }
        for (const LaterBody& grain : built.stages[k].grains) {
            const bool moves = grain.law != noMotion || grain.definition.guide;
            if (!grain.definition.fixed && !moves) continue;
            addUnique(settings.loadGroups, grain.definition.group);
            if (moves) addUnique(settings.movingGroups, grain.definition.group);
        }
        for (std::size_t j = 0; j < scene.stages[k].change.size(); ++j) {
            const GroupChange& change = scene.stages[k].change[j];
            if (change.motion || change.free || change.fixed.value_or(false)) {
                addUnique(settings.loadGroups, built.stages[k].changes[j].group);
            }
            if (change.motion || change.free) addUnique(settings.movingGroups, built.stages[k].changes[j].group);
        }
    }
}

// m^2, of the face of a container or box that looks most along a direction; 0 for other bodies.
double areaAcross(const BodyKind& kind, const Vec3& direction) {
    if (const auto* container = std::get_if<Container>(&kind)) {
        return areaAcross(container->size, rotateBack(rotationBy(container->rotation), direction));
    }
    if (const auto* box = std::get_if<SolidBody<Box>>(&kind)) {
        return areaAcross(box->form.size, rotateBack(orientationOf(*box), direction));
    }
    return 0;
}

// A servo whose area is known makes its group one whose stress is measured.
void addStress(const WorldState& world, const std::string& group, const MotionLaw& motion, const BodyKind* kind,
               SeriesSettings& settings) {
    StressGroup measured{.group = groupIndex(world, group)};
    if (const auto* servo = std::get_if<ServoMotion>(&motion)) {
        const bool found = kind != nullptr && servo->direction;
        measured.direction = servo->direction;
        measured.area = servo->area.value_or(found ? areaAcross(*kind, *servo->direction) : 0.0);
        if (measured.area == 0) return;
    } else if (!std::holds_alternative<RadialServoMotion>(motion)) {
        return;
    }
    const auto* sleeve = kind != nullptr ? std::get_if<Sleeve>(kind) : nullptr;
    if (sleeve != nullptr) measured.rings = sleeve->rings;
    const auto isSame = [&](const StressGroup& other) { return other.group == measured.group; };
    if (std::none_of(settings.stressGroups.begin(), settings.stressGroups.end(), isSame)) {
        settings.stressGroups.push_back(measured);
    }
}

void addStresses(const Scene& scene, const WorldState& world, SeriesSettings& settings) {
    std::vector<const BodySettings*> bodies;
    for (const BodySettings& body : scene.bodies) bodies.push_back(&body);
    for (const StageSettings& stage : scene.stages) {
        for (const BodySettings& body : stage.bodies) bodies.push_back(&body);
    }
    for (const BodySettings* body : bodies) {
        if (body->motion && body->group) addStress(world, *body->group, *body->motion, &body->kind, settings);
    }
    for (const StageSettings& stage : scene.stages) {
        for (const GroupChange& change : stage.change) {
            if (!change.motion) continue;
            const BodyKind* kind = nullptr;
            for (const BodySettings* body : bodies) {
                if (body->group == change.group) kind = &body->kind;
            }
            addStress(world, change.group, *change.motion, kind, settings);
        }
    }
}

}  // namespace

std::vector<std::string> notesAtStart(const Scene& scene, const WorldState& world) {
    std::vector<std::string> notes = sceneNotes(scene);
    if (const DeepestOverlap deepest = findDeepestOverlap(world); deepest.fraction > notedOverlap) {
        notes.push_back(fmt::format(
            "{} starts {:.2g} % of the smaller radius deep in {}, deeper than any other: what is pressed together will "
            "fly apart",
            nameOf(world, deepest.owner), 100 * deepest.fraction, nameOf(world, deepest.partner)));
    }
    if (const auto note = noteOnShortStep(scene, world)) notes.push_back(*note);
    if (!isAnyFree(world) && world.sources.empty() && scene.stages.empty()) {
        notes.push_back(
            "all bodies are held (fixed, or with a motion), and two held bodies never push each other: no force will "
            "appear; let one of them move freely");
    }
    return notes;
}

void checkStepCount(const Scene& scene, std::size_t stage, double dt) {
    const double time = sceneInStage(scene, stage).run.time, steps = time / dt;
    if (steps <= largestStepCount) return;
    failAt(
        scene, keyOfSteps(scene, stage),
        fmt::format("{:.3g} s in steps of {:.3g} s are {:.2g} steps; at most {:.0e} can be taken: is a unit missing?",
                    time, dt, steps, largestStepCount));
}

void checkStepLength(const Scene& scene, std::size_t stage, const WorldState& world, double dt) {
    const Scene inForce = sceneInStage(scene, stage);
    if (inForce.method != Method::penalty || !inForce.run.step.value) return;  // chosen steps are shorter
    if (const auto fault = stepFault(world, dt)) failAt(scene, keyOfSteps(scene, stage), *fault);
}

std::uint64_t stepsIn(double duration, double dt) {
    const double exact = duration / dt;
    const double nearest = std::round(exact);
    return static_cast<std::uint64_t>(std::abs(exact - nearest) < 1e-6 * nearest ? nearest : std::ceil(exact));
}

StepMethod methodOf(const Scene& scene) {
    const std::optional<double>& step = scene.run.step.value;
    if (scene.method == Method::penalty) return Penalty{step, scene.run.stepFraction};
    if (scene.method == Method::quasiStatic) return QuasiStatic{step, scene.quasiStatic, scene.contactDynamics};
    ContactDynamics dynamics = scene.contactDynamics;
    dynamics.step = step;
    return dynamics;
}

StepSettings stepSettings(const Scene& scene, const WorldState& world, double dt) {
    StepSettings step = stepSettings(methodOf(scene), world, dt, hasDilation(scene));
    step.ledger = scene.run.energyLedger ? Ledger::on : Ledger::off;
    step.orientation = scene.run.orientation ? SphereOrientation::tracked : SphereOrientation::ignored;
    return step;
}

SeriesSettings seriesSettings(const Scene& scene, const BuiltScene& built) {
    SeriesSettings settings;
    for (const MeasuredRegion& r : scene.measure.regions) {
        settings.regions.push_back({r.name, r.box.low, r.box.high});
        for (const std::string& group : r.between) {
            settings.regions.back().between.push_back(groupIndex(built.world, group));
        }
    }
    for (const MeasuredPlane& p : scene.measure.planes) settings.planes.push_back({p.name, p.point, p.normal});
    if (scene.measure.walls) {
        settings.loadGroups = findFixedGroups(built.world);
        settings.movingGroups = findMovingGroups(built.world);
        addLaterGroups(scene, built, settings);
        addStresses(scene, built.world, settings);
    }
    settings.energy = scene.run.energyLedger;
    return settings;
}

}  // namespace talus
