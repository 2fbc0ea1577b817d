#include "formats/hdf5_file.hpp"

#include <array>

namespace talus {
namespace {

// No file locks: they fail on some network disks, and one process writes in a folder at a time anyway.
Hdf5Id accessProperties() {
    Hdf5Id properties(H5Pcreate(H5P_FILE_ACCESS), H5Pclose, "HDF5 cannot be started");
    H5Pset_file_locking(properties, false, true);
    H5Pset_fclose_degree(properties, H5F_CLOSE_STRONG);
    return properties;
}

// Nothing is filled in: the caller writes every byte. No dates, so that the same state
// gives the same file.
Hdf5Id datasetProperties() {
    Hdf5Id properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "HDF5 cannot be started");
    H5Pset_layout(properties, H5D_CONTIGUOUS);
    H5Pset_fill_time(properties, H5D_FILL_TIME_NEVER);
    H5Pset_obj_track_times(properties, false);
    return properties;
}

Hdf5Id linkProperties() {
    Hdf5Id properties(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "HDF5 cannot be started");
    H5Pset_create_intermediate_group(properties, 1);
    return properties;
}

Hdf5Id createFile(const std::filesystem::path& path, std::uint64_t userBlock) {
    const Hdf5Id creation(H5Pcreate(H5P_FILE_CREATE), H5Pclose, "HDF5 cannot be started");
    H5Pset_userblock(creation, userBlock);
    return {H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation, accessProperties()), H5Fclose, "the file cannot be made"};
}

Hdf5Id openFile(const std::filesystem::path& path, std::uint64_t) {
    return {H5Fopen(path.c_str(), H5F_ACC_RDONLY, accessProperties()), H5Fclose,
            "it is not an HDF5 file or is damaged"};
}

Hdf5Id changeFile(const std::filesystem::path& path, std::uint64_t) {
    return {H5Fopen(path.c_str(), H5F_ACC_RDWR, accessProperties()), H5Fclose, "it cannot be changed"};
}

Hdf5Id textType(std::size_t size) {
    Hdf5Id type(H5Tcopy(H5T_C_S1), H5Tclose, "HDF5 cannot be started");
    if (H5Tset_size(type, size + 1) < 0) throw Hdf5Error("a text is too long");
    return type;
}

}  // namespace

Hdf5Id::Hdf5Id(hid_t id, Close closer, const std::string& failure) : id_(id), close_(closer) {
    if (id < 0) throw Hdf5Error(failure);
}

Hdf5Id::~Hdf5Id() {
    if (id_ >= 0) close_(id_);
}

void Hdf5Id::close(const std::string& failure) {
    if (close_(std::exchange(id_, -1)) < 0) throw Hdf5Error(failure);
}

QuietHdf5::QuietHdf5() {
    // At the end of the program HDF5 would try again to write files that a full disk refused, and crash over it; all
    // files of Talus are closed by then.
    [[maybe_unused]] static const herr_t once = H5dont_atexit();
    H5Eget_auto2(H5E_DEFAULT, &function_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

QuietHdf5::~QuietHdf5() { H5Eset_auto2(H5E_DEFAULT, function_, data_); }

Hdf5File Hdf5File::create(const std::filesystem::path& path, std::uint64_t userBlock) {
    return Hdf5File(createFile, path, userBlock);
}

Hdf5File Hdf5File::openToRead(const std::filesystem::path& path) { return Hdf5File(openFile, path, 0); }

Hdf5File Hdf5File::openToChange(const std::filesystem::path& path) { return Hdf5File(changeFile, path, 0); }

bool Hdf5File::has(const std::string& name) const {
    // Every group on the way must be there, and in this file.
    for (std::size_t end = name.find('/', 1);; end = name.find('/', end + 1)) {
        const std::string part = name.substr(0, end);
        H5L_info_t link{};
        if (H5Lexists(file_, part.c_str(), H5P_DEFAULT) <= 0 ||
            H5Lget_info(file_, part.c_str(), &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD) {
            return false;
        }
        if (end == std::string::npos) return true;
    }
}

void Hdf5File::remove(const std::string& name) {
    if (has(name) && H5Ldelete(file_, name.c_str(), H5P_DEFAULT) < 0) throw Hdf5Error(name + " cannot be removed");
}

void Hdf5File::writeDataset(const std::string& name, hid_t type, const DatasetShape& shape, const void* data) {
    const std::array<hsize_t, 2> sizes{shape.rows, shape.columns};
    const Hdf5Id space(H5Screate_simple(shape.columns > 1 ? 2 : 1, sizes.data(), nullptr), H5Sclose, name);
    const Hdf5Id dataset(
        H5Dcreate2(file_, name.c_str(), type, space, linkProperties(), datasetProperties(), H5P_DEFAULT), H5Dclose,
        name + " cannot be made");
    if (shape.rows > 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0) {
        throw Hdf5Error(name + " cannot be written");
    }
}

Hdf5Id Hdf5File::openDataset(const std::string& name) const {
    if (!has(name)) throw Hdf5Error(name + " is missing");
    return {H5Dopen2(file_, name.c_str(), H5P_DEFAULT), H5Dclose, name + " is not a dataset"};
}

std::uint64_t Hdf5File::rowsOf(const std::string& name, hid_t type, std::uint64_t columns) const {
    const Hdf5Id dataset = openDataset(name);
    const Hdf5Id itsType(H5Dget_type(dataset), H5Tclose, name + " has no type");
    if (H5Tequal(itsType, type) <= 0) throw Hdf5Error(name + " has the wrong type");
    const Hdf5Id space(H5Dget_space(dataset), H5Sclose, name + " has no size");
    const int dimensions = H5Sget_simple_extent_ndims(space);
    std::array<hsize_t, 2> sizes{1, 1};
    if (H5Sis_simple(space) <= 0 || (columns > 1 ? dimensions != 2 : dimensions != 0 && dimensions != 1) ||
        H5Sget_simple_extent_dims(space, sizes.data(), nullptr) != dimensions || sizes[1] != columns) {
        throw Hdf5Error(name + " has the wrong shape");
    }
    // A size that is backed by bytes in the file is safe to allocate.
    const Hdf5Id properties(H5Dget_create_plist(dataset), H5Pclose, name + " has no layout");
    const std::uint64_t rowBytes = columns * H5Tget_size(type);
    if (rowBytes == 0) throw Hdf5Error(name + " has a type without a size");
    const std::uint64_t stored = H5Dget_storage_size(dataset);
    if (H5Pget_layout(properties) != H5D_CONTIGUOUS || H5Pget_external_count(properties) != 0 ||
        stored % rowBytes != 0 || stored / rowBytes != sizes[0]) {
        throw Hdf5Error(name +
                        " is stored in an unknown way (chunks, compressed or elsewhere); `h5repack -l CONTI` helps");
    }
    return sizes[0];
}

bool Hdf5File::isWritten(const std::string& name) const {
    H5D_space_status_t status = H5D_SPACE_STATUS_ERROR;
    if (H5Dget_space_status(openDataset(name), &status) < 0) throw Hdf5Error(name + " has no size");
    return status != H5D_SPACE_STATUS_NOT_ALLOCATED;
}

void Hdf5File::readDataset(const std::string& name, hid_t type, std::span<std::byte> data) const {
    const Hdf5Id dataset = openDataset(name);
    const Hdf5Id space(H5Dget_space(dataset), H5Sclose, name + " has no size");
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const std::size_t each = H5Tget_size(type);
    if (count < 0 || each == 0 || data.size() % each != 0 || data.size() / each != static_cast<std::size_t>(count)) {
        throw Hdf5Error(name + " has another size than is wanted");
    }
    if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data.data()) < 0) {
        throw Hdf5Error(name + " cannot be read");
    }
}

void Hdf5File::writeText(const std::string& name, const std::string& text) {
    writeDataset(name, textType(text.size()), {1, 1}, text.c_str());
}

std::string Hdf5File::readText(const std::string& name) const {
    const Hdf5Id type(H5Dget_type(openDataset(name)), H5Tclose, name + " has no type");
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0 || rowsOf(name, type, 1) != 1) {
        throw Hdf5Error(name + " is not a text");
    }
    std::string text(H5Tget_size(type), '\0');
    readDataset(name, type, std::as_writable_bytes(std::span(text)));
    text.resize(text.find_last_not_of('\0') + 1);
    return text;
}

void Hdf5File::close() { file_.close("the file cannot be written to its end"); }

}  // namespace talus
