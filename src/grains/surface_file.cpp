// Files of NURBS surfaces and of clouds of points.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "grains/surface_fit.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using Json = nlohmann::json;

constexpr std::string_view formatName = "talus-surface";
constexpr int formatVersion = 1;
constexpr std::size_t mostPoints = 1'000'000;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
    throw InputError(fmt::format("{}: {}", file.string(), reason));
}

std::ifstream opened(const std::filesystem::path& file) {
    std::ifstream stream(file);
    if (!stream) refuse(file, "cannot be read; files are sought beside the scene file");
    return stream;
}

// The numbers of a line; none if one of its words is no number.
std::vector<double> numbersOf(std::string line) {
    for (char& c : line) {
        if (c == ',' || c == ';' || c == '\t' || c == '\r') c = ' ';
    }
    std::istringstream words(line);
    std::vector<double> numbers;
    for (double value = 0; words >> value;) numbers.push_back(value);
    if (!words.eof()) numbers.clear();
    return numbers;
}

class SurfaceReader {
public:
    SurfaceReader(const std::filesystem::path& file, double scale) : file_(file), scale_(scale) {}

    SurfaceDefinition read(const Json& json) const {
        if (!json.is_object() || json.value("format", Json()) != formatName) {
            refuse(file_, fmt::format("format: must be \"{}\": this is no file of a surface", formatName));
        }
        if (json.value("version", Json()) != formatVersion) {
            refuse(file_, fmt::format("version: must be {}, the one this program knows", formatVersion));
        }
        SurfaceDefinition d;
        d.degreeU = degree(json, "degree_u");
        d.degreeV = degree(json, "degree_v");
        d.knotsU = numbers(json, "knots_u");
        d.knotsV = numbers(json, "knots_v");
        if (json.contains("weights")) d.weights = numbers(json, "weights");
        readPoints(member(json, "points"), d);
        return d;
    }

private:
    const Json& member(const Json& json, const char* name) const {
        const auto found = json.find(name);
        if (found == json.end()) refuse(file_, fmt::format("{}: is missing", name));
        return *found;
    }

    int degree(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_number_integer() || value < 1 || value > highestDegree) {
            refuse(file_, fmt::format("{}: must be 1 to {}", name, highestDegree));
        }
        return value.get<int>();
    }

    std::vector<double> numbers(const Json& json, const char* name) const {
        const Json& list = member(json, name);
        std::vector<double> result;
        if (!list.is_array()) refuse(file_, fmt::format("{}: must be a list of numbers", name));
        for (const Json& value : list) {
            if (!value.is_number()) refuse(file_, fmt::format("{}[{}]: must be a number", name, result.size()));
            result.push_back(value.get<double>());
        }
        return result;
    }

    // A list of rows, each a list of points.
    void readPoints(const Json& rows, SurfaceDefinition& d) const {
        if (!rows.is_array() || rows.empty())
            refuse(file_, "points: must be a list of rows, from one pole to the other");
        for (std::size_t j = 0; j < rows.size(); ++j) {
            const Json& row = rows[j];
            if (!row.is_array() || row.size() != rows[0].size()) {
                refuse(file_,
                       fmt::format("points[{}]: must be a list of {} points, as the first row is", j, rows[0].size()));
            }
            for (std::size_t i = 0; i < row.size(); ++i) d.points.push_back(point(row[i], i, j));
        }
        d.columns = rows[0].size();
    }

    Vec3 point(const Json& json, std::size_t i, std::size_t j) const {
        const bool isPoint =
            json.is_array() && json.size() == 3 && json[0].is_number() && json[1].is_number() && json[2].is_number();
        if (!isPoint) refuse(file_, fmt::format("points[{}][{}]: must be three numbers", j, i));
        return scale_ * Vec3{json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
    }

    const std::filesystem::path& file_;
    double scale_;
};

}  // namespace

std::vector<Vec3> readPointCloud(const std::filesystem::path& file, double scale) {
    std::ifstream stream = opened(file);
    std::vector<Vec3> points;
    std::string line;
    bool mayBeHeader = true;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#') continue;
        const std::vector<double> row = numbersOf(line);
        const bool isHeader = mayBeHeader && row.empty();
        mayBeHeader = false;
        if (isHeader) continue;
        if (row.size() != 3 || !isFinite(Vec3{row[0], row[1], row[2]})) {
            refuse(file, fmt::format("line {}: must be three numbers, x, y and z", number));
        }
        if (points.size() == mostPoints) refuse(file, fmt::format("has more than {} points", mostPoints));
        points.push_back(scale * Vec3{row[0], row[1], row[2]});
    }
    return points;
}

SurfaceDefinition readSurface(const std::filesystem::path& file, double scale) {
    std::ifstream stream = opened(file);
    const Json json = Json::parse(stream, nullptr, false);
    if (json.is_discarded()) refuse(file, "is not valid JSON");
    return SurfaceReader(file, scale).read(json);
}

}  // namespace talus
