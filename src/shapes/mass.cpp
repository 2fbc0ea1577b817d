// Volumes, moments of inertia and bounding radii of the shapes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "shapes/compound.hpp"
#include "shapes/hull.hpp"
#include "shapes/mesh.hpp"
#include "shapes/shape.hpp"

namespace talus {
namespace {

using std::numbers::pi;

MassProperties massOf(const PlaneWall&) { return {}; }
MassProperties massOf(const BoxWall&) { return {}; }
MassProperties massOf(const CylinderWall&) { return {}; }

MassProperties massOf(const EllipsoidShape& e) {
    const Vec3 s = hadamard(e.semiAxes, e.semiAxes);
    const double volume = 4.0 / 3.0 * pi * e.semiAxes.x * e.semiAxes.y * e.semiAxes.z;
    return {volume, 0.2 * volume * Vec3{s.y + s.z, s.z + s.x, s.x + s.y}};
}

MassProperties massOf(const SphereShape&) { return massOf(EllipsoidShape{{1, 1, 1}}); }

MassProperties massOf(const BoxShape& b) {
    const Vec3 s = hadamard(b.halfSize, b.halfSize);
    const double volume = 8 * b.halfSize.x * b.halfSize.y * b.halfSize.z;
    return {volume, volume / 3.0 * Vec3{s.y + s.z, s.z + s.x, s.x + s.y}};
}

MassProperties massOf(const MeshShape& m) { return m.mesh->mass; }
MassProperties massOf(const CompoundShape& c) { return c.parts->mass; }

// Placeholder for shapes whose integrals follow.
template <class Solid>
MassProperties massOf(const Solid&) {
    return {};
}

double radiusOf(const SphereShape&) { return 1; }
double radiusOf(const BoxShape& b) { return norm(b.halfSize) + b.rounding; }
double radiusOf(const HullShape& h) { return h.hull->radius + h.rounding; }
double radiusOf(const MeshShape& m) { return m.mesh->radius; }
double radiusOf(const CompoundShape& c) { return c.parts->radius; }
double radiusOf(const EllipsoidShape& e) { return std::max({e.semiAxes.x, e.semiAxes.y, e.semiAxes.z}); }

template <class Rest>
double radiusOf(const Rest&) {
    return 0;
}

}  // namespace

MassProperties massProperties(const Shape& shape) {
    return std::visit([](const auto& s) { return massOf(s); }, shape);
}

double boundingRadius(const Shape& shape) {
    return std::visit([](const auto& s) { return radiusOf(s); }, shape);
}

}  // namespace talus
