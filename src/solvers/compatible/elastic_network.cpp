#include "solvers/compatible/elastic_network.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr double roundOff = 1e-13;  // -, of velocities that large loads make together

double normOf(const ElasticNetwork& n, const std::vector<double>& velocity) {
    return std::sqrt(
        parallelSum(n.size(), 0.0, [&](std::size_t i) { return velocity[i] * velocity[i] / n.inverseMass[i]; }));
}

// Stiffnesses of the mean load at unit compression, in the geometric mean: only their ratios matter.
void chooseUnits(ElasticNetwork& n) {
    double loads = 0, logarithms = 0, loaded = 0, closed = 0;
    for (std::size_t i = 0; i < n.size(); ++i) {
        loads += n.load[i];
        loaded += n.load[i] > 0;
        if (!n.isClosed(i)) continue;
        logarithms += std::log(n.stiffness[i]);
        closed += 1;
    }
    if (loaded == 0) return;
    const double unit = loads / loaded / std::exp(logarithms / closed);
    for (double& k : n.stiffness) k *= unit;
}

// What a unit impulse along the normal of a contact makes of the velocity there, of one of its bodies.
double normalInverseMass(const JacobianBlock& block, const MassBlock& inverseMass) {
    double sum = 0;
    for (std::size_t row = 0; row < 6; ++row) {
        for (std::size_t column = 0; column < 6; ++column) {
            sum += block[row] * inverseMass[6 * row + column] * block[column];
        }
    }
    return sum;
}

// The balance of forces knows no masses. Bodies get such that springs accelerate all of them about alike: then light
// ones count as much as heavy ones. A given W has none to change.
void chooseMassesOfSpheres(const ElasticNetwork& n, BodyContacts& contacts) {
    for (std::size_t i = 0; i < contacts.bodyCount(); ++i) {
        double k = 0;
        for (const Incidence::Entry& e : contacts.incidence().of(i)) k += n.stiffness[e.contact()];
        if (k > 0) contacts.inverseMass[i] = 1 / k;
    }
}

void chooseMasses(const ElasticNetwork& n, BodyContacts& contacts) {
    if (contacts.isRound()) return chooseMassesOfSpheres(n, contacts);
    for (std::size_t i = 0; i < contacts.bodyCount(); ++i) {
        const MassBlock inverseMass = contacts.inverseMassOf(i);
        double rate = 0;
        for (const Incidence::Entry& e : contacts.incidence().of(i)) {
            const JacobianBlock block = contacts.blockOf(e.contact(), e.side());
            rate += n.stiffness[e.contact()] * normalInverseMass(block, inverseMass);
        }
        if (!(rate > 0)) continue;
        if (contacts.isSphere(i)) {
            contacts.inverseMass[i] /= rate;
            contacts.inverseInertia[i] /= rate;
        } else {
            for (double& entry : contacts.masses[contacts.general[i]]) entry /= rate;
        }
    }
}

void chooseMasses(const ElasticNetwork&, BlockMatrix&) {}

}  // namespace

void NormalMotion::velocities(const ContactProblem& p, const std::vector<double>& impulses, std::vector<double>& u) {
    reactions_.resize(impulses.size());
    u.resize(impulses.size());
    parallelFor(impulses.size(), [&](std::size_t i) { reactions_[i] = {impulses[i], 0, 0}; });
    std::visit(
        [&](const auto& op) {
            auto& state = states_.of(op);
            op.start(reactions_, state);
            parallelFor(u.size(), [&](std::size_t i) { u[i] = op.velocity(state, i).x; });
        },
        p.contacts);
}

ElasticNetwork makeNetwork(const ContactProblem& p, double power, std::vector<double> stiffness,
                           std::vector<double> load, NormalMotion& motion) {
    ElasticNetwork n{.problem = p, .power = power, .stiffness = std::move(stiffness), .load = std::move(load)};
    n.inverseMass.resize(n.size());
    chooseUnits(n);
    std::visit([&](auto& contacts) { chooseMasses(n, contacts); }, n.problem.contacts);
    parallelFor(n.size(), [&](std::size_t i) { n.inverseMass[i] = n.problem.diagonal(i)(0, 0); });
    motion.velocities(n.problem, n.load, n.effect);
    // Loads that only stress the network itself move nothing, up to round-off.
    const double loads =
        std::sqrt(parallelSum(n.size(), 0.0, [&](std::size_t i) { return n.load[i] * n.load[i] * n.inverseMass[i]; }));
    n.effectSize = std::max(normOf(n, n.effect), roundOff * loads);
    return n;
}

double imbalance(const ElasticNetwork& n, const std::vector<double>& velocityOfDifference) {
    const double size = normOf(n, velocityOfDifference);
    return size == 0 ? 0.0 : size / n.effectSize;
}

}  // namespace talus
