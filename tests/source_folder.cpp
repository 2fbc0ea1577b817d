#include "source_folder.hpp"

namespace talus {

std::filesystem::path sourceFolder() { return TALUS_SOURCE_DIR; }

}  // namespace talus
