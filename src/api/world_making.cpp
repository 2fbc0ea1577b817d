// The calls of a World that make something: materials, walls, bodies, joints, sources and sinks.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "api/change.hpp"
#include "build/joint_check.hpp"
#include "io/scene/body_rules.hpp"
#include "io/scene/joint_rules.hpp"
#include "io/scene/scene_rules.hpp"
#include "model/joint_state.hpp"

namespace talus {
namespace {

static_assert(theWorldItself.value == theWorld);

// --- materials -----------------------------------------------------------------------------------------------------

// The addresses of all properties of contacts, in the order of their list of fields.
template <class Settings>
std::vector<std::optional<double>*> contactPropertiesOf(Settings& settings) {
    std::vector<std::optional<double>*> found;
    const auto collect = [&](const FieldInfo&, std::optional<double>& value) { found.push_back(&value); };
    contactFields(collect, settings);
    return found;
}

ContactOverrides contactOf(MaterialProperties properties) {
    ContactOverrides overrides;
    const auto from = contactPropertiesOf(properties), to = contactPropertiesOf(overrides);
    for (std::size_t k = 0; k < from.size(); ++k) *to[k] = *from[k];
    return overrides;
}

MaterialSettings applied(const MaterialProperties& changes, MaterialSettings material) {
    material.density = changes.density.value_or(material.density);
    material.elastic.youngsModulus = changes.youngsModulus.value_or(material.elastic.youngsModulus);
    material.elastic.poissonRatio = changes.poissonRatio.value_or(material.elastic.poissonRatio);
    applyOverrides(contactOf(changes), material.contact);
    return material;
}

void requireMaterialName(const WorldParts& parts, const char* call, const std::string& name) {
    if (!isPlainName(name)) {
        throw InputError(
            fmt::format("{}: a name has up to 64 letters, digits, '_' and '-', got {}", call, inQuotes(name)));
    }
    for (const MaterialTable::Entry& entry : parts.materials.list) {
        if (entry.name == name)
            throw InputError(fmt::format("{}: there is a material {} already", call, inQuotes(name)));
    }
}

// --- bodies --------------------------------------------------------------------------------------------------------

// With everything filled in that a scene would fill in; the same rules hold.
BodySettings completed(const World::Data& data, const char* call, BodySettings body) {
    checkRanges(call, body);
    Scene scene = data.parts.facts;
    scene.bodies.push_back(std::move(body));
    completeScene(scene);
    const SceneSource noSource;
    Problems problems(noSource);
    checkBody(scene, call, scene.bodies.back(), problems);
    problems.throwIfAny();
    return scene.bodies.back();
}

BodyDefinition modelOf(WorldState& world, const BodySettings& body, MaterialId material) {
    const bool isWall = isWallKind(body.kind);
    BodyDefinition model;
    model.material = material.value;
    model.group = findGroup(world, *body.group);
    model.fixed = isWall ? !body.free : *body.fixed;
    if (body.free) applyFree(world, *body.free, isWall ? FreeBodyKind::wall : FreeBodyKind::solid, model);
    if (body.force) model.load = addLoad(world, *body.force);
    return model;
}

// The definition with a motion of the law that starts now.
BodyDefinition started(WorldState& world, BodyDefinition definition, std::uint16_t law) {
    if (law == noMotion) return definition;
    definition.motion = addMotion(world, law, {definition.position, definition.orientation});
    world.motions[definition.motion].startTime = world.time;
    return definition;
}

void startLoad(WorldState& world, std::uint16_t load) {
    world.loadStart.resize(world.loads.size());
    if (load != noLoad) world.loadStart[load] = world.time;
}

bool isGeneratedBody(const WorldParts& parts, std::uint32_t id) {
    const auto after = std::upper_bound(parts.generated.begin(), parts.generated.end(), std::pair{id, ~0u});
    return after != parts.generated.begin() && id < std::prev(after)->second;
}

// The bodies that are there, as new ones see them; none of them is checked again.
GrainPlan planBeside(const WorldParts& parts) {
    const WorldState& w = parts.state;
    const Bodies& b = w.bodies;
    GrainPlan plan;
    plan.balls.grid = plan.solids.grid = GrainGrid(w.domain.period(), w.domain.low);
    std::vector<std::size_t> walls(b.wallCount());
    std::iota(walls.begin(), walls.end(), b.grainCount);
    plan.walls = wallsOf(w, walls);
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        BodyDefinition body;
        body.shape = b.shape[i];
        body.radius = b.radius[i];
        body.position = b.position[i];
        body.orientation = b.orientation[i];
        body.fixed = isSteered(b, i);
        plan.definitions.push_back(body);
        plan.entries.push_back(static_cast<std::uint32_t>(i));
        const bool isSolid = body.shape != 0 && !isGeneratedBody(parts, b.id[i]);
        (isSolid ? plan.solids : plan.balls).add(body, static_cast<std::uint32_t>(i));
    }
    plan.firstNew = b.grainCount;
    return plan;
}

// Entries of the plan are indices of bodies that are there; new ones come after them.
void checkPlan(const WorldState& world, const GrainPlan& plan) {
    PlanRules rules{.planar = planarOf(world)};
    const auto indexOfNew = static_cast<std::uint32_t>(world.bodies.size());
    rules.nameOf = [&, indexOfNew](std::size_t entry) {
        return entry == indexOfNew ? std::string("the new bodies")
               : entry < world.bodies.size()
                   ? fmt::format("body {} ('{}')", world.bodies.id[entry], world.groupNames[world.bodies.group[entry]])
                   : std::string("the world");
    };
    rules.mayPassThrough = [](std::size_t, std::size_t) { return false; };
    checkBodies(world, plan, rules);
}

std::vector<BodyId> enter(WorldParts& parts, const GrainPlan& plan, std::uint16_t law) {
    WorldState& w = parts.state;
    std::vector<BodyDefinition> definitions(plan.definitions.begin() + static_cast<long>(plan.firstNew),
                                            plan.definitions.end());
    for (BodyDefinition& definition : definitions) definition = started(w, definition, law);
    std::vector<BodyId> ids;
    for (std::size_t k = 0; k < definitions.size(); ++k) ids.push_back({w.nextId + static_cast<std::uint32_t>(k)});
    if (!definitions.empty()) startLoad(w, definitions.front().load);
    addGrains(w, definitions);
    return ids;
}

std::vector<BodyId> addMany(World::Data& data, const char* call, BodyKind kind, const GrainOptions& options) {
    BodySettings body{.kind = std::move(kind),
                      .material = nameOfMaterial(data, options.material, call),
                      .group = options.group,
                      .motion = options.motion,
                      .force = options.load};
    if (options.fixed) body.fixed = true;
    body = completed(data, call, std::move(body));
    return change(
        data, call,
        [&] {
            WorldParts& parts = data.parts;
            BodyMaker maker = data.maker();
            if (const double count = maker.count(body.kind); count > mostBodies) {
                throw InputError(fmt::format("asks for {:.3g} grains; at most {:.0e}", count, mostBodies));
            }
            const BodyDefinition model = modelOf(parts.state, body, options.material);
            GrainPlan plan = planBeside(parts);
            const Random random(parts.state.seed, firstBodyStream + parts.entries);
            maker.makeGrains(body.kind, model, static_cast<std::uint32_t>(parts.state.bodies.size()), random, plan);
            checkPlan(parts.state, plan);
            const std::uint16_t law = body.motion ? addMotionLaw(parts.state, *body.motion) : noMotion;
            const std::uint32_t first = parts.state.nextId;
            std::vector<BodyId> ids = enter(parts, plan, law);
            parts.generated.push_back({first, parts.state.nextId});
            ++parts.entries;
            return ids;
        },
        Growth::grown);
}

std::vector<BodyId> addWalls(World::Data& data, const char* call, BodyKind kind, const WallOptions& options) {
    BodySettings body{.kind = std::move(kind), .material = nameOfMaterial(data, options.material, call)};
    if (!options.group.empty()) body.group = options.group;
    body.motion = options.motion;
    body.free = options.free;
    body.force = options.load;
    body = completed(data, call, std::move(body));
    const auto add = [&] {
        WorldState& w = data.state();
        const BodyDefinition model = modelOf(w, body, options.material);
        startLoad(w, model.load);
        std::vector<BodyDefinition> walls;
        for (const BodyDefinition& wall : data.maker().makeWalls(body.kind, model)) {
            walls.push_back(started(w, wall, body.motion ? addMotionLaw(w, *body.motion) : noMotion));
        }
        std::vector<BodyId> ids;
        for (const BodyDefinition& wall : walls) ids.push_back({addBody(w, wall)});
        return ids;
    };
    std::vector<BodyId> ids = change(data, call, add, Growth::grown);
    data.parts.facts.bodies.push_back(body);
    ++data.parts.entries;
    return ids;
}

void requireFreeName(const World::Data& data, const char* call, const std::string& name) {
    if (name.empty()) return;
    if (!isPlainName(name)) {
        throw InputError(
            fmt::format("{}: a name has up to 64 letters, digits, '_' and '-', got {}", call, inQuotes(name)));
    }
    const auto known = data.parts.names.find(name);
    if (known != data.parts.names.end() && data.find({known->second}) < data.state().bodies.size()) {
        throw InputError(fmt::format("{}: {} is the name of body {} already", call, inQuotes(name), known->second));
    }
}

}  // namespace

MaterialId World::addMaterial(const MaterialProperties& properties) {
    const char* call = "addMaterial";
    WorldParts& parts = data_->parts;
    const std::size_t number = parts.materials.list.size();
    const std::string name = properties.name.empty() ? fmt::format("material-{}", number) : properties.name;
    requireMaterialName(parts, call, name);
    const MaterialSettings settings = applied(properties, {});
    checkRanges(call, settings);
    change(
        *data_, call,
        [&] {
            parts.materials.list.push_back({name, settings});
            parts.state.materials = makeMaterials(parts.materials, YieldLaws::none);
        },
        Growth::grown);
    parts.facts.materials[name] = settings;
    return {static_cast<std::uint16_t>(number)};
}

void World::setMaterial(MaterialId material, const MaterialProperties& changes) {
    const char* call = "setMaterial";
    const std::string name = nameOfMaterial(*data_, material, call);
    if (changes.density && data_->state().bodies.size() > 0) {
        throw InputError(
            "setMaterial: the density of bodies that are there cannot change; remove them and add new ones");
    }
    WorldParts& parts = data_->parts;
    const MaterialSettings settings = applied(changes, parts.materials.list[material.value].settings);
    checkRanges(call, settings);
    change(
        *data_, call, [&] { parts.materials.list[material.value].settings = settings; }, Growth::grown);
    parts.facts.materials[name] = settings;
}

void World::setPair(MaterialId a, MaterialId b, const ContactOverrides& contact) {
    const char* call = "setPair";
    nameOfMaterial(*data_, a, call);
    nameOfMaterial(*data_, b, call);
    checkRanges(call, PairSettings{.contact = contact});
    change(
        *data_, call,
        [&] {
            data_->parts.materials.pairs.push_back({a.value, b.value, contact});
        },
        Growth::grown);
}

BodyId World::addWall(const WallForm& form, const WallOptions& options) {
    requireFreeName(*data_, "addWall", options.name);
    const BodyKind kind = std::visit([](const auto& wall) { return BodyKind(wall); }, form);
    const BodyId id = addWalls(*data_, "addWall", kind, options).front();
    if (!options.name.empty()) data_->parts.names[options.name] = id.value;
    return id;
}

std::vector<BodyId> World::addSleeve(const Sleeve& sleeve, const WallOptions& options) {
    if (!options.name.empty())
        throw InputError("addSleeve: a name is for single bodies; a sleeve is one wall per ring");
    return addWalls(*data_, "addSleeve", sleeve, options);
}

BodyId World::addBody(const BodyForm& form, const BodyOptions& options) {
    const char* call = "addBody";
    requireFreeName(*data_, call, options.name);
    const Quat& q = options.orientation;
    const bool isTurned = q.w != 1 || q.x != 0 || q.y != 0 || q.z != 0;
    const auto kindOf = [&]<class Form>(const Form& f) -> BodyKind {
        if constexpr (std::same_as<Form, Sphere>) {
            return SphereBody{f.radius, options.position, options.velocity, options.spin};
        } else {
            SolidBody<Form> body{.form = f, .position = options.position};
            if (isTurned) body.orientation = {q.w, q.x, q.y, q.z};
            body.velocity = options.velocity;
            body.spin = options.spin;
            return body;
        }
    };
    BodySettings body{.kind = std::visit(kindOf, form), .material = nameOfMaterial(*data_, options.material, call)};
    if (!options.group.empty()) body.group = options.group;
    if (options.fixed) body.fixed = true;
    body.motion = options.motion;
    body.free = options.free;
    body.force = options.load;
    body = completed(*data_, call, std::move(body));
    const BodyId id = change(
        *data_, call,
        [&] {
            WorldParts& parts = data_->parts;
            BodyDefinition model = modelOf(parts.state, body, options.material);
            model.orientation = unitOf(options.orientation);
            GrainPlan plan;
            plan.balls.grid = plan.solids.grid = GrainGrid(parts.state.domain.period(), parts.state.domain.low);
            const auto entry = static_cast<std::uint32_t>(parts.state.bodies.size());
            data_->maker().makeGrains(body.kind, model, entry, Random(0, 0), plan);
            checkPlan(parts.state, plan);
            requirePlane(parts.state, call, plan.definitions.front().position, plan.definitions.front().radius);
            const std::uint16_t law = body.motion ? addMotionLaw(parts.state, *body.motion) : noMotion;
            return enter(parts, plan, law).front();
        },
        Growth::grown);
    ++data_->parts.entries;
    if (!options.name.empty()) data_->parts.names[options.name] = id.value;
    return id;
}

std::vector<BodyId> World::fill(const RandomBodies& bodies, const GrainOptions& options) {
    return addMany(*data_, "fill", bodies, options);
}
std::vector<BodyId> World::addLattice(const LatticeBodies& bodies, const GrainOptions& options) {
    return addMany(*data_, "addLattice", bodies, options);
}
std::vector<BodyId> World::addPyramid(const PyramidBodies& bodies, const GrainOptions& options) {
    return addMany(*data_, "addPyramid", bodies, options);
}

JointId World::addJoint(BodyId first, BodyId second, const JointSettings& settings) {
    const char* call = "addJoint";
    WorldState& w = data_->state();
    JointSettings joint = settings;
    if (joint.name.empty()) joint.name = fmt::format("joint-{}", data_->parts.joints.next);
    // The rules of scenes, which know bodies by names.
    Scene scene = data_->parts.facts;
    scene.bodies.clear();
    const std::array<BodyId, 2> ends{first, second};
    for (std::size_t k = 0; k < 2; ++k) {
        joint.between[k] = ends[k] == theWorldItself ? nameOfTheWorld : fmt::format("body-{}", ends[k].value);
        if (ends[k] == theWorldItself) continue;
        const std::size_t index = data_->indexOf(ends[k], call);
        if (k == 1 && first == second) break;
        scene.bodies.push_back({.kind = SphereBody{}, .name = joint.between[k]});
        scene.bodies.back().fixed = isSteered(w.bodies, index);
    }
    scene.joints = {joint};
    checkRanges(call, joint);
    const SceneSource noSource;
    Problems problems(noSource);
    checkJoints(scene, problems);
    for (const std::string& finding : problems.all()) {
        throw InputError(finding.starts_with("joints[0]") ? call + finding.substr(9) : finding);
    }
    const Joints before = w.joints;
    const IgnoredPairs ignored = w.ignoredPairs;
    return change(
        *data_, call,
        [&]() -> JointId {
            talus::addJoint(w, joint, first.value, second.value);
            if (const JointFault fault = jointFault(w.joints.list.back()); fault.any()) {
                w.joints = before;
                w.ignoredPairs = ignored;
                throw InputError(
                    fmt::format("{}{}{}: {}", call, fault.key.empty() ? "" : ".", fault.key, fault.message));
            }
            w.contacts.stale = true;
            data_->parts.jointsIgnore.push_back(!joint.collide && second != theWorldItself);
            return {data_->parts.joints.add()};
        },
        Growth::grown);
}

SourceId World::addSource(const SourceSettings& settings, const GrainOptions& options) {
    const char* call = "addSource";
    SourceSettings source = settings;
    source.material = nameOfMaterial(*data_, options.material, call);
    source.group = options.group;
    checkRanges(call, source);
    const SceneSource noSource;
    Problems problems(noSource);
    checkSource(data_->parts.facts, call, source, problems);
    problems.throwIfAny();
    return change(
        *data_, call,
        [&]() -> SourceId {
            WorldState& w = data_->state();
            Source made = data_->maker().makeSource(source);
            made.material = options.material.value;
            made.group = findGroup(w, options.group);
            made.stream = data_->parts.sources.next;
            w.sources.push_back(std::move(made));
            return {data_->parts.sources.add()};
        },
        Growth::grown);
}

SinkId World::addSink(const SinkSettings& sink) {
    checkRanges("addSink", sink);
    return change(*data_, "addSink", [&]() -> SinkId {
        data_->state().sinks.push_back({sink.region.low, sink.region.high});
        return {data_->parts.sinks.add()};
    });
}

}  // namespace talus
