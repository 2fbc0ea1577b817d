// A world of bodies, built and changed by calls, read as plain arrays.
//
//   World world({.gravity = {0, 0, -9.81}});
//   MaterialId glass = world.addMaterial({.density = 2500, .friction = 0.5});
//   world.addWall(Plane{}, {.material = glass});
//   BodyId ball = world.addBody(Sphere{5e-3}, {.position = {0, 0, 0.02}, .material = glass});
//   world.fill({.region = BoxRegion{{-0.05, -0.05, 0.05}, {0.05, 0.05, 0.1}},
//               .radius = UniformSize{2e-3, 4e-3},
//               .count = 100},
//              {.material = glass});
//   world.setVelocity(ball, {0.1, 0, 0});
//   for (const Contact& contact : world.contacts()) use(contact.force);
//
// A World holds everything that decides what happens next, and nothing else: a Stepper (stepper.hpp) moves it, and can
// be thrown away between any two steps. Between steps all of it can be changed. What is wrong with a call is told by an
// InputError that says what to do, and the world is as it was.
//
// Units are SI. Bodies are known by ids, which are never used again when a body is gone. Arrays (positions() and so on)
// are in the order of memory, which steps change: grains first, walls after them; ids() says who is where. A span is
// valid until the next step, or call that adds, removes or restores.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "talus/bodies.hpp"
#include "talus/error.hpp"
#include "talus/joint.hpp"
#include "talus/material_settings.hpp"
#include "talus/space.hpp"
#include "talus/vec3.hpp"

namespace talus {

struct MaterialId {
    std::uint16_t value = 0;
    bool operator==(const MaterialId&) const = default;
};
struct BodyId {
    std::uint32_t value = 0;
    auto operator<=>(const BodyId&) const = default;
};
struct JointId {
    std::uint32_t value = 0;
    bool operator==(const JointId&) const = default;
};
struct SourceId {
    std::uint32_t value = 0;
    bool operator==(const SourceId&) const = default;
};
struct SinkId {
    std::uint32_t value = 0;
    bool operator==(const SinkId&) const = default;
};

// In place of a body: what a joint can hold on to.
inline constexpr BodyId theWorldItself{0xFFFFFFFF};

struct WorldSettings {
    Vec3 gravity{0, 0, -9.81};  // m/s^2
    Planar planar = Planar::none;
    std::optional<DomainSettings> domain;  // unbounded if not given
    std::uint64_t seed = 1;                // of all random numbers
    ContactLawSettings contactLaw;         // the kind of law of every contact
    std::filesystem::path folder;          // what names of files in forms start from
    double skin = 0;                       // m, how far neighbour lists look beyond contact; 0: chosen
};

struct BodyOptions {
    Vec3 position;  // m, of the origin of the form's frame
    Quat orientation;
    Vec3 velocity, spin;  // m/s, rad/s
    MaterialId material;
    std::string group;                 // "grains", or the name of the shape for held and guided solids
    bool fixed = false;                // held in place
    std::optional<MotionLaw> motion;   // prescribed
    std::optional<ForceLaw> load;      // a force from outside
    std::optional<FreeSettings> free;  // moves in a guide
    std::string name;                  // by which find() knows it
};

struct WallOptions {
    MaterialId material;
    std::string group;  // the name of the shape if empty
    std::optional<MotionLaw> motion;
    std::optional<ForceLaw> load;
    std::optional<FreeSettings> free;  // moved by forces
    std::string name;
};

// What many grains have in common.
struct GrainOptions {
    MaterialId material;
    std::string group = "grains";
    bool fixed = false;
    std::optional<MotionLaw> motion;
    std::optional<ForceLaw> load;  // on each
};

// A touching contact. Force and torque are on the first body.
struct Contact {
    BodyId first, second;  // a wall is always the second
    Vec3 point, normal;    // m; unit, from second to first
    Vec3 force;            // N
    Vec3 slip;             // m/s, of first over second at the point
    double gap = 0;        // m, negative where they overlap
};

// How a joint stands, and what it bears: force and torque of all that acts on the first body, at the joint's point.
struct JointState {
    double slide = 0, turn = 0;            // m, rad; 0 where the joint has no such coordinate
    double slideSpeed = 0, turnSpeed = 0;  // m/s, rad/s
    Vec3 force, torque;                    // N, N m
};

// The state of a world at some moment, for restore().
class Snapshot;

class World {
public:
    explicit World(const WorldSettings& settings = {});
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // --- materials

    MaterialId addMaterial(const MaterialProperties& properties = {});
    void setMaterial(MaterialId material, const MaterialProperties& changes);
    // What differs between two materials from the values mixed of both.
    void setPair(MaterialId a, MaterialId b, const ContactOverrides& contact);

    // --- bodies

    BodyId addWall(const WallForm& form, const WallOptions& options = {});
    // One wall per ring, from the low end of the axis to the high one.
    std::vector<BodyId> addSleeve(const Sleeve& sleeve, const WallOptions& options = {});
    BodyId addBody(const BodyForm& form, const BodyOptions& options = {});
    // Many at random places clear of all that is there, on a lattice, in a pile.
    std::vector<BodyId> fill(const RandomBodies& bodies, const GrainOptions& options = {});
    std::vector<BodyId> addLattice(const LatticeBodies& bodies, const GrainOptions& options = {});
    std::vector<BodyId> addPyramid(const PyramidBodies& bodies, const GrainOptions& options = {});
    JointId addJoint(BodyId first, BodyId second, const JointSettings& joint);
    // Grains that come and go while steps are taken; material and group are those of the options.
    SourceId addSource(const SourceSettings& source, const GrainOptions& options = {});
    SinkId addSink(const SinkSettings& sink);

    void remove(BodyId body);
    void removeGroup(const std::string& group);
    // Its bodies are free of each other, and touch again if the joint kept them from it.
    void removeJoint(JointId joint);
    // The grains that it made stay.
    void removeSource(SourceId source);
    void removeSink(SinkId sink);

    // --- changes between steps

    void setGravity(const Vec3& gravity);  // m/s^2
    void setPosition(BodyId body, const Vec3& position);
    void setOrientation(BodyId body, const Quat& orientation);
    void setVelocity(BodyId body, const Vec3& velocity);
    void setSpin(BodyId body, const Vec3& spin);
    // From the present pose and time; without a law the body is held where it is.
    void setMotion(BodyId body, const std::optional<MotionLaw>& motion);
    void setLoad(BodyId body, const std::optional<ForceLaw>& load);
    // A held grain moves freely again.
    void release(BodyId body);
    // What the drive of a joint goes for: m/s, m, N, rad/s, rad or N m, by its kind.
    void setMotorTarget(JointId joint, double target);

    // --- reading

    bool contains(BodyId body) const;
    std::size_t indexOf(BodyId body) const;  // in the arrays below, while spans of them are valid
    std::optional<BodyId> find(const std::string& name) const;
    std::vector<BodyId> group(const std::string& name) const;  // in order of id
    const std::string& groupOf(BodyId body) const;
    std::vector<std::string> materialNames() const;  // in order of MaterialId
    std::size_t bodyCount() const;
    std::size_t grainCount() const;
    std::uint32_t bodiesMade() const;  // since the beginning; the next body gets this as its id

    const Vec3& position(BodyId body) const;     // m, of the centre of mass
    const Quat& orientation(BodyId body) const;  // body to world, of the principal axes
    const Vec3& velocity(BodyId body) const;     // m/s
    const Vec3& spin(BodyId body) const;         // rad/s
    const Vec3& force(BodyId body) const;        // N, by contacts
    const Vec3& torque(BodyId body) const;       // N m, by contacts, about the centre of mass
    double mass(BodyId body) const;              // kg; 0 if it is held, moves as prescribed or is a wall that stands

    std::span<const std::uint32_t> ids() const;  // BodyId::value of each body
    std::span<const Vec3> positions() const;
    std::span<const Quat> orientations() const;
    std::span<const Vec3> velocities() const;
    std::span<const Vec3> spins() const;
    std::span<const Vec3> forces() const;
    std::span<const Vec3> torques() const;
    std::span<const double> radii() const;          // m, of bounding spheres; 0 for walls
    std::span<const double> inverseMasses() const;  // 1/kg; 0: does not move by forces

    // Those of the last step (penalty: at the present positions and velocities); none before the first one.
    std::vector<Contact> contacts() const;
    JointState joint(JointId joint) const;

    double time() const;  // s
    std::uint64_t stepCount() const;
    // A hash of all that decides what happens next: the same for any number of threads, from scenes and from calls.
    std::uint64_t stateHash() const;

    // --- keeping

    Snapshot snapshot() const;
    void restore(const Snapshot& snapshot);
    // On disk, in the format of the checkpoints of runs, whole or not at all. A file is loaded into a world made by
    // the same calls that add materials, walls, motions, loads, joints, sources and sinks; InputError if it is not.
    void save(const std::filesystem::path& file) const;
    void load(const std::filesystem::path& file);

    struct Data;  // inside the library
    Data& data() { return *data_; }
    const Data& data() const { return *data_; }

private:
    std::unique_ptr<Data> data_;
};

class Snapshot {
public:
    double time() const;  // s

private:
    friend class World;
    std::shared_ptr<const World::Data> data_;
};

}  // namespace talus
