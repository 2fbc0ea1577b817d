// A folder of its own for what another program reads and writes, gone at the end.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "talus/error.hpp"

namespace talus {

class ScratchFolder {
public:
    ScratchFolder() {
        std::string name = (std::filesystem::temp_directory_path() / "talus-bench-XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw RunError(fmt::format("cannot make a folder {}", name));
        path_ = name;
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace talus
