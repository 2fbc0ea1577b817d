#include "io/scene/build_world.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "io/scene/body_check.hpp"
#include "io/scene/csv_bodies.hpp"
#include "io/scene/generators.hpp"
#include "io/scene/joint_rules.hpp"
#include "io/scene/make_shape.hpp"
#include "io/scene/problems.hpp"
#include "io/scene/scene_fields.hpp"
#include "io/scene/scene_rules.hpp"
#include "io/scene/shape_library.hpp"
#include "io/scene/stage_scene.hpp"
#include "io/scene/yield_check.hpp"
#include "laws/pair_law.hpp"
#include "model/grain_forms.hpp"
#include "model/joint_state.hpp"
#include "model/load.hpp"
#include "model/prescribed_motion.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// Random numbers of body entry k come from stream firstBodyStream + k, those of source k from stream k.
constexpr std::uint32_t firstBodyStream = 1u << 20;

// --- materials -----------------------------------------------------------------------------------------------------

PairLaw lawBetween(const Scene& scene, const std::string& nameA, const std::string& nameB) {
    return makePairLaw(scene.contactLaw.kinds, scene.contactLaw.damping, scene.materials.at(nameA).elastic,
                       scene.materials.at(nameB).elastic, contactBetween(scene, nameA, nameB));
}

// --- bodies --------------------------------------------------------------------------------------------------------

struct WallGeometry {
    Shape shape;
    Pose pose;
};

WallGeometry geometryOf(const Plane& plane) { return {PlaneWall{}, {plane.point, turnFromZ(plane.normal)}}; }

WallGeometry geometryOf(const Container& container) {
    BoxWall box{0.5 * container.size, {}};
    for (const BoxFace face : container.open) box.open[static_cast<std::size_t>(face)] = true;
    return {box, {container.centre, rotationBy(container.rotation)}};
}

WallGeometry geometryOf(const Drum& drum) {
    CylinderWall cylinder{drum.radius, 0.5 * drum.length, {}};
    for (const DrumFace face : drum.open) cylinder.open[static_cast<std::size_t>(face)] = true;
    return {cylinder, {drum.centre, turnFromZ(drum.axis)}};
}

// From the low end of the axis to the high one.
std::vector<WallGeometry> ringsOf(const Sleeve& sleeve) {
    const Vec3 axis = normalized(sleeve.axis);
    const double length = sleeve.length / static_cast<double>(sleeve.rings);
    const CylinderWall ring{sleeve.radius, 0.5 * length, {false, true, true}, true};
    std::vector<WallGeometry> rings;
    for (std::uint64_t k = 0; k < sleeve.rings; ++k) {
        const double along = (static_cast<double>(k) + 0.5) * length - 0.5 * sleeve.length;
        rings.push_back({ring, {sleeve.centre + along * axis, turnFromZ(sleeve.axis)}});
    }
    return rings;
}

// The walls that an entry makes; none if it is no wall.
std::vector<WallGeometry> wallsOf(const BodyKind& kind) {
    if (const auto* plane = std::get_if<Plane>(&kind)) return {geometryOf(*plane)};
    if (const auto* container = std::get_if<Container>(&kind)) return {geometryOf(*container)};
    if (const auto* drum = std::get_if<Drum>(&kind)) return {geometryOf(*drum)};
    if (const auto* sleeve = std::get_if<Sleeve>(&kind)) return ringsOf(*sleeve);
    return {};
}

class WorldBuilder {
public:
    explicit WorldBuilder(const Scene& scene)
        : scene_(scene), shapes_(world_, scene.source ? scene.source->folder : std::filesystem::path{}) {}

    BuiltScene build() {
        prepareSpace();
        checkCounts();
        // Walls first, so that random fill keeps clear of them wherever they stand in the file.
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) addWalls(k);
        grains_.walls = wallsOf(world_, wallEntries_);
        clearMaps();
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) addGrainsOf(k);
        checkBodies(scene_, world_, grains_);
        addGrains(world_, grains_.definitions);
        for (std::size_t k = 0; k < scene_.joints.size(); ++k) join(k);
        for (std::size_t k = 0; k < scene_.sources.size(); ++k) addSource(k);
        for (const SinkSettings& sink : scene_.sinks) world_.sinks.push_back({sink.region.low, sink.region.high});
        std::vector<StagePlan> stages;
        for (std::size_t k = 0; k < scene_.stages.size(); ++k) stages.push_back(planStage(k));
        const Scene first = sceneInStage(scene_, 0);
        checkCaps(first, world_);
        for (std::size_t k = 1; k < scene_.stages.size(); ++k) checkCaps(sceneInStage(scene_, k), world_);
        if (first.method != Method::penalty) world_.contacts.memory = ContactMemory::impulses;
        world_.contacts.elastic = hasElasticContacts(first);
        world_.contacts.yielding = hasYieldingContacts(first);
        world_.contacts.leastSkin = scene_.run.skin.value.value_or(0.0);
        setLoads(world_, world_.time);
        return {std::move(world_), std::move(stages)};
    }

private:
    [[noreturn]] void fail(const std::string& path, const std::string& message) const { failAt(scene_, path, message); }

    void clearMaps() {
        grains_.balls.grid = grains_.solids.grid = GrainGrid(world_.domain.period(), world_.domain.low);
    }

    // The bodies of a stage are made now and enter the world later.
    StagePlan planStage(std::size_t k) {
        const StageSettings& stage = scene_.stages[k];
        const std::string path = indexed("stages", k);
        StagePlan plan;
        for (std::size_t j = 0; j < stage.change.size(); ++j) {
            const GroupChange& change = stage.change[j];
            const std::string at = indexed(path + ".change", j);
            LaterChange later;
            later.group = groupIndex(at, change.group);
            if (change.motion) later.law = addLaw(at, *change.motion);
            if (change.force) later.load = addLoad(at, *change.force);
            if (change.free) setFree(*change.free, whatIsFreed(change.group, k), later.free);
            plan.changes.push_back(later);
        }
        for (const std::string& group : stage.remove) plan.remove.push_back(groupIndex(path, group));
        firstStream_ += static_cast<std::uint32_t>(entries_->size());
        entries_ = &stage.bodies;
        list_ = path + ".bodies";
        later_ = &plan;
        grains_ = {};
        grains_.list = list_;
        clearMaps();
        for (std::size_t j = 0; j < stage.bodies.size(); ++j) addWalls(j);
        for (std::size_t j = 0; j < stage.bodies.size(); ++j) addGrainsOf(j);
        checkBodies(scene_, world_, grains_);
        for (std::size_t j = 0; j < grains_.definitions.size(); ++j) {
            plan.grains.push_back({grains_.definitions[j], grainLaw_[grains_.entries[j]], {}});
        }
        world_.wallsComeOrGo = world_.wallsComeOrGo || !plan.walls.empty() || !plan.remove.empty();
        return plan;
    }

    void prepareSpace() {
        world_.seed = scene_.seed;
        world_.gravity = sceneInStage(scene_, 0).gravity;
        world_.materials = makeMaterials(sceneInStage(scene_, 0));
        if (scene_.domain) {
            world_.domain = {scene_.domain->low, scene_.domain->high, {}};
            for (const Axis axis : scene_.domain->periodic)
                world_.domain.periodic[static_cast<std::size_t>(axis)] = true;
        }
        const int across = acrossAxis(scene_.planar);
        if (across < 0) return;
        world_.linearFreedom[across] = 0;
        world_.angularFreedom = {0, 0, 0};
        world_.angularFreedom[across] = 1;
    }

    // Before anything large is made.
    void checkCounts() {
        double total = 0;
        const auto addAll = [&](const std::string& list, const std::vector<BodySettings>& bodies) {
            for (std::size_t k = 0; k < bodies.size(); ++k) {
                double count = 0;
                withPlace(indexed(list, k), [&] { count = plannedGrains(bodies[k].kind); });
                if (count > mostBodies)
                    fail(indexed(list, k), fmt::format("asks for {:.3g} grains; at most {:.0e}", count, mostBodies));
                total += count;
            }
        };
        addAll("bodies", scene_.bodies);
        for (std::size_t k = 0; k < scene_.stages.size(); ++k) {
            addAll(indexed("stages", k) + ".bodies", scene_.stages[k].bodies);
        }
        if (total > mostBodies) fail("bodies", fmt::format("ask for {:.3g} grains; at most {:.0e}", total, mostBodies));
        const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
        const double gib = 1024.0 * 1024.0 * 1024.0;
        if (total * bytesPerBody > memory) {
            fail("bodies", fmt::format("{:.3g} grains need about {:.0f} GiB of memory, this machine has {:.0f} GiB",
                                       total, total * bytesPerBody / gib, memory / gib));
        }
    }

    double plannedGrains(const BodyKind& kind) {
        if (const auto* lattice = std::get_if<LatticeBodies>(&kind)) {
            return countLatticeSites(sized(*lattice, supplyOf(*lattice)), scene_.planar);
        }
        if (const auto* random = std::get_if<RandomBodies>(&kind)) {
            return countRandomFill(*random, supplyOf(*random), scene_.planar);
        }
        if (const auto* pyramid = std::get_if<PyramidBodies>(&kind)) {
            const double n = static_cast<double>(pyramid->base);
            return n * (n + 1) * (2 * n + 1) / 6;
        }
        const bool isTable = std::holds_alternative<CsvBodies>(kind);
        return isWallKind(kind) || isTable ? 0 : 1;
    }

    // Gives errors of makers, which do not know it, their place.
    template <class Action>
    void withPlace(const std::string& path, Action&& action) const {
        try {
            action();
        } catch (const InputError& error) {
            fail(path, error.what());
        }
    }

    // Sizes and forms of generated grains.
    GrainSupply supplyOf(const RandomBodies& b) { return {distributionOf(b.radius), shapes_.sharesOf(b.grains)}; }
    GrainSupply supplyOf(const SourceSettings& s) { return {distributionOf(s.radius), shapes_.sharesOf(s.grains)}; }
    GrainSupply supplyOf(const LatticeBodies& b) {
        std::optional<SizeSettings> size;
        if (b.radius) size = SingleSize{*b.radius};
        return {distributionOf(size), shapes_.sharesOf(b.grains)};
    }

    // With the radius of the largest bounding sphere, which the sites are made for.
    static LatticeBodies sized(LatticeBodies lattice, const GrainSupply& supply) {
        lattice.radius = largestBoundingRadius(supply.size, supply.forms);
        if (!lattice.spacing) lattice.spacing = 2 * *lattice.radius;
        return lattice;
    }

    std::uint16_t materialIndex(const std::string& name) const {
        return static_cast<std::uint16_t>(std::distance(scene_.materials.begin(), scene_.materials.find(name)));
    }

    std::uint16_t groupIndex(const std::string& path, const std::string& name) {
        std::vector<std::string>& names = world_.groupNames;
        const auto found = std::find(names.begin(), names.end(), name);
        if (found != names.end()) return static_cast<std::uint16_t>(found - names.begin());
        if (names.size() >= 0xFFFF) fail(path, "too many groups");
        names.push_back(name);
        return static_cast<std::uint16_t>(names.size() - 1);
    }

    std::uint16_t addLaw(const std::string& path, MotionLaw law) {
        if (world_.motionLaws.size() >= noMotion) fail(path, fmt::format("at most {} motions can be given", noMotion));
        if (auto* rotation = std::get_if<RotationMotion>(&law)) rotation->axis = normalized(rotation->axis);
        world_.motionLaws.push_back(std::move(law));
        return static_cast<std::uint16_t>(world_.motionLaws.size() - 1);
    }

    std::uint16_t addMotion(const std::string& path, std::uint16_t law, const Pose& start) {
        if (world_.motions.size() >= noMotion) fail(path, fmt::format("at most {} bodies can have a motion", noMotion));
        return startMotion(world_, law, start);
    }

    std::uint16_t addLoad(const std::string& path, const ForceLaw& law) {
        if (world_.loads.size() >= noLoad) fail(path, fmt::format("at most {} entries can have a force", noLoad));
        world_.loads.push_back(law);
        return static_cast<std::uint16_t>(world_.loads.size() - 1);
    }

    // 1 along the given axes, as far as the scene has them.
    static Vec3 along(const std::optional<std::vector<Axis>>& axes, const Vec3& ofScene) {
        if (!axes) return ofScene;
        Vec3 chosen;
        for (const Axis axis : *axes) chosen[static_cast<int>(axis)] = ofScene[static_cast<int>(axis)];
        return chosen;
    }

    // How forces can move a wall, or a solid in its guide; the latter turns only if that is said.
    enum class Freed { wall, solid };
    void setFree(const FreeSettings& free, Freed what, BodyDefinition& body) const {
        const bool turnsAnyway = what == Freed::wall;
        const Vec3 turns = turnsAnyway || free.turns ? along(free.turns, world_.angularFreedom) : Vec3{};
        body.mass = free.mass.value_or(0.0);
        body.inertia = free.inertia;
        body.guide = Freedom{along(free.axes, world_.linearFreedom), turns};
        body.velocity = free.velocity;
    }

    // What the bodies of a group are, before this stage.
    Freed whatIsFreed(const std::string& group, std::size_t stage) const {
        const auto isOne = [&](const BodySettings& body) { return body.group == group && isWallKind(body.kind); };
        bool any = std::any_of(scene_.bodies.begin(), scene_.bodies.end(), isOne);
        for (std::size_t k = 0; k < stage; ++k) {
            const std::vector<BodySettings>& bodies = scene_.stages[k].bodies;
            any = any || std::any_of(bodies.begin(), bodies.end(), isOne);
        }
        return any ? Freed::wall : Freed::solid;
    }

    void addWalls(std::size_t entry) {
        for (const WallGeometry& wall : wallsOf((*entries_)[entry].kind)) addWall(entry, wall);
    }

    void addWall(std::size_t entry, const WallGeometry& wall) {
        const BodySettings& body = (*entries_)[entry];
        const std::string path = indexed(list_, entry);
        if (world_.shapes.size() >= 0xFFFF) fail(path, "too many walls; at most 65534");
        world_.shapes.push_back(wall.shape);
        BodyDefinition definition;
        definition.shape = static_cast<std::uint16_t>(world_.shapes.size() - 1);
        definition.position = wall.pose.position;
        definition.orientation = wall.pose.orientation;
        definition.material = materialIndex(*body.material);
        definition.group = groupIndex(path, *body.group);
        definition.fixed = !body.free;
        const std::uint16_t law = body.motion ? addLaw(path, *body.motion) : noMotion;
        if (body.free) setFree(*body.free, Freed::wall, definition);
        if (body.force) definition.load = addLoad(path, *body.force);
        if (later_ != nullptr) {
            const auto* plane = std::get_if<Plane>(&body.kind);
            later_->walls.push_back({definition, law, plane != nullptr ? plane->on : std::nullopt});
            return;
        }
        if (law != noMotion) definition.motion = addMotion(path, law, wall.pose);
        const std::uint32_t id = addBody(world_, definition);
        if (body.name) named_[*body.name] = id;
        wallEntries_.push_back(entry);
    }

    void addGrainsOf(std::size_t entry) {
        const BodySettings& body = (*entries_)[entry];
        grainLaw_.resize(entry + 1);
        grainLaw_[entry] = noMotion;
        if (isWallKind(body.kind)) return;
        const std::string path = indexed(list_, entry);
        BodyDefinition model;
        model.material = materialIndex(*body.material);
        model.group = groupIndex(path, *body.group);
        model.fixed = *body.fixed;
        if (body.free) setFree(*body.free, Freed::solid, model);
        if (body.force) model.load = addLoad(path, *body.force);
        Random random(scene_.seed, firstStream_ + static_cast<std::uint32_t>(entry));
        const std::size_t first = grains_.definitions.size();
        withPlace(path, [&] { std::visit([&](const auto& kind) { make(kind, model, random); }, body.kind); });
        grains_.entries.resize(grains_.definitions.size(), static_cast<std::uint32_t>(entry));
        for (std::size_t k = first; k < grains_.definitions.size(); ++k) {
            const bool isSolid = !isGenerated(body.kind) && grains_.definitions[k].shape != 0;
            (isSolid ? grains_.solids : grains_.balls).add(grains_.definitions[k], static_cast<std::uint32_t>(k));
        }
        if (!body.motion) return;
        grainLaw_[entry] = addLaw(path, *body.motion);
        for (std::size_t k = first; later_ == nullptr && k < grains_.definitions.size(); ++k) {
            BodyDefinition& grain = grains_.definitions[k];
            grain.motion = addMotion(path, grainLaw_[entry], {grain.position, grain.orientation});
        }
    }

    void place(BodyDefinition grain, const Vec3& position, double radius) {
        grain.position = position;
        grain.radius = radius;
        grains_.definitions.push_back(grain);
    }

    // The common velocity plus a random part, within the plane of a planar scene.
    Vec3 drawVelocity(const Vec3& velocity, double randomPart, Random& random) const {
        if (randomPart == 0) return velocity;
        const Vec3 extra = random.inBox({-randomPart, -randomPart, -randomPart}, {randomPart, randomPart, randomPart});
        return velocity + hadamard(world_.linearFreedom, extra);
    }

    void make(const Plane&, const BodyDefinition&, Random&) {}
    void make(const Container&, const BodyDefinition&, Random&) {}
    void make(const Drum&, const BodyDefinition&, Random&) {}
    void make(const Sleeve&, const BodyDefinition&, Random&) {}

    template <class Form>
    void make(const SolidBody<Form>& body, BodyDefinition model, Random&) {
        model.velocity = body.velocity;
        model.spin = body.spin;
        placeForm(model, shapes_.find(ShapeLibrary::AnyForm(body.form)), {body.position, orientationOf(body)}, 1);
    }

    // A body whose form has this pose, its lengths times the scale.
    void placeForm(BodyDefinition model, const ShapeLibrary::Entry& entry, const Pose& ofForm, double scale) {
        const Pose inPlane{ofForm.position, ofForm.orientation * planeTurn(world_)};
        const Pose pose = placed(inPlane, {scale * entry.pose.position, entry.pose.orientation});
        model.shape = entry.shape;
        model.orientation = pose.orientation;
        place(model, pose.position, scale * entry.scale * boundingRadius(world_.shapes[entry.shape]));
    }

    void place(BodyDefinition model, const Vec3& position, const DrawnGrain& grain, Random& random) {
        model.shape = grain.shape;
        model.orientation = drawOrientation(world_, grain.shape, random);
        place(model, position, grain.radius);
    }

    void make(const SphereBody& sphere, BodyDefinition model, Random&) {
        model.velocity = sphere.velocity;
        model.spin = sphere.spin;
        place(model, sphere.position, sphere.radius);
    }

    void make(const LatticeBodies& lattice, BodyDefinition model, Random& random) {
        const GrainSupply supply = supplyOf(lattice);
        const LatticeBodies sites = sized(lattice, supply);
        const double shift = lattice.jitter * *sites.spacing;
        const std::vector<Vec3> centres = latticeCentres(sites, scene_.planar);
        if (centres.empty()) throw InputError("no sphere fits into the region");
        const CentreBox box = centreBox(sites, centres);
        for (const Vec3& centre : centres) {
            const Vec3 jitter = shift > 0 ? random.inBox({-shift, -shift, -shift}, {shift, shift, shift}) : Vec3{};
            model.velocity = drawVelocity(lattice.velocity, lattice.randomVelocity, random);
            const DrawnGrain grain = drawGrain(supply.size, supply.forms, random);
            place(model, box.nearest(centre + hadamard(world_.linearFreedom, jitter)), grain, random);
        }
    }

    void make(const PyramidBodies& pyramid, BodyDefinition model, Random&) {
        const std::vector<Vec3> centres = pyramidCentres(pyramid);
        const bool allFixed = model.fixed;
        for (std::size_t k = 0; k < centres.size(); ++k) {
            model.fixed = allFixed || (pyramid.fixedBase && k < pyramid.base * pyramid.base);
            place(model, centres[k], pyramid.radius);
        }
    }

    void make(const RandomBodies& settings, BodyDefinition model, Random& random) {
        const auto isClear = [&](const Vec3& p, double r) {
            return nearestFace(grains_.walls, p).distance >= r && isClearOfSolids(world_, grains_, p, r);
        };
        const FreeSpace space{grains_.balls.grid, isClear};
        for (const Placed& placed : fillRandomly(settings, supplyOf(settings), scene_.planar, random, space)) {
            model.velocity = drawVelocity(settings.velocity, settings.randomVelocity, random);
            place(model, placed.centre, placed.grain, random);
        }
    }

    void make(const CsvBodies& csv, BodyDefinition model, Random&) {
        const std::filesystem::path folder = scene_.source ? scene_.source->folder : std::filesystem::path{};
        const std::filesystem::path file = folder / csv.file;
        const bool allFixed = model.fixed;
        const std::uint16_t material = model.material;
        const std::vector<GrainForm> grains = shapes_.formsOf(csv.grains);
        const std::vector<GrainShare> forms = shapes_.sharesOf(grains);
        for (const CsvBody& row : readCsvBodies(file, static_cast<std::size_t>(mostBodies), grains.size())) {
            model.fixed = allFixed || row.fixed;
            if (const std::string fault = faultOf(row, model.fixed); !fault.empty()) {
                throw InputError(fmt::format("{}:{}: {}", file.string(), row.line, fault));
            }
            model.material = row.material.empty() ? material : materialIndex(row.material);
            model.velocity = row.velocity;
            model.spin = row.spin;
            if (forms.empty()) {
                place(model, row.position, row.radius);
                continue;
            }
            const double scale = row.radius > 0 ? row.radius / forms[row.shape].equivalentRadius : 1;
            placeForm(model, shapes_.find(grains[row.shape].form), {row.position, normalized(row.orientation)}, scale);
        }
    }

    // The same rules as for single spheres.
    std::string faultOf(const CsvBody& row, bool fixed) const {
        if (!row.material.empty() && !scene_.materials.contains(row.material)) {
            return fmt::format("there is no material {}", inQuotes(row.material));
        }
        if (fixed && (row.velocity != Vec3{} || row.spin != Vec3{})) {
            return "a fixed body has no velocity of its own; use motion";
        }
        const std::string fault = velocityFault(scene_.planar, row.velocity);
        if (!fault.empty()) return "the velocity " + fault;
        const Vec3 turn{row.orientation.x, row.orientation.y, row.orientation.z};
        if (!spinFault(scene_.planar, turn).empty()) return "the orientation turns the body out of the plane";
        const std::string spin = spinFault(scene_.planar, row.spin);
        return spin.empty() ? "" : "the spin " + spin;
    }

    // When all bodies are made, grains in the order of the plan.
    std::uint32_t idOf(const std::string& name) const {
        if (name == nameOfTheWorld) return theWorld;
        if (const auto wall = named_.find(name); wall != named_.end()) return wall->second;
        std::size_t k = 0;
        while (scene_.bodies[grains_.entries[k]].name != name) ++k;
        return world_.bodies.id[k];
    }

    void join(std::size_t k) {
        const JointSettings& settings = scene_.joints[k];
        addJoint(world_, settings, idOf(settings.between[0]), idOf(settings.between[1]));
        const Joint& joint = world_.joints.list.back();
        if (joint.kind != JointKind::distance) return;
        const std::string path = indexed("joints", k);
        if (!(joint.length > 0)) fail(path, "its two points are in one place; use a spherical joint, or set point2");
        if (joint.length < joint.slide.lower || joint.length > joint.slide.upper) {
            fail(path + ".limits", fmt::format("the distance at the start, {} m, is outside", joint.length));
        }
    }

    // Walls that move, come or go may leave room at another time.
    void checkRoom(const std::string& path, const BoxRegion& region, const Source& source) const {
        const bool allStay = std::all_of(scene_.bodies.begin(), scene_.bodies.end(), [](const BodySettings& body) {
            return !isWallKind(body.kind) || !(body.motion || body.free);
        });
        if (!allStay || !scene_.stages.empty()) return;
        const double radius = smallestBoundingRadius(source.size, source.forms);
        if (const PlacedWall* wall = wallThatFills(grains_.walls, region, radius)) {
            fail(path, fmt::format("no grain fits: all of it is behind the wall bodies[{}], or nearer to it than the "
                                   "smallest radius, {} m; move the region to the free side",
                                   wall->entry, radius));
        }
    }

    void addSource(std::size_t k) {
        const SourceSettings& settings = scene_.sources[k];
        Source source;
        source.low = settings.region.low;
        source.high = settings.region.high;
        source.rate = settings.rate;
        source.start = settings.start;
        source.stop = settings.stop.value_or(source.stop);
        source.limit = settings.limit.value_or(source.limit);
        source.velocity = settings.velocity;
        withPlace(indexed("sources", k), [&] {
            GrainSupply supply = supplyOf(settings);
            source.size = std::move(supply.size);
            source.forms = std::move(supply.forms);
        });
        source.material = materialIndex(*settings.material);
        source.group = groupIndex(indexed("sources", k), *settings.group);
        source.stream = static_cast<std::uint32_t>(k);
        checkRoom(indexed("sources", k) + ".region", settings.region, source);
        world_.sources.push_back(std::move(source));
    }

    const Scene& scene_;
    WorldState world_;
    ShapeLibrary shapes_;
    GrainPlan grains_;
    std::vector<std::size_t> wallEntries_;
    std::map<std::string, std::uint32_t> named_;  // ids of walls with names

    // The entries being made: those of the scene, then those of each stage.
    const std::vector<BodySettings>* entries_ = &scene_.bodies;
    std::string list_ = "bodies";
    std::uint32_t firstStream_ = firstBodyStream;
    StagePlan* later_ = nullptr;           // where bodies of a stage go
    std::vector<std::uint16_t> grainLaw_;  // of each entry, or noMotion
};

}  // namespace

Materials makeMaterials(const Scene& scene) {
    Materials materials;
    materials.kinds = scene.contactLaw.kinds;
    const std::size_t count = scene.materials.size();
    materials.laws.resize(count * count);
    if (hasYieldingContacts(scene) || hasDilation(scene)) materials.yields.resize(count * count);
    for (const auto& [name, m] : scene.materials) {
        materials.list.push_back({name, m.density, m.elastic.youngsModulus, m.elastic.poissonRatio});
    }
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = i; j < count; ++j) {
            const PairLaw law = lawBetween(scene, materials.list[i].name, materials.list[j].name);
            materials.laws[i * count + j] = materials.laws[j * count + i] = law;
            if (materials.yields.empty()) continue;
            const YieldLaw yield = makeYieldLaw(contactBetween(scene, materials.list[i].name, materials.list[j].name));
            materials.yields[i * count + j] = materials.yields[j * count + i] = yield;
        }
    }
    return materials;
}

WorldState buildWorld(const Scene& scene) { return buildScene(scene).world; }

BuiltScene buildScene(const Scene& scene) {
    Scene complete = scene;
    completeScene(complete);
    const SceneSource inMemory;
    Problems problems(scene.source ? *scene.source : inMemory);
    checkScene(complete, problems);
    problems.throwIfAny();
    return WorldBuilder(complete).build();
}

}  // namespace talus
