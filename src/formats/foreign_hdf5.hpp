// An HDF5 file that somebody else may have made: HDF5 opens it in a process of its own, and only datasets come back.
//
// The HDF5 library is brought down by files with damaged insides. Here that is an Hdf5Error as any other fault, and
// sizes are held against that of the file before memory is taken for them. The functions are those of Hdf5File.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "formats/hdf5_file.hpp"
#include "formats/isolated_process.hpp"

namespace talus {

struct Hdf5Question;

class ForeignHdf5 {
public:
    // Throws Hdf5Error if it is no HDF5 file, RunError if no process can be had.
    explicit ForeignHdf5(const std::filesystem::path& path);

    bool has(const std::string& name) const;
    std::uint64_t rowsOf(const std::string& name, hid_t type, std::uint64_t columns) const;
    bool isWritten(const std::string& name) const;
    void readDataset(const std::string& name, hid_t type, std::span<std::byte> data) const;
    std::string readText(const std::string& name) const;

private:
    // Size of the answer, which receive() then fetches; throws what the other side finds wrong.
    std::uint64_t ask(Hdf5Question question, const std::string& name) const;
    std::uint64_t askNumber(const Hdf5Question& question, const std::string& name) const;
    void receive(const std::string& name, std::span<std::byte> answer) const;
    [[noreturn]] void giveUp(const std::string& name) const;

    std::uint64_t fileSize_ = 0;
    std::unique_ptr<IsolatedProcess> process_;
};

}  // namespace talus
