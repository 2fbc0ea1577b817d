// From an image to grains: segment, trace, fit, measure.
#include <fmt/format.h>

#include <numbers>

#include "grains/fit.hpp"
#include "grains/segment.hpp"
#include "grains/trace.hpp"
#include "shapes/nurbs_curve.hpp"
#include "talus/error.hpp"
#include "talus/grains.hpp"

namespace talus {
namespace {

void checkWord(std::string_view option, const std::string& word, std::initializer_list<std::string_view> known) {
    for (const std::string_view k : known) {
        if (word == k) return;
    }
    throw InputError(fmt::format("{}: must be one of {}, got '{}'", option, fmt::join(known, ", "), word));
}

void checkNumber(std::string_view option, double value, double low, double high) {
    if (value >= low && value <= high) return;
    throw InputError(fmt::format("{}: must be {:g} to {:g}, got {:g}", option, low, high, value));
}

void check(const GrainImageOptions& o) {
    checkWord("--kind", o.kind, {"auto", "grey", "labels"});
    checkWord("--grains", o.grains, {"auto", "bright", "dark"});
    checkWord("--touching", o.touching, {"split", "keep", "refuse"});
    checkWord("--holes", o.holes, {"fill", "refuse"});
    checkWord("--border", o.border, {"drop", "keep", "refuse"});
    checkNumber("--scale", o.scale, 1e-12, 1e12);
    if (o.threshold) checkNumber("--threshold", *o.threshold, 0, 1);
    checkNumber("--smooth", o.smoothing, 0, 100);
    checkNumber("--tolerance", o.tolerance, 0.01, 100);
    checkNumber("--min-area", o.smallestArea, 10, 1e9);
    checkNumber("--corner-angle", o.cornerAngle, 15, 180);
    checkNumber("--neck", o.neck, 0, 1);
}

// In metres, about the centroid.
Grain makeGrain(const std::string& name, const std::vector<Vec2>& traced, const GrainImageOptions& o,
                const std::string& path) {
    const FitSettings settings{.tolerance = o.tolerance, .cornerAngle = o.cornerAngle * std::numbers::pi / 180};
    const CurveFit fit = fitClosedCurve(traced, settings);
    const std::string place =
        fmt::format("{}: {} near column {:.0f}, {:.0f} pixels from below", path, name, traced[0].x, traced[0].y);
    if (!fit.withinTolerance) {
        throw InputError(fmt::format(
            "{}: no curve within {:g} pixels of the outline was found, only within {:.2g}; a larger --tolerance, "
            "or --smooth against noise, would help",
            place, o.tolerance, fit.largestError));
    }
    const NurbsDefinition inMetres = scaled(fit.curve, o.scale);
    const NurbsCurve curve(inMetres, place);
    checkOutline(curve, place);
    Grain grain{.name = name, .position = areaMoments(curve).centroid};
    grain.outline = translated(inMetres, -grain.position);
    grain.measures = measureGrain(grain.outline);
    grain.fit = GrainFit{.tolerance = o.tolerance * o.scale,
                         .largestError = fit.largestError * o.scale,
                         .meanError = fit.meanError * o.scale,
                         .tracedPoints = static_cast<int>(traced.size()),
                         .corners = fit.corners};
    return grain;
}

}  // namespace

ImageGrains grainsFromImage(const std::filesystem::path& image, const GrainImageOptions& options) {
    check(options);
    ImageGrains result;
    const std::string path = image.string();
    const Segmentation s = segment(readPng(image), options, path, result.notes);
    const std::vector<std::vector<Vec2>> outlines = traceOutlines(s);
    for (std::size_t k = 0; k < outlines.size(); ++k) {
        result.set.grains.push_back(makeGrain(s.names[k], outlines[k], options, path));
    }
    result.set.source = fmt::format("image {}, {:g} m per pixel", image.filename().string(), options.scale);
    return result;
}

}  // namespace talus
