#include "io/scene/make_shape.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "build/generators.hpp"
#include "geometry/mesh/mesh_reader.hpp"
#include "geometry/nurbs/outline.hpp"
#include "geometry/nurbs/surface_body.hpp"
#include "geometry/solids/compound.hpp"
#include "geometry/solids/hull.hpp"
#include "geometry/solids/make_solids.hpp"
#include "grains/surface_fit.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"

namespace talus {
namespace {

using Folder = std::filesystem::path;

Pose alongAxis(const Vec3& axis) { return {{}, turnFromZ(axis)}; }

// The form of one grain of a file, its points in place of the file.
Outline formOf(const Grain& grain, Outline form) {
    form.file.reset();
    form.grain.reset();
    form.degree = static_cast<std::uint64_t>(grain.outline.degree);
    form.knots = grain.outline.knots;
    form.weights = grain.outline.weights;
    form.points.emplace();
    for (const Vec2& p : grain.outline.points) form.points->push_back({p.x, p.y});
    return form;
}

// The same of a file of points.
Outline formOf(const std::vector<Vec2>& points, Outline form) {
    if (form.grain) throw InputError(fmt::format("{} has the points of one outline, and no names", *form.file));
    form.file.reset();
    form.points.emplace();
    for (const Vec2& p : points) form.points->push_back({p.x, p.y});
    return form;
}

NurbsDefinition definitionOf(const Outline& form) {
    NurbsDefinition definition{.degree = static_cast<int>(form.degree), .weights = form.weights, .knots = form.knots};
    for (const auto& [x, y] : *form.points) definition.points.push_back({x, y});
    if (form.knots.empty()) definition = closedUniform(std::move(definition));
    return scaled(std::move(definition), form.scale);
}

}  // namespace

Pose placed(const Pose& outer, const Pose& inner) {
    return {outer.position + rotate(outer.orientation, inner.position), outer.orientation * inner.orientation};
}

ShapeOfForm makeShape(const Sphere& form, const Folder&) { return {SphereShape{}, form.radius, {}}; }

ShapeOfForm makeShape(const Box& form, const Folder&) {
    const Vec3 rounding{form.rounding, form.rounding, form.rounding};
    return {BoxShape{0.5 * form.size - rounding, form.rounding}, 1, {}};
}

ShapeOfForm makeShape(const Cylinder& form, const Folder&) {
    const CylinderShape shape{form.radius - form.rounding, 0.5 * form.length - form.rounding, form.rounding};
    return {shape, 1, alongAxis(form.axis)};
}

ShapeOfForm makeShape(const Cone& form, const Folder&) {
    const ConeShape shape = makeCone(form.lowRadius, form.highRadius, form.length, form.rounding);
    // The form's origin is half way, the shape's at the centre of mass.
    const Pose centre{{0, 0, -0.5 * (shape.low + shape.high)}, {}};
    return {shape, 1, placed(alongAxis(form.axis), centre)};
}

ShapeOfForm makeShape(const Capsule& form, const Folder&) {
    return {CapsuleShape{form.radius, 0.5 * form.length}, 1, alongAxis(form.axis)};
}

ShapeOfForm makeShape(const Ellipsoid& form, const Folder&) { return {EllipsoidShape{form.semiAxes}, 1, {}}; }

ShapeOfForm makeShape(const Superquadric& form, const Folder&) {
    return {SuperquadricShape{form.semiAxes, form.equator, form.meridian}, 1, {}};
}

ShapeOfForm makeShape(const Hull& form, const Folder& folder) {
    const std::vector<Vec3> points = form.points ? *form.points : readMesh(folder / *form.file, form.scale).corners;
    const HullInPlace made = makeHull(points, form.rounding);
    return {made.shape, 1, made.pose};
}

ShapeOfForm makeShape(const Mesh& form, const Folder& folder) {
    const MeshFile file = readMesh(folder / form.file, form.scale);
    const MeshInPlace made = form.surface ? makeSurface(file) : makeMesh(file);
    return {made.shape, 1, made.pose};
}

ShapeOfForm makeShape(const Clump& form, const Folder&) {
    std::vector<CompoundBody::Part> parts;
    for (const auto& [x, y, z, radius] : form.spheres) parts.push_back({SphereShape{}, radius, {{x, y, z}, {}}});
    const CompoundInPlace made = makeCompound(std::move(parts), MassMode::unionOfSpheres);
    return {made.shape, 1, made.pose};
}

ShapeOfForm makeShape(const Compound& form, const Folder& folder) {
    std::vector<CompoundBody::Part> parts;
    for (const CompoundPart& part : form.parts) {
        const ShapeOfForm made = std::visit([&](const auto& f) { return makeShape(f, folder); }, part.form);
        parts.push_back({made.shape, made.scale, placed({part.position, rotationBy(part.rotation)}, made.pose)});
    }
    const CompoundInPlace made = makeCompound(std::move(parts), MassMode::sumOfParts);
    return {made.shape, 1, made.pose};
}

ShapeOfForm makeShape(const Surface& form, const Folder& folder) {
    const std::string& name = form.file ? *form.file : *form.points;
    const SurfaceDefinition surface =
        form.file ? readSurface(folder / name, form.scale)
                  : fitClosedSurface(readPointCloud(folder / name, form.scale), *form.tolerance, name).surface;
    const SurfaceBodyInPlace made = makeSurfaceBody(surface, {.gapTolerance = form.gapTolerance}, name);
    return {SurfaceShape{made.body}, 1, made.pose};
}

ShapeOfForm makeShape(const Disc& form, const Folder&) { return {PolygonShape{{{0, 0}}, form.radius}, 1, {}}; }

ShapeOfForm makeShape(const Polygon& form, const Folder&) {
    std::vector<PolygonShape::Corner> corners;
    for (const auto& [x, y] : form.corners) corners.push_back({x, y});
    const PolygonInPlace made = makePolygon(corners, form.rounding);
    return {made.shape, 1, made.pose};
}

std::vector<Outline> outlinesOf(const Outline& form, const Folder& folder) {
    if (!form.file) return {form};
    if (!isGrainsFile(folder / *form.file)) return {formOf(readOutlinePoints(folder / *form.file), form)};
    const GrainSet set = readGrains(folder / *form.file);
    std::vector<Outline> outlines;
    for (const Grain& grain : set.grains) {
        if (!form.grain || *form.grain == grain.name) outlines.push_back(formOf(grain, form));
    }
    if (outlines.empty()) {
        throw InputError(fmt::format("there is no grain '{}' in {}; the first of its {} is '{}'", *form.grain,
                                     *form.file, set.grains.size(), set.grains.front().name));
    }
    return outlines;
}

ShapeOfForm makeShape(const Outline& form, const Folder& folder) {
    const std::vector<Outline> outlines = outlinesOf(form, folder);
    if (outlines.size() > 1) {
        throw InputError(fmt::format("{} has {} grains: say which with the key 'grain'", *form.file, outlines.size()));
    }
    const NurbsDefinition definition = definitionOf(outlines.front());
    const OutlineSettings settings{.gapTolerance = form.gapTolerance.value_or(0),
                                   .mostKnots = form.contactKnots.value_or(0)};
    const OutlineInFrame made = makeOutlineShape(definition, settings);
    return {made.shape, 1, {{made.centroid.x, made.centroid.y, 0}, {}}};
}

}  // namespace talus
