// What the documentation says of each solver is what the program knows of it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "source_folder.hpp"
#include "talus/solver_kind.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

TEST(SolverTable, InTheDocumentationIsThatOfTheProgram) {
    const std::string page = output_samples::contentOf(sourceFolder() / "docs" / "solvers.md");
    for (const SolverTraits& t : solverTraits) {
        const auto yes = [](bool can) { return can ? "yes" : "no"; };
        const std::string row = fmt::format("| `{}` | {} | {} | {} | {} |", t.name, t.about, yes(t.can.skew),
                                            yes(t.can.fixedWork), t.can.slidingCoulomb ? "yes" : "not promised");
        EXPECT_NE(page.find(row), std::string::npos) << row;
    }
}

}  // namespace
}  // namespace talus
