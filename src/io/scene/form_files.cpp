#include "io/scene/form_files.hpp"

#include <fmt/format.h>

#include "grains/surface_fit.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"

namespace talus {
namespace {

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

// From a file of points.
Outline formOf(const std::vector<Vec2>& points, Outline form) {
    if (form.grain) throw InputError(fmt::format("{} has the points of one outline, and no names", *form.file));
    form.file.reset();
    form.points.emplace();
    for (const Vec2& p : points) form.points->push_back({p.x, p.y});
    return form;
}

}  // namespace

std::vector<Outline> GrainFormFiles::outlines(const Outline& form) const {
    if (!isGrainsFile(folder_ / *form.file)) return {formOf(readOutlinePoints(folder_ / *form.file), form)};
    const GrainSet set = readGrains(folder_ / *form.file);
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

SurfaceDefinition GrainFormFiles::surface(const Surface& form) const {
    if (form.file) return readSurface(folder_ / *form.file, form.scale);
    const std::string& name = *form.points;
    return fitClosedSurface(readPointCloud(folder_ / name, form.scale), *form.tolerance, name).surface;
}

}  // namespace talus
