// Files of NURBS surfaces.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/input_file.hpp"
#include "grains/surface_fit.hpp"
#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

using Json = nlohmann::json;

constexpr std::string_view formatName = "talus-surface";
constexpr int formatVersion = 1;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
    throw InputError(fmt::format("{}: {}", file.string(), reason));
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
        checkKeys(json);
        SurfaceDefinition d;
        d.degreeU = degree(json, "degree_u");
        d.degreeV = degree(json, "degree_v");
        d.knotsU = numbers(member(json, "knots_u"), "knots_u");
        d.knotsV = numbers(member(json, "knots_v"), "knots_v");
        readPoints(member(json, "points"), d);
        if (json.contains("weights")) d.weights = weights(json["weights"], d.columns);
        return d;
    }

private:
    const Json& member(const Json& json, const char* name) const {
        const auto found = json.find(name);
        if (found == json.end()) refuse(file_, fmt::format("{}: is missing", name));
        return *found;
    }

    void checkKeys(const Json& json) const {
        const std::vector<std::string> known = {"format",  "version", "degree_u", "degree_v",
                                                "knots_u", "knots_v", "points",   "weights"};
        for (const auto& [key, value] : json.items()) {
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            refuse(file_, fmt::format("{}: is not a key of such files{}", key, didYouMean(key, known)));
        }
    }

    int degree(const Json& json, const char* name) const {
        const Json& value = member(json, name);
        if (!value.is_number_integer() || value < 1 || value > highestDegree) {
            refuse(file_, fmt::format("{}: must be 1 to {}", name, highestDegree));
        }
        return value.get<int>();
    }

    // In rows, as the points are, or all rows in one list.
    std::vector<double> weights(const Json& json, std::size_t columns) const {
        if (!json.is_array() || json.empty() || !json[0].is_array()) return numbers(json, "weights");
        std::vector<double> result;
        for (std::size_t j = 0; j < json.size(); ++j) {
            const std::vector<double> row = numbers(json[j], fmt::format("weights[{}]", j));
            if (row.size() != columns) {
                refuse(file_, fmt::format("weights[{}]: must be {} numbers, one per point of a row", j, columns));
            }
            result.insert(result.end(), row.begin(), row.end());
        }
        return result;
    }

    std::vector<double> numbers(const Json& list, const std::string& name) const {
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

SurfaceDefinition readSurface(const std::filesystem::path& file, double scale) {
    std::ifstream stream = openInput(file, {.name = "a surface", .mostMebibytes = 256});
    Json json;
    try {
        json = Json::parse(stream);
    } catch (const Json::exception& error) {
        refuse(file, fmt::format("is not valid JSON: {}", error.what()));
    }
    return SurfaceReader(file, scale).read(json);
}

}  // namespace talus
