// Fuzz target of the reader of contact problems. The first byte chooses between three kinds of attack:
//   that of an HDF5 file  all is the file, byte for byte;
//   another, even or odd  the rest is a list of changes (dataset, place, value) to a valid file in the local or the
//                         global form.
// Whatever comes, the answer must be a problem or an InputError. A problem that was read is written with a solution and
// read again, unchanged.
#include <cstdlib>
#include <string>
#include <vector>

#include "changed_datasets.hpp"
#include "io/fclib/fclib.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// A body between two others that cannot move; one of its contacts may be bilateral.
ContactProblem smallProblem(FclibForm form) {
    BodyContacts bodies;
    bodies.inverseMass.resize(2);
    for (std::size_t k = 0; k < 6; ++k) bodies.inverseMass[0][7 * k] = bodies.inverseMass[1][7 * k] = 1.0 + k;
    bodies.contacts.resize(3);
    for (std::uint32_t i = 0; i < 3; ++i) {
        BodyContacts::Contact& c = bodies.contacts[i];
        c.a = i % 2;
        for (std::size_t k = 0; k < 18; ++k) c.blockA[k] = 0.1 * static_cast<double>((k + 1) * (i + 2) % 7) + 0.05;
    }
    bodies.contacts[2].b = 1;
    bodies.contacts[2].blockB[0] = -1;
    bodies.finish();
    ContactProblem problem;
    problem.contacts = std::move(bodies);
    problem.sets.assign(3, ReactionSet::coulomb(0.5));
    if (form == FclibForm::local) problem.sets[1] = ReactionSet::free();
    problem.offset.assign(3, {-1, 0.5, 0.1});
    return problem;
}

fuzz::ChangedDatasets changedFiles(FclibForm form) {
    const output_samples::TemporaryFolder folder;
    const Reactions some(3, {1, 0.1, 0.2});
    writeFclib(folder / "a.hdf5", smallProblem(form),
               {.form = form, .info = {"title", "description", "math"}, .guesses = {some}, .solution = some});
    return fuzz::ChangedDatasets(output_samples::contentOf(folder / "a.hdf5"));
}

void writeAndReadAgain(const FclibFile& file) {
    static const output_samples::TemporaryFolder folder;
    const Reactions some(file.problem.contactCount(), {1, 0.1, 0.2});
    try {
        writeFclibSolution(folder / "solved.hdf5", file, some);
    } catch (const RunError&) {
        return;  // the disk
    }
    const FclibFile again = readFclib(folder / "solved.hdf5");
    const bool isSame = again.form == file.form && again.problem.sets == file.problem.sets &&
                        again.guesses == file.guesses && again.info.title == file.info.title;
    if (!isSame) std::abort();
}

void tryToRead(const std::string& content) {
    try {
        const FclibFile file = readFclib(fuzz::fileWith(content));
        std::vector<Vec3> velocities;
        relativeVelocities(file.problem, Reactions(file.problem.contactCount()), velocities);
        writeAndReadAgain(file);
    } catch (const InputError&) {
    }
}

}  // namespace
}  // namespace talus

// HDF5 asks for as much memory as a damaged header says, and copes with not getting it; when it refuses a file it may
// leave some memory behind.
extern "C" const char* __asan_default_options() { return "allocator_may_return_null=1:detect_leaks=0"; }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using talus::FclibForm;
    static const talus::fuzz::ChangedDatasets local = talus::changedFiles(FclibForm::local),
                                              global = talus::changedFiles(FclibForm::global);
    if (size == 0) return 0;
    constexpr std::uint8_t hdf5Begins = 0x89;
    if (data[0] == hdf5Begins) {
        talus::tryToRead({reinterpret_cast<const char*>(data), size});
    } else {
        talus::tryToRead((data[0] % 2 == 0 ? local : global).with(data + 1, size - 1));
    }
    return 0;
}
