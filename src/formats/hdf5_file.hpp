// The few things Talus does with HDF5, with handles that close themselves and failures as exceptions.
//
// Datasets are contiguous, uncompressed, of one or two dimensions, and have exactly the type that is asked for: a
// reader never converts, never allocates more than the file holds, and never follows links out of the file.
// HDF5's own error printing is off while an Hdf5File exists. Files that somebody else may have made are read by
// ForeignHdf5 (foreign_hdf5.hpp).
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

namespace talus {

// What went wrong, without the name of the file: the caller knows it and whether it was reading or writing.
struct Hdf5Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Hdf5Id {
public:
    using Close = herr_t (*)(hid_t);

    // Throws Hdf5Error with this text if the id is that of a failed call.
    Hdf5Id(hid_t id, Close closer, const std::string& failure);
    ~Hdf5Id();
    Hdf5Id(Hdf5Id&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
    Hdf5Id& operator=(Hdf5Id&&) = delete;

    operator hid_t() const { return id_; }
    void close(const std::string& failure);

private:
    hid_t id_;
    Close close_;
};

// Silence of HDF5's error printing for as long as it lives.
class QuietHdf5 {
public:
    QuietHdf5();
    ~QuietHdf5();
    QuietHdf5(const QuietHdf5&) = delete;
    QuietHdf5& operator=(const QuietHdf5&) = delete;

private:
    H5E_auto2_t function_ = nullptr;
    void* data_ = nullptr;
};

struct DatasetShape {
    std::uint64_t rows = 0;
    std::uint64_t columns = 1;  // more than one: a second dimension
};

class Hdf5File {
public:
    // userBlock: bytes before HDF5's own data, free for the caller; a power of two, at least 512.
    static Hdf5File create(const std::filesystem::path& path, std::uint64_t userBlock);
    static Hdf5File openToRead(const std::filesystem::path& path);
    static Hdf5File openToChange(const std::filesystem::path& path);

    // Is there a group or dataset of this name? Links that lead elsewhere do not count.
    bool has(const std::string& name) const;
    // Takes a group or dataset out, if there is one.
    void remove(const std::string& name);

    // Folders in the name are made.
    void writeDataset(const std::string& name, hid_t type, const DatasetShape& shape, const void* data);

    // Number of rows of a dataset that has this type and number of columns; throws otherwise. A scalar has one row.
    std::uint64_t rowsOf(const std::string& name, hid_t type, std::uint64_t columns) const;
    // False for a dataset that was made but never written: all its entries count as zero.
    bool isWritten(const std::string& name) const;
    // `data` must have the size of all of it.
    void readDataset(const std::string& name, hid_t type, std::span<std::byte> data) const;

    // Texts are single fixed-length strings; zeros at their end are no part of them.
    void writeText(const std::string& name, const std::string& text);
    std::string readText(const std::string& name) const;

    // Writes what is still in memory; a file that is not closed but destroyed may be incomplete.
    void close();

private:
    explicit Hdf5File(Hdf5Id (*open)(const std::filesystem::path&, std::uint64_t), const std::filesystem::path& path,
                      std::uint64_t userBlock)
        : file_(open(path, userBlock)) {}
    Hdf5Id openDataset(const std::string& name) const;

    QuietHdf5 quiet_;  // first: opening is quiet too
    Hdf5Id file_;
};

}  // namespace talus
