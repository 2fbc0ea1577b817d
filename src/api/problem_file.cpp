#include "talus/problem_file.hpp"

#include "io/fclib/fclib.hpp"

namespace talus {

SavedProblem readProblem(const std::filesystem::path& file) {
    FclibFile read = readFclib(file);
    return {.problem = std::move(read.problem),
            .guesses = std::move(read.guesses),
            .solution = std::move(read.solution),
            .title = std::move(read.info.title),
            .description = std::move(read.info.description)};
}

void writeProblem(const std::filesystem::path& file, const ContactProblem& problem,
                  const std::optional<std::vector<Vec3>>& solution) {
    FclibContent content;
    content.solution = solution;
    writeFclib(file, problem, content);
}

}  // namespace talus
