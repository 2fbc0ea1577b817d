// The seal of a checkpoint: 512 bytes of text before HDF5's data, with format, length and checksum of the rest.
//
// It is checked before anything else reads the file, so that a file that was cut short or damaged is refused by a
// plain comparison of bytes. A seal can be forged: what is behind it is read as a stranger's file nevertheless
// (formats/foreign_hdf5.hpp). `head -c 512` shows it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace talus {

inline constexpr std::uint64_t sealSize = 512;
inline constexpr int checkpointFormat = 11;

// Writes the seal into the first bytes of a complete file; RunError if the disk refuses.
void sealFile(const std::filesystem::path& path);

// Throws InputError with the path and the reason unless the file is whole, undamaged and of this format.
void checkSeal(const std::filesystem::path& path);

}  // namespace talus
