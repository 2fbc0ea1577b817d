#include "problem/residual.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace talus {
namespace {

// What is summed over the contacts.
struct Sums {
    double natural = 0, reaction = 0, offset = 0, velocity = 0;  // squares, of the mean map
    double error = 0, load = 0, effect = 0;                      // energies, of the contact map
    double penetration = 0;                                      // largest
    double complementarity = 0, dissipation = 0, opening = 0, loaded = 0;

    Sums& operator+=(const Sums& b) {
        natural += b.natural;
        reaction += b.reaction;
        offset += b.offset;
        velocity += b.velocity;
        error += b.error;
        load += b.load;
        effect += b.effect;
        penetration = std::max(penetration, b.penetration);
        complementarity += b.complementarity;
        dissipation += b.dissipation;
        opening += b.opening;
        loaded += b.loaded;
        return *this;
    }
};

// g - P_Y(g - v), and the same as v + (z - P_Y(z)), z = g - v: where the projection changes little this does not lose a
// v that is small beside g.
Vec3 naturalStep(const ReactionSet& set, const Vec3& g, const Vec3& v) {
    const Vec3 z = g - v, inside = project(set, z), cut = z - inside;
    return normSquared(cut) < normSquared(inside) ? v + cut : g - inside;
}

Sums ofContact(const ContactProblem& p, FrictionLaw law, double scale, double trace, std::size_t i, const Vec3& g,
               const Vec3& u) {
    const ReactionSet& set = p.sets[i];
    const Vec3 shifted = lawVelocity(p, law, i, u);
    Sums s;
    s.natural = normSquared(naturalStep(set, g, scale * shifted));
    s.reaction = normSquared(g);
    s.offset = normSquared(p.offset[i]);
    s.velocity = normSquared(u);
    const double w = trace / 3;
    s.error = w * normSquared(naturalStep(set, g, shifted / w));
    if (g != Vec3{}) {
        s.load = w * s.reaction;
        s.effect = normSquared(u - p.offset[i]) / w;
    }
    if (!set.hasGap()) return s;
    s.penetration = std::max(0.0, -u.x);
    if (g.x > 0) {
        s.opening = std::max(0.0, u.x);
        s.loaded = 1;
    }
    if (!set.isPlainCone()) return s;
    s.complementarity = std::abs(dot(g, shifted));
    s.dissipation = std::abs(slipShift(set, u) * g.x + g.y * u.y + g.z * u.z);
    return s;
}

// error / load; an error where nothing acts is as large as it can be. Not a number if the answer is not.
double relative(double error, double load) {
    return error == 0 ? 0.0 : load == 0 && error > 0 ? 1.0 : std::sqrt(error / load);
}

constexpr double mostSelfStress = 1e4;

// The same bits as parallelSum(), whose room for partial sums takes longer to make than a few contacts to sum up.
template <class Term>
Sums sumOver(std::size_t contacts, const Term& term) {
    constexpr std::size_t oneBlock = 1024;
    if (contacts > oneBlock) return parallelSum(contacts, Sums{}, term);
    Sums sum;
    for (std::size_t i = 0; i < contacts; ++i) sum += term(i);
    return sum;
}

}  // namespace

double meanDiagonal(const ContactProblem& p) {
    Diagonals diagonals;
    diagonals.measure(p);
    return diagonals.mean;
}

void Diagonals::measure(const ContactProblem& p) {
    const std::size_t n = p.contactCount();
    trace.resize(n);
    parallelFor(n, [&](std::size_t i) { trace[i] = talus::trace(p.diagonal(i)); });
    const double sum = parallelSum(n, 0.0, [&](std::size_t i) { return trace[i]; });
    mean = n == 0 ? 1.0 : sum / (3.0 * static_cast<double>(n));
}

Residuals measureResiduals(const ContactProblem& p, FrictionLaw law, const Diagonals& diagonals,
                           const std::vector<Vec3>& g, const std::vector<Vec3>& u) {
    const double scale = 1 / diagonals.mean;
    const Sums s = sumOver(p.contactCount(),
                           [&](std::size_t i) { return ofContact(p, law, scale, diagonals.trace[i], i, g[i], u[i]); });
    const double meanMap =
        relative(s.natural, std::max({s.reaction, scale * scale * s.offset, scale * scale * s.velocity}));
    const double contactMap = relative(s.error, std::min(s.load, mostSelfStress * s.effect));
    // Projections may hide what is not a number.
    const bool isNumber =
        std::isfinite(meanMap) && std::isfinite(contactMap) && std::isfinite(s.velocity) && std::isfinite(s.reaction);
    return {.naturalMap = isNumber ? std::max(meanMap, contactMap) : std::numeric_limits<double>::quiet_NaN(),
            .meanMap = meanMap,
            .contactMap = contactMap,
            .penetration = s.penetration,
            .complementarity = s.complementarity,
            .dissipation = s.dissipation,
            .dilation = s.loaded > 0 ? s.opening / s.loaded : 0.0};
}

Residuals measureResiduals(const ContactProblem& p, FrictionLaw law, const std::vector<Vec3>& g) {
    std::vector<Vec3> u;
    relativeVelocities(p, g, u);
    Diagonals diagonals;
    diagonals.measure(p);
    return measureResiduals(p, law, diagonals, g, u);
}

}  // namespace talus
