#include "io/scene/form_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "build/generators.hpp"
#include "io/scene/scene_fields.hpp"
#include "io/scene/scene_rules.hpp"

namespace talus {

void FormCheck::needSpace(const std::string& path, std::string_view shape) {
    if (planar_ == Planar::none) return;
    add(path + ".shape",
        fmt::format("a planar scene has spheres, discs, polygons, outlines and compounds of them, but no {}", shape));
}

void FormCheck::needPlane(const std::string& path, std::string_view shape) {
    if (planar_ != Planar::none) return;
    add(path + ".shape", fmt::format("a {} needs a planar scene: set planar to xy, xz or yz", shape));
}

void FormCheck::checkRounding(const std::string& path, double rounding, double smallestHalf) {
    if (rounding < smallestHalf) return;
    add(path + ".rounding",
        fmt::format("must be below half the smallest outer size, {} m, got {} m", smallestHalf, rounding));
}

void FormCheck::checkAxis(const std::string& path, const Vec3& axis) {
    if (const std::string fault = directionFault(axis); !fault.empty()) add(path + ".axis", fault);
}

void FormCheck::check(const std::string&, const Sphere&) {}

void FormCheck::check(const std::string& path, const Box& form) {
    needSpace(path, "box");
    if (form.rounding > 0) {
        checkRounding(path, form.rounding, 0.5 * std::min({form.size.x, form.size.y, form.size.z}));
    }
}

void FormCheck::check(const std::string& path, const Cylinder& form) {
    needSpace(path, "cylinder");
    checkAxis(path, form.axis);
    if (form.rounding > 0) checkRounding(path, form.rounding, std::min(form.radius, 0.5 * form.length));
}

void FormCheck::check(const std::string& path, const Cone& form) {
    needSpace(path, "cone");
    checkAxis(path, form.axis);
    const double larger = std::max(form.lowRadius, form.highRadius);
    if (!radiusRange.holds(larger)) {
        add(path, fmt::format("the larger of low_radius and high_radius must be {}, got {} m",
                              describe(radiusRange, unit::length), larger));
    }
}

void FormCheck::check(const std::string& path, const Capsule& form) {
    needSpace(path, "capsule");
    checkAxis(path, form.axis);
}

void FormCheck::check(const std::string& path, const Hull& form) {
    needSpace(path, "hull");
    if (form.points.has_value() == form.file.has_value()) add(path, "give either 'points' or 'file'");
}

void FormCheck::check(const std::string& path, const Mesh& form) {
    needSpace(path, "mesh");
    if (form.file.empty()) add(path + ".file", "the name of a file is wanted");
}

void FormCheck::check(const std::string& path, const Clump& form) {
    needSpace(path, "clump");
    if (form.spheres.empty()) add(path + ".spheres", "at least one sphere is needed");
    for (std::size_t k = 0; k < form.spheres.size(); ++k) {
        const double radius = form.spheres[k][3];
        if (radiusRange.holds(radius)) continue;
        add(indexed(indexed(path + ".spheres", k), 3),
            fmt::format("a radius must be {}, got {} m", describe(radiusRange, unit::length), radius));
    }
}

void FormCheck::check(const std::string& path, const Compound& form) {
    if (form.parts.empty()) add(path + ".parts", "at least one part is needed");
    const int across = acrossAxis(planar_);
    for (std::size_t k = 0; k < form.parts.size(); ++k) {
        const CompoundPart& part = form.parts[k];
        const std::string inner = indexed(path + ".parts", k);
        std::visit([&](const auto& f) { check(inner, f); }, part.form);
        if (across < 0) continue;
        if (part.position.z != 0) add(inner + ".position", "parts of a flat body lie in the plane z = 0 of its frame");
        if (part.rotation.x != 0 || part.rotation.y != 0) {
            add(inner + ".rotation", "parts of a flat body turn about the z axis of its frame only");
        }
    }
}

void FormCheck::check(const std::string& path, const Surface& form) {
    needSpace(path, "surface");
    if (form.points.has_value() == form.file.has_value()) add(path, "give either 'points' or 'file'");
    if (form.points && !form.tolerance) add(path, "'points' need a 'tolerance': how far they may be from the surface");
    if (form.file && form.tolerance) add(path + ".tolerance", "is for 'points'; a file is taken as it is");
}

void FormCheck::check(const std::string& path, const Disc&) { needPlane(path, "disc"); }

void FormCheck::check(const std::string& path, const Polygon& form) {
    needPlane(path, "polygon");
    if (form.corners.size() < 3 && form.rounding == 0) {
        add(path + ".corners",
            fmt::format("at least three corners are needed, or two with a rounding; got {}", form.corners.size()));
    }
}

void FormCheck::check(const std::string& path, const Outline& form) {
    needPlane(path, "outline");
    if (form.points.has_value() == form.file.has_value()) add(path, "give either 'points' or 'file'");
    if (form.gapTolerance && form.contactKnots) add(path, "give either 'gap_tolerance' or 'contact_knots'");
    if (form.file && !(form.knots.empty() && form.weights.empty())) {
        add(path + (form.knots.empty() ? ".weights" : ".knots"), "belongs to 'points'; the file has its own");
    }
    if (form.grain && !form.file) add(path + ".grain", "names a grain of a 'file', which is not given");
    if (form.points && form.knots.empty() && form.points->size() < std::max<std::size_t>(3, form.degree)) {
        add(path + ".points", fmt::format("a closed curve of degree {} has at least {} points; got {}", form.degree,
                                          std::max<std::size_t>(3, form.degree), form.points->size()));
    }
}

void FormCheck::checkGrains(const std::string& path, const std::vector<GrainForm>& grains, bool hasRadius) {
    if (grains.empty()) {
        if (!hasRadius) add(path, "the key 'radius' is missing");
        return;
    }
    double sum = 0;
    for (std::size_t k = 0; k < grains.size(); ++k) {
        std::visit([&](const auto& form) { check(indexed(path + ".grains", k), form); }, grains[k].form);
        sum += grains[k].share;
    }
    if (!(sum > 0)) add(path + ".grains", "the shares must not all be zero");
}

}  // namespace talus
