#include "io/fclib/fclib_hdf5.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace talus {
namespace {

constexpr int compressedColumns = -1, compressedRows = -2;  // values of nz

// Indices in [0, limit).
std::vector<std::int32_t> readIndices(const ForeignHdf5& file, const std::string& name, std::size_t atLeast,
                                      std::size_t limit) {
    std::vector<std::int32_t> values(file.rowsOf(name, H5T_NATIVE_INT32, 1));
    if (values.size() < atLeast) {
        throw Hdf5Error(fmt::format("{} has {} entries, but needs {}", name, values.size(), atLeast));
    }
    if (!values.empty()) file.readDataset(name, H5T_NATIVE_INT32, std::as_writable_bytes(std::span(values)));
    values.resize(atLeast);
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (values[k] < 0 || static_cast<std::size_t>(values[k]) >= limit) {
            throw Hdf5Error(fmt::format("{}[{}] is {}, outside of 0 to {}", name, k, values[k],
                                        static_cast<std::int64_t>(limit) - 1));
        }
    }
    return values;
}

// At least so many; what comes after them is not looked at.
std::vector<double> readFirst(const ForeignHdf5& file, const std::string& name, std::size_t atLeast) {
    std::vector<double> values(file.rowsOf(name, H5T_NATIVE_DOUBLE, 1));
    if (values.size() < atLeast) {
        throw Hdf5Error(fmt::format("{} has {} entries, but needs {}", name, values.size(), atLeast));
    }
    if (!values.empty()) file.readDataset(name, H5T_NATIVE_DOUBLE, std::as_writable_bytes(std::span(values)));
    values.resize(atLeast);
    for (std::size_t k = 0; k < values.size(); ++k) {
        if (!std::isfinite(values[k]))
            throw Hdf5Error(fmt::format("{}[{}] is {}, not a finite number", name, k, values[k]));
    }
    return values;
}

void checkSize(const ForeignHdf5& file, const std::string& name, std::size_t wanted) {
    const int size = readInteger(file, name);
    if (size < 0 || static_cast<std::size_t>(size) != wanted) {
        throw Hdf5Error(fmt::format("{} is {}, but must be {} to fit the vectors", name, size, wanted));
    }
}

SparseMatrix readTriplets(const ForeignHdf5& file, const std::string& group, SparseMatrix matrix, std::size_t count) {
    const auto row = readIndices(file, group + "/i", count, matrix.rows);
    const auto column = readIndices(file, group + "/p", count, matrix.columns);
    const auto value = readFirst(file, group + "/x", count);
    for (std::size_t k = 0; k < count; ++k) matrix.entries.push_back({row[k], column[k], value[k]});
    return matrix;
}

// Line by line: rows or columns.
SparseMatrix readLines(const ForeignHdf5& file, const std::string& group, SparseMatrix matrix, bool byRow) {
    const std::size_t lines = byRow ? matrix.rows : matrix.columns, across = byRow ? matrix.columns : matrix.rows;
    constexpr std::size_t anyCount = std::numeric_limits<std::int32_t>::max();
    const auto start = readIndices(file, group + "/p", lines + 1, anyCount);
    if (start[0] != 0) throw Hdf5Error(fmt::format("{}/p begins with {}, not 0", group, start[0]));
    for (std::size_t k = 0; k < lines; ++k) {
        if (start[k + 1] < start[k]) throw Hdf5Error(fmt::format("{}/p falls at {}", group, k + 1));
    }
    const auto count = static_cast<std::size_t>(start[lines]);
    const auto index = readIndices(file, group + "/i", count, across);
    const auto value = readFirst(file, group + "/x", count);
    matrix.entries.reserve(count);
    for (std::size_t line = 0; line < lines; ++line) {
        for (auto k = static_cast<std::size_t>(start[line]); k < static_cast<std::size_t>(start[line + 1]); ++k) {
            const auto here = static_cast<std::int32_t>(line);
            matrix.entries.push_back({byRow ? here : index[k], byRow ? index[k] : here, value[k]});
        }
    }
    return matrix;
}

// In compressed rows.
void writeMatrix(Hdf5File& file, const std::string& group, const SparseMatrix& matrix) {
    const CompressedRows rows = compressRows(matrix);
    writeInteger(file, group + "/nzmax", static_cast<int>(rows.value.size()));
    writeInteger(file, group + "/m", static_cast<int>(matrix.rows));
    writeInteger(file, group + "/n", static_cast<int>(matrix.columns));
    writeInteger(file, group + "/nz", compressedRows);
    file.writeDataset(group + "/p", H5T_NATIVE_INT32, {rows.rowStart.size(), 1}, rows.rowStart.data());
    file.writeDataset(group + "/i", H5T_NATIVE_INT32, {rows.column.size(), 1}, rows.column.data());
    writeNumbers(file, group + "/x", rows.value);
}

void writeHead(Hdf5File& file, const std::string& group, const FclibHead& head) {
    writeInteger(file, group + "/spacedim", head.dimension);
    writeNumbers(file, group + "/vectors/mu", head.friction);
    file.writeText(group + "/info/title", head.info.title);
    file.writeText(group + "/info/description", head.info.description);
    file.writeText(group + "/info/math_info", head.info.mathInfo);
}

std::string readTextIfThere(const ForeignHdf5& file, const std::string& name) {
    return file.has(name) ? file.readText(name) : std::string();
}

}  // namespace

int readInteger(const ForeignHdf5& file, const std::string& name) {
    if (file.rowsOf(name, H5T_NATIVE_INT32, 1) != 1) throw Hdf5Error(name + " is not a single number");
    std::int32_t value = 0;
    file.readDataset(name, H5T_NATIVE_INT32, std::as_writable_bytes(std::span(&value, 1)));
    return value;
}

std::vector<double> readNumbers(const ForeignHdf5& file, const std::string& name) {
    return readFirst(file, name, file.rowsOf(name, H5T_NATIVE_DOUBLE, 1));
}

std::vector<double> readNumbers(const ForeignHdf5& file, const std::string& name, std::size_t count) {
    const std::size_t size = file.rowsOf(name, H5T_NATIVE_DOUBLE, 1);
    if (size != count) throw Hdf5Error(fmt::format("{} has {} entries, but must have {}", name, size, count));
    return readFirst(file, name, count);
}

SparseMatrix readMatrix(const ForeignHdf5& file, const std::string& group, std::size_t rows, std::size_t columns) {
    checkSize(file, group + "/m", rows);
    checkSize(file, group + "/n", columns);
    const int form = readInteger(file, group + "/nz");
    if (form >= 0) return readTriplets(file, group, {rows, columns, {}}, static_cast<std::size_t>(form));
    if (form == compressedColumns || form == compressedRows) {
        return readLines(file, group, {rows, columns, {}}, form == compressedRows);
    }
    throw Hdf5Error(fmt::format("{}/nz is {}; known are >= 0 (triplets), -1 (columns) and -2 (rows)", group, form));
}

FclibInfo readInfo(const ForeignHdf5& file, const std::string& group) {
    return {readTextIfThere(file, group + "/title"), readTextIfThere(file, group + "/description"),
            readTextIfThere(file, group + "/math_info")};
}

void writeInteger(Hdf5File& file, const std::string& name, int value) {
    const std::int32_t number = value;
    file.writeDataset(name, H5T_NATIVE_INT32, {1, 1}, &number);
}

void writeNumbers(Hdf5File& file, const std::string& name, const std::vector<double>& values) {
    file.writeDataset(name, H5T_NATIVE_DOUBLE, {values.size(), 1}, values.data());
}

void writeProblem(Hdf5File& file, const FclibHead& head, const LocalMatrices& matrices) {
    const std::string group = localGroup;
    writeHead(file, group, head);
    writeMatrix(file, group + "/W", matrices.contacts);
    writeNumbers(file, group + "/vectors/q", matrices.contactOffset);
    if (matrices.bilateral.rows == 0) return;
    writeMatrix(file, group + "/V", matrices.coupling);
    writeMatrix(file, group + "/R", matrices.bilateral);
    writeNumbers(file, group + "/vectors/s", matrices.bilateralOffset);
}

void writeProblem(Hdf5File& file, const FclibHead& head, const GlobalMatrices& matrices) {
    const std::string group = globalGroup;
    writeHead(file, group, head);
    writeMatrix(file, group + "/M", matrices.mass);
    writeMatrix(file, group + "/H", matrices.contacts);
    writeNumbers(file, group + "/vectors/f", matrices.force);
    writeNumbers(file, group + "/vectors/w", matrices.contactOffset);
    if (matrices.bilateral.columns == 0) return;
    writeMatrix(file, group + "/G", matrices.bilateral);
    writeNumbers(file, group + "/vectors/b", matrices.bilateralOffset);
}

void writeVectors(Hdf5File& file, const std::string& group, const FclibVectors& vectors) {
    writeNumbers(file, group + "/r", vectors.r);
    writeNumbers(file, group + "/u", vectors.u);
    if (!vectors.l.empty()) writeNumbers(file, group + "/l", vectors.l);
    if (!vectors.v.empty()) writeNumbers(file, group + "/v", vectors.v);
}

FclibVectors splitVectors(const FclibLayout& layout, const std::vector<double>& reactions,
                          const std::vector<double>& velocities, const GlobalSystem* bodies) {
    const auto split = static_cast<std::ptrdiff_t>(layout.contactRows());
    return {.r = {reactions.begin(), reactions.begin() + split},
            .u = {velocities.begin(), velocities.begin() + split},
            .l = {reactions.begin() + split, reactions.end()},
            .v = bodies != nullptr ? bodies->velocity(reactions) : std::vector<double>()};
}

}  // namespace talus
