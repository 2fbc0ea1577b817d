// Fuzz target of the checkpoint reader. The first byte chooses between two kinds of attack:
//   even  the rest is the file, byte for byte;
//   odd   the rest is a list of changes (dataset, place, value) to a valid file, which is sealed again, so that the
//         checks behind the checksum are reached.
// Whatever comes, the answer must be a loaded world or an InputError.
#include <algorithm>
#include <cstring>
#include <string>

#include "../unit/output_samples.hpp"
#include "base/hdf5_file.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/seal.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using output_samples::emptyScene;
using output_samples::settledWorld;
using output_samples::TemporaryFolder;

// One file that every attempt writes anew.
std::filesystem::path fileWith(const std::string& content) {
    static const TemporaryFolder folder;
    std::filesystem::remove(folder / "checkpoint.h5");
    std::ofstream(folder / "checkpoint.h5", std::ios::binary) << content;
    return folder / "checkpoint.h5";
}

const std::string& validFile() {
    static const std::string content = [] {
        const TemporaryFolder folder;
        saveCheckpoint(folder / "a.h5", settledWorld(2), {.scene = "a scene"});
        return output_samples::contentOf(folder / "a.h5");
    }();
    return content;
}

struct Place {
    std::uint64_t offset = 0, size = 0;  // bytes in the file
};

void addPlace(std::vector<Place>& places, hid_t file, const char* name) {
    const Hdf5Id dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, name);
    const haddr_t offset = H5Dget_offset(dataset);  // from the start of the file, the seal included
    if (offset != HADDR_UNDEF) places.push_back({offset, H5Dget_storage_size(dataset)});
}

herr_t visitObject(hid_t file, const char* name, const H5O_info_t* info, void* places) {
    if (info->type == H5O_TYPE_DATASET) addPlace(*static_cast<std::vector<Place>*>(places), file, name);
    return 0;
}

// Where the content of each dataset lies.
const std::vector<Place>& places() {
    static const std::vector<Place> found = [] {
        const Hdf5Id file(H5Fopen(fileWith(validFile()).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "file");
        std::vector<Place> list;
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, visitObject, &list, H5O_INFO_BASIC);
        return list;
    }();
    return found;
}

// Ten bytes per change: dataset, place, and up to eight bytes of value.
std::string changedFile(const std::uint8_t* data, std::size_t size) {
    std::string content = validFile();
    for (; size >= 10; data += 10, size -= 10) {
        const Place& place = places()[data[0] % places().size()];
        if (place.size == 0) continue;
        const std::uint64_t start = data[1] * std::uint64_t{8} % place.size;
        const std::uint64_t length = std::min<std::uint64_t>(8, place.size - start);
        std::memcpy(content.data() + place.offset + start, data + 2, length);
    }
    return content;
}

void tryToLoad(const std::string& content, bool sealAgain) {
    static const World scene = emptyScene();
    const std::filesystem::path file = fileWith(content);
    if (sealAgain) sealFile(file);
    World world = scene;
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
    talus::tryToLoad(changes ? talus::changedFile(data + 1, size - 1) : rest, changes);
    return 0;
}
