// A World as it is: reading and keeping it.
#include "talus/world.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/fingerprint.hpp"
#include "api/world_data.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "measure/contact_sample.hpp"
#include "model/joint_geometry.hpp"
#include "model/load.hpp"
#include "talus/error.hpp"

namespace talus {

World::World(const WorldSettings& settings) : data_(std::make_unique<Data>(settings)) {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

// --- reading

bool World::contains(BodyId body) const { return data_->find(body) < data_->state().bodies.size(); }

std::size_t World::indexOf(BodyId body) const { return data_->indexOf(body, "indexOf"); }

std::optional<BodyId> World::find(const std::string& name) const {
    const auto found = data_->parts.names.find(name);
    if (found == data_->parts.names.end() || !contains({found->second})) return {};
    return BodyId{found->second};
}

std::vector<BodyId> World::group(const std::string& name) const {
    const WorldState& w = data_->state();
    std::vector<BodyId> ids;
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
        if (w.groupNames[w.bodies.group[i]] == name) ids.push_back({w.bodies.id[i]});
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

const std::string& World::groupOf(BodyId body) const {
    const WorldState& w = data_->state();
    return w.groupNames[w.bodies.group[data_->indexOf(body, "groupOf")]];
}

std::vector<std::string> World::materialNames() const {
    std::vector<std::string> names;
    for (const MaterialTable::Entry& entry : data_->parts.materials.list) names.push_back(entry.name);
    return names;
}

std::size_t World::bodyCount() const { return data_->state().bodies.size(); }
std::size_t World::grainCount() const { return data_->state().bodies.grainCount; }
std::uint32_t World::bodiesMade() const { return data_->state().nextId; }

const Vec3& World::position(BodyId body) const { return positions()[data_->indexOf(body, "position")]; }
const Quat& World::orientation(BodyId body) const { return orientations()[data_->indexOf(body, "orientation")]; }
const Vec3& World::velocity(BodyId body) const { return velocities()[data_->indexOf(body, "velocity")]; }
const Vec3& World::spin(BodyId body) const { return spins()[data_->indexOf(body, "spin")]; }
const Vec3& World::force(BodyId body) const { return forces()[data_->indexOf(body, "force")]; }
const Vec3& World::torque(BodyId body) const { return torques()[data_->indexOf(body, "torque")]; }
double World::mass(BodyId body) const {
    const double inverse = inverseMasses()[data_->indexOf(body, "mass")];
    return inverse > 0 ? 1 / inverse : 0.0;
}

std::span<const std::uint32_t> World::ids() const { return data_->state().bodies.id; }
std::span<const Vec3> World::positions() const { return data_->state().bodies.position; }
std::span<const Quat> World::orientations() const { return data_->state().bodies.orientation; }
std::span<const Vec3> World::velocities() const { return data_->state().bodies.velocity; }
std::span<const Vec3> World::spins() const { return data_->state().bodies.spin; }
std::span<const Vec3> World::forces() const { return data_->state().bodies.force; }
std::span<const Vec3> World::torques() const { return data_->state().bodies.torque; }
std::span<const double> World::radii() const { return data_->state().bodies.radius; }
std::span<const double> World::inverseMasses() const { return data_->state().bodies.inverseMass; }

std::vector<Contact> World::contacts() const {
    const WorldState& w = data_->state();
    const Bodies& b = w.bodies;
    std::vector<Contact> result;
    for (const ContactSample& c : sampleContacts(w)) {
        const Vec3 arm = c.point - b.position[c.owner];
        const Vec3 otherArm = c.partner < b.grainCount ? arm + c.branch : c.point - b.position[c.partner];
        const Vec3 relative = b.velocity[c.owner] + cross(b.spin[c.owner], arm) - b.velocity[c.partner] -
                              cross(b.spin[c.partner], otherArm);
        result.push_back({.first = {b.id[c.owner]},
                          .second = {b.id[c.partner]},
                          .point = c.point,
                          .normal = c.normal,
                          .force = c.force,
                          .slip = relative - dot(relative, c.normal) * c.normal,
                          .gap = -c.overlap});
    }
    return result;
}

JointState World::joint(JointId joint) const {
    const WorldState& w = data_->state();
    if (joint.value >= w.joints.size()) {
        throw InputError(fmt::format("joint: there is no joint {}; {} were added", joint.value, w.joints.size()));
    }
    std::vector<JointIndices> indices;
    findJointBodies(w, indices);
    const JointCoordinates at = coordinatesOf(w, joint.value, indices[joint.value]);
    return {.slide = at.slide,
            .turn = at.turn,
            .slideSpeed = at.slideSpeed,
            .turnSpeed = at.turnSpeed,
            .force = w.joints.force[joint.value],
            .torque = w.joints.torque[joint.value]};
}

double World::time() const { return data_->state().time; }
std::uint64_t World::stepCount() const { return data_->state().step; }
std::uint64_t World::stateHash() const { return talus::stateHash(data_->state()); }

// --- keeping

Snapshot World::snapshot() const {
    Snapshot snapshot;
    snapshot.data_ = std::make_shared<const Data>(*data_);
    return snapshot;
}

void World::restore(const Snapshot& snapshot) {
    if (!snapshot.data_) throw InputError("restore: the snapshot is empty; make one by World::snapshot()");
    *data_ = *snapshot.data_;
    data_->serial = Data::newSerial();
}

double Snapshot::time() const {
    if (!data_) throw InputError("Snapshot::time: the snapshot is empty; make one by World::snapshot()");
    return data_->state().time;
}

void World::save(const std::filesystem::path& file) const {
    saveCheckpoint(file, data_->state(), {.scene = "", .extra = fingerprintOf(data_->parts)});
}

void World::load(const std::filesystem::path& file) {
    auto loaded = std::make_unique<Data>(*data_);
    adoptFingerprint(inspectCheckpoint(file).extra.extra, file.string(), loaded->parts);
    loadCheckpoint(file, loaded->state());
    setLoads(loaded->state(), loaded->state().time);
    data_ = std::move(loaded);
    data_->serial = Data::newSerial();
}

}  // namespace talus
