#include "io/scene/scene_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "io/scene/contact_kinds.hpp"
#include "io/scene/form_rules.hpp"
#include "io/scene/generators.hpp"
#include "io/scene/joint_rules.hpp"
#include "io/scene/scene_fields.hpp"
#include "io/scene/stage_scene.hpp"
#include "laws/pair_law.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

bool isSolidKind(const BodyKind& kind) {
    return std::visit(
        [](const auto& k) {
            return requires { k.form; };
        },
        kind);
}
bool isSleeve(const BodyKind& kind) { return std::holds_alternative<SleeveBody>(kind); }

class RuleCheck {
public:
    RuleCheck(const Scene& scene, Problems& problems)
        : scene_(scene), problems_(problems), forms_(scene.planar, problems) {}

    void checkAll() {
        checkSpace();
        checkMaterials();
        checkPairs();
        if (scene_.bodies.empty() && scene_.sources.empty()) add("bodies", "the scene has no bodies and no sources");
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) checkBody(indexed("bodies", k), scene_.bodies[k]);
        for (std::size_t k = 0; k < scene_.sources.size(); ++k) checkSource(indexed("sources", k), scene_.sources[k]);
        for (std::size_t k = 0; k < scene_.sinks.size(); ++k) {
            checkBox(indexed("sinks", k) + ".region", scene_.sinks[k].region);
        }
        checkJoints(scene_, problems_);
        checkMeasurements();
        checkRun();
        checkMethod();
        for (std::size_t k = 0; k < scene_.stages.size(); ++k) checkStage(indexed("stages", k), k);
    }

    // What depends on the method, as far as a stage can change it.
    void checkMethod() {
        if (scene_.method != Method::penalty) checkContactDynamics();
        checkJointMethod(scene_, problems_);
        const bool rigid = scene_.method == Method::contactDynamics && !hasElasticContacts(scene_);
        if (rigid) checkRigidServos();
    }

private:
    void add(const std::string& path, const std::string& message) { problems_.add(path, message); }

    void checkName(const std::string& path, const std::string& name) {
        if (isPlainName(name)) return;
        add(path, fmt::format("a name has up to 64 letters, digits, '_' and '-', got {}", inQuotes(name)));
    }

    void checkDirection(const std::string& path, const Vec3& direction) {
        if (const std::string fault = directionFault(direction); !fault.empty()) add(path, fault);
    }

    // Low below high along each axis; equal is fine along the axis across a planar scene.
    void checkBox(const std::string& path, const BoxRegion& box) {
        for (int axis = 0; axis < 3; ++axis) {
            const bool isFlat = box.low[axis] == box.high[axis] && axis == acrossAxis(scene_.planar);
            if (box.low[axis] < box.high[axis] || isFlat) continue;
            add(path, fmt::format("low must be below high along {}, got {} and {} m", "xyz"[axis], box.low[axis],
                                  box.high[axis]));
        }
    }

    void checkSpace() {
        if (!scene_.domain) return;
        checkBox("domain", {scene_.domain->low, scene_.domain->high});
        const std::vector<Axis>& periodic = scene_.domain->periodic;
        if (std::set(periodic.begin(), periodic.end()).size() != periodic.size()) {
            add("domain.periodic", "an axis is given twice");
        }
    }

    void checkRestitution(const std::string& path, double restitution) {
        if (scene_.method != Method::penalty) return;
        if (scene_.contactLaw.damping != DampingLaw::restitution || restitution >= smallestRestitution) return;
        add(path, fmt::format("must be {} to 1, got {}; for stronger damping set contact_law.damping: viscous",
                              smallestRestitution, restitution));
    }

    void checkMaterials() {
        if (scene_.materials.empty()) add("materials", "at least one material is needed");
        for (const auto& [name, material] : scene_.materials) {
            const std::string path = joined("materials", name);
            checkName(path, name);
            checkRestitution(path + ".restitution", material.contact.restitution);
        }
        const LawKinds& kinds = scene_.contactLaw.kinds;
        if (kinds.cohesion == CohesionLaw::jkr && kinds.normal != NormalLaw::hertz) {
            add("contact_law.cohesion", "jkr needs normal: hertz; use dmt or constant with hooke");
        }
    }

    void checkMaterialName(const std::string& path, const std::string& name) {
        if (scene_.materials.contains(name)) return;
        std::vector<std::string> names;
        for (const auto& [known, material] : scene_.materials) names.push_back(known);
        add(path, fmt::format("there is no material {}{}", inQuotes(name), didYouMean(name, names)));
    }

    void checkMaterial(const std::string& path, const std::optional<std::string>& name) {
        if (name) return checkMaterialName(path + ".material", *name);
        if (!scene_.materials.empty()) add(path, "the key 'material' is missing; there are several materials");
    }

    void checkPairs() {
        std::map<std::set<std::string>, std::size_t> seen;
        for (std::size_t k = 0; k < scene_.pairs.size(); ++k) {
            const PairSettings& pair = scene_.pairs[k];
            const std::string path = indexed("pairs", k);
            for (const std::string& name : pair.between) checkMaterialName(path + ".between", name);
            const auto [first, isNew] = seen.emplace(std::set(pair.between.begin(), pair.between.end()), k);
            if (!isNew) add(path + ".between", fmt::format("this pair is already set in pairs[{}]", first->second));
            if (pair.contact.restitution) checkRestitution(path + ".restitution", *pair.contact.restitution);
        }
    }

    // --- sizes and motions -----------------------------------------------------------------------------------------

    void checkSizes(const std::string& path, const std::vector<GrainForm>& grains,
                    const std::optional<SizeSettings>& radius) {
        forms_.checkGrains(path, grains, radius.has_value());
        if (radius) std::visit([&](const auto& size) { checkSize(path + ".radius", size); }, *radius);
    }
    void checkSize(const std::string&, const SingleSize&) {}
    void checkSize(const std::string& path, const UniformSize& size) {
        if (size.low > size.high)
            add(path, fmt::format("low must not exceed high, got {} and {} m", size.low, size.high));
    }
    void checkSize(const std::string& path, const NormalSize& size) {
        if (size.mean < size.low || size.mean > size.high) {
            add(path, fmt::format("the mean must lie between low and high, got {} m", size.mean));
        } else if (size.high - size.low < 0.1 * size.deviation) {
            // Nearly every draw would fall outside and be drawn again.
            add(path, "low and high must be further apart than a tenth of the deviation");
        }
    }
    void checkSize(const std::string& path, const TableSize& size) {
        if (size.radii.empty() || size.radii.size() != size.weights.size()) {
            add(path, fmt::format("radii and weights must be equally many, at least one; got {} and {}",
                                  size.radii.size(), size.weights.size()));
        } else if (std::accumulate(size.weights.begin(), size.weights.end(), 0.0) <= 0) {
            add(path, "the weights must not all be zero");
        }
    }

    void checkMotion(const std::string&, const ConstantMotion&) {}
    void checkMotion(const std::string&, const SineMotion&) {}
    void checkMotion(const std::string& path, const RotationMotion& motion) {
        checkDirection(path + ".axis", motion.axis);
    }
    void checkMotion(const std::string& path, const TableMotion& motion) {
        if (motion.time.empty()) add(path + ".points", "at least one point is needed");
        checkTimes(path + ".points", motion.time);
    }
    void checkMotion(const std::string& path, const ServoMotion& motion) {
        if (motion.direction) checkDirection(path + ".direction", *motion.direction);
        if (motion.force.has_value() == motion.stress.has_value()) add(path, "give either 'force' or 'stress'");
        checkTimes(path + ".shares", motion.course.time);
    }
    void checkMotion(const std::string& path, const RadialServoMotion& motion) {
        checkTimes(path + ".shares", motion.course.time);
        for (std::size_t k = 0; k < motion.ends.size(); ++k) checkEnd(indexed(path + ".ends", k), motion.ends[k]);
    }

    void checkEnd(const std::string& path, const std::string& group) {
        std::vector<std::string> names;
        const auto look = [&](const std::vector<BodySettings>& bodies) {
            for (const BodySettings& body : bodies) {
                if (std::holds_alternative<PlaneBody>(body.kind)) names.push_back(body.group.value_or("plane"));
            }
        };
        look(scene_.bodies);
        for (const StageSettings& stage : scene_.stages) look(stage.bodies);
        if (std::find(names.begin(), names.end(), group) != names.end()) return;
        add(path, fmt::format("there is no plane of the group {}{}", inQuotes(group), didYouMean(group, names)));
    }

    void checkTimes(const std::string& path, const std::vector<double>& time) {
        for (std::size_t k = 1; k < time.size(); ++k) {
            if (time[k] > time[k - 1]) continue;
            add(indexed(path, k), fmt::format("times must increase, got {} s after {} s", time[k], time[k - 1]));
        }
    }

    // Whether this kind of body can follow the motion.
    void checkMotionOf(const std::string& path, const MotionLaw& motion, const BodyKind& kind) {
        const bool isRound = std::holds_alternative<DrumBody>(kind) || isSleeve(kind);
        if (std::holds_alternative<RadialServoMotion>(motion) && !isRound) {
            add(path, "a radial servo is for drums and sleeves");
        }
        const auto* sleeve = std::get_if<SleeveBody>(&kind);
        const auto* constant = std::get_if<ConstantMotion>(&motion);
        if (sleeve != nullptr && constant != nullptr &&
            norm(cross(sleeve->axis, constant->spin)) > 1e-9 * norm(sleeve->axis) * norm(constant->spin)) {
            add(path + ".spin", "each ring of a sleeve would turn about its own centre; use type: rotation");
        }
        const auto* servo = std::get_if<ServoMotion>(&motion);
        if (servo == nullptr) return;
        if (!isWallKind(kind) || sleeve != nullptr) {
            return add(path, "a servo moves walls: planes, containers and drums");
        }
        if (!servo->direction && !std::holds_alternative<PlaneBody>(kind)) {
            add(path, "the key 'direction' is missing; only a plane has one of its own");
        }
        if (servo->stress && !servo->area && !std::holds_alternative<ContainerBody>(kind)) {
            add(path, "the key 'area' is missing: it turns the stress into a force");
        }
    }

    // --- bodies ----------------------------------------------------------------------------------------------------

    void checkBody(const std::string& path, const BodySettings& body) {
        checkMaterial(path, body.material);
        if (body.group) checkName(path + ".group", *body.group);
        std::visit([&](const auto& kind) { checkKind(path, kind); }, body.kind);
        if (body.motion) {
            std::visit([&](const auto& motion) { checkMotion(path + ".motion", motion); }, *body.motion);
            checkMotionOf(path + ".motion", *body.motion, body.kind);
        }
        if (isWallKind(body.kind) && !body.free && !body.fixed.value_or(true)) {
            add(path + ".fixed", "a wall moves freely only if it has a mass (free: {mass: ...}), or give it a motion");
        }
        if (body.free) checkFree(path, body);
        if (body.force) checkForce(path, body);
        if (body.motion && !body.fixed.value_or(true)) {
            add(path + ".motion", "a body with prescribed motion cannot be free as well (fixed: false)");
        }
        if (body.motion || body.fixed.value_or(false)) checkHeld(path, body.kind);
        std::visit([&](const auto& kind) { checkStart(path, kind); }, body.kind);
        if (isSleeve(body.kind)) checkSleeve(path, body);
        if (hasSleeve()) std::visit([&](const auto& kind) { checkInSleeve(path, body, kind); }, body.kind);
        if (const auto* mesh = std::get_if<SolidBody<MeshForm>>(&body.kind); mesh != nullptr && mesh->form.surface) {
            checkSurface(path, body);
        }
    }

    // Velocity and spin at the start, where bodies have them.
    template <class Kind>
    void checkStart(const std::string& path, const Kind& kind) {
        if constexpr (requires { kind.velocity; }) checkInPlane(path, kind.velocity);
        if constexpr (requires { kind.spin; }) {
            if (const std::string fault = spinFault(scene_.planar, kind.spin); !fault.empty()) {
                add(path + ".spin", fault);
            }
        }
    }

    bool hasSleeve() const {
        const auto anyIn = [](const std::vector<BodySettings>& bodies) {
            return std::any_of(bodies.begin(), bodies.end(), [](const BodySettings& b) { return isSleeve(b.kind); });
        };
        return anyIn(scene_.bodies) || std::any_of(scene_.stages.begin(), scene_.stages.end(),
                                                   [&](const StageSettings& stage) { return anyIn(stage.bodies); });
    }

    // Only spheres know the rims of rings.
    void checkGrainsInSleeve(const std::string& path, const std::vector<GrainForm>& grains) {
        if (!grains.empty()) add(path + ".grains", "a sleeve confines spheres only; use a drum, or spheres");
    }
    template <class Kind>
    void checkInSleeve(const std::string& path, const BodySettings& body, const Kind& kind) {
        if constexpr (requires { kind.grains; }) checkGrainsInSleeve(path, kind.grains);
        if constexpr (requires { kind.form; }) {
            const bool isHeld = body.motion || body.fixed.value_or(false);
            if (!isHeld) add(path, "a sleeve confines spheres only; hold this body, or use a drum");
        }
    }

    // A sleeve is many walls, one per ring: what is meant for one body would hold for each of them.
    void checkSleeve(const std::string& path, const BodySettings& body) {
        if (body.name)
            add(path + ".name", "is for single bodies; a sleeve is one wall per ring, and joints need a drum");
        if (body.free) add(path + ".free", "a sleeve is one wall per ring and cannot be free; use a drum");
        if (body.force) add(path + ".force", "a sleeve is one wall per ring and bears no force; use a drum");
    }
    void checkChangeOfSleeve(const std::string& path, const GroupChange& change, const BodyKind& kind) {
        if (!isSleeve(kind)) return;
        if (change.free) add(path + ".free", "a sleeve is one wall per ring and cannot be free; use a drum");
        if (change.force) add(path + ".force", "a sleeve is one wall per ring and bears no force; use a drum");
    }

    void checkSurface(const std::string& path, const BodySettings& body) {
        if (body.motion || body.fixed.value_or(false)) return;
        add(path + ".surface", "a surface has no mass to move: set fixed: true or a motion, or leave out surface");
    }

    void checkFree(const std::string& path, const BodySettings& body) {
        if (!isWallKind(body.kind)) {
            add(path + ".free", "is for walls; other bodies are free unless fixed");
        } else if (body.motion) {
            add(path + ".free", "a wall with prescribed motion cannot be free as well");
        } else if (body.fixed.value_or(false)) {
            add(path + ".free", "a fixed wall cannot be free");
        }
        if (body.free->axes) checkAxes(path + ".free.axes", *body.free->axes, false);
        if (body.free->turns) checkAxes(path + ".free.turns", *body.free->turns, true);
        checkTurning(path + ".free", *body.free);
        checkInPlane(path + ".free", body.free->velocity);
        for (int axis = 0; axis < 3 && body.free->axes; ++axis) {
            const auto& axes = *body.free->axes;
            if (body.free->velocity[axis] == 0 || std::count(axes.begin(), axes.end(), static_cast<Axis>(axis)) > 0) {
                continue;
            }
            add(path + ".free.velocity", fmt::format("moves along {}, which is not among its axes", "xyz"[axis]));
        }
    }

    void checkTurning(const std::string& path, const FreeWallSettings& free) {
        const bool isToTurn = free.turns ? !free.turns->empty() : free.inertia > 0;
        if (isToTurn && free.inertia == 0) {
            add(path + ".turns", "a wall that turns needs its moment of inertia, free.inertia");
        }
        if (!isToTurn && free.axes && free.axes->empty()) {
            add(path + ".axes", "the wall could not move at all; name an axis, or leave out free to hold it");
        }
    }

    // In a planar scene bodies move in the plane and turn about the axis across it.
    void checkAxes(const std::string& path, const std::vector<Axis>& axes, bool turning) {
        if (std::set(axes.begin(), axes.end()).size() != axes.size()) add(path, "an axis is given twice");
        const int across = acrossAxis(scene_.planar);
        for (const Axis axis : axes) {
            if (across < 0 || (static_cast<int>(axis) == across) == turning) continue;
            add(path, fmt::format("{} leaves the plane of the scene", "xyz"[static_cast<int>(axis)]));
        }
    }

    void checkForce(const std::string& path, const BodySettings& body) {
        if (isWallKind(body.kind) ? !body.free : (body.fixed.value_or(false) || body.motion.has_value())) {
            add(path + ".force", "has no effect on a body that is held or moves as prescribed");
        }
        checkForceLaw(path + ".force", *body.force);
    }

    void checkForceLaw(const std::string& path, const ForceLaw& force) {
        const auto* table = std::get_if<TableForce>(&force);
        if (table == nullptr) return;
        if (table->time.empty()) add(path + ".points", "at least one point is needed");
        checkTimes(path + ".points", table->time);
    }

    void checkInPlane(const std::string& path, const Vec3& velocity) {
        if (const std::string fault = velocityFault(scene_.planar, velocity); !fault.empty()) {
            add(path + ".velocity", fault);
        }
    }

    // A held body takes its velocity from its motion only.
    void checkHeld(const std::string& path, const BodyKind& kind) {
        const auto complain = [&](const std::string& key) {
            add(joined(path, key), "a fixed body has no velocity of its own; use motion");
        };
        const auto check = [&](const auto& body) {
            if constexpr (requires { body.velocity; }) {
                if (body.velocity != Vec3{}) complain("velocity");
            }
            if constexpr (requires { body.spin; }) {
                if (body.spin != Vec3{}) complain("spin");
            }
            if constexpr (requires { body.randomVelocity; }) {
                if (body.randomVelocity != 0) complain("random_velocity");
            }
        };
        std::visit(check, kind);
    }

    void checkKind(const std::string&, const SphereBody&) {}
    void checkKind(const std::string&, const PyramidBodies&) {}
    template <class Form>
    void checkKind(const std::string& path, const SolidBody<Form>& body) {
        forms_.check(path, body.form);
        if (body.rotation && body.orientation) add(path, "give either 'rotation' or 'orientation'");
        const int across = acrossAxis(scene_.planar);
        if (body.rotation && across >= 0) {
            Vec3 inPlane;
            inPlane[across] = (*body.rotation)[across];
            if (inPlane != *body.rotation) {
                add(path + ".rotation", fmt::format("a planar scene turns about {} only", "xyz"[across]));
            }
        }
        if (body.orientation) checkOrientation(path + ".orientation", *body.orientation);
    }
    void checkOrientation(const std::string& path, const std::array<double, 4>& q) {
        const double length = std::hypot(std::hypot(q[0], q[1]), std::hypot(q[2], q[3]));
        if (!(length > 1e-100) || !(length < 1e100)) add(path, "must not be zero, nor of absurd length");
        for (int axis = 0; axis < 3 && scene_.planar != Planar::none; ++axis) {
            if (axis == acrossAxis(scene_.planar) || q[static_cast<std::size_t>(axis) + 1] == 0) continue;
            return add(path, fmt::format("a planar scene turns about {} only", "xyz"[acrossAxis(scene_.planar)]));
        }
    }
    void checkKind(const std::string& path, const PlaneBody& plane) {
        checkDirection(path + ".normal", plane.normal);
        if (plane.on && !path.starts_with("stages")) add(path + ".on", "is for new planes in a stage");
    }
    // In a stage: what a new plane is put on must be there by then.
    void checkPutOn(const std::string& path, const BodySettings& body, std::size_t stage) {
        const auto* plane = std::get_if<PlaneBody>(&body.kind);
        if (plane != nullptr && plane->on) checkGroupOfBodies(path + ".on", *plane->on, stage);
    }
    void checkKind(const std::string& path, const ContainerBody& container) {
        if (std::set(container.open.begin(), container.open.end()).size() == 6) {
            add(path + ".open", "a container with all faces open is nothing");
        }
    }
    void checkKind(const std::string& path, const DrumBody& drum) {
        checkDirection(path + ".axis", drum.axis);
        if (std::set(drum.open.begin(), drum.open.end()).size() == 3) {
            add(path + ".open", "a drum with all faces open is nothing");
        }
    }
    void checkKind(const std::string& path, const SleeveBody& sleeve) { checkDirection(path + ".axis", sleeve.axis); }
    void checkKind(const std::string& path, const LatticeBodies& lattice) {
        if (lattice.count.has_value() == lattice.region.has_value()) add(path, "give either 'count' or 'region'");
        if (lattice.region) checkBox(path + ".region", *lattice.region);
        forms_.checkGrains(path, lattice.grains, lattice.radius.has_value());
    }
    void checkKind(const std::string& path, const RandomBodies& random) {
        if (random.count.has_value() == random.volumeFraction.has_value()) {
            add(path, "give either 'count' or 'volume_fraction'");
        }
        if (const auto* box = std::get_if<BoxRegion>(&random.region)) checkBox(path + ".region", *box);
        if (const auto* cylinder = std::get_if<CylinderRegion>(&random.region)) {
            checkDirection(path + ".region.axis", cylinder->axis);
            if (scene_.planar != Planar::none) add(path + ".region", "a planar scene needs a box as region");
        }
        checkSizes(path, random.grains, random.radius);
    }
    void checkKind(const std::string& path, const CsvBodies& csv) {
        if (csv.file.empty()) add(path + ".file", "the name of a file is wanted");
        forms_.checkGrains(path, csv.grains, true);
    }

    void checkSource(const std::string& path, const SourceSettings& source) {
        checkMaterial(path, source.material);
        if (source.group) checkName(path + ".group", *source.group);
        checkBox(path + ".region", source.region);
        checkFlat(path + ".region", source.region);
        checkInPlane(path, source.velocity);
        checkSizes(path, source.grains, source.radius);
        if (hasSleeve()) checkGrainsInSleeve(path, source.grains);
        if (source.stop && *source.stop <= source.start) {
            add(path + ".stop", fmt::format("must be after start, {} s, got {} s", source.start, *source.stop));
        }
    }

    // New grains of a planar scene must not end up beside each other's plane.
    void checkFlat(const std::string& path, const BoxRegion& box) {
        const int across = acrossAxis(scene_.planar);
        if (across < 0 || box.low[across] == box.high[across]) return;
        add(path, fmt::format("must be flat in a planar scene, with one {} for low and high, got {} and {} m",
                              "xyz"[across], box.low[across], box.high[across]));
    }

    // --- run -------------------------------------------------------------------------------------------------------

    void checkMeasurements() {
        std::set<std::string> names;
        const auto checkUnique = [&](const std::string& path, const std::string& name) {
            checkName(path + ".name", name);
            if (!names.insert(name).second) add(path + ".name", fmt::format("{} is used twice", inQuotes(name)));
        };
        for (std::size_t k = 0; k < scene_.measure.regions.size(); ++k) {
            const std::string path = indexed("measure.regions", k);
            checkUnique(path, scene_.measure.regions[k].name);
            checkBox(path, scene_.measure.regions[k].box);
        }
        for (std::size_t k = 0; k < scene_.measure.planes.size(); ++k) {
            const std::string path = indexed("measure.planes", k);
            checkUnique(path, scene_.measure.planes[k].name);
            checkDirection(path + ".normal", scene_.measure.planes[k].normal);
        }
    }

    void checkRun() {
        if (scene_.stages.empty() && scene_.run.time == 0) add("run", "the key 'time' is missing");
        if (!scene_.stages.empty() || scene_.run.time == 0) return;
        if (scene_.run.step.value && *scene_.run.step.value > scene_.run.time) {
            add("run.step",
                fmt::format("must not exceed run.time, {} s, got {} s", scene_.run.time, *scene_.run.step.value));
        }
    }

    // --- stages ----------------------------------------------------------------------------------------------------

    void checkStage(const std::string& path, std::size_t k) {
        const StageSettings& stage = scene_.stages[k];
        checkName(path + ".name", stage.name);
        for (std::size_t j = 0; j < k; ++j) {
            if (scene_.stages[j].name == stage.name) add(path + ".name", inQuotes(stage.name) + " is used twice");
        }
        for (std::size_t j = 0; j < stage.until.size(); ++j) {
            const StopCondition& condition = stage.until[j];
            if (condition.above.has_value() != condition.below.has_value()) continue;
            add(indexed(path + ".until", j), "give either 'above' or 'below'");
        }
        for (const auto& [name, changes] : stage.materials) checkMaterialName(path + ".materials", name);
        for (std::size_t j = 0; j < stage.pairs.size(); ++j) {
            for (const std::string& name : stage.pairs[j].between) {
                checkMaterialName(indexed(path + ".pairs", j) + ".between", name);
            }
        }
        for (std::size_t j = 0; j < stage.remove.size(); ++j) {
            checkGroup(indexed(path + ".remove", j), stage.remove[j], k);
            checkUnjoined(indexed(path + ".remove", j), stage.remove[j]);
        }
        for (std::size_t j = 0; j < stage.change.size(); ++j) {
            checkChange(indexed(path + ".change", j), stage.change[j], k);
        }
        for (std::size_t j = 0; j < stage.bodies.size(); ++j) {
            checkBody(indexed(path + ".bodies", j), stage.bodies[j]);
            checkPutOn(indexed(path + ".bodies", j), stage.bodies[j], k);
        }
        if (!problems_.any()) checkInForce(path, k);
    }

    // The rules of the method, for the settings in force in this stage.
    void checkInForce(const std::string& path, std::size_t k) {
        const Scene inForce = sceneInStage(scene_, k);
        if (inForce.run.step.value && *inForce.run.step.value > inForce.run.time) {
            add(path + ".step", fmt::format("must not exceed the time of the stage, {} s, got {} s", inForce.run.time,
                                            *inForce.run.step.value));
        }
        const SceneSource inMemory;
        Problems found(scene_.source ? *scene_.source : inMemory);
        RuleCheck(inForce, found).checkMethod();
        for (const std::string& finding : found.all()) add(path, "with what is in force then: " + finding);
    }

    // Calls visit(body) for the entries of a group in the scene and in the stages up to and with this one.
    template <class Visit>
    void forEachEntry(const std::string& group, std::size_t stage, Visit&& visit) const {
        const auto look = [&](const std::vector<BodySettings>& bodies) {
            for (const BodySettings& body : bodies) {
                if (body.group == group) visit(body);
            }
        };
        look(scene_.bodies);
        for (std::size_t k = 0; k <= stage && k < scene_.stages.size(); ++k) look(scene_.stages[k].bodies);
    }

    void checkGroup(const std::string& path, const std::string& group, std::size_t stage) {
        std::vector<std::string> names;
        for (const SourceSettings& source : scene_.sources) names.push_back(source.group.value_or(""));
        for (const BodySettings& body : scene_.bodies) names.push_back(body.group.value_or(""));
        for (std::size_t k = 0; k < stage; ++k) {
            for (const BodySettings& body : scene_.stages[k].bodies) names.push_back(body.group.value_or(""));
        }
        if (std::find(names.begin(), names.end(), group) != names.end()) return;
        add(path, fmt::format("there is no group {} before this stage{}", inQuotes(group), didYouMean(group, names)));
    }

    // A group that has more than walls before this stage.
    void checkGroupOfBodies(const std::string& path, const std::string& group, std::size_t stage) {
        checkGroup(path, group, stage);
        bool anyWall = false, anyOther = false;
        for (const SourceSettings& source : scene_.sources) anyOther = anyOther || source.group == group;
        const auto look = [&](const std::vector<BodySettings>& bodies) {
            for (const BodySettings& body : bodies) {
                if (body.group == group) (isWallKind(body.kind) ? anyWall : anyOther) = true;
            }
        };
        look(scene_.bodies);
        for (std::size_t k = 0; k < stage; ++k) look(scene_.stages[k].bodies);
        if (anyWall && !anyOther) {
            add(path, fmt::format("the group {} has only walls; name one of grains or other bodies", inQuotes(group)));
        }
    }

    // Bodies that joints hold cannot be taken out.
    void checkUnjoined(const std::string& path, const std::string& group) {
        for (const BodySettings& body : scene_.bodies) {
            if (!body.name || body.group != group) continue;
            for (const JointSettings& joint : scene_.joints) {
                if (joint.between[0] != *body.name && joint.between[1] != *body.name) continue;
                add(path, fmt::format("{} is held by the joint {}", inQuotes(*body.name), inQuotes(joint.name)));
            }
        }
    }

    void checkChange(const std::string& path, const GroupChange& change, std::size_t stage) {
        checkGroup(path + ".group", change.group, stage);
        const int kinds = (change.fixed ? 1 : 0) + (change.motion ? 1 : 0) + (change.free ? 1 : 0);
        if (kinds > 1) add(path, "give only one of 'fixed', 'motion' and 'free'");
        if (kinds == 0 && !change.force && !change.on) {
            add(path, "says no change: give 'on', 'fixed', 'motion', 'free' or 'force'");
        }
        if (change.on) checkLetDown(path, change, stage);
        if (change.velocity) {
            if (change.fixed.value_or(true)) add(path + ".velocity", "is that of bodies that are let go: fixed: false");
            checkInPlane(path, *change.velocity);
        }
        if (change.force) {
            checkForceLaw(path + ".force", *change.force);
            if (change.motion || change.fixed.value_or(false)) {
                add(path + ".force", "has no effect on a body that is held or moves as prescribed");
            }
        }
        if (change.motion) {
            std::visit([&](const auto& motion) { checkMotion(path + ".motion", motion); }, *change.motion);
        }
        if (change.free) checkTurning(path + ".free", *change.free);
        forEachEntry(change.group, stage, [&](const BodySettings& body) {
            const bool wall = isWallKind(body.kind);
            if (change.motion) checkMotionOf(path + ".motion", *change.motion, body.kind);
            if (change.free && !wall) add(path + ".free", "is for walls; other bodies move freely with fixed: false");
            if (change.fixed && !*change.fixed && wall) {
                add(path + ".fixed", "a wall moves freely only if it has a mass (free: {mass: ...})");
            }
            if (wall) checkChangeOfSleeve(path, change, body.kind);
            if (change.fixed && !*change.fixed && hasSleeve() && isSolidKind(body.kind)) {
                add(path + ".fixed", "a sleeve confines spheres only; hold these bodies, or use a drum");
            }
            const auto* mesh = std::get_if<SolidBody<MeshForm>>(&body.kind);
            if (change.fixed && !*change.fixed && mesh != nullptr && mesh->form.surface) {
                add(path + ".fixed", "an open surface has no mass and must be held");
            }
        });
    }

    void checkLetDown(const std::string& path, const GroupChange& change, std::size_t stage) {
        checkGroupOfBodies(path + ".on", *change.on, stage);
        if (norm(sceneInStage(scene_, stage).gravity) == 0) add(path + ".on", "needs gravity, along which to go down");
        forEachEntry(change.group, stage, [&](const BodySettings& body) {
            if (isWallKind(body.kind)) add(path + ".on", "walls stay where they are; new planes have a key 'on' too");
        });
    }

    // A wall that moves by force goes along an axis.
    void checkRigidServos() {
        const auto check = [&](const std::string& path, const std::optional<MotionLaw>& motion, const Vec3* normal) {
            if (!motion) return;
            const auto* servo = std::get_if<ServoMotion>(&*motion);
            if (servo == nullptr || (!servo->direction && normal == nullptr)) return;
            const Vec3 d = servo->direction ? *servo->direction : *normal;
            if (std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) >= (1 - 1e-9) * norm(d)) return;
            add(path, "with rigid contacts a servo moves along x, y or z");
        };
        const auto normalOf = [](const BodySettings& body) {
            const auto* plane = std::get_if<PlaneBody>(&body.kind);
            return plane != nullptr ? &plane->normal : nullptr;
        };
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) {
            check(indexed("bodies", k) + ".motion", scene_.bodies[k].motion, normalOf(scene_.bodies[k]));
        }
        for (std::size_t s = 0; s < scene_.stages.size(); ++s) {
            const StageSettings& stage = scene_.stages[s];
            for (std::size_t k = 0; k < stage.bodies.size(); ++k) {
                check(indexed(indexed("stages", s) + ".bodies", k) + ".motion", stage.bodies[k].motion,
                      normalOf(stage.bodies[k]));
            }
            for (std::size_t k = 0; k < stage.change.size(); ++k) {
                const std::string path = indexed(indexed("stages", s) + ".change", k) + ".motion";
                check(path, stage.change[k].motion, nullptr);
                forEachEntry(stage.change[k].group, s,
                             [&](const BodySettings& body) { check(path, stage.change[k].motion, normalOf(body)); });
            }
        }
    }

    void checkContactDynamics() {
        const LawKinds& kinds = scene_.contactLaw.kinds;
        checkRolling();
        if (kinds.cohesion == CohesionLaw::jkr) {
            add("contact_law.cohesion", "jkr needs method: penalty; contact-dynamics has constant and dmt");
        }
        if (scene_.contactLaw.damping == DampingLaw::viscous) {
            add("contact_law.damping", "viscous needs method: penalty");
        }
        if (scene_.output.problems > 0 &&
            (kinds.cohesion != CohesionLaw::none || hasYieldingContacts(scene_) || hasDilation(scene_))) {
            add("output.problems", "the files cannot express cohesion, yield limits or dilation angles");
        }
        if (hasElasticContacts(scene_) && kinds.normal != NormalLaw::hooke) {
            add("contact_law.normal",
                "elastic contacts are linear: set normal: hooke (with a stiffness, or one from youngs_modulus)");
        }
        if (scene_.method == Method::quasiStatic && kinds.cohesion != CohesionLaw::none) {
            add("contact_law.cohesion", "needs method: penalty or contact-dynamics");
        }
        forEachContactKind(scene_, [&](const std::string& path, const ContactProperties& c) {
            checkYield(path, c);
            if (c.dilationAngle > 0) checkDilation(path + ".dilation_angle", c);
        });
        if (hasYieldingContacts(scene_) && scene_.contactDynamics.theta != 1) {
            add("contact_dynamics.theta", "must be 1 for elastic contacts that are damped, hold on or yield");
        }
        if (scene_.contactDynamics.forces == ForceRule::compatible &&
            (kinds.rolling != RollingLaw::none || hasDilation(scene_))) {
            add("contact_dynamics.forces", "compatible knows no rolling resistance and no dilation angle");
        }
        const SolverKind solver = scene_.contactDynamics.solver;
        if (scene_.contactDynamics.fixedIterations > 0 &&
            (solver == SolverKind::interiorPoint || solver == SolverKind::newton || solver == SolverKind::automatic)) {
            add("contact_dynamics.fixed_iterations", "is for sweeps and gradient steps; use tolerance, max_iterations");
        }
        if (scene_.contactDynamics.forces == ForceRule::compatible && hasElasticContacts(scene_)) {
            add("contact_dynamics.forces",
                "compatible is for rigid contacts (method: contact-dynamics, contacts: rigid); those of elastic ones "
                "are "
                "unique already: leave it out");
        }
        if (scene_.contactDynamics.sweep == SweepOrder::given) {
            add("contact_dynamics.sweep", "a given order is for single problems; use list, random or coloured");
        }
    }

    void checkRolling() {
        const RollingLaw rolling = scene_.contactLaw.kinds.rolling;
        const SolverKind solver = scene_.contactDynamics.solver;
        if (rolling == RollingLaw::none) return;
        if (scene_.method == Method::quasiStatic) {
            return add("contact_law.rolling", "rolling resistance needs method: penalty or contact-dynamics");
        }
        if (rolling == RollingLaw::spring) {
            add("contact_law.rolling", "spring needs method: penalty; contact-dynamics has constant");
        }
        if (solver == SolverKind::interiorPoint) {
            add("contact_dynamics.solver", "knows no rolling resistance; use gauss-seidel, apgd, spg, newton or auto");
        }
        if (scene_.output.problems > 0) add("output.problems", "the files cannot express rolling resistance");
    }

    void checkDilation(const std::string& path, const ContactProperties& c) {
        const ContactDynamicsSettings& s = scene_.contactDynamics;
        if (std::tan(c.dilationAngle) > c.friction * (1 + 1e-12)) {
            add(path, fmt::format("must not exceed the friction angle, {:.4g} rad, got {:.4g} rad",
                                  std::atan(c.friction), c.dilationAngle));
        }
        if (scene_.method != Method::contactDynamics) add(path, "needs method: contact-dynamics");
        if (s.frictionLaw != FrictionLaw::associated) {
            add("contact_dynamics.friction_law", fmt::format("must be associated where {} is set", path));
        }
        if (s.solver != SolverKind::interiorPoint && s.solver != SolverKind::automatic) {
            add("contact_dynamics.solver", fmt::format("must be interior-point or auto where {} is set", path));
        }
        if (hasCap(c) || hasRounding(c)) add(path, "cannot go together with a cap or a rounding");
        if (scene_.contactLaw.kinds.rolling != RollingLaw::none)
            add(path, "cannot go together with rolling resistance");
    }

    void checkYield(const std::string& path, const ContactProperties& c) {
        if (scene_.method != Method::contactDynamics || scene_.contactDynamics.contacts != ContactKind::elastic) {
            if (!yields(c)) return;
            const char* key = c.dampingTime > 0      ? ".damping_time"
                              : c.dampingRate > 0    ? ".damping_rate"
                              : c.rounding > 0       ? ".rounding"
                              : c.roundingStress > 0 ? ".rounding_stress"
                              : c.cap > 0            ? ".cap"
                              : c.capStress > 0      ? ".cap_stress"
                              : c.cohesionStress > 0 ? ".cohesion_stress"
                              : c.bondStretch > 0    ? ".bond_stretch"
                                                     : "";
            return add(path + key,
                       "damping, yield limits and hardening of contacts need springs: set method: contact-dynamics, "
                       "contact_dynamics.contacts: elastic and a stiffness");
        }
        const SolverKind solver = scene_.contactDynamics.solver;
        if ((hasCap(c) || hasRounding(c)) && solver == SolverKind::interiorPoint) {
            add("contact_dynamics.solver",
                fmt::format("knows cones only, and {} has a {}; use gauss-seidel, apgd, spg, "
                            "newton or auto",
                            path, hasCap(c) ? "cap" : "rounding"));
        }
        const double cohesion = scene_.contactLaw.kinds.cohesion == CohesionLaw::constant ? c.cohesionForce : 0.0;
        if (c.cap > 0 && c.cap <= cohesion + c.rounding) {
            add(path + ".cap", fmt::format("must be above what the contact bears in tension, cohesion_force + rounding "
                                           "= {} N, got {} N",
                                           cohesion + c.rounding, c.cap));
        }
        if (c.capStress > 0 && c.capStress <= c.cohesionStress + c.roundingStress) {
            add(path + ".cap_stress",
                fmt::format("must be above what the contact bears in tension, cohesion_stress + rounding_stress = {} "
                            "Pa, got {} Pa",
                            c.cohesionStress + c.roundingStress, c.capStress));
        }
        if (c.cohesionStress > 0 && scene_.contactLaw.kinds.cohesion != CohesionLaw::constant) {
            add(path + ".cohesion_stress", "needs contact_law.cohesion: constant");
        }
        if (hasRounding(c) && scene_.contactDynamics.frictionLaw != FrictionLaw::associated) {
            add("contact_dynamics.friction_law",
                fmt::format("must be associated where {}.rounding is set: a rounded cone has no Coulomb's law", path));
        }
        if (c.capHardening != 0 && !hasCap(c)) add(path + ".cap_hardening", "needs a cap");
        if (c.cohesionHardening != 0 && scene_.contactLaw.kinds.cohesion == CohesionLaw::none) {
            add(path + ".cohesion_hardening", "needs contact_law.cohesion: constant or dmt");
        }
        if (c.roundingHardening != 0 && !hasRounding(c)) add(path + ".rounding_hardening", "needs a rounding");
        if (c.bondStretch > 0 && !hasRounding(c) && scene_.contactLaw.kinds.cohesion == CohesionLaw::none) {
            add(path + ".bond_stretch", "there is nothing to break: set contact_law.cohesion: constant, or a rounding");
        }
    }

    const Scene& scene_;
    Problems& problems_;
    FormCheck forms_;
};

}  // namespace

void checkScene(const Scene& scene, Problems& problems) { RuleCheck(scene, problems).checkAll(); }

}  // namespace talus
