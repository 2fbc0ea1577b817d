#include "geometry/shape_digest.hpp"

#include "base/hash.hpp"
#include "geometry/mesh/mesh.hpp"
#include "geometry/nurbs/outline.hpp"
#include "geometry/nurbs/surface_body.hpp"
#include "geometry/solids/compound.hpp"
#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

template <class T>
void addAll(Hash& hash, const std::vector<T>& values) {
    hash.add(values.size());
    hash.addBytes(values.data(), values.size() * sizeof(T));
}

// What holds no data from files follows from the text of the scene.
template <class Plain>
requires std::is_trivially_copyable_v<Plain> std::uint64_t digest(const Plain&) { return 0; }
std::uint64_t digest(const PolygonShape&) { return 0; }

std::uint64_t digest(const HullShape& s) {
    Hash hash;
    addAll(hash, s.hull->corners);
    hash.add(s.rounding);
    return hash.value();
}

std::uint64_t digest(const MeshShape& s) {
    Hash hash;
    addAll(hash, s.mesh->corners);
    addAll(hash, s.mesh->triangles);
    hash.add(s.mesh->closed);
    return hash.value();
}

std::uint64_t digest(const CompoundShape& s) {
    Hash hash;
    for (const CompoundBody::Part& part : s.parts->parts) {
        hash.add(digestOf(part.shape));
        hash.add(part.scale);
        hash.add(part.pose);
    }
    return hash.value();
}

std::uint64_t digest(const OutlineShape& s) {
    const NurbsDefinition& d = s.outline->curve.definition();
    Hash hash;
    hash.add(d.degree);
    addAll(hash, d.points);
    addAll(hash, d.weights);
    addAll(hash, d.knots);
    hash.add(s.outline->gapTolerance);
    return hash.value();
}

std::uint64_t digest(const SurfaceShape& s) {
    const SurfaceDefinition& d = s.body->tree.surface().definition();
    Hash hash;
    hash.add(d.degreeU);
    hash.add(d.degreeV);
    hash.add(d.columns);
    addAll(hash, d.points);
    addAll(hash, d.weights);
    addAll(hash, d.knotsU);
    addAll(hash, d.knotsV);
    hash.add(s.body->gapTolerance);
    return hash.value();
}

}  // namespace

std::uint64_t digestOf(const Shape& shape) {
    return std::visit([](const auto& s) { return digest(s); }, shape);
}

}  // namespace talus
