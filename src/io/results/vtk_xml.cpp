#include "io/results/vtk_xml.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <numeric>

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr std::size_t blockSize = std::size_t{1} << 20;
constexpr std::string_view tail = "\n  </AppendedData>\n</VTKFile>\n";
constexpr int compressionLevel = 1;  // higher levels take several times longer and save a few percent of doubles

std::string compressBlock(std::span<const std::byte> block) {
    uLongf size = compressBound(static_cast<uLong>(block.size()));
    std::string out(size, '\0');
    const int status =
        compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(block.data()),
                  static_cast<uLong>(block.size()), compressionLevel);
    ENGINE_CHECK(status == Z_OK);
    out.resize(size);
    return out;
}

void appendNumber(std::string& out, std::uint64_t number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

// Block table and blocks, as vtkZLibDataCompressor reads them.
void appendCompressed(std::string& out, std::span<const std::byte> bytes) {
    std::vector<std::string> blocks((bytes.size() + blockSize - 1) / blockSize);
    parallelBlocks(blocks.size(), [&](std::size_t k) {
        const std::size_t start = k * blockSize;
        blocks[k] = compressBlock(bytes.subspan(start, std::min(blockSize, bytes.size() - start)));
    });
    appendNumber(out, blocks.size());
    appendNumber(out, blockSize);
    appendNumber(out, bytes.size() % blockSize);  // 0: the last block is a full one
    for (const std::string& block : blocks) appendNumber(out, block.size());
    for (const std::string& block : blocks) out += block;
}

}  // namespace

std::string PolyDataFile::describeBytes(std::string_view name, std::string_view type, int components,
                                        std::span<const std::byte> bytes) {
    const std::size_t offset = appended_.size();
    appendCompressed(appended_, bytes);
    return fmt::format(
        "        <DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
        type, name, components, offset);
}

void PolyDataFile::setPoints(const std::vector<Vec3>& points) {
    points_ = vertices_ = points.size();
    pointsElement_ = describe("Points", points);
    std::vector<std::int64_t> numbers(points.size());
    std::iota(numbers.begin(), numbers.end(), 0);
    vertexElements_ = describe("connectivity", numbers);
    for (std::int64_t& number : numbers) ++number;
    vertexElements_ += describe("offsets", numbers);
}

void PolyDataFile::setPolygons(const std::vector<std::vector<Vec3>>& polygons) {
    std::vector<Vec3> points;
    std::vector<std::int64_t> connectivity, offsets;
    for (const std::vector<Vec3>& polygon : polygons) {
        points.insert(points.end(), polygon.begin(), polygon.end());
        offsets.push_back(static_cast<std::int64_t>(points.size()));
    }
    connectivity.resize(points.size());
    std::iota(connectivity.begin(), connectivity.end(), 0);
    points_ = points.size();
    polygons_ = polygons.size();
    pointsElement_ = describe("Points", points);
    polygonElements_ = describe("connectivity", connectivity) + describe("offsets", offsets);
}

void PolyDataFile::setTriangles(const std::vector<Vec3>& points,
                                const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    std::vector<std::int64_t> connectivity, offsets;
    for (const auto& triangle : triangles) {
        connectivity.insert(connectivity.end(), triangle.begin(), triangle.end());
        offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
    }
    points_ = points.size();
    polygons_ = triangles.size();
    pointsElement_ = describe("Points", points);
    polygonElements_ = describe("connectivity", connectivity) + describe("offsets", offsets);
}

std::string PolyDataFile::head() const {
    const auto section = [](std::string_view name, const std::string& arrays) {
        return arrays.empty() ? std::string() : fmt::format("      <{0}>\n{1}      </{0}>\n", name, arrays);
    };
    return fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
        "compressor=\"vtkZLibDataCompressor\">\n"
        "  <PolyData>\n"
        "    <Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"0\" NumberOfStrips=\"0\" "
        "NumberOfPolys=\"{}\">\n"
        "{}{}{}{}{}"
        "    </Piece>\n  </PolyData>\n  <AppendedData encoding=\"raw\">\n_",
        points_, vertices_, polygons_, section("PointData", pointArrays_), section("CellData", cellArrays_),
        section("Points", pointsElement_), section("Verts", vertexElements_), section("Polys", polygonElements_));
}

void PolyDataFile::write(const std::filesystem::path& path) const {
    const std::string first = head();
    const std::array<std::string_view, 3> pieces{first, appended_, tail};
    writeFileAtomically(path, pieces, Flush::later);
}

std::string PolyDataFile::bytes() const { return head() + appended_ + std::string(tail); }

}  // namespace talus
