// LAMMPS as a peer: writes the start state of a benchmark as its data file, runs it on one rank, reads its timing.
//
// Its inputs are bench/peers/lammps/*.in, carried inside the program.
#pragma once

#include <filesystem>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bench/measure.hpp"
#include "bench/scratch_folder.hpp"
#include "bench/start_state.hpp"

namespace talus {

// Name and text of each input; defined by the build (cmake/embed.cmake).
std::vector<std::pair<std::string_view, std::string_view>> lammpsInputs();

bool lammpsIsInstalled();

// Data file for atom_style sphere: type 1, or 2 for fixed grains. Velocities are left out of a state at rest.
void writeLammpsData(const StartState& start, std::ostream& out);

struct PeerMeasurement {
    double particleStepsPerSecond = 0;
    double bytesPerGrain = 0;  // peak resident memory
};

// The last "Loop time" of a LAMMPS log as particle-steps per second. Throws RunError if there is none.
double particleStepsPerSecond(const std::string& log);

// A folder of its own for LAMMPS, with the inputs and the start state; gone when this object goes.
class LammpsFolder {
public:
    explicit LammpsFolder(const StartState& start);

    // Runs one input (e.g. "packing.in") from the start state. Throws RunError with what LAMMPS said if it fails.
    PeerMeasurement measure(const std::string& input, const StepCounts& counts) const;

private:
    ScratchFolder folder_;
    std::uint64_t grains_ = 0;
};

}  // namespace talus
