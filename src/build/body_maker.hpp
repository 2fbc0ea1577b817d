// Makes bodies of what a user asks for (talus/bodies.hpp): single solids, walls, lattices, piles, random fill, tables.
//
// Names are numbers of the world here already, files of bodies are read. What is made are definitions; who asked for
// them lets them enter the world, now or later. Failures are InputErrors without a place.
#pragma once

#include <cmath>
#include <limits>
#include <vector>

#include "base/random.hpp"
#include "build/body_check.hpp"
#include "build/generators.hpp"
#include "build/shape_library.hpp"
#include "model/world.hpp"
#include "talus/bodies.hpp"

namespace talus {

// Random numbers of the k-th entry of bodies come from stream firstBodyStream + k, those of source k from stream k.
inline constexpr std::uint32_t firstBodyStream = 1u << 20;

inline constexpr double mostBodies = 1e8;
inline constexpr double bytesPerBody = 700;  // at the peak of a run, contacts and neighbour lists included

// A body of a table. The form is one of those that the table goes with; without forms bodies are spheres.
struct ListedBody {
    Vec3 position, velocity, spin;  // m, m/s, rad/s
    Quat orientation;               // of the form
    double radius = 0;              // m; with forms: of the ball of equal volume, or 0: as the form is given
    std::size_t form = 0;
    bool fixed = false;
    std::uint16_t material = 0;
};
struct ListedBodies {
    std::vector<ListedBody> rows;
    std::vector<GrainForm> forms;  // of formsOf()
};

// Unit quaternions stay as they are: normalising them again changes their last bits, and bodies that calls turn by
// rotationBy() have the bits of those that scenes turn.
inline Quat unitOf(const Quat& q) {
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    return std::abs(square - 1) <= 4 * std::numeric_limits<double>::epsilon() ? q : normalized(q);
}

// How the form of a body is turned at the start.
template <class Form>
Quat orientationOf(const SolidBody<Form>& body) {
    if (!body.orientation) return rotationBy(body.rotation.value_or(Vec3{}));
    const auto& [w, x, y, z] = *body.orientation;
    return unitOf({w, x, y, z});
}

bool isWallKind(const BodyKind& kind);

class BodyMaker {
public:
    // All three must outlive this object.
    BodyMaker(WorldState& world, ShapeLibrary& shapes, const FormFiles& files)
        : world_(world), shapes_(shapes), files_(files) {}

    // How many grains these are, at most; none for walls and tables.
    double count(const BodyKind& kind);

    // One definition for each wall that this makes, a copy of the model but for shape and pose; none if it is no wall.
    std::vector<BodyDefinition> makeWalls(const BodyKind& kind, const BodyDefinition& model);

    // Adds the grains to the plan, copies of the model but for what the kind says; none if it is a wall. Random ones
    // keep clear of the walls and grains that are in the plan.
    void makeGrains(const BodyKind& kind, const BodyDefinition& model, std::uint32_t entry, Random random,
                    GrainPlan& plan);
    void makeGrains(const ListedBodies& table, const BodyDefinition& model, std::uint32_t entry, GrainPlan& plan);

    // Without numbers for material and group.
    Source makeSource(const SourceSettings& settings);

private:
    GrainSupply supplyOf(const std::optional<SizeSettings>& size, const std::vector<GrainForm>& grains);

    WorldState& world_;
    ShapeLibrary& shapes_;
    const FormFiles& files_;
};

// Lets forces move a body: a wall, which turns unless the axes say otherwise, or a solid in a guide, which turns only
// if that is said.
enum class FreeBodyKind { wall, solid };
void applyFree(const WorldState& world, const FreeSettings& free, FreeBodyKind kind, BodyDefinition& body);

// Numbers of the world for what bodies share; InputError if there are too many.
std::uint16_t findGroup(WorldState& world, const std::string& name);
std::uint16_t addMotionLaw(WorldState& world, MotionLaw law);
std::uint16_t addLoad(WorldState& world, const ForceLaw& law);
// The motion of one body that follows the law from the start.
std::uint16_t addMotion(WorldState& world, std::uint16_t law, const Pose& start);

// Restricts all motion of the world to a plane.
void makePlanar(WorldState& world, Planar planar);
Planar planarOf(const WorldState& world);

Domain makeDomain(const DomainSettings& settings);

// The velocity or spin of a body at the start leaves the plane of a planar world, which it would do for ever: what is
// wrong, or "". Names of planes are those of scenes.
std::string velocityFault(Planar planar, const Vec3& velocity);
std::string spinFault(Planar planar, const Vec3& spin);

}  // namespace talus
