// run.json (what was run, on what) and summary.json (how it went).
//
// The names of the fields are for other programs to rely on: add fields, never rename.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "talus/frames.hpp"
#include "talus/results.hpp"

namespace talus {

struct RunFacts {
    nlohmann::json scene;  // resolved: every default written out
    std::string version;
    std::uint64_t seed = 0;
    int threads = 0;
    std::string innerLoop;  // the variant of the inner loops chosen on this machine
    FrameNames names;       // what the numbers of groups and materials in frames stand for
    MachineFacts machine = machineFacts();
};
void writeRunJson(const std::filesystem::path& folder, const RunFacts& facts);

struct Summary {
    std::string status;  // e.g. finished, interrupted, failed
    double time = 0;     // s, simulated
    std::uint64_t steps = 0;
    double wall_seconds = 0;  // s
    int threads = 0;
    std::string state_hash;  // hexadecimal; a string because JSON numbers lose bits
    std::uint64_t bodies = 0, contacts = 0;
    double max_overlap = 0;  // -, largest of all steps, as a share of the smaller radius (measure/overlap.hpp)
    std::uint64_t unconverged_steps = 0;
    nlohmann::json timings = nlohmann::json::object();  // s of wall clock by part of the step
    nlohmann::json results = nlohmann::json::object();
    std::string message;  // for people: what happened, what to do
};
nlohmann::json toJson(const Summary& summary);
std::string asText(const Summary& summary);  // what is written
void writeSummary(const std::filesystem::path& folder, const Summary& summary);

// state_hash as it is written: 16 hexadecimal digits.
std::string hexHash(std::uint64_t hash);

}  // namespace talus
