// A valid HDF5 file whose datasets are changed byte by byte, so that the checks behind the format itself are reached.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "../unit/output_samples.hpp"
#include "formats/hdf5_file.hpp"

namespace talus::fuzz {

// One file that every attempt writes anew.
inline std::filesystem::path fileWith(const std::string& content) {
    static const output_samples::TemporaryFolder folder;
    std::filesystem::remove(folder / "attempt.h5");
    std::ofstream(folder / "attempt.h5", std::ios::binary) << content;
    return folder / "attempt.h5";
}

class ChangedDatasets {
public:
    explicit ChangedDatasets(std::string validFile) : valid_(std::move(validFile)) {
        const QuietHdf5 quiet;
        const Hdf5Id file(H5Fopen(fileWith(valid_).c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, "file");
        H5Ovisit2(file, H5_INDEX_NAME, H5_ITER_INC, visitObject, &places_, H5O_INFO_BASIC);
    }

    // Ten bytes per change: dataset, place, and up to eight bytes of value.
    std::string with(const std::uint8_t* changes, std::size_t size) const {
        std::string content = valid_;
        for (; size >= 10; changes += 10, size -= 10) {
            const Place& place = places_[changes[0] % places_.size()];
            if (place.size == 0) continue;
            const std::uint64_t start = changes[1] * std::uint64_t{8} % place.size;
            const std::uint64_t length = std::min<std::uint64_t>(8, place.size - start);
            std::memcpy(content.data() + place.offset + start, changes + 2, length);
        }
        return content;
    }

private:
    struct Place {
        std::uint64_t offset = 0, size = 0;  // bytes in the file
    };

    static herr_t visitObject(hid_t file, const char* name, const H5O_info_t* info, void* places) {
        if (info->type != H5O_TYPE_DATASET) return 0;
        const Hdf5Id dataset(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose, name);
        const haddr_t offset = H5Dget_offset(dataset);  // from the start of the file, a user block included
        if (offset != HADDR_UNDEF) {
            static_cast<std::vector<Place>*>(places)->push_back({offset, H5Dget_storage_size(dataset)});
        }
        return 0;
    }

    std::string valid_;
    std::vector<Place> places_;
};

}  // namespace talus::fuzz
