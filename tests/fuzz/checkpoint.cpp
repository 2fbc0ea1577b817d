// Fuzz target of the checkpoint reader. The first byte chooses between two kinds of attack:
//   even  the rest is the file, byte for byte;
//   odd   the rest is a list of changes (dataset, place, value) to a valid file, which is sealed again, so that the
//         checks behind the checksum are reached.
// Whatever comes, the answer must be a loaded world or an InputError.
#include <string>

#include "changed_datasets.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/seal.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using output_samples::emptyScene;
using output_samples::settledWorld;
using output_samples::TemporaryFolder;

const fuzz::ChangedDatasets& changedFiles() {
    static const fuzz::ChangedDatasets files([] {
        const TemporaryFolder folder;
        saveCheckpoint(folder / "a.h5", settledWorld(2), {.scene = "a scene"});
        return output_samples::contentOf(folder / "a.h5");
    }());
    return files;
}

void tryToLoad(const std::string& content, bool sealAgain) {
    static const WorldState scene = emptyScene();
    const std::filesystem::path file = fuzz::fileWith(content);
    if (sealAgain) sealFile(file);
    WorldState world = scene;
    try {
        loadCheckpoint(file, world);
        stateHash(world);  // walks along every list
    } catch (const InputError&) {
    }
}

}  // namespace
}  // namespace talus

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const bool changes = data[0] % 2 == 1;
    const std::string rest(reinterpret_cast<const char*>(data + 1), size - 1);
    talus::tryToLoad(changes ? talus::changedFiles().with(data + 1, size - 1) : rest, changes);
    return 0;
}
