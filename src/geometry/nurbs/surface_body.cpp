#include "geometry/nurbs/surface_body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double usualTolerance = 0.01;   // -, of the equivalent radius
constexpr double finestTolerance = 1e-4;  // -, of the equivalent radius
constexpr double widestCell = 0.3;        // -, of the equivalent radius

double toleranceOf(const SurfaceSettings& settings, double equivalentRadius, std::string_view path) {
    const double given = settings.gapTolerance;
    if (given == 0) return usualTolerance * equivalentRadius;
    if (!(given >= finestTolerance * equivalentRadius) || !std::isfinite(given)) {
        throw InputError(fmt::format(
            "{}.gap_tolerance: must be at least {:.3g} m for a body of this size (or 0 for the usual one), got {:g} m",
            path, finestTolerance * equivalentRadius, given));
    }
    return given;
}

// Seen from its middle, so that bodies far from the origin lose no digits.
PrincipalFrame frameOf(const SurfaceDefinition& definition, const NurbsSurface& surface, std::string_view path) {
    const MassMoments first = momentsOf(surface);
    const Pose middle{first.firstMoment / first.volume, {}};
    PrincipalFrame frame = principalFrame(momentsOf(NurbsSurface(seenFrom(definition, middle), path)));
    frame.pose.position += middle.position;
    return frame;
}

// The finest tolerance that takes no more knots than allowed, to within a few percent. Cells are about as many as 1
// over the tolerance: from a coarse one, which is quickly tried, each guess comes nearer.
double leastTolerance(const NurbsSurface& surface, double tooFine, double widest, std::size_t most) {
    double fine = tooFine, coarse = 100 * tooFine;
    std::size_t cells = SurfaceTree::cellsNeeded(surface, coarse, widest, most);
    while (cells > most && coarse < surface.size()) {
        fine = coarse;
        coarse *= 10;
        cells = SurfaceTree::cellsNeeded(surface, coarse, widest, most);
    }
    while (coarse > 1.05 * fine) {
        const double guess = 1.02 * coarse * static_cast<double>(cells) / static_cast<double>(most);
        const double next = guess > fine && guess < coarse ? guess : std::sqrt(fine * coarse);
        const std::size_t found = SurfaceTree::cellsNeeded(surface, next, widest, most);
        if (found > most) {
            fine = next;
        } else {
            coarse = next;
            cells = found;
        }
        if (cells > 0.97 * static_cast<double>(most) && found <= most) break;
    }
    return coarse;
}

SurfaceTree treeOf(NurbsSurface surface, double tolerance, double widest, std::size_t most, std::string_view path) {
    if (SurfaceTree::cellsNeeded(surface, tolerance, widest, most) > most) {
        throw InputError(
            fmt::format("{}.gap_tolerance: {:.3g} m would need more than {} knots; at least {:.3g} m for "
                        "this surface",
                        path, tolerance, most, leastTolerance(surface, tolerance, widest, most)));
    }
    return {std::move(surface), tolerance, widest};
}

double radiusOf(const SurfaceTree& tree) {
    double radius = 0;
    for (const SurfaceCell& c : tree.cells()) {
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 p{corner & 1 ? c.low.x : c.high.x, corner & 2 ? c.low.y : c.high.y,
                         corner & 4 ? c.low.z : c.high.z};
            radius = std::max(radius, norm(c.middle + p.x * c.along + p.y * c.across + p.z * c.normal));
        }
    }
    return radius;
}

// Two knots are neighbours if the balls of their cells meet, on the same side of the body.
void findNeighbours(SurfaceBody& body) {
    const std::vector<SurfaceCell>& knots = body.knots();
    body.neighbourStart = {0};
    double largest = 0;
    for (const SurfaceCell& k : knots) largest = std::max(largest, k.radius);
    for (std::uint32_t k = 0; k < knots.size(); ++k) {
        const SurfaceCell& own = knots[k];
        const std::size_t first = body.neighbour.size();
        forEachItemWithin(body.tree.boxes(), own.middle, own.radius + largest, [&](std::uint32_t j) {
            const bool meets = norm(knots[j].middle - own.middle) <= own.radius + knots[j].radius;
            if (j != k && meets && dot(knots[j].normal, own.normal) > 0) body.neighbour.push_back(j);
        });
        std::sort(body.neighbour.begin() + static_cast<std::ptrdiff_t>(first), body.neighbour.end());
        body.neighbourStart.push_back(static_cast<std::uint32_t>(body.neighbour.size()));
    }
}

}  // namespace

SurfaceBodyInPlace makeSurfaceBody(const SurfaceDefinition& definition, const SurfaceSettings& settings,
                                   std::string_view path) {
    const NurbsSurface given(definition, path);
    checkBody(given, path);
    const PrincipalFrame frame = frameOf(definition, given, path);
    auto body = std::make_shared<SurfaceBody>();
    body->mass = frame.mass;
    body->equivalentRadius = std::cbrt(0.75 * frame.mass.volume / std::numbers::pi);
    body->gapTolerance = toleranceOf(settings, body->equivalentRadius, path);
    body->tree = treeOf(NurbsSurface(seenFrom(definition, frame.pose), path), body->gapTolerance,
                        widestCell * body->equivalentRadius, settings.mostKnots, path);
    body->radius = radiusOf(body->tree);
    findNeighbours(*body);
    return {std::move(body), frame.pose};
}

}  // namespace talus
