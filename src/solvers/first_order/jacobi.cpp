#include "solvers/first_order/jacobi.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace talus {
namespace {

// By how much the other contacts can outweigh contact i.
template <class Contacts>
std::size_t crowd(const Contacts& contacts, std::size_t i) {
    std::size_t most = 1;
    contacts.forEachMovable(
        i, [&](std::uint32_t body, std::uint32_t) { most = std::max(most, contacts.incidence().of(body).size()); });
    return most;
}
std::size_t crowd(const BlockMatrix& matrix, std::size_t i) { return matrix.rowStart[i + 1] - matrix.rowStart[i]; }

template <class Operator>
void run(const ContactProblem& p, const Operator& op, typename Operator::State& state, const SolverSettings& s,
         JacobiWorkspace& ws, Solution& solution) {
    std::vector<Vec3>&reactions = solution.reactions, &velocities = solution.velocities;
    Stopping stopping(s, solution.report);
    ws.diagonals.measure(p);
    const std::size_t n = p.contactCount();
    ws.metric.resize(n);
    ws.fresh.resize(n);
    velocities.resize(n);
    parallelFor(n, [&](std::size_t i) {
        const double weight = s.jacobi.relaxation > 0 ? 1 / s.jacobi.relaxation : static_cast<double>(crowd(op, i));
        ws.metric[i] = weight * regularDiagonal(p, i);
    });

    for (std::uint64_t iteration = 0;; ++iteration) {
        op.start(reactions, state);
        parallelFor(n, [&](std::size_t i) {
            velocities[i] = op.velocity(state, i) + p.offset[i] + p.complianceTimes(i, reactions[i]);
        });
        if (stopping.isDue(iteration)) {
            solution.report.residuals = measureResiduals(p, s.law, ws.diagonals, reactions, velocities);
            if (const auto status = stopping.check(iteration, solution.report.residuals.naturalMap)) {
                solution.report.status = *status;
                return;
            }
        }
        parallelFor(n, [&](std::size_t i) {
            ws.fresh[i] = solveContact(p.sets[i], s.law, ws.metric[i], velocities[i] - ws.metric[i] * reactions[i]);
        });
        reactions.swap(ws.fresh);
    }
}

}  // namespace

void solveJacobi(const ContactProblem& p, const SolverSettings& s, SolverWorkspace& workspace, Solution& solution) {
    auto& ws = workspace.part<JacobiWorkspace>();
    std::visit([&](const auto& op) { run(p, op, ws.states.of(op), s, ws, solution); }, p.contacts);
}

}  // namespace talus
