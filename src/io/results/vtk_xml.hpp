// VTK XML PolyData files (.vtp): points with cells and named arrays, zlib-compressed, as ParaView opens them.
//
// Layout: the XML head names each array and its offset in the appended raw data at the end. An array is cut into
// blocks of 1 MiB, each compressed by itself; before them stand 64-bit numbers: count of blocks, block size, size of
// the last block if smaller, compressed sizes. (VTK file formats, "XML file formats", www.vtk.org.)
// Arrays are compressed as they are added, so that only one of them is in memory uncompressed.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

// Elements an array can have, and how VTK calls them.
template <class T>
struct VtkElement;
template <>
struct VtkElement<double> {
    static constexpr std::string_view type = "Float64";
    static constexpr int components = 1;
};
template <>
struct VtkElement<std::uint16_t> {
    static constexpr std::string_view type = "UInt16";
    static constexpr int components = 1;
};
template <>
struct VtkElement<std::uint32_t> {
    static constexpr std::string_view type = "UInt32";
    static constexpr int components = 1;
};
template <>
struct VtkElement<std::int64_t> {
    static constexpr std::string_view type = "Int64";
    static constexpr int components = 1;
};
template <>
struct VtkElement<Vec3> : VtkElement<double> {
    static constexpr int components = 3;
};
template <>
struct VtkElement<Quat> : VtkElement<double> {
    static constexpr int components = 4;
};
template <>
struct VtkElement<Mat3> : VtkElement<double> {
    static constexpr int components = 9;
};

class PolyDataFile {
public:
    // One vertex cell per point.
    void setPoints(const std::vector<Vec3>& points);
    // Polygons over points of their own. Cell arrays have one value per polygon.
    void setPolygons(const std::vector<std::vector<Vec3>>& polygons);
    // Triangles over common points. Cell arrays have one value per triangle.
    void setTriangles(const std::vector<Vec3>& points, const std::vector<std::array<std::uint32_t, 3>>& triangles);

    template <class T>
    void addPointArray(std::string_view name, const std::vector<T>& values) {
        pointArrays_ += describe(name, values);
    }
    template <class T>
    void addCellArray(std::string_view name, const std::vector<T>& values) {
        cellArrays_ += describe(name, values);
    }

    // Whole or not at all, to be flushed later (base/atomic_file.hpp); RunError if the disk refuses.
    void write(const std::filesystem::path& path) const;
    // What would be written.
    std::string bytes() const;

private:
    std::string head() const;
    // Appends the compressed values and returns the XML element that points at them.
    template <class T>
    std::string describe(std::string_view name, const std::vector<T>& values) {
        return describeBytes(name, VtkElement<T>::type, VtkElement<T>::components, std::as_bytes(std::span(values)));
    }
    std::string describeBytes(std::string_view name, std::string_view type, int components,
                              std::span<const std::byte> bytes);

    std::size_t points_ = 0, vertices_ = 0, polygons_ = 0;
    std::string pointsElement_, vertexElements_, polygonElements_, pointArrays_, cellArrays_;
    std::string appended_;
};

}  // namespace talus
