// Wavefront OBJ: lines "v x y z" are corners, lines "f a b c ..." faces by numbers of corners from 1, or from -1
// backwards; of a/b/c only a counts.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "geometry/mesh/merge_corners.hpp"
#include "geometry/mesh/mesh_reader.hpp"
#include "geometry/mesh/mesh_text.hpp"
#include "geometry/mesh/mesh_topology.hpp"

namespace talus {
namespace {

// What describes looks, names and lines, but no surface.
constexpr std::array ignoredKeywords{"vt",       "vn",       "vp",     "o",          "g",        "s", "mg",
                                     "usemtl",   "mtllib",   "usemap", "maplib",     "l",        "p", "bevel",
                                     "c_interp", "d_interp", "lod",    "shadow_obj", "trace_obj"};

class ObjReader {
public:
    ObjReader(std::string_view bytes, const std::string& name, double scale) : text_(bytes, name), scale_(scale) {
        file_.name = name;
    }

    MeshFile read() {
        while (text_.nextLine()) readLine();
        mergeEqualCorners(file_, 0);
        return std::move(file_);
    }

private:
    void readLine() {
        const std::string_view word = text_.nextWord();
        if (word.front() == '#') return;
        if (word == "v") return readCorner();
        if (word == "f" || word == "fo") return readFace();
        const bool isIgnored = std::find(ignoredKeywords.begin(), ignoredKeywords.end(), word) != ignoredKeywords.end();
        if (!isIgnored) text_.refuse(fmt::format("{} is no keyword of an OBJ file of polygons", quoted(word)));
    }

    void readCorner() {
        Vec3 corner;
        for (int k = 0; k < 3; ++k) corner[k] = scale_ * text_.number(text_.nextWord());
        if (!isUsable(corner)) text_.refuse(farAway(corner));
        file_.corners.push_back(corner);
    }

    void readFace() {
        face_.clear();
        for (std::string_view word = text_.nextWord(); !word.empty(); word = text_.nextWord()) {
            if (word.front() == '#') break;
            face_.push_back(cornerNumber(word));
        }
        if (face_.size() < 3) text_.refuse(fmt::format("a face needs at least 3 corners, got {}", face_.size()));
        if (face_.size() > 3) checkConvex();
        for (std::size_t k = 2; k < face_.size(); ++k) {
            file_.triangles.push_back({face_[0], face_[k - 1], face_[k]});
            file_.lines.push_back(text_.line());
        }
    }

    std::uint32_t cornerNumber(std::string_view word) {
        const std::string_view digits = word.substr(0, word.find('/'));
        long long number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc{} || end != digits.data() + digits.size()) {
            text_.refuse(fmt::format("{} is no number of a corner", quoted(word)));
        }
        const auto count = static_cast<long long>(file_.corners.size());
        const long long index = number < 0 ? count + number : number - 1;
        if (index < 0 || index >= count) {
            text_.refuse(fmt::format("corner {} does not exist: there are {} up to this line", number, count));
        }
        return static_cast<std::uint32_t>(index);
    }

    // Cut into a fan, a polygon gives triangles that all look its way only if it is convex (or at least star-like).
    void checkConvex() {
        Vec3 whole;
        for (std::size_t k = 2; k < face_.size(); ++k) whole += fanArea(k);
        for (std::size_t k = 2; k < face_.size(); ++k) {
            if (dot(fanArea(k), whole) < 0) {
                text_.refuse("a face is not convex: cut it into triangles in the program that wrote the file");
            }
        }
    }

    Vec3 fanArea(std::size_t k) const { return areaVector(file_.corners, {face_[0], face_[k - 1], face_[k]}); }

    MeshText text_;
    double scale_;
    MeshFile file_;
    std::vector<std::uint32_t> face_;
};

}  // namespace

MeshFile readObj(std::string_view bytes, const std::string& name, double scale) {
    return ObjReader(bytes, name, scale).read();
}

}  // namespace talus
