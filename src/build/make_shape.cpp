#include "build/make_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "build/generators.hpp"
#include "geometry/mass/principal_axes.hpp"
#include "geometry/nurbs/outline.hpp"
#include "geometry/nurbs/surface_body.hpp"
#include "geometry/solids/compound.hpp"
#include "geometry/solids/hull.hpp"
#include "geometry/solids/make_solids.hpp"
#include "talus/error.hpp"

namespace talus {

Pose placed(const Pose& outer, const Pose& inner) {
    return {outer.position + rotate(outer.orientation, inner.position), outer.orientation * inner.orientation};
}

std::vector<Outline> outlinesOf(const Outline& form, const FormFiles& files) {
    return form.file ? files.outlines(form) : std::vector{form};
}

namespace {

Pose alongAxis(const Vec3& axis) { return {{}, turnFromZ(axis)}; }

NurbsDefinition definitionOf(const Outline& form) {
    NurbsDefinition definition{.degree = static_cast<int>(form.degree), .weights = form.weights, .knots = form.knots};
    for (const auto& [x, y] : *form.points) definition.points.push_back({x, y});
    if (form.knots.empty()) definition = closedUniform(std::move(definition));
    return scaled(std::move(definition), form.scale);
}

ShapeOfForm make(const Sphere& form, const FormFiles&) { return {SphereShape{}, form.radius, {}}; }

ShapeOfForm make(const Box& form, const FormFiles&) {
    const Vec3 rounding{form.rounding, form.rounding, form.rounding};
    return {BoxShape{0.5 * form.size - rounding, form.rounding}, 1, {}};
}

ShapeOfForm make(const Cylinder& form, const FormFiles&) {
    const CylinderShape shape{form.radius - form.rounding, 0.5 * form.length - form.rounding, form.rounding};
    return {shape, 1, alongAxis(form.axis)};
}

ShapeOfForm make(const Cone& form, const FormFiles&) {
    const ConeShape shape = makeCone(form.lowRadius, form.highRadius, form.length, form.rounding);
    // The form's origin is half way, the shape's at the centre of mass.
    const Pose centre{{0, 0, -0.5 * (shape.low + shape.high)}, {}};
    return {shape, 1, placed(alongAxis(form.axis), centre)};
}

ShapeOfForm make(const Capsule& form, const FormFiles&) {
    return {CapsuleShape{form.radius, 0.5 * form.length}, 1, alongAxis(form.axis)};
}

ShapeOfForm make(const Ellipsoid& form, const FormFiles&) { return {EllipsoidShape{form.semiAxes}, 1, {}}; }

ShapeOfForm make(const Superquadric& form, const FormFiles&) {
    return {SuperquadricShape{form.semiAxes, form.equator, form.meridian}, 1, {}};
}

// Over an eighth with the semi-axes a, b, c, whose signs are its own: the volume is pi |a b c| / 6, and the integrals
// of x, x^2 and x y are 3 a / 8, a^2 / 5 and 2 a b / (5 pi) times that.
MassMoments momentsOfEighth(const Vec3& semi) {
    const double volume = std::numbers::pi / 6 * std::abs(semi.x * semi.y * semi.z);
    MassMoments moments{.volume = volume, .firstMoment = 0.375 * volume * semi, .secondMoment = {}};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            moments.secondMoment(i, k) = (i == k ? 0.2 : 0.4 / std::numbers::pi) * volume * semi[i] * semi[k];
        }
    }
    return moments;
}

// m, from the origin to the farthest point. From each start one goes to the point farthest in the direction of the last
// one, which is never nearer.
template <class Solid>
double farthestPoint(const Solid& solid) {
    constexpr double roundedUp = 1 + 1e-9;  // for what the last steps leave
    double farthest = 0;
    for (int start = 0; start < 8; ++start) {
        Vec3 point = solid.support({start & 1 ? 1.0 : -1.0, start & 2 ? 1.0 : -1.0, start & 4 ? 1.0 : -1.0});
        for (double before = 0; norm(point) > (1 + 1e-15) * before;) {
            before = norm(point);
            point = solid.support(point);
        }
        farthest = std::max(farthest, norm(point));
    }
    return roundedUp * farthest;
}

ShapeOfForm make(const PolyEllipsoid& form, const FormFiles&) {
    MassMoments moments;
    for (int eighth = 0; eighth < 8; ++eighth) {
        Vec3 semi = -form.lowSemiAxes;
        for (int axis = 0; axis < 3; ++axis) {
            if (eighth >> axis & 1) semi[axis] = form.highSemiAxes[axis];
        }
        moments += momentsOfEighth(semi);
    }
    const PrincipalFrame frame = principalFrame(moments);
    PolyEllipsoidShape shape{.low = form.lowSemiAxes,
                             .high = form.highSemiAxes,
                             .origin = intoFrame(frame.pose, {}),
                             .turn = conjugate(frame.pose.orientation),
                             .mass = frame.mass};
    shape.radius = farthestPoint(shape);
    return {shape, 1, frame.pose};
}

ShapeOfForm make(const Hull& form, const FormFiles& files) {
    const std::vector<Vec3> points = form.points ? *form.points : files.mesh(*form.file, form.scale).corners;
    const HullInPlace made = makeHull(points, form.rounding);
    return {made.shape, 1, made.pose};
}

ShapeOfForm make(const Mesh& form, const FormFiles& files) {
    const MeshFile file = files.mesh(form.file, form.scale);
    const MeshInPlace made = form.surface ? makeSurface(file) : makeMesh(file);
    return {made.shape, 1, made.pose};
}

ShapeOfForm make(const Clump& form, const FormFiles&) {
    std::vector<CompoundBody::Part> parts;
    for (const auto& [x, y, z, radius] : form.spheres) parts.push_back({SphereShape{}, radius, {{x, y, z}, {}}});
    const CompoundInPlace made = makeCompound(std::move(parts), MassMode::unionOfSpheres);
    return {made.shape, 1, made.pose};
}

ShapeOfForm make(const Surface& form, const FormFiles& files) {
    const std::string& name = form.file ? *form.file : *form.points;
    const SurfaceBodyInPlace made = makeSurfaceBody(files.surface(form), {.gapTolerance = form.gapTolerance}, name);
    return {SurfaceShape{made.body}, 1, made.pose};
}

ShapeOfForm make(const Disc& form, const FormFiles&) { return {PolygonShape{{{0, 0}}, form.radius}, 1, {}}; }

ShapeOfForm make(const Polygon& form, const FormFiles&) {
    std::vector<PolygonShape::Corner> corners;
    for (const auto& [x, y] : form.corners) corners.push_back({x, y});
    const PolygonInPlace made = makePolygon(corners, form.rounding);
    return {made.shape, 1, made.pose};
}

ShapeOfForm make(const Outline& form, const FormFiles& files) {
    const std::vector<Outline> outlines = outlinesOf(form, files);
    if (outlines.size() > 1) {
        throw InputError(fmt::format("{} has {} grains: say which with the key 'grain'", *form.file, outlines.size()));
    }
    const NurbsDefinition definition = definitionOf(outlines.front());
    const OutlineSettings settings{.gapTolerance = form.gapTolerance.value_or(0),
                                   .mostKnots = form.contactKnots.value_or(0)};
    const OutlineInFrame made = makeOutlineShape(definition, settings);
    return {made.shape, 1, {{made.centroid.x, made.centroid.y, 0}, {}}};
}

ShapeOfForm make(const Compound& form, const FormFiles& files) {
    std::vector<CompoundBody::Part> parts;
    for (const CompoundPart& part : form.parts) {
        const ShapeOfForm made = std::visit([&](const auto& f) { return make(f, files); }, part.form);
        parts.push_back({made.shape, made.scale, placed({part.position, rotationBy(part.rotation)}, made.pose)});
    }
    const CompoundInPlace made = makeCompound(std::move(parts), MassMode::sumOfParts);
    return {made.shape, 1, made.pose};
}

}  // namespace

ShapeOfForm makeShape(const BodyForm& form, const FormFiles& files) {
    return std::visit([&](const auto& f) { return make(f, files); }, form);
}

}  // namespace talus
