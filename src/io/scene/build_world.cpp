#include "io/scene/build_world.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "constraints/joint.hpp"
#include "constraints/load.hpp"
#include "io/scene/body_check.hpp"
#include "io/scene/csv_bodies.hpp"
#include "io/scene/generators.hpp"
#include "io/scene/joint_rules.hpp"
#include "io/scene/problems.hpp"
#include "io/scene/scene_rules.hpp"
#include "laws/pair_law.hpp"
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

// --- bodies --------------------------------------------------------------------------------------------------------

struct WallGeometry {
    Shape shape;
    Pose pose;
};

WallGeometry geometryOf(const PlaneBody& plane) { return {PlaneWall{}, {plane.point, turnFromZ(plane.normal)}}; }

WallGeometry geometryOf(const ContainerBody& container) {
    BoxWall box{0.5 * container.size, {}};
    for (const BoxFace face : container.open) box.open[static_cast<std::size_t>(face)] = true;
    return {box, {container.centre, rotationBy(container.rotation)}};
}

WallGeometry geometryOf(const DrumBody& drum) {
    CylinderWall cylinder{drum.radius, 0.5 * drum.length, {}};
    for (const DrumFace face : drum.open) cylinder.open[static_cast<std::size_t>(face)] = true;
    return {cylinder, {drum.centre, turnFromZ(drum.axis)}};
}

class WorldBuilder {
public:
    explicit WorldBuilder(const Scene& scene) : scene_(scene) {}

    World build() {
        prepareSpace();
        checkCounts();
        // Walls first, so that random fill keeps clear of them wherever they stand in the file.
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) addWall(k);
        grains_.walls = wallsOf(world_, wallEntries_);
        grains_.grid = GrainGrid(world_.domain.period(), world_.domain.low);
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) addGrainsOf(k);
        checkBodies(scene_, world_.domain, grains_);
        addGrains(world_, grains_.definitions);
        for (std::size_t k = 0; k < scene_.joints.size(); ++k) join(k);
        for (std::size_t k = 0; k < scene_.sources.size(); ++k) addSource(k);
        for (const SinkSettings& sink : scene_.sinks) world_.sinks.push_back({sink.region.low, sink.region.high});
        return std::move(world_);
    }

private:
    [[noreturn]] void fail(const std::string& path, const std::string& message) const { failAt(scene_, path, message); }

    void prepareSpace() {
        world_.seed = scene_.seed;
        world_.gravity = scene_.gravity;
        world_.materials = makeMaterials(scene_);
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
    void checkCounts() const {
        double total = 0;
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) {
            const double count = plannedGrains(scene_.bodies[k].kind);
            if (count > mostBodies)
                fail(indexed("bodies", k), fmt::format("asks for {:.3g} spheres; at most {:.0e}", count, mostBodies));
            total += count;
        }
        if (total > mostBodies)
            fail("bodies", fmt::format("ask for {:.3g} spheres; at most {:.0e}", total, mostBodies));
        const double memory = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
        const double gib = 1024.0 * 1024.0 * 1024.0;
        if (total * bytesPerBody > memory) {
            fail("bodies", fmt::format("{:.3g} spheres need about {:.0f} GiB of memory, this machine has {:.0f} GiB",
                                       total, total * bytesPerBody / gib, memory / gib));
        }
    }

    double plannedGrains(const BodyKind& kind) const {
        if (const auto* lattice = std::get_if<LatticeBodies>(&kind)) return countLatticeSites(*lattice, scene_.planar);
        if (const auto* random = std::get_if<RandomBodies>(&kind)) return countRandomFill(*random, scene_.planar);
        if (const auto* pyramid = std::get_if<PyramidBodies>(&kind)) {
            const double n = static_cast<double>(pyramid->base);
            return n * (n + 1) * (2 * n + 1) / 6;
        }
        return std::holds_alternative<SphereBody>(kind) ? 1 : 0;
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

    std::uint16_t addMotion(const std::string& path, const MotionLaw& law, const Pose& start) {
        if (world_.motions.size() >= noMotion) fail(path, fmt::format("at most {} bodies can have a motion", noMotion));
        Motion motion{law, start};
        if (auto* rotation = std::get_if<RotationMotion>(&motion.law)) rotation->axis = normalized(rotation->axis);
        world_.motions.push_back(std::move(motion));
        return static_cast<std::uint16_t>(world_.motions.size() - 1);
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

    void setFree(const FreeWallSettings& free, BodyDefinition& wall) const {
        wall.mass = free.mass;
        wall.inertia = free.inertia;
        wall.freedom = {along(free.axes, world_.linearFreedom), along(free.turns, world_.angularFreedom)};
        wall.velocity = free.velocity;
    }

    void addWall(std::size_t entry) {
        const BodySettings& body = scene_.bodies[entry];
        const std::string path = indexed("bodies", entry);
        WallGeometry wall;
        if (const auto* plane = std::get_if<PlaneBody>(&body.kind)) {
            wall = geometryOf(*plane);
        } else if (const auto* container = std::get_if<ContainerBody>(&body.kind)) {
            wall = geometryOf(*container);
        } else if (const auto* drum = std::get_if<DrumBody>(&body.kind)) {
            wall = geometryOf(*drum);
        } else {
            return;
        }
        if (world_.shapes.size() >= 0xFFFF) fail(path, "too many walls; at most 65534");
        world_.shapes.push_back(wall.shape);
        BodyDefinition definition;
        definition.shape = static_cast<std::uint16_t>(world_.shapes.size() - 1);
        definition.position = wall.pose.position;
        definition.orientation = wall.pose.orientation;
        definition.material = materialIndex(*body.material);
        definition.group = groupIndex(path, *body.group);
        definition.fixed = !body.free;
        if (body.motion) definition.motion = addMotion(path, *body.motion, wall.pose);
        if (body.free) setFree(*body.free, definition);
        if (body.force) definition.load = addLoad(path, *body.force);
        const std::uint32_t id = addBody(world_, definition);
        if (body.name) named_[*body.name] = id;
        wallEntries_.push_back(entry);
    }

    void addGrainsOf(std::size_t entry) {
        const BodySettings& body = scene_.bodies[entry];
        if (isWallKind(body.kind)) return;
        const std::string path = indexed("bodies", entry);
        BodyDefinition model;
        model.material = materialIndex(*body.material);
        model.group = groupIndex(path, *body.group);
        model.fixed = *body.fixed;
        if (body.force) model.load = addLoad(path, *body.force);
        Random random(scene_.seed, firstBodyStream + static_cast<std::uint32_t>(entry));
        const std::size_t first = grains_.definitions.size();
        try {
            std::visit([&](const auto& kind) { make(kind, model, random); }, body.kind);
        } catch (const InputError& error) {
            fail(path, error.what());
        }
        grains_.entries.resize(grains_.definitions.size(), static_cast<std::uint32_t>(entry));
        // Random fill has entered its spheres into the grid itself.
        for (std::size_t k = grains_.grid.size(); k < grains_.definitions.size(); ++k) {
            grains_.grid.add(grains_.definitions[k].position, grains_.definitions[k].radius);
        }
        if (!body.motion) return;
        for (std::size_t k = first; k < grains_.definitions.size(); ++k) {
            BodyDefinition& grain = grains_.definitions[k];
            grain.motion = addMotion(path, *body.motion, {grain.position, grain.orientation});
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

    void make(const PlaneBody&, const BodyDefinition&, Random&) {}
    void make(const ContainerBody&, const BodyDefinition&, Random&) {}
    void make(const DrumBody&, const BodyDefinition&, Random&) {}

    void make(const SphereBody& sphere, BodyDefinition model, Random&) {
        model.velocity = sphere.velocity;
        model.spin = sphere.spin;
        place(model, sphere.position, sphere.radius);
    }

    void make(const LatticeBodies& lattice, BodyDefinition model, Random& random) {
        const double shift = lattice.jitter * *lattice.spacing;
        const std::vector<Vec3> centres = latticeCentres(lattice, scene_.planar);
        if (centres.empty()) throw InputError("no sphere fits into the region");
        for (const Vec3& centre : centres) {
            const Vec3 jitter = shift > 0 ? random.inBox({-shift, -shift, -shift}, {shift, shift, shift}) : Vec3{};
            model.velocity = drawVelocity(lattice.velocity, lattice.randomVelocity, random);
            place(model, centre + hadamard(world_.linearFreedom, jitter), lattice.radius);
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
        const auto isClear = [&](const Vec3& p, double r) { return nearestFace(grains_.walls, p).distance >= r; };
        for (const Placed& placed : fillRandomly(settings, scene_.planar, random, {grains_.grid, isClear})) {
            model.velocity = drawVelocity(settings.velocity, settings.randomVelocity, random);
            place(model, placed.centre, placed.radius);
        }
    }

    void make(const CsvBodies& csv, BodyDefinition model, Random&) {
        const std::filesystem::path folder = scene_.source ? scene_.source->folder : std::filesystem::path{};
        const std::filesystem::path file = folder / csv.file;
        const bool allFixed = model.fixed;
        const std::uint16_t material = model.material;
        for (const CsvBody& row : readCsvBodies(file, static_cast<std::size_t>(mostBodies))) {
            model.fixed = allFixed || row.fixed;
            if (const std::string fault = faultOf(row, model.fixed); !fault.empty()) {
                throw InputError(fmt::format("{}:{}: {}", file.string(), row.line, fault));
            }
            model.material = row.material.empty() ? material : materialIndex(row.material);
            model.velocity = row.velocity;
            model.spin = row.spin;
            place(model, row.position, row.radius);
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
        source.size = distributionOf(settings.radius);
        source.material = materialIndex(*settings.material);
        source.group = groupIndex(indexed("sources", k), *settings.group);
        source.stream = static_cast<std::uint32_t>(k);
        world_.sources.push_back(std::move(source));
    }

    const Scene& scene_;
    World world_;
    GrainPlan grains_;
    std::vector<std::size_t> wallEntries_;
    std::map<std::string, std::uint32_t> named_;  // ids of walls with names
};

}  // namespace

World buildWorld(const Scene& scene) {
    Scene complete = scene;
    completeScene(complete);
    const SceneSource inMemory;
    Problems problems(scene.source ? *scene.source : inMemory);
    checkScene(complete, problems);
    problems.throwIfAny();
    World world = WorldBuilder(complete).build();
    if (scene.method != Method::penalty) world.contacts.memory = ContactMemory::impulses;
    world.contacts.elastic = hasElasticContacts(scene);
    world.contacts.yielding = hasYieldingContacts(scene);
    setLoads(world, world.time);
    return world;
}

}  // namespace talus
