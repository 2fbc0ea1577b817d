#include "bench/settled_problem.hpp"

#include <fmt/format.h>

#include <cmath>

#include "bench/packing.hpp"
#include "bench/solver_speed.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr int mostEdge = 200;  // grains

}  // namespace

int edgeOfCube(std::uint64_t grains) {
    const auto edge = static_cast<int>(std::lround(std::cbrt(static_cast<double>(grains))));
    if (edge < 2 || edge > mostEdge) {
        throw InputError(fmt::format("grains: must be 8 to {}, got {}", mostEdge * mostEdge * mostEdge, grains));
    }
    return edge;
}

ContactProblem settledProblem(int edge) {
    StartState start = makePackingLattice(edge);
    start.tile = settleGrains(start);
    WorldState world = makePackingWorld(start);
    return packingProblem(world);
}

}  // namespace talus
