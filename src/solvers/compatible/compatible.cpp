#include "solvers/compatible/compatible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/parallel.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr std::uint64_t mostSteps = 3000;  // of Newton, one-step form
constexpr double strict = 1e-9;            // -, of the largest effect: what opens faster is open, whatever the settings
constexpr double stricter = 1e-2;  // from the share in the settings towards that, if contacts would bear too much
constexpr std::size_t manyContacts = 3000;  // from which on gradient steps are tried before factors
constexpr double leastTime = 1e-3;          // s, that a solve gets
constexpr double certain = 1e-10;  // -, natural map of compatible reactions that proves their motion to be exact

void checkStiffness(const ContactProblem& p, const std::vector<RelativeStiffness>& stiffness) {
    if (stiffness.size() != p.contactCount()) {
        throw InputError(fmt::format("stiffness: there are {} for {} contacts", stiffness.size(), p.contactCount()));
    }
    const auto check = [](std::size_t i, const char* direction, double k) {
        if (k > 0 && std::isfinite(k)) return;
        throw InputError(fmt::format("stiffness of contact {}: the {} one must be > 0, got {}", i, direction, k));
    };
    for (std::size_t i = 0; i < stiffness.size(); ++i) {
        check(i, "normal", stiffness[i].normal);
        if (!p.sets[i].isHalfLine()) check(i, "tangential", stiffness[i].tangential);
    }
}

void checkRigid(const ContactProblem& p) {
    if (!p.compliance.empty()) throw InputError("compatible forces: contacts must be rigid; compliant ones are unique");
    if (!p.skew.empty()) throw InputError("compatible forces: skewed laws are not known");
}

void refuseFriction(const ContactProblem& p) {
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        if (p.sets[i].isHalfLine()) continue;
        throw InputError(
            fmt::format("contact {}: the two-step form of compatible forces is for frictionless contacts, this one {}; "
                        "use the one-step form (solveCompatible)",
                        i, p.sets[i].bilateral ? "is bilateral" : "has friction, a cap or a ball"));
    }
}

// The largest velocity that reactions make along a normal.
double largestEffect(const ContactProblem& p, const std::vector<Vec3>& u) {
    return parallelMax(u.size(), [&](std::size_t i) { return std::abs(u[i].x - p.offset[i].x); });
}

double largestChange(const ContactProblem& p, const std::vector<Vec3>& before, const std::vector<Vec3>& after) {
    const double change = parallelMax(after.size(), [&](std::size_t i) { return std::abs(after[i].x - before[i].x); });
    return change == 0 ? 0.0 : change / std::max(largestEffect(p, before), largestEffect(p, after));
}

// Contacts that bear nothing: they part faster than this share of the largest effect, and than they are pushed.
std::vector<bool> openContacts(const ContactProblem& p, const std::vector<Vec3>& g, const std::vector<Vec3>& u,
                               double share) {
    const double slow = share * largestEffect(p, u);
    std::vector<bool> isOpen(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) {
        const double pushed = g[i].x + p.sets[i].cohesion;
        isOpen[i] = u[i].x > slow && u[i].x > p.diagonal(i)(0, 0) * pushed;
    }
    return isOpen;
}

ElasticNetwork networkOf(const ContactProblem& p, double power, const std::vector<RelativeStiffness>& stiffness,
                         const std::vector<Vec3>& g, const std::vector<bool>& isOpen, NormalMotion& motion) {
    std::vector<double> springs(g.size()), load(g.size());
    for (std::size_t i = 0; i < g.size(); ++i) {
        springs[i] = isOpen[i] ? 0.0 : stiffness[i].normal;
        load[i] = isOpen[i] ? 0.0 : g[i].x + p.sets[i].cohesion;
    }
    return makeNetwork(p, power, std::move(springs), std::move(load), motion);
}

}  // namespace

void validate(const CompatibleSettings& s) {
    if (!(s.power > 1 && std::isfinite(s.power))) {
        throw InputError(fmt::format("compatible.power: must be > 1 (2 for Hooke, 2.5 for Hertz), got {}", s.power));
    }
    if (!(s.closed >= 0)) throw InputError(fmt::format("compatible.closed: must be >= 0, got {}", s.closed));
    if (!(s.tolerance >= 0)) throw InputError(fmt::format("compatible.tolerance: must be >= 0, got {}", s.tolerance));
}

bool isFrictionless(const ContactProblem& p) {
    return std::all_of(p.sets.begin(), p.sets.end(), [](const ReactionSet& s) { return s.isHalfLine(); });
}

namespace {

// A failed attempt must not spoil the motion: what came in stays, unless the new reactions solve the problem better.
void keepBetter(const ContactProblem& p, FrictionLaw law, const std::vector<Vec3>& before,
                const std::vector<Vec3>& after, const std::vector<Vec3>& found, const Residuals& residuals,
                std::vector<Vec3>& g, CompatibleReport& report) {
    report.solve.residuals = residuals;
    if (report.solve.status != SolveStatus::converged) {
        const Residuals old = measureResiduals(p, law, g);
        if (!(residuals.naturalMap < old.naturalMap)) {
            report.solve.residuals = old;
            return;
        }
    }
    report.changeOfMotion = largestChange(p, before, after);
    report.replaced = true;
    g = found;
}

}  // namespace

CompatibleSolver::CompatibleSolver(CompatibleSettings settings) : settings_(settings) { validate(settings_); }

// Compatible reactions for a motion, and what they are worth.
struct CompatibleSolver::Attempt {
    std::vector<Vec3> reactions, velocities;
    Residuals residuals;
    std::uint64_t iterations = 0;
    bool isBalanced = false;
};

CompatibleSolver::Attempt CompatibleSolver::balance(const ContactProblem& p,
                                                    const std::vector<RelativeStiffness>& stiffness,
                                                    const std::vector<Vec3>& g, const std::vector<bool>& isOpen) {
    const ElasticNetwork network = networkOf(p, settings_.power, stiffness, g, isOpen, motion_);
    const NetworkForces found = settings_.method == CompatibleMethod::newton
                                    ? balanceByNewton(network, newton_)
                                    : balanceByLagrangian(network, settings_.maxIterations, lagrangian_);
    Attempt attempt{.iterations = found.iterations, .isBalanced = found.isExact};
    for (std::size_t i = 0; i < g.size(); ++i) attempt.reactions.push_back({found.force[i] - p.sets[i].cohesion, 0, 0});
    relativeVelocities(p, attempt.reactions, attempt.velocities);
    Diagonals diagonals;
    diagonals.measure(p);
    attempt.residuals = measureResiduals(p, FrictionLaw::associated, diagonals, attempt.reactions, attempt.velocities);
    return attempt;
}

CompatibleReport CompatibleSolver::replace(const ContactProblem& p, const std::vector<RelativeStiffness>& stiffness,
                                           std::vector<Vec3>& g) {
    if (isFrictionless(p)) return redistribute(p, stiffness, g);
    checkRigid(p);
    checkStiffness(p, stiffness);
    std::vector<Vec3> before, after;
    relativeVelocities(p, g, before);
    ContactProblem springs = p;
    for (const RelativeStiffness& k : stiffness) {
        const double across = k.tangential > 0 ? 1 / k.tangential : 1 / k.normal;  // the latter where nothing acts
        springs.compliance.push_back(diagonal3({1 / k.normal, across, across}));
    }
    const SolverSettings s{.law = settings_.law,
                           .tolerance = settings_.tolerance,
                           .maxIterations = mostSteps,
                           .timeLimit = settings_.timeLimit};
    std::vector<Vec3> found;
    CompatibleReport report{.solve = solveCompatible(std::move(springs), s, found, settings_.power), .inOneStep = true};
    relativeVelocities(p, found, after);
    const Residuals residuals = report.solve.residuals;
    keepBetter(p, settings_.law, before, after, found, residuals, g, report);
    return report;
}

CompatibleReport CompatibleSolver::redistribute(const ContactProblem& p,
                                                const std::vector<RelativeStiffness>& stiffness, std::vector<Vec3>& g) {
    const auto start = std::chrono::steady_clock::now();
    const auto seconds = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const auto isLate = [&] { return seconds() >= settings_.timeLimit; };
    checkRigid(p);
    checkStiffness(p, stiffness);
    refuseFriction(p);
    const bool byFactors = settings_.method == CompatibleMethod::newton;
    std::vector<Vec3> before, u;
    relativeVelocities(p, g, before);
    CompatibleReport report;

    // With the motion that the contacts suggest, and if that was not it, from the beginning.
    Attempt answer;
    exactMotion_.startCount();
    newton_.system.startCount();
    std::vector<Vec3> exact = g;
    std::vector<bool> isOpen;
    const auto attempt = [&](double share) {
        isOpen = openContacts(p, exact, u, share);
        answer = balance(p, stiffness, exact, isOpen);
        report.solve.iterations += answer.iterations;
    };
    const auto isProven = [&] { return answer.isBalanced && answer.residuals.naturalMap <= certain; };
    if (byFactors && exactMotion_.bringToRest(p, exact, u)) attempt(strict);
    if (byFactors && !isProven() && p.contactCount() > manyContacts && !isLate()) {
        exact = g;
        report.solve.iterations += exactMotion_.comeCloser(p, exact);
        if (exactMotion_.bringToRest(p, exact, u)) attempt(strict);
    }
    if (!isProven()) {
        exact = g;
        const double left = std::max(leastTime, settings_.timeLimit - seconds());
        const SolverKind kind = byFactors ? SolverKind::interiorPoint : SolverKind::apgd;
        report.solve.iterations += exactMotion_.solve(p, kind, left, exact, u).iterations;
        attempt(strict);
    }

    // Contacts that hardly part bear too, as many of them as the tolerance allows.
    const auto isGood = [&] { return answer.isBalanced && answer.residuals.naturalMap <= settings_.tolerance; };
    const Attempt strictest = answer;
    const std::vector<bool> openAtMost = isOpen;
    for (double share = settings_.closed; share > strict && !isLate(); share *= stricter) {
        if (openContacts(p, exact, u, share) == openAtMost) break;
        attempt(share);
        if (isGood()) break;
        answer = strictest;
    }

    report.solve.status = isGood() ? SolveStatus::converged : isLate() ? SolveStatus::timeLimit : SolveStatus::stalled;
    keepBetter(p, FrictionLaw::associated, before, answer.velocities, answer.reactions, answer.residuals, g, report);
    report.solve.factors = together(exactMotion_.factors(), newton_.system.factors());
    report.solve.seconds = seconds();
    return report;
}

}  // namespace talus
