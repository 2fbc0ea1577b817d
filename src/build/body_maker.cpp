#include "build/body_maker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "build/make_shape.hpp"
#include "model/grain_forms.hpp"
#include "model/prescribed_motion.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// --- walls
// ---------------------------------------------------------------------------------------------------------

struct WallGeometry {
    Shape shape;
    Pose pose;
};

std::vector<WallGeometry> wallsOf(const Plane& plane) {
    return {{PlaneWall{}, {plane.point, turnFromZ(plane.normal)}}};
}

std::vector<WallGeometry> wallsOf(const Container& container) {
    BoxWall box{0.5 * container.size, {}};
    for (const BoxFace face : container.open) box.open[static_cast<std::size_t>(face)] = true;
    return {{box, {container.centre, rotationBy(container.rotation)}}};
}

std::vector<WallGeometry> wallsOf(const Drum& drum) {
    CylinderWall cylinder{drum.radius, 0.5 * drum.length, {}};
    for (const DrumFace face : drum.open) cylinder.open[static_cast<std::size_t>(face)] = true;
    return {{cylinder, {drum.centre, turnFromZ(drum.axis)}}};
}

// From the low end of the axis to the high one.
std::vector<WallGeometry> wallsOf(const Sleeve& sleeve) {
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

template <class Kind>
std::vector<WallGeometry> wallsOf(const Kind&) {
    return {};
}

template <class Kind>
concept WallKind = std::same_as<Kind, Plane> || std::same_as<Kind, Container> || std::same_as<Kind, Drum> ||
    std::same_as<Kind, Sleeve>;

// --- grains
// --------------------------------------------------------------------------------------------------------

// With the radius of the largest bounding sphere, which the sites are made for.
LatticeBodies sized(LatticeBodies lattice, const GrainSupply& supply) {
    lattice.radius = largestBoundingRadius(supply.size, supply.forms);
    if (!lattice.spacing) lattice.spacing = 2 * *lattice.radius;
    return lattice;
}

std::optional<SizeSettings> sizeOf(const LatticeBodies& lattice) {
    if (!lattice.radius) return {};
    return SingleSize{*lattice.radius};
}

// Makes the grains of one entry.
class GrainWriter {
public:
    GrainWriter(const WorldState& world, Random random, GrainPlan& plan)
        : world_(world), random_(std::move(random)), plan_(plan) {}

    void add(BodyDefinition grain, const Vec3& position, double radius) {
        grain.position = position;
        grain.radius = radius;
        plan_.definitions.push_back(grain);
    }

    void add(BodyDefinition grain, const Vec3& position, const DrawnGrain& drawn) {
        grain.shape = drawn.shape;
        grain.orientation = drawOrientation(world_, drawn.shape, random_);
        add(grain, position, drawn.radius);
    }

    // A body whose form has this pose, its lengths times the scale.
    void add(BodyDefinition grain, const ShapeLibrary::Entry& entry, const Pose& ofForm, double scale) {
        const Pose inPlane{ofForm.position, ofForm.orientation * planeTurn(world_)};
        const Pose pose = placed(inPlane, {scale * entry.pose.position, entry.pose.orientation});
        grain.shape = entry.shape;
        grain.orientation = pose.orientation;
        add(grain, pose.position, scale * entry.scale * boundingRadius(world_.shapes[entry.shape]));
    }

    void addLattice(const LatticeBodies& lattice, const GrainSupply& supply, BodyDefinition model) {
        const LatticeBodies sites = sized(lattice, supply);
        const double shift = lattice.jitter * *sites.spacing;
        const std::vector<Vec3> centres = latticeCentres(sites, planarOf(world_));
        if (centres.empty()) throw InputError("no sphere fits into the region");
        const CentreBox box = centreBox(sites, centres);
        for (const Vec3& centre : centres) {
            const Vec3 jitter = shift > 0 ? random_.inBox({-shift, -shift, -shift}, {shift, shift, shift}) : Vec3{};
            model.velocity = drawVelocity(lattice.velocity, lattice.randomVelocity);
            const DrawnGrain grain = drawGrain(supply.size, supply.forms, random_);
            add(model, box.nearest(centre + hadamard(world_.linearFreedom, jitter)), grain);
        }
    }

    void addPyramid(const PyramidBodies& pyramid, BodyDefinition model) {
        const std::vector<Vec3> centres = pyramidCentres(pyramid);
        const bool allFixed = model.fixed;
        for (std::size_t k = 0; k < centres.size(); ++k) {
            model.fixed = allFixed || (pyramid.fixedBase && k < pyramid.base * pyramid.base);
            add(model, centres[k], pyramid.radius);
        }
    }

    void addRandom(const RandomBodies& settings, const GrainSupply& supply, BodyDefinition model) {
        const auto isClear = [&](const Vec3& p, double r) {
            return nearestFace(plan_.walls, p).distance >= r && isClearOfSolids(world_, plan_, p, r);
        };
        const FreeSpace space{plan_.balls.grid, isClear};
        for (const Placed& grain : fillRandomly(settings, supply, planarOf(world_), random_, space)) {
            model.velocity = drawVelocity(settings.velocity, settings.randomVelocity);
            add(model, grain.centre, grain.grain);
        }
    }

private:
    // The common velocity plus a random part, within the plane of a planar scene.
    Vec3 drawVelocity(const Vec3& velocity, double part) {
        if (part == 0) return velocity;
        return velocity + hadamard(world_.linearFreedom, random_.inBox({-part, -part, -part}, {part, part, part}));
    }

    const WorldState& world_;
    Random random_;
    GrainPlan& plan_;
};

// What of the plan is new belongs to this entry. Single solids, which may be long, hollow or flat, have a map of
// their own.
enum class Spacing { bounding, bySurface };
void enter(GrainPlan& plan, std::uint32_t entry, Spacing spacing) {
    const std::size_t first = plan.entries.size();
    plan.entries.resize(plan.definitions.size(), entry);
    for (std::size_t k = first; k < plan.definitions.size(); ++k) {
        const bool isSolid = spacing == Spacing::bySurface && plan.definitions[k].shape != 0;
        (isSolid ? plan.solids : plan.balls).add(plan.definitions[k], static_cast<std::uint32_t>(k));
    }
}

// 1 along the given axes, as far as the world has them.
Vec3 along(const std::optional<std::vector<Axis>>& axes, const Vec3& ofWorld) {
    if (!axes) return ofWorld;
    Vec3 chosen;
    for (const Axis axis : *axes) chosen[static_cast<int>(axis)] = ofWorld[static_cast<int>(axis)];
    return chosen;
}

const char* nameOf(Planar planar) {
    constexpr std::array<const char*, 4> names{"none", "xy", "xz", "yz"};
    return names[static_cast<std::size_t>(planar)];
}

}  // namespace

bool isWallKind(const BodyKind& kind) {
    return std::visit([]<class Kind>(const Kind&) { return WallKind<Kind>; }, kind);
}

GrainSupply BodyMaker::supplyOf(const std::optional<SizeSettings>& size, const std::vector<GrainForm>& grains) {
    return {distributionOf(size), shapes_.sharesOf(grains, files_, world_)};
}

double BodyMaker::count(const BodyKind& kind) {
    const Planar planar = planarOf(world_);
    if (const auto* lattice = std::get_if<LatticeBodies>(&kind)) {
        return countLatticeSites(sized(*lattice, supplyOf(sizeOf(*lattice), lattice->grains)), planar);
    }
    if (const auto* random = std::get_if<RandomBodies>(&kind)) {
        return countRandomFill(*random, supplyOf(random->radius, random->grains), planar);
    }
    if (const auto* pyramid = std::get_if<PyramidBodies>(&kind)) {
        const double n = static_cast<double>(pyramid->base);
        return n * (n + 1) * (2 * n + 1) / 6;
    }
    return isWallKind(kind) || std::holds_alternative<CsvBodies>(kind) ? 0 : 1;
}

std::vector<BodyDefinition> BodyMaker::makeWalls(const BodyKind& kind, const BodyDefinition& model) {
    std::vector<BodyDefinition> walls;
    for (const WallGeometry& wall : std::visit([](const auto& k) { return wallsOf(k); }, kind)) {
        walls.push_back(model);
        walls.back().shape = world_.shapes.add(wall.shape);
        walls.back().position = wall.pose.position;
        walls.back().orientation = wall.pose.orientation;
    }
    return walls;
}

void BodyMaker::makeGrains(const BodyKind& kind, const BodyDefinition& model, std::uint32_t entry, Random random,
                           GrainPlan& plan) {
    GrainWriter writer(world_, std::move(random), plan);
    std::visit(
        [&]<class Kind>(const Kind& k) {
            BodyDefinition grain = model;
            if constexpr (std::same_as<Kind, LatticeBodies>) {
                writer.addLattice(k, supplyOf(sizeOf(k), k.grains), model);
            } else if constexpr (std::same_as<Kind, PyramidBodies>) {
                writer.addPyramid(k, model);
            } else if constexpr (std::same_as<Kind, RandomBodies>) {
                writer.addRandom(k, supplyOf(k.radius, k.grains), model);
            } else if constexpr (!WallKind<Kind> && !std::same_as<Kind, CsvBodies>) {
                grain.velocity = k.velocity;
                grain.spin = k.spin;
                if constexpr (std::same_as<Kind, SphereBody>) {
                    writer.add(grain, k.position, k.radius);
                } else {
                    const auto& shape = shapes_.find(BodyForm(k.form), files_, world_);
                    writer.add(grain, shape, {k.position, orientationOf(k)}, 1);
                }
            }
        },
        kind);
    const bool isMany = std::holds_alternative<LatticeBodies>(kind) || std::holds_alternative<RandomBodies>(kind);
    enter(plan, entry, isMany ? Spacing::bounding : Spacing::bySurface);
}

void BodyMaker::makeGrains(const ListedBodies& table, const BodyDefinition& model, std::uint32_t entry,
                           GrainPlan& plan) {
    GrainWriter writer(world_, Random(0, 0), plan);
    const std::vector<GrainShare> shares = shapes_.sharesOf(table.forms, files_, world_);
    for (const ListedBody& row : table.rows) {
        BodyDefinition grain = model;
        grain.fixed = model.fixed || row.fixed;
        grain.material = row.material;
        grain.velocity = row.velocity;
        grain.spin = row.spin;
        if (table.forms.empty()) {
            writer.add(grain, row.position, row.radius);
            continue;
        }
        const double scale = row.radius > 0 ? row.radius / shares[row.form].equivalentRadius : 1;
        const auto& shape = shapes_.find(table.forms[row.form].form, files_, world_);
        writer.add(grain, shape, {row.position, normalized(row.orientation)}, scale);
    }
    enter(plan, entry, Spacing::bounding);
}

Source BodyMaker::makeSource(const SourceSettings& settings) {
    Source source;
    source.low = settings.region.low;
    source.high = settings.region.high;
    source.rate = settings.rate;
    source.start = settings.start;
    source.stop = settings.stop.value_or(source.stop);
    source.limit = settings.limit.value_or(source.limit);
    source.velocity = settings.velocity;
    GrainSupply supply = supplyOf(settings.radius, settings.grains);
    source.size = std::move(supply.size);
    source.forms = std::move(supply.forms);
    return source;
}

void applyFree(const WorldState& world, const FreeSettings& free, FreeBodyKind kind, BodyDefinition& body) {
    const bool turnsAnyway = kind == FreeBodyKind::wall;
    const Vec3 turns = turnsAnyway || free.turns ? along(free.turns, world.angularFreedom) : Vec3{};
    body.mass = free.mass.value_or(0.0);
    body.inertia = free.inertia;
    body.guide = Freedom{along(free.axes, world.linearFreedom), turns};
    body.velocity = free.velocity;
}

std::uint16_t findGroup(WorldState& world, const std::string& name) {
    std::vector<std::string>& names = world.groupNames;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::uint16_t>(found - names.begin());
    if (names.size() >= 0xFFFF) throw InputError("too many groups");
    names.push_back(name);
    return static_cast<std::uint16_t>(names.size() - 1);
}

std::uint16_t addMotionLaw(WorldState& world, MotionLaw law) {
    if (world.motionLaws.size() >= noMotion) throw InputError(fmt::format("at most {} motions can be given", noMotion));
    if (auto* rotation = std::get_if<RotationMotion>(&law)) rotation->axis = normalized(rotation->axis);
    world.motionLaws.push_back(std::move(law));
    return static_cast<std::uint16_t>(world.motionLaws.size() - 1);
}

std::uint16_t addMotion(WorldState& world, std::uint16_t law, const Pose& start) {
    if (world.motions.size() >= noMotion) {
        throw InputError(fmt::format("at most {} bodies can have a motion", noMotion));
    }
    return startMotion(world, law, start);
}

std::uint16_t addLoad(WorldState& world, const ForceLaw& law) {
    if (world.loads.size() >= noLoad) throw InputError(fmt::format("at most {} entries can have a force", noLoad));
    world.loads.push_back(law);
    return static_cast<std::uint16_t>(world.loads.size() - 1);
}

void makePlanar(WorldState& world, Planar planar) {
    const int across = acrossAxis(planar);
    if (across < 0) return;
    world.linearFreedom[across] = 0;
    world.angularFreedom = {0, 0, 0};
    world.angularFreedom[across] = 1;
}

Planar planarOf(const WorldState& world) {
    const Vec3& free = world.linearFreedom;
    return free.z == 0 ? Planar::xy : free.y == 0 ? Planar::xz : free.x == 0 ? Planar::yz : Planar::none;
}

Domain makeDomain(const DomainSettings& settings) {
    Domain domain{settings.low, settings.high, {}};
    for (const Axis axis : settings.periodic) domain.periodic[static_cast<std::size_t>(axis)] = true;
    return domain;
}

std::string velocityFault(Planar planar, const Vec3& velocity) {
    const int across = acrossAxis(planar);
    if (across < 0 || velocity[across] == 0) return "";
    return fmt::format("leaves the plane of the scene; set {} to 0 instead of {} m/s, or leave out planar: {}",
                       "xyz"[across], velocity[across], nameOf(planar));
}

std::string spinFault(Planar planar, const Vec3& spin) {
    const int across = acrossAxis(planar);
    if (across < 0) return "";
    for (int axis = 0; axis < 3; ++axis) {
        if (axis == across || spin[axis] == 0) continue;
        return fmt::format(
            "turns a body out of the plane of the scene; set {} to 0 instead of {} rad/s (spins are about {} "
            "here), "
            "or leave out planar: {}",
            "xyz"[axis], spin[axis], "xyz"[across], nameOf(planar));
    }
    return "";
}

}  // namespace talus
