#include "step/time_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "measure/overlap.hpp"
#include "model/size_distribution.hpp"
#include "step/joint_time.hpp"
#include "step/known_speed.hpp"

namespace talus {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// Beyond these shares of the two times a run may be wrong: impacts are resolved by too few steps.
constexpr double riskyRayleighShare = 0.4;
constexpr double riskyContactShare = 0.1;

// A part of the contact time: from here on nothing can be right, as the spring of a single contact is unstable where
// its angular frequency times dt is 2. An impact lasts for pi over that of Hooke's law, for 4 over the largest of
// Hertz's.
constexpr double hopelessContactShare = 2 / std::numbers::pi;

// A part of the longest step that the springs of twelve contacts bear: with dashpots that calm two thirds of a motion
// it is the root of a third.
constexpr double stableSpringShare = 0.57;

double rayleighTime(const Material& m, double radius) {
    const double shear = m.youngsModulus / (2 * (1 + m.poissonRatio));
    return std::numbers::pi * radius * std::sqrt(m.density / shear) / (0.1631 * m.poissonRatio + 0.8766);
}

// A grain of this mass (kg) and radius (m) against its like.
double contactTime(const LawKinds& kinds, const PairLaw& law, double mass, double radius, double speed) {
    const double pairMass = 0.5 * mass, pairRadius = 0.5 * radius;
    const double slowing = 1 + law.dampingRatio;
    if (kinds.normal == NormalLaw::hooke) {
        return std::numbers::pi * std::sqrt(pairMass / linearStiffness(law, pairRadius).normal) / slowing;
    }
    if (speed <= 0) return never;
    const double scale = pairMass * pairMass / (pairRadius * law.modulus * law.modulus * speed);
    return 2.87 * std::pow(scale, 0.2) / slowing;
}

// N/m, of the normal spring at the deepest point of an elastic impact.
double largestStiffness(const LawKinds& kinds, const PairLaw& law, double pairMass, double pairRadius, double speed) {
    if (kinds.normal == NormalLaw::hooke) return linearStiffness(law, pairRadius).normal;
    const double root = std::sqrt(pairRadius);
    const double overlap = std::pow(15.0 / 16 * pairMass * speed * speed / (law.modulus * root), 0.4);
    return 2 * law.modulus * root * std::sqrt(overlap);
}

double dampingTime(const LawKinds& kinds, const PairLaw& law, double mass, double radius, double speed) {
    const double pairMass = 0.5 * mass;
    const double stiffness = largestStiffness(kinds, law, pairMass, 0.5 * radius, speed);
    const double normal = 2 * law.dampingRatio * std::sqrt(pairMass * stiffness);
    const double tangential = kinds.tangential == TangentialLaw::mindlin ? law.tangentialDamping * normal : 0.0;
    const double rate = std::max(20 * tangential, 4 * (normal + 2 * tangential)) / mass;
    return rate > 0 ? 16 / rate : never;
}

double springTime(const LawKinds& kinds, const PairLaw& law, double mass, double radius) {
    if (kinds.normal != NormalLaw::hooke) return never;
    LinearStiffness k = linearStiffness(law, 0.5 * radius);
    if (kinds.tangential == TangentialLaw::none) k.tangential = 0;
    return 2 * std::sqrt(mass / std::max(40 * k.tangential, 8 * k.normal + 16 * k.tangential));
}

// kg, among free walls and guided bodies.
double lightestBoundary(const WorldState& w) {
    const Bodies& b = w.bodies;
    double lightest = never;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (isBoundary(b, i) && b.inverseMass[i] > 0) lightest = std::min(lightest, 1 / b.inverseMass[i]);
    }
    return lightest;
}

// What a grain counts as in an impact.
struct GrainSize {
    double radius = never, volume = never;  // m, m^3
};

GrainSize smaller(const GrainSize& a, const GrainSize& b) {
    return {std::min(a.radius, b.radius), std::min(a.volume, b.volume)};
}

// Solids count as spheres of half their size: their corners are lighter, and several bear at once. Flat ones are prisms
// of 1 m, and discs, which have no corners, have all of their mass.
GrainSize sizeOf(const WorldState& w, std::uint16_t shape, double equivalentRadius) {
    const double radius = shape == 0 ? equivalentRadius : 0.5 * equivalentRadius;
    if (!isFlat(w.shapes[shape])) return {radius, massProperties(w.shapes[0], radius).volume};
    const auto* polygon = std::get_if<PolygonShape>(&w.shapes[shape]);
    const double round = polygon != nullptr && isDisc(*polygon) ? equivalentRadius : radius;
    return {radius, std::numbers::pi * round * round};
}

// The smallest grain that a source makes.
GrainSize smallestOf(const WorldState& w, const Source& s) {
    const double drawn = smallestRadius(s.size);
    if (s.forms.empty()) return sizeOf(w, 0, drawn);
    GrainSize smallest;
    for (const GrainShare& form : s.forms) {
        const double radius = s.size.kind == SizeDistribution::Kind::asGiven ? form.equivalentRadius : drawn;
        smallest = smaller(smallest, sizeOf(w, form.shape, radius));
    }
    return smallest;
}

// The smallest grain of each material that can meet a body that moves, sources included; infinite without one.
std::vector<GrainSize> smallestGrains(const WorldState& w) {
    const Bodies& b = w.bodies;
    const bool freeWalls = hasFreeWalls(w);
    std::vector<GrainSize> smallest(w.materials.list.size());
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (!freeWalls && b.inverseMass[i] == 0) continue;
        GrainSize& least = smallest[b.material[i]];
        least = smaller(least, sizeOf(w, b.shape[i], equivalentRadiusOf(w, i)));
    }
    for (const Source& s : w.sources) smallest[s.material] = smaller(smallest[s.material], smallestOf(w, s));
    return smallest;
}

double smallestRadius(const WorldState& w) {
    GrainSize smallest;
    for (const GrainSize& size : smallestGrains(w)) smallest = smaller(smallest, size);
    return smallest.radius;
}

// What a grain may go in one step of contact dynamics, at speed and from rest, as a part of the smallest radius.
constexpr double rigidTravel = 0.1, rigidFall = 0.01, riskyRigidTravel = 0.5;
// A part of the smallest half width, by any method: thin bodies must not pass through each other (run/watch.hpp).
constexpr double safeTravel = 0.25;
// What prescribed bodies may go in an increment of quasi-static loading.
constexpr double incrementTravel = 0.01;

// The longest step in which no grain goes too far to be seen in contact, s.
double longestTravelTime(const WorldState& w, double speed) {
    return speed > 0 ? safeTravel * smallestHalfWidth(w) / speed : never;
}

// A part of the time in which the pull of joints swings a link: nothing is taken from its motion then (joint_pull.hpp).
constexpr double swingShare = 0.2;

// Where it is the joints that ask for a step this short.
std::string describeSwing(const WorldState& w, double dt) {
    const double swing = expectedJointMotion(w).swing;
    if (!(dt > 0.5 * swingShare * swing)) return {};
    return fmt::format("; {:.2g} of the time ({:.3g} s) in which the pull of joints may swing a link", dt / swing,
                       swing);
}

// A share as a percentage with two digits, or all those before the point.
std::string percent(double share) {
    return share < 0.1 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string describeRigid(const WorldState& w, const StepChoice& choice, const char* how) {
    const double radius = smallestRadius(w), speed = choice.scales.speed;
    if (!std::isfinite(radius))
        return fmt::format("step {:.3g} s ({}): there is no grain that could move", choice.dt, how);
    return fmt::format("step {:.3g} s ({}): a grain at {:.3g} m/s goes {:.2g} % of the smallest radius ({:.3g} m)",
                       choice.dt, how, speed, 100 * speed * choice.dt / radius, radius);
}

std::string describe(const StepChoice& choice, const char* how) {
    const TimeScales& s = choice.scales;
    if (!std::isfinite(s.rayleigh))
        return fmt::format("step {:.3g} s ({}): there is no grain that could move", choice.dt, how);
    std::string text = fmt::format("step {:.3g} s ({}): {} of the Rayleigh time ({:.3g} s)", choice.dt, how,
                                   percent(choice.dt / s.rayleigh), s.rayleigh);
    // Hertz contacts of bodies that do not move towards each other last for ever.
    if (std::isfinite(s.contact)) {
        text += fmt::format(", {} of the contact time ({:.3g} s at {:.3g} m/s)", percent(choice.dt / s.contact),
                            s.contact, s.speed);
    } else {
        text += "; nothing moves, so contacts have no time";
    }
    if (s.damping < std::min(s.rayleigh, s.contact)) {
        text += fmt::format(", {} of the damping time ({:.3g} s)", percent(choice.dt / s.damping), s.damping);
    }
    return text;
}

}  // namespace

TimeScales measureTimeScales(const WorldState& w, double speed) {
    const std::size_t materials = w.materials.list.size();
    TimeScales scales{never, never, never, never, speed};
    const double boundary = lightestBoundary(w);
    const auto consider = [&](std::size_t material, const GrainSize& size) {
        const Material& m = w.materials.list[material];
        const double mass = std::min(boundary, m.density * size.volume);
        scales.rayleigh = std::min(scales.rayleigh, rayleighTime(m, size.radius));
        for (std::size_t other = 0; other < materials; ++other) {
            const PairLaw& law = w.materials.laws[material * materials + other];
            const LawKinds& kinds = w.materials.kinds;
            scales.contact = std::min(scales.contact, contactTime(kinds, law, mass, size.radius, speed));
            scales.springs = std::min(scales.springs, springTime(kinds, law, mass, size.radius));
            scales.damping = std::min(scales.damping, dampingTime(kinds, law, mass, size.radius, speed));
        }
    };
    const std::vector<GrainSize> smallest = smallestGrains(w);
    for (std::size_t material = 0; material < materials; ++material) {
        if (smallest[material].radius < never) consider(material, smallest[material]);
    }
    return scales;
}

StepChoice chooseStep(const WorldState& world, double fraction, double duration) {
    StepChoice choice;
    choice.scales = measureTimeScales(world, expectedSpeed(world));
    const double resolved = std::min(fraction * choice.scales.shortest(), stableSpringShare * choice.scales.springs);
    const double swing = swingShare * expectedJointMotion(world).swing;
    const double travel = longestTravelTime(world, choice.scales.speed);
    const double longest = std::min({resolved, swing, travel});
    const double steps = std::isfinite(longest) ? std::ceil(duration / longest) : 1000;
    choice.dt = duration / std::max(1.0, steps);
    choice.reason = describe(choice, "auto") + describeSwing(world, choice.dt);
    if (travel < std::min(resolved, swing)) {
        choice.reason +=
            fmt::format("; a grain goes {} of the smallest half width of a body in it", percent(safeTravel));
    }
    return choice;
}

StepChoice chooseRigidStep(const WorldState& world, double duration) {
    const double radius = smallestRadius(world), speed = expectedSpeed(world);
    const double fall = largestKnownAcceleration(world);
    double longest = std::min(duration / 100, swingShare * expectedJointMotion(world).swing);
    if (std::isfinite(radius)) {
        if (speed > 0) longest = std::min(longest, rigidTravel * radius / speed);
        longest = std::min(longest, longestTravelTime(world, speed));
        if (fall > 0) longest = std::min(longest, std::sqrt(rigidFall * radius / fall));
    }
    StepChoice choice{duration / std::ceil(duration / longest), {.speed = speed}, {}};
    choice.reason = describeRigid(world, choice, "auto") + describeSwing(world, choice.dt);
    return choice;
}

StepChoice chooseIncrement(const WorldState& world, const std::optional<double>& given, double duration) {
    const double radius = smallestRadius(world), speed = prescribedSpeed(world);
    double longest = duration / 100;
    if (speed > 0 && std::isfinite(radius)) longest = std::min(longest, incrementTravel * radius / speed);
    StepChoice choice{given ? *given : duration / std::ceil(duration / longest), {.speed = speed}, {}};
    const std::string share = std::isfinite(radius) ? fmt::format("{:.2g} % of the smallest radius ({:.3g} m)",
                                                                  100 * speed * choice.dt / radius, radius)
                                                    : fmt::format("{:.3g} m", speed * choice.dt);
    choice.reason = fmt::format("increment {:.3g} s ({}): prescribed bodies go {} in it", choice.dt,
                                given ? "given" : "auto", share);
    return choice;
}

StepChoice describeRigidStep(const WorldState& world, double dt) {
    StepChoice choice{dt, {.speed = expectedSpeed(world)}, {}};
    choice.reason = describeRigid(world, choice, "given") + describeSwing(world, dt);
    return choice;
}

std::optional<std::string> rigidStepWarning(const WorldState& world, double dt, double speed) {
    const double radius = smallestRadius(world);
    if (!(speed * dt > riskyRigidTravel * radius)) return {};
    return fmt::format(
        "the step of {:.3g} s is long: at {:.3g} m/s a grain goes {:.2g} of the smallest radius in it and may pass "
        "through others; set run.step to {:.2g} s or less",
        dt, speed, speed * dt / radius, rigidTravel * radius / speed);
}

StepChoice describeStep(const WorldState& world, double dt) {
    StepChoice choice{dt, measureTimeScales(world, expectedSpeed(world)), {}};
    choice.reason = describe(choice, "given");
    return choice;
}

std::optional<std::string> stepWarning(const WorldState& world, double dt, double speed) {
    const TimeScales s = measureTimeScales(world, speed);
    std::string exceeded;
    const auto judge = [&](double time, double riskyShare, const char* name) {
        if (!(dt > riskyShare * time)) return;
        exceeded += fmt::format("{}{} of the {}", exceeded.empty() ? "" : ", ", percent(dt / time), name);
    };
    judge(s.rayleigh, riskyRayleighShare, "Rayleigh time");
    judge(s.contact, riskyContactShare, "contact time");
    if (exceeded.empty()) return {};
    return fmt::format("the step of {:.3g} s is long for impacts at {:.3g} m/s: {}; set run.step to {:.2g} s or less",
                       dt, speed, exceeded, 0.05 * s.shortest());
}

std::optional<std::string> stepFault(const WorldState& world, double dt) {
    const TimeScales s = measureTimeScales(world, expectedSpeed(world));
    const bool alone = world.bodies.size() < 2 && world.sources.empty();
    if (alone || dt < hopelessContactShare * s.contact) return {};
    return fmt::format(
        "a step of {:.3g} s is {} of the time an impact at {:.3g} m/s lasts: no contact can come out "
        "right; set run.step to auto with a step_fraction of 0.05, or to {:.2g} s or less",
        dt, percent(dt / s.contact), s.speed, 0.05 * s.shortest());
}

}  // namespace talus
