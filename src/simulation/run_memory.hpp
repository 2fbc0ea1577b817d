// What a run remembers besides the world: the start of its measurements and its own bookkeeping. Goes into the
// checkpoint as JSON, so that a resumed run continues every output as if never interrupted.
#pragma once

#include <string>

#include "observables/series.hpp"
#include "simulation/solve_statistics.hpp"

namespace talus {

struct RunMemory {
    double dt = 0;              // s
    double wallSeconds = 0;     // spent on the run so far
    double largestOverlap = 0;  // -, seen so far, share of the smaller radius
    std::string sceneFolder;    // what relative file names of the scene start from
    std::vector<std::string> warnings;
    SolveStatistics solves;  // of contact dynamics
    StepSeconds seconds;     // the same, by part of the step
    SeriesState series;
};

std::string writeMemory(const RunMemory& memory);

// Throws InputError if the text is not what writeMemory() made.
RunMemory readMemory(const std::string& text);

}  // namespace talus
