// From an image to grains: segment, trace, fit, measure.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/nurbs/nurbs_curve.hpp"
#include "grains/fit.hpp"
#include "grains/segment.hpp"
#include "grains/trace.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"

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

// Why a grain has no curve, and the tolerance in pixels that may give it one; 0: a smaller one.
struct Misfit : InputError {
    explicit Misfit(const std::string& text, double helps = 0) : InputError(text), tolerance(helps) {}
    double tolerance;
};

// A curve that is near enough and crosses itself nowhere; a tighter one bends less wildly between points.
CurveFit fitOutline(const TracedOutline& traced, const GrainImageOptions& o, const std::string& place) {
    FitSettings settings{.tolerance = o.tolerance, .cornerAngle = o.cornerAngle * std::numbers::pi / 180};
    CurveFit fit = fitClosedCurve(traced.points, traced.unsure, settings);
    if (!fit.withinTolerance) {
        throw Misfit(fmt::format("{}: no curve within {:g} pixels of the outline was found, only within {:.3g}", place,
                                 o.tolerance, fit.largestMiss),
                     std::ceil(12 * fit.largestMiss) / 10);
    }
    for (int attempt = 0;; ++attempt) {
        try {
            checkOutline(NurbsCurve(fit.curve, place), place);
            return fit;
        } catch (const InputError& error) {
            settings.tolerance *= 0.7;
            if (attempt < 3) fit = fitClosedCurve(traced.points, traced.unsure, settings);
            if (attempt == 3 || !fit.withinTolerance) throw Misfit(error.what());
        }
    }
}

// In metres, about the centroid.
Grain makeGrain(const std::string& name, const TracedOutline& traced, const GrainImageOptions& o,
                const std::string& place) {
    const CurveFit fit = fitOutline(traced, o, place);
    const NurbsDefinition inMetres = scaled(fit.curve, o.scale);
    Grain grain{.name = name, .position = areaMoments(NurbsCurve(inMetres, place)).centroid};
    grain.outline = translated(inMetres, -grain.position);
    grain.measures = measureGrain(grain.outline);
    grain.fit = GrainFit{.tolerance = o.tolerance * o.scale,
                         .largestError = fit.largestError * o.scale,
                         .meanError = fit.meanError * o.scale,
                         .tracedPoints = static_cast<int>(traced.points.size()),
                         .corners = fit.corners};
    return grain;
}

[[noreturn]] void refuse(const std::string& path, const std::vector<Misfit>& misfits, std::size_t grains) {
    constexpr std::size_t mostTold = 5;
    double tolerance = 0;
    std::vector<std::string> told;
    for (const Misfit& m : misfits) {
        tolerance = std::max(tolerance, m.tolerance);
        if (told.size() < mostTold) told.emplace_back(m.what());
    }
    if (misfits.size() > mostTold) told.push_back("...");
    const std::string advice =
        tolerance > 0 ? fmt::format("--tolerance {:g}, a larger one", tolerance) : "a smaller --tolerance";
    throw InputError(fmt::format("{}: {} of {} grains cannot be fitted; {}, or --smooth against noise, may help:\n  {}",
                                 path, misfits.size(), grains, advice, fmt::join(told, "\n  ")));
}

}  // namespace

ImageGrains grainsFromImage(const std::filesystem::path& image, const GrainImageOptions& options) {
    check(options);
    ImageGrains result;
    const std::string path = image.string();
    const Segmentation s = segment(readPng(image), options, path, result.notes);
    const std::vector<TracedOutline> outlines = traceOutlines(s);
    std::vector<Misfit> misfits;
    for (std::size_t k = 0; k < outlines.size(); ++k) {
        const Vec2& first = outlines[k].points[0];
        const std::string place =
            fmt::format("{} near column {:.0f}, row {:.0f}", s.names[k], first.x, s.grain.height - first.y);
        try {
            result.set.grains.push_back(makeGrain(s.names[k], outlines[k], options, place));
        } catch (const Misfit& misfit) {
            misfits.push_back(misfit);
        }
    }
    if (!misfits.empty()) refuse(path, misfits, outlines.size());
    result.set.source = fmt::format("image {}, {:g} m per pixel", image.filename().string(), options.scale);
    return result;
}

}  // namespace talus
