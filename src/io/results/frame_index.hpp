// frames.pvd, the index of the frames of a run, read back line by line.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <vector>

namespace talus {

struct IndexLine {
    double time = 0;       // s
    std::size_t part = 0;  // 0 bodies, 1 contacts, 2 walls, 3 shapes, 4 joints
    std::string file;      // as it stands there
};

// Lines of our own form; others are passed over.
std::vector<IndexLine> readFrameIndex(std::istream& index);

}  // namespace talus
