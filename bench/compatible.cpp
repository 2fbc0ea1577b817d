#include "bench/compatible.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "bench/solver_speed.hpp"
#include "bench/start_state.hpp"
#include "laws/pair_law.hpp"
#include "solvers/compatible/compatible.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr int base = 20;                 // spheres along an edge of the lowest layer
constexpr double diameter = 1e-3;        // m
constexpr double density = 2500;         // kg/m^3
constexpr double softness = 5;           // -, stiffness of the one kind over that of the other
constexpr double tolerance = 1e-6;       // -, residual of the solve before
constexpr std::uint64_t most = 100'000;  // iterations of it

struct PileSprings {
    const char* name;
    double power;
    bool twoKinds;
};

// Every layer lies in the hollows of the one below.
StartState makePile() {
    StartState pile{.tileSize = diameter * Vec3{base, base, base}, .diameter = diameter, .density = density};
    for (int layer = 0; layer < base; ++layer) {
        for (int j = 0; j < base - layer; ++j) {
            for (int i = 0; i < base - layer; ++i) {
                const double up = 0.5 + layer * std::sqrt(0.5), aside = 0.5 * (layer + 1);
                pile.tile.push_back({diameter * Vec3{i + aside, j + aside, up}, {}, {}, layer == 0 ? 1u : 0u});
            }
        }
    }
    return pile;
}

ContactProblem pileProblem() {
    WorldState world;
    const ElasticProperties elastic{.youngsModulus = 1e7, .poissonRatio = 0.3};
    world.materials.list.push_back({"spheres", density, elastic.youngsModulus, elastic.poissonRatio});
    world.materials.laws.push_back(makePairLaw(world.materials.kinds, DampingLaw::restitution, elastic, elastic,
                                               ContactProperties{.friction = 0}));
    placeGrains(makePile(), world);
    return packingProblem(world);
}

// Springs in series: a contact is as soft as the softer of its two spheres lets it be.
std::vector<RelativeStiffness> stiffnessOf(const ContactProblem& problem, const PileSprings& springs) {
    std::vector<RelativeStiffness> stiffness(problem.contactCount());
    if (!springs.twoKinds) return stiffness;
    const auto& contacts = std::get<BodyContacts>(problem.contacts);
    const auto compliance = [](std::uint32_t body) { return body % 2 == 0 ? softness : 1.0; };
    for (std::size_t i = 0; i < stiffness.size(); ++i) {
        const ContactRow& c = contacts.contacts[i];
        stiffness[i].normal = 2 / (compliance(c.a) + compliance(c.b));
    }
    return stiffness;
}

}  // namespace

std::vector<BenchResult> measureCompatible(int rounds) {
    setThreadCount(1);
    const ContactProblem problem = pileProblem();
    const auto contacts = static_cast<double>(problem.contactCount());
    std::vector<BenchResult> results;
    for (const PileSprings& springs :
         {PileSprings{"hooke", 2, false}, PileSprings{"two-kinds", 2, true}, PileSprings{"hertz", 2.5, false}}) {
        const std::vector<RelativeStiffness> stiffness = stiffnessOf(problem, springs);
        double solving = std::numeric_limits<double>::infinity(), replacing = solving;
        for (int round = 0; round < rounds; ++round) {
            CompatibleSolver compatible({.power = springs.power, .tolerance = tolerance});
            Solution found = solve(problem, {.kind = SolverKind::apgd,
                                             .tolerance = tolerance,
                                             .maxIterations = most,
                                             .gradient = {.scaling = GradientScaling::common}});
            const SolveReport& solved = found.report;
            std::vector<Vec3>& reactions = found.reactions;
            const CompatibleReport replaced = compatible.redistribute(problem, stiffness, reactions);
            for (const SolveReport* report : {&solved, &replaced.solve}) {
                if (report->status == SolveStatus::converged) continue;
                throw RunError(fmt::format("bench: the pyramid was not solved ({})", nameOf(report->status)));
            }
            solving = std::min(solving, solved.seconds);
            replacing = std::min(replacing, replaced.solve.seconds);
        }
        results.push_back({.name = fmt::format("compatible/{}", springs.name),
                           .n = problem.contactCount(),
                           .value = contacts / replacing,
                           .unit = "contacts/s",
                           .peer = "APGD before it",
                           .peerValue = contacts / solving,
                           .ratio = solving / replacing});
    }
    return results;
}

}  // namespace talus
