// What bodies a user asks for: single ones of every form, walls, many at once, and those that come and go.
//
// The forms themselves are in body_forms.hpp, their motions in motion.hpp. The same names as in scene files, in snake
// case there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "talus/body_forms.hpp"
#include "talus/load.hpp"
#include "talus/motion.hpp"
#include "talus/space.hpp"
#include "talus/vec3.hpp"

namespace talus {

enum class BoxFace { lowX, highX, lowY, highY, lowZ, highZ };
enum class DrumFace { mantle, low, high };
enum class Lattice { sc, bcc, fcc, hcp, triangular };

// --- sizes of many grains ------------------------------------------------------------------------------------------

struct SingleSize {
    double radius = 0;  // m
};
struct UniformSize {
    double low = 0, high = 0;  // m
};
struct NormalSize {
    double mean = 0, deviation = 0;  // m
    double low = 0, high = 0;        // m; drawn again outside, so that no grain is absurdly small
};
struct TableSize {
    std::vector<double> radii;    // m
    std::vector<double> weights;  // shares by number, any positive sum
};
using SizeSettings = std::variant<SingleSize, UniformSize, NormalSize, TableSize>;

// --- bodies --------------------------------------------------------------------------------------------------------

struct SphereBody {
    double radius = 0;    // m
    Vec3 position;        // m
    Vec3 velocity, spin;  // m/s, rad/s
};

// A body of another form. Velocities are those of its centre of mass.
template <class Form>
struct SolidBody {
    Form form;
    Vec3 position;                                     // m, of the origin of the form's frame
    std::optional<Vec3> rotation;                      // rad, axis times angle; this or orientation, or neither
    std::optional<std::array<double, 4>> orientation;  // w, x, y, z; of any length but zero
    Vec3 velocity, spin;                               // m/s, rad/s
};

struct Plane {
    Vec3 point;                     // m, any point of the surface
    Vec3 normal{0, 0, 1};           // towards the grains, any length
    std::optional<std::string> on;  // in a stage: moved along the normal until it touches a body of this group
};

struct Container {
    Vec3 centre, size;  // m, inner edges
    Vec3 rotation;      // rad, axis times angle, about the centre
    std::vector<BoxFace> open;
};

struct Drum {
    Vec3 centre;                    // m
    Vec3 axis{0, 0, 1};             // any length
    double radius = 0, length = 0;  // m, inner
    std::vector<DrumFace> open;
};

// A hollow cylinder of rings one above the other, each with a radius of its own if a radial servo moves it.
struct Sleeve {
    Vec3 centre;                    // m
    Vec3 axis{0, 0, 1};             // any length
    double radius = 0, length = 0;  // m, inner
    std::uint64_t rings = 10;
};

struct LatticeBodies {
    Lattice lattice = Lattice::fcc;
    std::vector<GrainForm> grains;                      // spheres if empty
    std::optional<double> radius;                       // m; with grains of the ball of equal volume, or as given
    std::optional<double> spacing;                      // m, between centres of nearest neighbours; touching if not set
    Vec3 origin;                                        // m, low corner of the space filled
    std::optional<std::array<std::uint64_t, 3>> count;  // cells along x, y, z; this or region
    std::optional<BoxRegion> region;                    // every site whose sphere is wholly inside
    double jitter = 0;                                  // -, largest shift of each coordinate over spacing
    Vec3 velocity;                                      // m/s
    double randomVelocity = 0;                          // m/s, each component differs by up to this
};

struct PyramidBodies {
    std::uint64_t base = 0;  // spheres along each side of the lowest layer
    double radius = 0;       // m
    Vec3 origin;             // m, low corner of the box around the pile
    double layerGap = 0;     // m, extra height between layers
    bool fixedBase = false;
};

struct RandomBodies {
    Region region;                         // bounding spheres are wholly inside
    std::vector<GrainForm> grains;         // spheres if empty
    std::optional<SizeSettings> radius;    // with grains of the ball of equal volume, or as given
    std::optional<std::uint64_t> count;    // this or volumeFraction
    std::optional<double> volumeFraction;  // -, of the region; area fraction in a planar scene
    Vec3 velocity;                         // m/s
    double randomVelocity = 0;             // m/s, each component differs by up to this
    std::uint64_t maxAttempts = 20000;     // places tried for one sphere before giving up
};

struct CsvBodies {
    std::string file;               // relative to the scene file
    std::vector<GrainForm> grains;  // spheres if empty; shares mean nothing
};

// A single body of each form, each wall, and each way to make many bodies.
template <class Form>
struct BodyKindsOf;
template <class... Solid>
struct BodyKindsOf<std::variant<Sphere, Solid...>> {
    using Type = std::variant<SphereBody, SolidBody<Solid>..., Plane, Container, Drum, Sleeve, LatticeBodies,
                              PyramidBodies, RandomBodies, CsvBodies>;
};
using BodyKind = BodyKindsOf<BodyForm>::Type;

// Any single wall.
using WallForm = std::variant<Plane, Container, Drum>;

// What makes a wall a body that forces can move, or guides a solid: a lid, a piston, a platform.
struct FreeSettings {
    std::optional<double> mass;              // kg; of a solid that of its volume if not set
    std::optional<std::vector<Axis>> axes;   // along which it moves; all if not set
    double inertia = 0;                      // kg m^2, of a wall, about its point or centre; 0: it does not turn
    std::optional<std::vector<Axis>> turns;  // about which a wall with an inertia turns, all if not set; a solid: none
    Vec3 velocity;                           // m/s, of a wall; solids have their own
};

struct BodySettings {
    BodyKind kind;
    std::optional<std::string> name;      // of a single body, under which joints know it
    std::optional<std::string> material;  // may be left out when there is only one
    std::optional<std::string> group;     // "grains", or the name of the shape for walls and held solids
    std::optional<bool> fixed;            // held in place; walls are unless they are free
    std::optional<MotionLaw> motion;      // prescribed, so the body is fixed otherwise
    std::optional<FreeSettings> free;     // walls, and single bodies in a guide
    std::optional<ForceLaw> force;        // applied to each body
};

struct SourceSettings {
    BoxRegion region;                    // of the centres of new grains
    double rate = 0;                     // 1/s, grains
    std::vector<GrainForm> grains;       // spheres if empty
    std::optional<SizeSettings> radius;  // with grains of the ball of equal volume, or as given
    std::optional<std::string> material, group;
    Vec3 velocity;                       // m/s
    double start = 0;                    // s
    std::optional<double> stop;          // s
    std::optional<std::uint64_t> limit;  // grains
};

struct SinkSettings {
    BoxRegion region;
};

}  // namespace talus
