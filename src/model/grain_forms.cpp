#include "model/grain_forms.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "model/size_distribution.hpp"

namespace talus {
namespace {

using std::numbers::pi;

// The axis along which nothing moves, or -1.
int acrossAxisOf(const WorldState& world) {
    for (int axis = 0; axis < 3; ++axis) {
        if (world.linearFreedom[axis] == 0) return axis;
    }
    return -1;
}

// By number, the last one for what round-off leaves.
const GrainShare& drawShare(const std::vector<GrainShare>& forms, Random& random) {
    if (forms.size() == 1) return forms[0];
    double total = 0;
    for (const GrainShare& form : forms) total += form.share;
    double left = random.uniform() * total;
    for (const GrainShare& form : forms) {
        left -= form.share;
        if (left < 0) return form;
    }
    return forms.back();
}

// K. Shoemake, "Uniform random rotations", Graphics Gems III (1992).
Quat uniformTurn(Random& random) {
    const double u = random.uniform(), first = 2 * pi * random.uniform(), second = 2 * pi * random.uniform();
    const double a = std::sqrt(1 - u), b = std::sqrt(u);
    return {b * std::cos(second), a * std::sin(first), a * std::cos(first), b * std::sin(second)};
}

// m, of a form with this equivalent radius, or with its own one where sizes are as given.
double boundingRadiusAt(const SizeDistribution& size, double radius, const GrainShare& form) {
    const bool asGiven = size.kind == SizeDistribution::Kind::asGiven;
    return asGiven ? form.boundingRadius : radius / form.equivalentRadius * form.boundingRadius;
}

}  // namespace

GrainShare grainShareOf(const WorldState& world, std::uint16_t shape, double scale, double share) {
    const double equivalent = shape == 0 ? 1 : equivalentRadius(world.shapes[shape]);
    return {shape, share, scale * equivalent, scale * boundingRadius(world.shapes[shape])};
}

DrawnGrain drawGrain(const SizeDistribution& size, const std::vector<GrainShare>& forms, Random& random) {
    if (forms.empty()) {
        const double radius = drawRadius(size, random);
        return {0, radius, radius};
    }
    const GrainShare& form = drawShare(forms, random);
    const bool asGiven = size.kind == SizeDistribution::Kind::asGiven;
    const double equivalent = asGiven ? form.equivalentRadius : drawRadius(size, random);
    return {form.shape, equivalent / form.equivalentRadius * form.boundingRadius, equivalent};
}

double smallestBoundingRadius(const SizeDistribution& size, const std::vector<GrainShare>& forms) {
    if (forms.empty()) return smallestRadius(size);
    double smallest = boundingRadiusAt(size, smallestRadius(size), forms[0]);
    for (const GrainShare& form : forms) {
        smallest = std::min(smallest, boundingRadiusAt(size, smallestRadius(size), form));
    }
    return smallest;
}

double largestBoundingRadius(const SizeDistribution& size, const std::vector<GrainShare>& forms) {
    if (forms.empty()) return largestRadius(size);
    double largest = 0;
    for (const GrainShare& form : forms) {
        largest = std::max(largest, boundingRadiusAt(size, largestRadius(size), form));
    }
    return largest;
}

Quat planeTurn(const WorldState& world) {
    const double half = std::sqrt(0.5);
    switch (acrossAxisOf(world)) {
        case 0:
            return {0.5, 0.5, 0.5, 0.5};  // x, y, z of the shape to y, z, x
        case 1:
            return {half, half, 0, 0};  // to x, z, -y
        default:
            return {};
    }
}

Quat drawOrientation(const WorldState& world, std::uint16_t shape, Random& random) {
    if (shape == 0) return {};
    const int across = acrossAxisOf(world);
    if (across < 0) return uniformTurn(random);
    Vec3 turn;
    turn[across] = random.uniform(-pi, pi);
    return rotationBy(turn) * planeTurn(world);
}

}  // namespace talus
