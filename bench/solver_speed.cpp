#include "bench/solver_speed.hpp"

#include <algorithm>
#include <chrono>

#include "contacts/table/matching.hpp"
#include "contacts/table/neighbour_lists.hpp"
#include "step/assembly/build_problem.hpp"

namespace talus {
namespace {

constexpr double dt = 1e-4;      // s
constexpr double margin = 2e-5;  // m, a fiftieth of a diameter: contacts that are just open belong to a packing, too
constexpr double work = 2e7;     // contact-iterations to measure

// Bytes that an iteration asks for per contact, as bench/traffic.hpp counts them: arrays larger than the caches, each
// pass once; `bodies` is the number of bodies per contact.
double bytesPerIteration(SolverKind solver, double bodies) {
    constexpr double contact = sizeof(ContactRow), vector = sizeof(Vec3), body = sizeof(BodyContacts::Body);
    // Both sides sum up the reactions of their contacts, then each contact reads its bodies.
    const double sums = 2 * (4 + contact + vector) + bodies * (body + 16);
    const double velocities = contact + vector + bodies * body;
    switch (solver) {
        case SolverKind::gaussSeidel:
            return 128 + 64 + 2 * (body + body);  // its rows; bodies once per colour
        case SolverKind::apgd:
            return sums + velocities + 4 * vector + (4 + 7) * vector + 32;
        case SolverKind::spg:
            return sums + velocities + 4 * vector + 3 * vector + 32;
        case SolverKind::jacobi:
            return sums + velocities + 4 * vector + sizeof(Mat3) + sizeof(ReactionSet);
        default:
            return 0;  // factorisations: no fixed number
    }
}

}  // namespace

ContactProblem packingProblem(WorldState& world) {
    world.contacts.memory = RigidMemory{};
    makeRoom(world, world.contacts.size(), world.contacts.memory);
    NeighbourWorkspace neighbours;
    refreshLists(world, neighbours, 0.0, margin);
    ProblemWorkspace ws;
    // The overlaps of soft grains at rest are no errors to be pushed out.
    buildProblem(world, {.stabilisation = Stabilisation::quasiInelastic, .restitution = RestitutionRule::none}, {dt},
                 {margin}, ws);
    return std::move(ws.problem);
}

Measurement measureSolver(WorldState& world, SolverKind kind) {
    const ContactProblem problem = packingProblem(world);
    const auto contacts = static_cast<double>(problem.contactCount());

    const auto iterations = static_cast<std::uint64_t>(std::clamp(work / contacts, 10.0, 2000.0));
    const SolverSettings settings{.kind = kind, .fixedIterations = iterations};
    SolverWorkspace workspace;
    double shortest = 1e300;
    for (int round = 0; round < 2; ++round) {  // the first makes room and warms up
        shortest = std::min(shortest, solve(problem, {}, settings, workspace).report.seconds);
    }
    const double bodies = static_cast<double>(world.bodies.size()) / contacts;
    return {.itemsPerSecond = contacts * static_cast<double>(iterations) / shortest,
            .contactsPerGrain = 2 / bodies,
            .bytesMovedPerItem = bytesPerIteration(kind, bodies),
            .items = problem.contactCount()};
}

}  // namespace talus
