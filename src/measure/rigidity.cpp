#include "measure/rigidity.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace talus {
namespace {

// The rate of the slowest mode of a column over that of the forces of its weight.
constexpr double slowestMode = std::numbers::pi * std::numbers::pi / 12;
// Share of the expected overlaps below which they have healed.
constexpr double healed = 0.1;
constexpr double mostIterations = 1e9;
constexpr double nearlyAll = 0.9;     // of the weights under load
constexpr double goodBalance = 0.05;  // -, off balance by so little counts as none

// ---- the network

Vec3 loadDirection(const WorldState& world, const std::vector<ContactSample>& samples) {
    const Vec3 gravity = hadamard(world.linearFreedom, world.gravity);
    if (norm(gravity) > 0) return normalized(gravity);
    Vec3 borne;
    for (const ContactSample& s : samples) borne += hadamard(s.force, s.branch);
    if (borne.x >= borne.y && borne.x >= borne.z) return {1, 0, 0};
    return borne.y >= borne.z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
}

std::vector<std::uint32_t> contactsOfEach(const WorldState& world, const std::vector<ContactSample>& samples) {
    std::vector<std::uint32_t> counts(world.bodies.size(), 0);
    for (const ContactSample& s : samples) ++counts[s.owner], ++counts[s.partner];
    return counts;
}

// The diagonal block of W, normal and tangential, 1/kg.
struct Mobility {
    double normal = 0, tangential = 0;
};

Mobility mobilityOf(const WorldState& world, const ContactSample& s) {
    const Bodies& b = world.bodies;
    const auto turning = [&](std::uint32_t i) {
        return b.inverseMass[i] > 0 ? b.radius[i] * b.radius[i] * b.inverseInertia[i].x : 0.0;
    };
    const double shift = b.inverseMass[s.owner] + b.inverseMass[s.partner];
    return {shift, shift + turning(s.owner) + turning(s.partner)};
}

double frictionOf(const WorldState& world, const ContactSample& s) {
    if (world.materials.kinds.tangential == TangentialLaw::none) return 0;
    return world.materials.between(world.bodies.material[s.owner], world.bodies.material[s.partner]).friction;
}

// Largest number of contacts of a body of this contact that can move.
double crowdOf(const WorldState& world, const std::vector<std::uint32_t>& counts, const ContactSample& s) {
    double most = 1;
    for (const std::uint32_t i : {s.owner, s.partner}) {
        if (world.bodies.inverseMass[i] > 0) most = std::max(most, static_cast<double>(counts[i]));
    }
    return most;
}

// What the grains that bear something are like: extent, mean height and mass, and the work that gravity would do.
void measureGrains(const WorldState& world, const std::vector<std::uint32_t>& counts, const Vec3& down,
                   LoadedNetwork& network) {
    const Bodies& b = world.bodies;
    double top = std::numeric_limits<double>::infinity(), bottom = -top, mass = 0, moment = 0, loaded = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (counts[i] == 0 || b.inverseMass[i] == 0) continue;
        const double depth = dot(down, b.position[i]);
        top = std::min(top, depth - b.radius[i]);
        bottom = std::max(bottom, depth + b.radius[i]);
        mass += 1 / b.inverseMass[i];
        moment += depth / b.inverseMass[i];
        ++loaded;
    }
    if (loaded == 0) return;
    network.mass = mass / loaded;
    network.size = bottom - top;
    network.height = bottom - moment / mass;
    network.bearing = mass * dot(down, world.gravity) * network.height;
    network.weight = mass * dot(down, world.gravity) * dot(down, world.gravity);
}

double meanSpacing(const std::vector<ContactSample>& samples, std::size_t grains) {
    double sum = 0, between = 0;
    for (const ContactSample& s : samples) {
        if (s.partner >= grains) continue;  // a wall
        sum += norm(s.branch);
        ++between;
    }
    return between > 0 ? sum / between : 2 * norm(samples.front().branch);
}

// ---- the solver

// 2 q N: by how much more than the closing speed over the mobility an impulse grows in a step.
double answers(const IterativeSolves& s, double iterations) {
    switch (s.solver) {
        case SolverKind::gaussSeidel:
            return iterations * (s.sweep == SweepOrder::random ? 4 * std::sqrt(std::numbers::e) - 5 : 2.0);
        case SolverKind::jacobi:
            return iterations;
        case SolverKind::apgd:
            // Momentum makes iterations add up like their square, N^2/8 over the largest eigenvalue of D^-1 W.
            return std::max(1.0, iterations * iterations / 50);
        default:
            return iterations;
    }
}

bool isSecondOrder(SolverKind solver) { return traitsOf(solver).order == SolverOrder::second; }

// y/(e^y - 1).
double leftOver(double y) { return y > 0 ? y / std::expm1(y) : 1.0; }

struct Give {
    double strain = 0;  // -, at first
    double decay = 0;   // -, y of the slowest mode
};

Give giveOf(const LoadedNetwork& n, const IterativeSolves& s, double iterations) {
    const double answer = answers(s, iterations);
    const double decay = slowestMode * answer * n.weight / n.give;
    const double work = s.dt * s.impulseTime / answer * n.give * leftOver(decay) * (1 + n.mobilisation);
    return {work / n.bearing, decay};
}

// With impulses kept and overlaps pushed apart, an overlap fades by `correction` per step, unless the packing answers
// more slowly than that: then it can swing (Routh and Hurwitz' criterion of the slowest mode).
Softness expectedSoftness(const IterativeSolves& s, double decay) {
    const bool pushesApart = s.stabilisation == Stabilisation::gap && s.correction > 0;
    if (!pushesApart) return s.warmStart ? Softness::springs : Softness::creeping;
    if (!s.warmStart) return Softness::springs;
    return decay > s.correction ? Softness::healing : Softness::breathing;
}

// Friction may keep a packing from swinging, and blows may make one swing; the overlaps that there were of late tell.
Softness seenSoftness(const IterativeSolves& s, const Give& give, double largestStrain) {
    const Softness expected = expectedSoftness(s, give.decay);
    if (expected == Softness::healing && largestStrain > visibleShrinkage) return Softness::breathing;
    const bool hasHealed = largestStrain < healed * give.strain;
    return expected == Softness::breathing && hasHealed ? Softness::healing : expected;
}

// With springs, overlaps are how far contacts gave way along their normals. Across them nothing shows it; there they
// give way in proportion to the forces they bear, and further the more of their friction is used, as in giveOf().
// Without impulses to start from, overlaps make up for that, too.
double seenStrain(const LoadedNetwork& n, const IterativeSolves& s) {
    return n.overlapStrain() * (s.warmStart ? n.give / n.normalGive * (1 + n.mobilisation) : 1.0);
}

// What stays of the first give. Without impulses to start from, overlaps have to make the forces anew in each step, in
// every other one in fact, as what parts is not pushed: 2/c - 1 is what chains show.
double stayingFactor(Softness softness, const IterativeSolves& s) {
    switch (softness) {
        case Softness::none:
        case Softness::loose:
        case Softness::healing:
            return 0;
        case Softness::breathing:
            return 1;
        case Softness::creeping:
            return s.steps;
        case Softness::springs:
            return s.warmStart ? 1.0 : 2 / s.correction - 1;
    }
    return 0;
}

// Fewest iterations that leave nothing to see; the strain falls with their number.
double findIterationsNeeded(const LoadedNetwork& n, const IterativeSolves& s) {
    double low = 0, high = 1;
    const auto isEnough = [&](double count) {
        const Give give = giveOf(n, s, count);
        return give.strain * stayingFactor(expectedSoftness(s, give.decay), s) <= visibleShrinkage;
    };
    while (high < mostIterations && !isEnough(high)) low = high, high *= 2;
    while (high - low > std::max(0.5, 0.001 * high)) {
        const double middle = 0.5 * (low + high);
        (isEnough(middle) ? high : low) = middle;
    }
    return std::ceil(high);
}

// How far from balance; all the same in the air, and where walls press and weights do not matter.
double imbalance(const LoadedNetwork& n) { return std::clamp(std::abs(n.balance - 1), goodBalance, 1.0); }

bool tellsAsMuch(const LoadedNetwork& fresh, const LoadedNetwork& old) {
    return fresh.contacts > 0 && fresh.weight >= nearlyAll * old.weight &&
           (imbalance(fresh) <= imbalance(old) || old.weight < nearlyAll * fresh.weight);
}

}  // namespace

Relaxation relaxationOf(SolverKind solver, double relaxation) {
    if (solver != SolverKind::jacobi) return {};
    return relaxation > 0 ? Relaxation{.weight = 1 / relaxation} : Relaxation{.byCrowd = true};
}

LoadedNetwork measureNetwork(const WorldState& world, const std::vector<ContactSample>& samples,
                             Relaxation relaxation) {
    LoadedNetwork network;
    if (samples.empty()) return network;
    const Vec3 down = loadDirection(world, samples);
    const std::vector<std::uint32_t> counts = contactsOfEach(world, samples);
    network.contacts = samples.size();
    network.spacing = meanSpacing(samples, world.bodies.grainCount);
    measureGrains(world, counts, down, network);
    double borne = 0, tangential = 0, limit = 0;
    for (const ContactSample& s : samples) {
        const Mobility w = mobilityOf(world, s);
        const double weight = relaxation.byCrowd ? crowdOf(world, counts, s) : relaxation.weight;
        const double normal = s.normalForce * s.normalForce, across = std::max(0.0, normSquared(s.force) - normal);
        network.normalSquares += normal;
        network.normalGive += weight * w.normal * normal;
        network.give += weight * (w.normal * normal + w.tangential * across);
        network.overlapWork += s.normalForce * std::max(0.0, s.overlap);
        borne += dot(down, s.force) * dot(down, s.branch);
        tangential += std::sqrt(across);
        limit += frictionOf(world, s) * std::max(0.0, s.normalForce);
    }
    if (network.bearing > 0) network.balance = borne / network.bearing;
    network.bearing = std::max(network.bearing, borne);
    if (limit > 0) network.mobilisation = std::min(1.0, tangential / limit);
    return network;
}

void LoadWatch::add(std::uint64_t step, const LoadedNetwork& network) {
    if (step > end) {
        last = present;
        present = {};
        while (step > end) end *= 2;
    }
    present.largestStrain = std::max(present.largestStrain, network.overlapStrain());
    if (tellsAsMuch(network, present.network)) present.network = network;
}

LoadWatch::Stretch LoadWatch::all() const {
    return {tellsAsMuch(present.network, last.network) ? present.network : last.network,
            std::max(last.largestStrain, present.largestStrain)};
}

Rigidity estimateRigidity(const LoadedNetwork& n, const IterativeSolves& s, double largestStrain) {
    Rigidity r;
    r.networkSize = n.size;
    if (n.give <= 0 || n.bearing <= 0 || s.iterations <= 0 || isSecondOrder(s.solver)) return r;
    const double h2 = s.dt * s.impulseTime;
    r.stiffness = answers(s, s.iterations) / h2 * n.normalSquares / n.normalGive;
    r.soundSpeed = n.spacing * std::sqrt(r.stiffness / n.mass);
    r.diffusionLength = r.soundSpeed * std::sqrt(h2);
    const Give give = giveOf(n, s, s.iterations);
    largestStrain = std::max(largestStrain, n.overlapStrain());
    r.softness = seenSoftness(s, give, largestStrain);
    const double expected = give.strain * stayingFactor(r.softness, s);
    r.expectedShrinkage = expected * n.height;
    r.relativeShrinkage = r.softness == Softness::springs     ? seenStrain(n, s)
                          : r.softness == Softness::breathing ? std::max(expected, largestStrain)
                                                              : expected;
    r.shrinkage = r.relativeShrinkage * n.height;
    r.soft = r.relativeShrinkage > visibleShrinkage;
    r.iterationsNeeded = findIterationsNeeded(n, s);
    if (!r.soft) r.iterationsNeeded = std::min(r.iterationsNeeded, s.iterations);
    // What the theory gives roughly, but less than there is: the strain falls with their number.
    const bool explains = r.soft && expected > 0.5 * r.relativeShrinkage;
    if (explains && r.iterationsNeeded <= s.iterations) {
        r.iterationsNeeded = std::ceil(s.iterations * r.relativeShrinkage / visibleShrinkage);
    }
    return r;
}

}  // namespace talus
