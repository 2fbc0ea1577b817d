// Whether too few iterations per step made a packing soft, in numbers and words for the end of a run
// (docs/rigidity.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "measure/rigidity.hpp"
#include "run/solve_statistics.hpp"
#include "step/step.hpp"

namespace talus {

struct RigidityReport {
    Rigidity rigidity;
    LoadedNetwork network;
    IterativeSolves solves;
    double tolerance = 0;  // -, that steps were to reach
};

// From time to time, and after the last step. What contacts bear belongs to the last step: bodies that came or went
// since have no say.
void watchLoads(const WorldState& world, const std::vector<ContactSample>& samples, const StepSettings& settings,
                const SolveStatistics& statistics, LoadWatch& watch);

// Nothing for elastic contacts, which have springs of their own, or if nothing ever bore a load.
std::optional<RigidityReport> checkRigidity(const WorldState& world, const LoadWatch& watch,
                                            const StepSettings& settings, const SolveStatistics& statistics);

// What is wrong and what to do about it; empty unless soft.
std::string describe(const RigidityReport& report);
std::string adviceOf(const RigidityReport& report);

nlohmann::json asResults(const RigidityReport& report);

}  // namespace talus
