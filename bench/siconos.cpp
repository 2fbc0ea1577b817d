#include "bench/siconos.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "bench/child.hpp"
#include "bench/scratch_folder.hpp"
#include "io/fclib/fclib.hpp"
#include "problem/residual.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

constexpr const char* python = "/usr/bin/python3";

template <class Value>
void writeArray(const fs::path& path, const std::vector<Value>& values) {
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(values.data()),
              static_cast<std::streamsize>(values.size() * sizeof(Value)));
    if (!out.flush()) throw RunError(fmt::format("{}: cannot write; is the disk full?", path.string()));
}

// W as blocks, also of problems that keep bodies instead.
BlockMatrix explicitMatrix(const ContactProblem& problem, const ScratchFolder& folder) {
    if (const auto* blocks = std::get_if<BlockMatrix>(&problem.contacts);
        blocks != nullptr && problem.compliance.empty()) {
        return *blocks;
    }
    const fs::path file = folder / "problem.hdf5";
    writeFclib(file, problem);
    return std::get<BlockMatrix>(readFclib(file).problem.contacts);
}

// With W/w for W and w g for g, u and q stay and the mean diagonal is 1.
void writeProblem(const ContactProblem& problem, double w, const ScratchFolder& folder) {
    BlockMatrix matrix = explicitMatrix(problem, folder);
    for (Mat3& block : matrix.block) block *= 1 / w;
    std::vector<double> friction;
    for (const ReactionSet& set : problem.sets) friction.push_back(set.friction);
    writeArray(folder / "row_start", matrix.rowStart);
    writeArray(folder / "column", matrix.column);
    writeArray(folder / "value", matrix.block);
    writeArray(folder / "q", problem.offset);
    writeArray(folder / "mu", friction);
}

std::vector<Vec3> readReactions(const fs::path& path, std::size_t count, double w) {
    std::vector<Vec3> reactions(count);
    std::ifstream in(path, std::ios::binary);
    in.read(reinterpret_cast<char*>(reactions.data()), static_cast<std::streamsize>(count * sizeof(Vec3)));
    if (!in) throw RunError("an answer of Siconos is too short");
    for (Vec3& g : reactions) g *= 1 / w;
    return reactions;
}

}  // namespace

bool siconosIsInstalled() {
    return access(python, X_OK) == 0 &&
           runProgram({python, "-c", "import scipy.sparse, siconos.numerics"}, "/").exitStatus == 0;
}

bool canRunSiconos(const ContactProblem& problem) {
    return std::all_of(problem.sets.begin(), problem.sets.end(), [](const ReactionSet& s) { return s.isPlainCone(); });
}

std::vector<SiconosAnswer> runSiconos(const ContactProblem& problem, const std::vector<double>& tolerances,
                                      double timeLimit) {
    const ScratchFolder folder;
    const double w = meanDiagonal(problem);
    writeProblem(problem, w, folder);
    const auto [name, script] = siconosScripts().at(0);
    std::ofstream(folder / std::string(name)) << script;

    std::vector<std::string> command = {python, std::string(name), folder.path().string(), fmt::format("{}", timeLimit),
                                        fmt::format("{}", fmt::join(siconosSolvers, ","))};
    for (const double tolerance : tolerances) command.push_back(fmt::format("{}", tolerance));
    const ProgramReport report = runProgram(command, folder.path());
    if (report.exitStatus != 0) throw RunError(fmt::format("Siconos ended with status {}", report.exitStatus));

    std::vector<SiconosAnswer> answers;
    std::ifstream list(folder / "answers");
    int number = 0;
    for (SiconosAnswer a; list >> a.solver >> number >> a.seconds;) {
        const auto reactions =
            readReactions(folder / fmt::format("{}-{}.r", a.solver, number), problem.contactCount(), w);
        a.residual = measureResiduals(problem, FrictionLaw::coulomb, reactions).naturalMap;
        answers.push_back(a);
    }
    return answers;
}

}  // namespace talus
