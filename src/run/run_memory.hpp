// What a run remembers besides the world: the start of its measurements and its own bookkeeping. Goes into the
// checkpoint as JSON, so that a resumed run continues every output as if never interrupted.
#pragma once

#include <string>

#include "measure/rigidity.hpp"
#include "run/course.hpp"
#include "run/solve_statistics.hpp"

namespace talus {

struct RunMemory {
    CourseState course;       // where it is on its way through the stages
    double wallSeconds = 0;   // spent on the run so far
    std::string sceneFolder;  // what relative file names of the scene start from; any bytes
    std::vector<std::string> warnings;
    SolveStatistics solves;  // of contact dynamics
    LoadWatch loads;         // the same
    StepSeconds seconds;     // the same, by part of the step

    static constexpr auto fields() {
        return std::tuple{Field{"course", &RunMemory::course},           Field{"wallSeconds", &RunMemory::wallSeconds},
                          Field{"sceneFolder", &RunMemory::sceneFolder}, Field{"warnings", &RunMemory::warnings},
                          Field{"solves", &RunMemory::solves},           Field{"loads", &RunMemory::loads},
                          Field{"seconds", &RunMemory::seconds}};
    }
};

std::string writeMemory(const RunMemory& memory);

// Throws InputError if the text is not what writeMemory() made.
RunMemory readMemory(const std::string& text);

}  // namespace talus
