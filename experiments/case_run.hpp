// Cases of an experiment that are runs of scenes, each in a folder of its own. An experiment of many hours that was
// stopped is to go on where it was: what the same program made of the same scene is taken over, and a case that it was
// stopped in goes on from its latest checkpoint.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "talus/error.hpp"
#include "talus/scene.hpp"

namespace talus::reproduce {

struct CaseRun {
    std::string summary;                // the text of summary.json
    bool takenOver = false;             // from an earlier run in this folder
    std::vector<std::string> warnings;  // of the run
};

// By SIGINT or SIGTERM, which are meant for the whole experiment.
struct CaseStopped : RunError {
    CaseStopped(const std::string& message, int number) : RunError(message), signal(number) {}
    int signal;
};

// Runs the scene to its end in the folder, which belongs to the case, as far as that has not been done there before.
// Throws CaseStopped if a signal stops it, RunError if the run ends otherwise. The program is known by a hash of its
// file; where that cannot be read nothing is taken over.
CaseRun runCase(const Scene& scene, const std::filesystem::path& folder);

}  // namespace talus::reproduce
