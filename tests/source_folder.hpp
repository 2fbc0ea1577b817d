// Where the sources are: for tests that read files of the repository.
#pragma once

#include <filesystem>

namespace talus {

std::filesystem::path sourceFolder();

}  // namespace talus
