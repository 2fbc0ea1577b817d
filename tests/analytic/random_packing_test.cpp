// Random close packing of equal frictionless spheres.
//
// Random points in a periodic box are inflated to a dense, overlapping packing, whose energy is brought to a minimum;
// then the radii shrink until the overlaps vanish. What is left is the jamming point of O'Hern, Silbert, Liu, Nagel
// (Phys. Rev. E 68, 2003): solid fraction 0.64, and 6 contacts per sphere that carries load, the isostatic number.
#include <gtest/gtest.h>

#include <algorithm>

#include "analytic/analytic_world.hpp"
#include "base/random.hpp"
#include "measure/packing.hpp"

namespace talus {
namespace {

using analytic::Trial;

constexpr int count = 1000;
constexpr double edge = 1;  // m, of the periodic box

double radiusFor(double fraction) { return std::cbrt(fraction * edge * edge * edge / (count * 4.0 / 3 * M_PI)); }

Trial randomPoints(double fraction) {
    WorldState world = analytic::makeWorld({.kinds = {.normal = NormalLaw::hooke, .tangential = TangentialLaw::none},
                                            .contact = {.restitution = 1, .stiffness = 1e4}});
    world.domain = {.low = {}, .high = {edge, edge, edge}, .periodic = {true, true, true}};
    Random random(7, 0);
    std::vector<BodyDefinition> grains(count, BodyDefinition{.radius = radiusFor(fraction)});
    for (BodyDefinition& grain : grains) grain.position = random.inBox(world.domain.low, world.domain.high);
    addGrains(world, grains);
    const double mass = 1 / world.bodies.inverseMass[0];
    return Trial(std::move(world), 0.15 * std::sqrt(mass / 1e4));
}

void setFraction(Trial& trial, double fraction) {
    std::fill(trial.world.bodies.radius.begin(), trial.world.bodies.radius.end(), radiusFor(fraction));
    std::fill(trial.world.bodies.velocity.begin(), trial.world.bodies.velocity.end(), Vec3{});
    trial.world.contacts.stale = true;
    trial.workspace.planned = false;
    prepareStep(trial.world, trial.settings, trial.workspace);
}

double meanOverlap(const std::vector<ContactSample>& samples) {
    double sum = 0;
    for (const ContactSample& c : samples) sum += c.overlap;
    return samples.empty() ? 0 : sum / static_cast<double>(samples.size());
}

// FIRE (Bitzek et al., Phys. Rev. Lett. 97, 2006) with a fixed step: the velocities turn towards the forces while
// they go downhill and stop when they go up. Ends when the forces balance to a share of the mean contact force.
int relax(Trial& trial) {
    Bodies& b = trial.world.bodies;
    double mixing = 0.1;
    int downhill = 0, steps = 0;
    for (; steps < 20000; ++steps) {
        trial.step();
        double power = 0, speed = 0, force = 0;
        for (std::size_t i = 0; i < b.grainCount; ++i) {
            power += dot(b.force[i], b.velocity[i]);
            speed += normSquared(b.velocity[i]);
            force += normSquared(b.force[i]);
        }
        const double rootMeanSquare = std::sqrt(force / count);
        if (steps % 50 == 0 && rootMeanSquare <= 1e-5 * 1e4 * meanOverlap(sampleContacts(trial.world))) break;
        downhill = power > 0 ? downhill + 1 : 0;
        mixing = power > 0 ? (downhill > 5 ? 0.99 * mixing : mixing) : 0.1;
        const double keep = power > 0 ? 1 - mixing : 0;
        const double add = power > 0 && force > 0 ? mixing * std::sqrt(speed / force) : 0;
        for (std::size_t i = 0; i < b.grainCount; ++i) b.velocity[i] = keep * b.velocity[i] + add * b.force[i];
    }
    return steps;
}

TEST(RandomClosePacking, OfFrictionlessSpheresFills64PercentWith6ContactsPerSphere) {
    double fraction = 0.68;
    Trial trial = randomPoints(fraction);
    relax(trial);
    double overlap = meanOverlap(sampleContacts(trial.world)) / (2 * radiusFor(fraction));
    // Relative overlap grows as a third of the relative excess of volume; go most of the way to zero each time.
    int rounds = 0;
    while (overlap > 2e-5 && rounds < 12) {
        fraction *= 1 - 3 * 0.7 * overlap;
        setFraction(trial, fraction);
        relax(trial);
        overlap = meanOverlap(sampleContacts(trial.world)) / (2 * radiusFor(fraction));
        ++rounds;
    }
    ASSERT_GT(overlap, 0) << "still jammed";
    const Coordination z = averageCoordination(trial.world, countContacts(trial.world, sampleContacts(trial.world)));
    RecordProperty("fraction", std::to_string(fraction));
    RecordProperty("coordination", std::to_string(z.meanWithoutRattlers()));
    EXPECT_NEAR(fraction, 0.64, 0.01);
    EXPECT_NEAR(z.meanWithoutRattlers(), 6, 0.2);
    EXPECT_LT(z.rattlers, 0.06 * count) << "a few per cent are caged but loose";
    EXPECT_GT(z.rattlers, 0);
}

}  // namespace
}  // namespace talus
