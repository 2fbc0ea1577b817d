#include "geometry/nurbs/knot_vector.hpp"

#include <fmt/format.h>

#include <cmath>

#include "talus/error.hpp"

namespace talus {
namespace {

// A knot inside the range that comes more often than the degree would break the curve.
void checkMultiplicities(std::span<const double> knots, int degree, std::size_t points, std::string_view path) {
    const double begin = knots[static_cast<std::size_t>(degree)], end = knots[points];
    for (std::size_t k = 0; k < knots.size();) {
        const double value = knots[k];
        std::size_t next = k;
        while (next < knots.size() && knots[next] == value) ++next;
        const bool inside = value > begin && value < end;
        const std::size_t most = static_cast<std::size_t>(inside ? degree : degree + 1);
        if (next - k > most) {
            throw InputError(fmt::format("{}[{}]: {} is repeated {} times; at most {} for degree {}{}", path, k, value,
                                         next - k, most, degree, inside ? " (which makes a corner)" : " at an end"));
        }
        k = next;
    }
}

}  // namespace

void checkKnots(std::span<const double> knots, int degree, std::size_t points, std::string_view path) {
    const std::size_t wanted = points + static_cast<std::size_t>(degree) + 1;
    if (knots.size() != wanted) {
        throw InputError(fmt::format("{}: {} points of degree {} need {} (points + degree + 1), got {}", path, points,
                                     degree, wanted, knots.size()));
    }
    for (std::size_t k = 0; k < knots.size(); ++k) {
        if (!std::isfinite(knots[k])) {
            throw InputError(fmt::format("{}[{}]: must be finite, got {}", path, k, knots[k]));
        }
        if (k > 0 && knots[k] < knots[k - 1]) {
            throw InputError(fmt::format("{}[{}]: must not be less than the knot before it, {}, got {}", path, k,
                                         knots[k - 1], knots[k]));
        }
    }
    const double range = knots[points] - knots[static_cast<std::size_t>(degree)];
    if (!(range > 0) || !std::isfinite(range)) {
        throw InputError(
            fmt::format("{}: the curve goes from knots[{}] to knots[{}], which must be larger; both are {}", path,
                        degree, points, knots[points]));
    }
    checkMultiplicities(knots, degree, points, path);
}

}  // namespace talus
