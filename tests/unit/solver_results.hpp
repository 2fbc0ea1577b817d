// What the summary of a run says of its solver.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "talus/simulation.hpp"
#include "unit/output_samples.hpp"

namespace talus {

inline nlohmann::json solverResults(const std::string& scene) {
    const output_samples::TemporaryFolder folder;
    RunOptions options;
    options.folder = folder / "run";
    const RunOutcome outcome = runScene(parseScene(scene, "scene.yaml", "."), options);
    EXPECT_EQ(outcome.status, "finished") << outcome.message;
    return nlohmann::json::parse(outcome.summary)["results"]["solver"];
}

}  // namespace talus
