#include "solvers/gauss_seidel.hpp"

#include <numeric>

#include "base/random.hpp"

namespace talus {
namespace {

// Fisher-Yates with numbers that depend on seed and sweep only.
void shuffle(std::vector<std::uint32_t>& order, std::uint64_t seed, std::uint64_t sweep) {
    Random numbers(seed, static_cast<std::uint32_t>(sweep));
    for (std::size_t k = order.size(); k > 1; --k) {
        std::swap(order[k - 1], order[static_cast<std::size_t>(numbers.uniform() * static_cast<double>(k))]);
    }
}

void chooseOrder(const ContactProblem& p, const SolverSettings& s, GaussSeidelWorkspace& ws) {
    if (s.sweep == SweepOrder::coloured) {
        std::visit([&](const auto& op) { ws.colouring.build(op); }, p.contacts);
        ws.order = ws.colouring.order();
    } else if (s.sweep == SweepOrder::given) {
        ws.order = s.order;
    } else {
        ws.order.resize(p.contactCount());
        std::iota(ws.order.begin(), ws.order.end(), 0u);
    }
}

// Contacts of one colour at the same time, colours one after the other.
template <class Sweeper>
void sweepColours(const Colouring& colouring, Sweeper& sweeper) {
    constexpr std::size_t chunk = 512;
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

template <class Sweeper>
void sweepOnce(const SolverSettings& s, std::uint64_t iteration, GaussSeidelWorkspace& ws, Sweeper& sweeper) {
    switch (s.sweep) {
        case SweepOrder::coloured:
            sweepColours(ws.colouring, sweeper);
            break;
        case SweepOrder::random:
            shuffle(ws.places, s.seed, iteration);
            for (const std::uint32_t place : ws.places) sweeper.sweepAt(place);
            break;
        case SweepOrder::list:
        case SweepOrder::given:
            sweeper.sweep(0, ws.order.size());
            break;
    }
}

template <class Operator, class Sweeper>
void run(const ContactProblem& p, const Operator& op, const SolverSettings& s, GaussSeidelWorkspace& ws,
         Sweeper& sweeper, std::vector<Vec3>& reactions, std::vector<Vec3>& velocities, SolveReport& report) {
    Stopping stopping(s, report);
    const double scale = meanDiagonal(p);
    chooseOrder(p, s, ws);
    sweeper.load(p, op, s.law, ws.order);
    sweeper.start(reactions);
    ws.places = ws.order;

    for (std::uint64_t iteration = 0;; ++iteration) {
        if (stopping.isDue(iteration)) {
            // Sums start anew from the reactions, so that round-off cannot pile up in the velocities.
            sweeper.store(reactions);
            sweeper.start(reactions);
            sweeper.velocities(velocities);
            report.residuals = measureResiduals(p, s.law, scale, reactions, velocities);
            if (const auto status = stopping.check(iteration, report.residuals.naturalMap)) {
                report.status = *status;
                return;
            }
        }
        sweepOnce(s, iteration, ws, sweeper);
    }
}

}  // namespace

void solveGaussSeidel(const ContactProblem& p, const SolverSettings& s, GaussSeidelWorkspace& ws,
                      std::vector<Vec3>& reactions, std::vector<Vec3>& velocities, SolveReport& report) {
    if (const auto* spheres = std::get_if<SphereContacts>(&p.contacts)) {
        if (SphereSweeper::fits(p)) {
            run(p, *spheres, s, ws, ws.spheres, reactions, velocities, report);
        } else {
            run(p, *spheres, s, ws, ws.generalSpheres, reactions, velocities, report);
        }
    } else if (const auto* bodies = std::get_if<BodyContacts>(&p.contacts)) {
        run(p, *bodies, s, ws, ws.bodies, reactions, velocities, report);
    } else {
        run(p, std::get<BlockMatrix>(p.contacts), s, ws, ws.matrix, reactions, velocities, report);
    }
}

}  // namespace talus
