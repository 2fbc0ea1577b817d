// STL: a list of triangles with their corners. As text "facet normal ... outer loop vertex x y z (three times) endloop
// endfacet" between solid and endsolid; binary 80 bytes of anything, the number of triangles, and 50 bytes each.
// Normals in the file do not count: the order of the corners does.
#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstring>

#include "geometry/mesh/merge_corners.hpp"
#include "geometry/mesh/mesh_reader.hpp"
#include "geometry/mesh/mesh_text.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr std::size_t headerSize = 84, triangleSize = 50;
static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");

void addTriangle(MeshFile& file, const std::array<Vec3, 3>& corners) {
    const auto first = static_cast<std::uint32_t>(file.corners.size());
    file.corners.insert(file.corners.end(), corners.begin(), corners.end());
    file.triangles.push_back({first, first + 1, first + 2});
}

class TextStlReader {
public:
    TextStlReader(std::string_view bytes, const std::string& name, double scale) : text_(bytes, name), scale_(scale) {
        file_.name = name;
    }

    MeshFile read() {
        // The name of a solid is the rest of its line, so lines are taken one by one here.
        bool isWithin = false;
        while (text_.nextLine()) {
            const std::string_view word = text_.nextWord();
            if (!isWithin && isKeyword(word, "solid")) {
                isWithin = true;
            } else if (isWithin && isKeyword(word, "endsolid")) {
                isWithin = false;
            } else if (isWithin && isKeyword(word, "facet")) {
                readFacet();
            } else {
                text_.refuse(fmt::format("expected {} here, got {}", isWithin ? "'facet' or 'endsolid'" : "'solid'",
                                         quoted(word)));
            }
        }
        if (isWithin) text_.refuse("the file ends before 'endsolid': it is cut off");
        return std::move(file_);
    }

private:
    void expect(std::string_view keyword) {
        const std::string_view word = text_.nextWordAnywhere();
        if (word.empty()) text_.refuse(fmt::format("the file ends before '{}': it is cut off", keyword));
        if (!isKeyword(word, keyword)) text_.refuse(fmt::format("expected '{}' here, got {}", keyword, quoted(word)));
    }

    void readFacet() {
        const std::uint32_t line = text_.line();
        expect("normal");
        for (int k = 0; k < 3; ++k) text_.nextWordAnywhere();
        expect("outer");
        expect("loop");
        std::array<Vec3, 3> corners;
        for (Vec3& corner : corners) {
            expect("vertex");
            for (int k = 0; k < 3; ++k) corner[k] = scale_ * text_.number(text_.nextWordAnywhere());
            if (!isUsable(corner)) text_.refuse(farAway(corner));
        }
        expect("endloop");
        expect("endfacet");
        addTriangle(file_, corners);
        file_.lines.push_back(line);
    }

    MeshText text_;
    double scale_;
    MeshFile file_;
};

std::uint32_t countOf(std::string_view bytes) {
    std::uint32_t count = 0;
    std::memcpy(&count, bytes.data() + headerSize - sizeof count, sizeof count);
    return count;
}

MeshFile readBinary(std::string_view bytes, const std::string& name, double scale) {
    MeshFile file;
    file.name = name;
    for (std::size_t place = headerSize; place + triangleSize <= bytes.size(); place += triangleSize) {
        std::array<float, 12> numbers{};
        std::memcpy(numbers.data(), bytes.data() + place, sizeof numbers);
        std::array<Vec3, 3> corners;
        for (int k = 0; k < 3; ++k) {
            corners[k] = scale * Vec3{numbers[3 * k + 3], numbers[3 * k + 4], numbers[3 * k + 5]};
            if (isUsable(corners[k])) continue;
            throw InputError(fmt::format("{}: triangle {}: {}", name, file.triangles.size() + 1, farAway(corners[k])));
        }
        addTriangle(file, corners);
    }
    return file;
}

bool startsAsText(std::string_view bytes) {
    const std::size_t start = bytes.find_first_not_of(" \t\r\n");
    return start != std::string_view::npos && isKeyword(bytes.substr(start, 5), "solid");
}

}  // namespace

MeshFile readStl(std::string_view bytes, const std::string& name, double scale) {
    // Binary files may begin with "solid" too, but only they have the size that their number of triangles says.
    const bool hasHeader = bytes.size() >= headerSize;
    const std::uint64_t wanted = hasHeader ? headerSize + triangleSize * std::uint64_t{countOf(bytes)} : 0;
    MeshFile file;
    if (hasHeader && bytes.size() == wanted) {
        file = readBinary(bytes, name, scale);
    } else if (startsAsText(bytes)) {
        file = TextStlReader(bytes, name, scale).read();
    } else if (!hasHeader) {
        throw InputError(fmt::format("{}: is no STL file: it has only {} bytes and does not begin with 'solid'", name,
                                     bytes.size()));
    } else {
        throw InputError(
            fmt::format("{}: is cut off or no STL file: for the {} triangles it announces it should have {} "
                        "bytes, but has {}",
                        name, countOf(bytes), wanted, bytes.size()));
    }
    mergeEqualCorners(file, cornerTolerance);
    return file;
}

}  // namespace talus
