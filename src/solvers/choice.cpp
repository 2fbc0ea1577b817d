#include "solvers/choice.hpp"

#include <algorithm>

#include "problem/contact_problem.hpp"
#include "solvers/predicted_cost.hpp"

namespace talus {
namespace {

constexpr double looseTolerance = 3e-5;        // -, which gradient steps reach sooner than a factorisation pays
constexpr std::size_t mostFactorised = 3'000;  // contacts; beyond, factors cost more than the iterations they spare
constexpr std::size_t mostStepped = 1'000;     // contacts; beyond, sweeps settle sooner under Coulomb's law

// What sweeps may cost, in factorisations: less than what the interior-point method mostly takes, and that of Newton
// with compliant contacts.
constexpr double worthSweeps = 10, worthOfNewton = 5;

constexpr std::size_t mostContactsPerJoint = 10;
constexpr std::size_t roundContactsPerOther = 10;  // where bodies count as round
constexpr double leastCompliance = 0.02;  // -, of W_ii; below, Newton's method takes longer than the interior-point one

// No contact is rigid, or nearly, in a direction in which it acts.
bool isCompliant(const ContactProblem& p) {
    if (p.compliance.empty()) return false;
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        const Mat3& e = p.compliance[i];
        const double least = leastCompliance * trace(p.diagonal(i)) / 3;
        const bool acrossToo = !p.sets[i].actsAcross() || (e(1, 1) > least && e(2, 2) > least);
        if (!(e(0, 0) > least && acrossToo)) return false;
    }
    return true;
}

// Hardly any contact turns bodies by its normal force, as it never does with spheres: sweeps are in their element.
bool isRound(const ContactProblem& p) {
    const auto* bodies = std::get_if<BodyContacts>(&p.contacts);
    if (bodies == nullptr) return false;
    const auto others = std::count_if(bodies->detail.begin(), bodies->detail.end(),
                                      [](const BodyContacts::Detail& d) { return d.kind() != RowKind::round; });
    return static_cast<std::size_t>(others) * roundContactsPerOther <= p.contactCount();
}

// Not few of its entries are joints, through a chain of which gradient steps carry a push slowly.
bool isMachine(const ContactProblem& p) {
    const auto joints = std::count_if(p.sets.begin(), p.sets.end(), [](const ReactionSet& s) { return s.bilateral; });
    return joints > 0 && static_cast<std::size_t>(joints) * mostContactsPerJoint >= p.contactCount();
}

// Sweeps that cost as much as so many factorisations. Most problems that they do not solve show it before a quarter of
// them is made.
std::uint64_t worthwhileSweeps(const ContactProblem& p, double factorisations) {
    const double sweep = predictedSweep(p);
    return sweep > 0 ? static_cast<std::uint64_t>(factorisations * predictedFactorisation(p) / sweep) : 0;
}

SolverChoice withSweepsFirst(SolverChoice choice, const ContactProblem& p, const SolverSettings& s) {
    const double factorisations = choice.solver == SolverKind::newton ? worthOfNewton : worthSweeps;
    // Others need iterations of their own.
    choice.sweepsFirst = std::min(worthwhileSweeps(p, factorisations), s.maxIterations / 2);
    return choice;
}

}  // namespace

SolverChoice chooseSolver(const ContactProblem& p, const SolverSettings& s) {
    const bool isMany = p.contactCount() > mostFactorised, compliant = isCompliant(p);
    if (!p.skew.empty()) return {SolverKind::interiorPoint, "a skewed law"};
    if (isMany) {
        const bool isConvex = s.law == FrictionLaw::associated;
        return {isConvex ? SolverKind::apgd : SolverKind::gaussSeidel, "many contacts"};
    }
    if (compliant) return withSweepsFirst({SolverKind::newton, "compliant contacts"}, p, s);
    if (isMachine(p)) return {SolverKind::interiorPoint, "joints"};
    if (s.tolerance >= looseTolerance) {
        // In packings at rest Coulomb's shift keeps gradient steps from settling, the more so the larger they are.
        const bool isCoulomb = s.law == FrictionLaw::coulomb;
        if (isCoulomb && isRound(p)) return {SolverKind::gaussSeidel, "round bodies and a loose tolerance"};
        if (isCoulomb && p.contactCount() > mostStepped) return {SolverKind::gaussSeidel, "a loose tolerance"};
        return {SolverKind::apgd, "a loose tolerance"};
    }
    return withSweepsFirst({SolverKind::interiorPoint, "a tight tolerance"}, p, s);
}

}  // namespace talus
