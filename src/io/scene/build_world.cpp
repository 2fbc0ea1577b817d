#include "io/scene/build_world.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "build/body_maker.hpp"
#include "build/joint_check.hpp"
#include "build/yield_check.hpp"
#include "io/scene/contact_kinds.hpp"
#include "io/scene/csv_bodies.hpp"
#include "io/scene/form_files.hpp"
#include "io/scene/joint_rules.hpp"
#include "io/scene/stage_scene.hpp"
#include "model/grain_forms.hpp"
#include "model/joint_state.hpp"
#include "model/load.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// A list of entries of the scene: its bodies, or those of a stage.
struct EntryList {
    const std::vector<BodySettings>& entries;
    std::string path;           // "bodies", "stages[1].bodies"
    std::uint32_t firstStream;  // of the random numbers of the first entry
    bool hasJoints = false;     // some entries are joined

    std::string pathOf(std::size_t entry) const { return indexed(path, entry); }
};

class SceneBuilder {
public:
    explicit SceneBuilder(const Scene& scene)
        : scene_(scene),
          files_(scene.source ? scene.source->folder : std::filesystem::path{}),
          maker_(world_, shapes_, files_) {}

    BuiltScene build() {
        prepareSpace();
        checkCounts();
        addBodies({scene_.bodies, "bodies", firstBodyStream, true});
        for (std::size_t k = 0; k < scene_.joints.size(); ++k) join(k);
        for (std::size_t k = 0; k < scene_.sources.size(); ++k) addSource(k);
        for (const SinkSettings& sink : scene_.sinks) world_.sinks.push_back({sink.region.low, sink.region.high});
        std::vector<StagePlan> stages = planStages();
        finish();
        for (const BodySettings& body : scene_.bodies) {
            if (body.name) named_[*body.name] = idOf(*body.name);
        }
        return {std::move(world_), std::move(stages), std::move(named_)};
    }

private:
    [[noreturn]] void fail(const std::string& path, const std::string& message) const { failAt(scene_, path, message); }

    // Gives errors of makers, which do not know it, their place.
    template <class Action>
    auto withPlace(const std::string& path, Action&& action) const {
        try {
            return action();
        } catch (const InputError& error) {
            fail(path, error.what());
        }
    }

    // --- space and counts

    void prepareSpace() {
        const Scene first = sceneInStage(scene_, 0);
        world_.seed = scene_.seed;
        world_.gravity = first.gravity;
        world_.materials = makeMaterials(first);
        if (scene_.domain) world_.domain = makeDomain(*scene_.domain);
        makePlanar(world_, scene_.planar);
    }

    // Before anything large is made.
    void checkCounts() {
        double total = 0;
        const auto addAll = [&](const std::string& list, const std::vector<BodySettings>& bodies) {
            for (std::size_t k = 0; k < bodies.size(); ++k) {
                const double count = withPlace(indexed(list, k), [&] { return maker_.count(bodies[k].kind); });
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

    // --- bodies

    // What all bodies of an entry share.
    BodyDefinition modelOf(const BodySettings& settings) {
        const bool isWall = isWallKind(settings.kind);
        BodyDefinition model;
        model.material = materialIndex(scene_, *settings.material);
        model.group = findGroup(world_, *settings.group);
        model.fixed = isWall ? !settings.free : *settings.fixed;
        if (settings.free) applyFree(world_, *settings.free, isWall ? FreeBodyKind::wall : FreeBodyKind::solid, model);
        if (settings.force) model.load = addLoad(world_, *settings.force);
        return model;
    }

    std::uint16_t lawOf(const BodySettings& settings) {
        return settings.motion ? addMotionLaw(world_, *settings.motion) : noMotion;
    }

    // Each wall has a law of its own: so have the rings of a sleeve.
    std::vector<LaterBody> makeWalls(const EntryList& list, std::size_t entry) {
        const BodySettings& settings = list.entries[entry];
        const auto* plane = std::get_if<Plane>(&settings.kind);
        std::vector<LaterBody> walls;
        withPlace(list.pathOf(entry), [&] {
            if (!isWallKind(settings.kind)) return;
            for (const BodyDefinition& wall : maker_.makeWalls(settings.kind, modelOf(settings))) {
                walls.push_back({wall, lawOf(settings), plane != nullptr ? plane->on : std::nullopt});
            }
        });
        return walls;
    }

    // Adds the grains of an entry to the plan; the number of their law.
    std::uint16_t makeGrains(const EntryList& list, std::size_t entry, GrainPlan& plan) {
        const BodySettings& settings = list.entries[entry];
        if (isWallKind(settings.kind)) return noMotion;
        return withPlace(list.pathOf(entry), [&] {
            const BodyDefinition model = modelOf(settings);
            const auto number = static_cast<std::uint32_t>(entry);
            if (const auto* csv = std::get_if<CsvBodies>(&settings.kind)) {
                maker_.makeGrains(readTable(*csv, model), model, number, plan);
            } else {
                maker_.makeGrains(settings.kind, model, number, Random(scene_.seed, list.firstStream + number), plan);
            }
            return lawOf(settings);
        });
    }

    // All grains of a list, checked; the law of each entry.
    std::vector<std::uint16_t> makeAllGrains(const EntryList& list, GrainPlan& plan) {
        std::vector<std::uint16_t> laws;
        for (std::size_t k = 0; k < list.entries.size(); ++k) laws.push_back(makeGrains(list, k, plan));
        check(list, plan);
        return laws;
    }

    GrainPlan emptyPlan() const {
        GrainPlan plan;
        plan.balls.grid = plan.solids.grid = GrainGrid(world_.domain.period(), world_.domain.low);
        return plan;
    }

    // Walls first, so that random fill keeps clear of them wherever they stand in the file.
    void addBodies(const EntryList& list) {
        std::vector<std::size_t> entries;
        for (std::size_t k = 0; k < list.entries.size(); ++k) {
            for (const LaterBody& wall : makeWalls(list, k)) {
                const std::uint32_t id = addBody(world_, started(wall, list.pathOf(k)));
                if (list.entries[k].name) named_[*list.entries[k].name] = id;
                entries.push_back(k);
            }
        }
        grains_ = emptyPlan();
        grains_.walls = wallsOf(world_, entries);
        const std::vector<std::uint16_t> laws = makeAllGrains(list, grains_);
        for (std::size_t i = 0; i < grains_.definitions.size(); ++i) {
            const std::uint32_t entry = grains_.entries[i];
            grains_.definitions[i] = started({grains_.definitions[i], laws[entry], {}}, list.pathOf(entry));
        }
        addGrains(world_, grains_.definitions);
    }

    // With its motion, if it has one.
    BodyDefinition started(const LaterBody& body, const std::string& path) {
        BodyDefinition definition = body.definition;
        if (body.law == noMotion) return definition;
        const Pose start{definition.position, definition.orientation};
        definition.motion = withPlace(path, [&] { return addMotion(world_, body.law, start); });
        return definition;
    }

    void check(const EntryList& list, const GrainPlan& plan) const {
        PlanRules rules{.maxOverlap = scene_.run.maxOverlap, .planar = scene_.planar};
        for (const SourceSettings& source : scene_.sources) rules.sources.push_back(source.region);
        rules.nameOf = [&](std::size_t entry) { return list.pathOf(entry); };
        rules.mayPassThrough = [&](std::size_t a, std::size_t b) {
            return list.hasJoints && passThrough(scene_, a, b);
        };
        try {
            checkBodies(world_, plan, rules);
        } catch (const PlanError& error) {
            using Part = PlanError::Part;
            fail(error.part == Part::domain   ? "domain"
                 : error.part == Part::source ? indexed("sources", error.index) + ".region"
                                              : list.pathOf(error.index),
                 error.what());
        }
    }

    // --- tables

    ListedBodies readTable(const CsvBodies& csv, const BodyDefinition& model) const {
        const std::filesystem::path folder = scene_.source ? scene_.source->folder : std::filesystem::path{};
        const std::filesystem::path file = folder / csv.file;
        ListedBodies table{.forms = formsOf(csv.grains, files_)};
        for (const CsvBody& row : readCsvBodies(file, static_cast<std::size_t>(mostBodies), table.forms.size())) {
            const bool fixed = model.fixed || row.fixed;
            if (const std::string fault = faultOf(row, fixed); !fault.empty()) {
                throw InputError(fmt::format("{}:{}: {}", file.string(), row.line, fault));
            }
            const std::uint16_t material = row.material.empty() ? model.material : materialIndex(scene_, row.material);
            table.rows.push_back(
                {row.position, row.velocity, row.spin, row.orientation, row.radius, row.shape, fixed, material});
        }
        return table;
    }

    // The rules are those for single spheres.
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

    // --- joints and sources

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
        const JointFault fault = jointFault(world_.joints.list.back());
        if (fault.any()) fail(indexed("joints", k) + (fault.key.empty() ? "" : "." + fault.key), fault.message);
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
        const std::string path = indexed("sources", k);
        Source source = withPlace(path, [&] { return maker_.makeSource(settings); });
        source.material = materialIndex(scene_, *settings.material);
        source.group = withPlace(path, [&] { return findGroup(world_, *settings.group); });
        source.stream = static_cast<std::uint32_t>(k);
        checkRoom(path + ".region", settings.region, source);
        world_.sources.push_back(std::move(source));
    }

    // --- stages

    std::vector<StagePlan> planStages() {
        std::vector<StagePlan> plans;
        std::size_t entriesBefore = scene_.bodies.size();
        for (std::size_t k = 0; k < scene_.stages.size(); ++k) {
            plans.push_back(planStage(k, firstBodyStream + static_cast<std::uint32_t>(entriesBefore)));
            entriesBefore += scene_.stages[k].bodies.size();
        }
        return plans;
    }

    // The bodies of a stage are made now and enter the world later.
    StagePlan planStage(std::size_t k, std::uint32_t firstStream) {
        const StageSettings& stage = scene_.stages[k];
        const std::string path = indexed("stages", k);
        StagePlan plan;
        for (std::size_t j = 0; j < stage.change.size(); ++j) {
            plan.changes.push_back(
                withPlace(indexed(path + ".change", j), [&] { return planChange(stage.change[j], k); }));
        }
        for (const std::string& group : stage.remove) {
            plan.remove.push_back(withPlace(path, [&] { return findGroup(world_, group); }));
        }
        const EntryList list{stage.bodies, path + ".bodies", firstStream};
        for (std::size_t j = 0; j < stage.bodies.size(); ++j) {
            const std::vector<LaterBody> walls = makeWalls(list, j);
            plan.walls.insert(plan.walls.end(), walls.begin(), walls.end());
        }
        GrainPlan grains = emptyPlan();
        const std::vector<std::uint16_t> laws = makeAllGrains(list, grains);
        for (std::size_t j = 0; j < grains.definitions.size(); ++j) {
            plan.grains.push_back({grains.definitions[j], laws[grains.entries[j]], {}});
        }
        world_.wallsComeOrGo = world_.wallsComeOrGo || !plan.walls.empty() || !plan.remove.empty();
        return plan;
    }

    LaterChange planChange(const GroupChange& change, std::size_t stage) {
        LaterChange later;
        later.group = findGroup(world_, change.group);
        if (change.motion) later.law = addMotionLaw(world_, *change.motion);
        if (change.force) later.load = addLoad(world_, *change.force);
        if (change.free) applyFree(world_, *change.free, kindOfGroup(change.group, stage), later.free);
        return later;
    }

    // What the bodies of a group are, before this stage.
    FreeBodyKind kindOfGroup(const std::string& group, std::size_t stage) const {
        const auto isOne = [&](const BodySettings& body) { return body.group == group && isWallKind(body.kind); };
        bool any = std::any_of(scene_.bodies.begin(), scene_.bodies.end(), isOne);
        for (std::size_t k = 0; k < stage; ++k) {
            const std::vector<BodySettings>& bodies = scene_.stages[k].bodies;
            any = any || std::any_of(bodies.begin(), bodies.end(), isOne);
        }
        return any ? FreeBodyKind::wall : FreeBodyKind::solid;
    }

    // --- the end

    void finish() {
        const Scene first = sceneInStage(scene_, 0);
        checkCapsIn(first);
        for (std::size_t k = 1; k < scene_.stages.size(); ++k) checkCapsIn(sceneInStage(scene_, k));
        world_.contacts.memory = memoryOf(first);
        world_.contacts.leastSkin = scene_.run.skin.value.value_or(0.0);
        setLoads(world_, world_.time);
    }

    void checkCapsIn(const Scene& scene) const {
        if (!hasYieldingContacts(scene)) return;
        const MaterialTable table = materialsOf(scene);
        try {
            checkCaps(table, world_);
        } catch (const CapError& error) {
            const std::string path = pathOfContacts(scene, table.list[error.first].name, table.list[error.second].name);
            fail(path + "." + error.key, error.what());
        }
    }

    const Scene& scene_;
    WorldState world_;
    ShapeLibrary shapes_;
    GrainFormFiles files_;
    BodyMaker maker_;
    GrainPlan grains_;                            // of the scene's own bodies
    std::map<std::string, std::uint32_t> named_;  // ids of walls with names
};

}  // namespace

Materials makeMaterials(const Scene& scene) {
    const bool yields = hasYieldingContacts(scene) || hasDilation(scene);
    return makeMaterials(materialsOf(scene), yields ? YieldLaws::made : YieldLaws::none);
}

void failAt(const Scene& scene, const std::string& path, const std::string& message) {
    throw InputError(findingAt(scene.source ? *scene.source : SceneSource{}, path, message));
}

WorldState buildWorld(const Scene& scene) { return buildScene(scene).world; }

BuiltScene buildScene(const Scene& scene) {
    Scene complete = scene;
    completeScene(complete);
    const SceneSource inMemory;
    Problems problems(scene.source ? *scene.source : inMemory);
    checkScene(complete, problems);
    problems.throwIfAny();
    return SceneBuilder(complete).build();
}

}  // namespace talus
