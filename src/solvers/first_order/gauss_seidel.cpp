#include "solvers/first_order/gauss_seidel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "problem/reaction_set.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double tight = 1e-5;  // -, tolerances for which leaps pay

// Fisher-Yates with numbers that depend on seed and sweep only.
void shuffle(std::vector<std::uint32_t>& order, std::uint64_t seed, std::uint64_t sweep) {
    Random numbers(seed, static_cast<std::uint32_t>(sweep));
    for (std::size_t k = order.size(); k > 1; --k) {
        std::swap(order[k - 1], order[static_cast<std::size_t>(numbers.uniform() * static_cast<double>(k))]);
    }
}

// Throws unless the order names each of the contacts once.
void checkOrder(const std::vector<std::uint32_t>& order, std::size_t contacts, std::vector<std::uint32_t>& seen) {
    if (order.size() != contacts) {
        throw InputError(fmt::format("solver.order: must name each of {} contacts, got {}", contacts, order.size()));
    }
    seen.assign(contacts, 0);
    for (const std::uint32_t contact : order) {
        if (contact >= contacts || seen[contact]++ > 0) {
            throw InputError(
                fmt::format("solver.order: must name each of {} contacts once, got {}", contacts, contact));
        }
    }
}

void chooseOrder(const ContactProblem& p, const GaussSeidelSettings& s, GaussSeidelWorkspace& ws) {
    if (s.sweep == SweepOrder::coloured) {
        std::visit([&](const auto& op) { ws.colouring.build(op); }, p.contacts);
        ws.order = ws.colouring.order();
    } else if (s.sweep == SweepOrder::given) {
        checkOrder(s.order, p.contactCount(), ws.places);
        ws.order = s.order;
    } else {
        ws.order.resize(p.contactCount());
        std::iota(ws.order.begin(), ws.order.end(), 0u);
    }
}

// Where the sweeper holds the contacts of bodies that are joined.
void findMachine(const BodyContacts& contacts, const ContactProblem& p, GaussSeidelWorkspace& ws) {
    ws.machine.clear();
    ws.joined.assign(contacts.bodyCount(), 0);
    bool any = false;
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        if (!p.sets[i].bilateral) continue;
        contacts.forEachMovable(i, [&](std::uint32_t body, std::uint32_t) { ws.joined[body] = 1; });
        any = true;
    }
    for (std::uint32_t place = 0; any && place < ws.order.size(); ++place) {
        bool touches = false;
        contacts.forEachMovable(ws.order[place],
                                [&](std::uint32_t body, std::uint32_t) { touches = touches || ws.joined[body] != 0; });
        if (touches && !p.sets[ws.order[place]].bilateral) ws.machine.push_back(place);
    }
}
void findMachine(const BlockMatrix&, const ContactProblem&, GaussSeidelWorkspace& ws) { ws.machine.clear(); }

// A machine is stiffer than the grains around it, and would keep them waiting: after each sweep of all its contacts and
// its joints are swept by themselves, as often as that costs no more than the sweep.
template <class Sweeper>
void sweepMachine(const GaussSeidelSettings& s, const GaussSeidelWorkspace& ws, Sweeper& sweeper) {
    constexpr std::size_t most = 20;
    if (s.sweep != SweepOrder::coloured) return;
    const std::size_t affordable = ws.machine.empty() ? 0 : std::min(most, ws.order.size() / (2 * ws.machine.size()));
    sweeper.sweepJoints();
    for (std::size_t k = 0; k < affordable; ++k) {
        for (const std::uint32_t place : ws.machine) sweeper.sweepAt(place);
        sweeper.sweepJoints();
    }
}

// Contacts of one colour at the same time, colours one after the other; or all one after the other.
template <class Sweeper>
void sweepOnce(const GaussSeidelSettings& s, std::uint64_t iteration, GaussSeidelWorkspace& ws, Sweeper& sweeper) {
    constexpr std::size_t chunk = 512;
    if (s.sweep == SweepOrder::random) {
        shuffle(ws.places, s.seed, iteration);
        for (const std::uint32_t place : ws.places) sweeper.sweepAt(place);
        return;
    }
    if (s.sweep != SweepOrder::coloured) return sweeper.sweep(0, ws.order.size());
    const Colouring& colouring = ws.colouring;
    for (std::size_t colour = 0; colour < colouring.colourCount(); ++colour) {
        const std::size_t begin = colouring.begin(colour), end = colouring.end(colour);
        if (colouring.isSequential(colour)) {
            sweeper.sweep(begin, end);
            continue;
        }
        parallelBlocks((end - begin + chunk - 1) / chunk, [&](std::size_t block) {
            const std::size_t first = begin + block * chunk;
            sweeper.sweep(first, std::min(end, first + chunk));
        });
    }
}

// Full steps as long as they get anywhere; shorter ones when the residual has not fallen for long. Compliant contacts,
// whose error fades evenly, go further than full steps once it turns out to take long, until that makes it grow: under
// Coulomb's law they may go in circles.
class Damping {
public:
    explicit Damping(bool isCompliant) : mayOverrelax_(isCompliant) {}

    double relaxation(std::uint64_t iteration, double naturalMap) {
        constexpr std::uint64_t longSolve = 40;
        constexpr double further = 1.4, grown = 1.5, calm = 0.8;
        if (mayOverrelax_ && iteration >= longSolve) {
            relaxation_ = further;
            mayOverrelax_ = false;
        }
        if (naturalMap < 0.99 * best_) {
            best_ = naturalMap;
            since_ = iteration;
        } else if (relaxation_ > 1 && naturalMap > grown * best_) {
            relaxation_ = calm;
            best_ = naturalMap;
            since_ = iteration;
        } else if (iteration - since_ > std::max<std::uint64_t>(100, since_ / 2)) {
            relaxation_ = std::max(0.3, 0.7 * relaxation_);
            since_ = iteration;
        }
        return relaxation_;
    }

    // What was done to the reactions needs time to pay.
    void wait(std::uint64_t iteration) { since_ = iteration; }

private:
    bool mayOverrelax_;
    double best_ = std::numeric_limits<double>::infinity(), relaxation_ = 1;
    std::uint64_t since_ = 0;
};

// In redundant packings the error ends as a / k after k sweeps: contacts that slide between others creep to where they
// belong, and forces with them. From the reactions g at k/2 and at k the end is foretold at 2 g(k) - g(k/2), and what
// that breaks is mended by sweeps much sooner than it would have come about.
class Leaps {
public:
    Leaps(std::uint64_t most, std::vector<Vec3>& before) : most_(most), before_(before) {}

    // A leap, or that what comes next will be measured from here. None that the sweeps allowed could not mend.
    bool isDue(std::uint64_t iteration) const {
        const std::uint64_t leap = std::max(iteration, 2 * first);
        return iteration == next_ && leap + leap / 2 < most_;
    }

    void take(const ContactProblem& p, std::vector<Vec3>& reactions) {
        before_.resize(reactions.size());
        const bool isFirst = std::exchange(next_, 2 * next_) == first;
        parallelFor(reactions.size(), [&](std::size_t i) {
            const Vec3 here = reactions[i];
            if (!isFirst) reactions[i] = project(p.sets[i], 2 * here - before_[i]);
            before_[i] = here;
        });
    }

    // To where it was before the last leap, if a limit came too soon for that to pay.
    void returnIfBetter(const ContactProblem& p, FrictionLaw law, const Diagonals& diagonals, Solution& solution) {
        if (next_ == first) return;
        std::vector<Vec3> velocities;
        relativeVelocities(p, before_, velocities);
        const Residuals residuals = measureResiduals(p, law, diagonals, before_, velocities);
        if (!(residuals.naturalMap < solution.report.residuals.naturalMap)) return;
        solution.report.residuals = residuals;
        solution.reactions.swap(before_);
        solution.velocities = std::move(velocities);
    }

private:
    static constexpr std::uint64_t first = 400;
    std::uint64_t most_, next_ = first;
    std::vector<Vec3>& before_;
};

bool slides(const ContactProblem& p, FrictionLaw law) {
    return law == FrictionLaw::coulomb &&
           std::any_of(p.sets.begin(), p.sets.end(), [](const ReactionSet& set) { return set.friction > 0; });
}

bool isCompliant(const ContactProblem& p) {
    return !p.compliance.empty() &&
           std::all_of(p.compliance.begin(), p.compliance.end(), [](const Mat3& e) { return e(0, 0) > 0; });
}

template <class Operator, class Sweeper>
void run(const ContactProblem& p, const Operator& op, const SolverSettings& s, std::uint64_t allowed,
         GaussSeidelWorkspace& ws, Sweeper& sweeper, Solution& solution) {
    std::vector<Vec3>& reactions = solution.reactions;
    SolveReport& report = solution.report;
    Stopping stopping(s, report, Pace::foreseen);
    stopping.allow(allowed);
    // What is wanted as so many sweeps, or in an order of one's own, is just that.
    const bool isFree = s.fixedIterations == 0 && s.gaussSeidel.sweep == SweepOrder::coloured;
    const bool fadesEvenly = isFree && isCompliant(p);
    Damping damping(fadesEvenly);
    const bool creepsInTheEnd = isFree && !fadesEvenly && s.tolerance <= tight && slides(p, s.law);
    Leaps leaps(creepsInTheEnd ? s.maxIterations : 0, ws.before);
    ws.diagonals.measure(p);
    sweeper.relaxation = 1;
    chooseOrder(p, s.gaussSeidel, ws);
    sweeper.load(p, op, s.law, ws.order);
    sweeper.start(reactions);
    findMachine(op, p, ws);
    ws.places.resize(ws.order.size());
    std::iota(ws.places.begin(), ws.places.end(), 0u);

    for (std::uint64_t iteration = 0;; ++iteration) {
        if (stopping.isDue(iteration)) {
            const bool forHistoryOnly = stopping.isForHistoryOnly(iteration);
            sweeper.store(reactions);
            // Sums start anew from the reactions, so that round-off cannot pile up in the velocities.
            if (!forHistoryOnly) sweeper.start(reactions);
            sweeper.velocities(solution.velocities);
            report.residuals = measureResiduals(p, s.law, ws.diagonals, reactions, solution.velocities);
            if (const auto status = stopping.check(iteration, report.residuals.naturalMap)) {
                report.status = *status;
                if (*status != SolveStatus::converged) leaps.returnIfBetter(p, s.law, ws.diagonals, solution);
                return;
            }
            if (!forHistoryOnly) sweeper.relaxation = damping.relaxation(iteration, report.residuals.naturalMap);
        }
        if (leaps.isDue(iteration)) {
            sweeper.store(reactions);
            leaps.take(p, reactions);
            sweeper.start(reactions);
            damping.wait(iteration);
        }
        sweepOnce(s.gaussSeidel, iteration, ws, sweeper);
        sweepMachine(s.gaussSeidel, ws, sweeper);
    }
}

}  // namespace

void sweepWhileWorthwhile(const ContactProblem& p, const SolverSettings& s, std::uint64_t allowed,
                          SolverWorkspace& workspace, Solution& solution) {
    auto& ws = workspace.part<GaussSeidelWorkspace>();
    if (const auto* bodies = std::get_if<BodyContacts>(&p.contacts)) {
        run(p, *bodies, s, allowed, ws, ws.bodies, solution);
    } else {
        run(p, std::get<BlockMatrix>(p.contacts), s, allowed, ws, ws.matrix, solution);
    }
}

void solveGaussSeidel(const ContactProblem& p, const SolverSettings& s, SolverWorkspace& workspace,
                      Solution& solution) {
    constexpr std::uint64_t anyNumber = 0;
    sweepWhileWorthwhile(p, s, anyNumber, workspace, solution);
}

}  // namespace talus
