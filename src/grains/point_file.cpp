// Files of points: clouds of surfaces, x, y and z on each line, and outlines, x and y.
#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/input_file.hpp"
#include "grains/surface_fit.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"

namespace talus {
namespace {

using Json = nlohmann::json;

constexpr std::size_t mostPoints = 1'000'000;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& reason) {
    throw InputError(fmt::format("{}: {}", file.string(), reason));
}

std::ifstream opened(const std::filesystem::path& file) {
    return openInput(file, {.name = "a file of points", .mostMebibytes = 256});
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

// One point a line, `wanted` says in words what it has; empty lines, remarks after # and one line of words at the top
// are left out.
std::vector<std::vector<double>> readRows(const std::filesystem::path& file, std::size_t columns, const char* wanted) {
    std::ifstream stream = opened(file);
    std::vector<std::vector<double>> rows;
    std::string line;
    bool mayBeHeader = true;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#') continue;
        std::vector<double> row = numbersOf(line);
        const bool isHeader = mayBeHeader && row.empty();
        mayBeHeader = false;
        if (isHeader) continue;
        bool isPoint = row.size() == columns;
        for (const double value : row) isPoint = isPoint && std::isfinite(value);
        if (!isPoint) refuse(file, fmt::format("line {}: must be {}", number, wanted));
        if (rows.size() == mostPoints) refuse(file, fmt::format("has more than {} points", mostPoints));
        rows.push_back(std::move(row));
    }
    return rows;
}

// [[x, y], ...]
std::vector<Vec2> readJsonPoints(const std::filesystem::path& file) {
    Json json;
    try {
        std::ifstream stream = opened(file);
        json = Json::parse(stream);
    } catch (const Json::exception& error) {
        refuse(file, fmt::format("is no JSON: {}", error.what()));
    }
    std::vector<Vec2> points;
    for (const Json& p : json) {
        const bool isPoint = p.is_array() && p.size() == 2 && p[0].is_number() && p[1].is_number();
        if (!isPoint) refuse(file, fmt::format("[{}]: must be two numbers, x and y", points.size()));
        points.push_back({p[0].get<double>(), p[1].get<double>()});
    }
    return points;
}

// The first letter that is no blank; 0 in an empty file.
char firstLetter(const std::filesystem::path& file) {
    std::ifstream stream = opened(file);
    char letter = 0;
    return stream >> letter ? letter : char{0};
}

}  // namespace

std::vector<Vec3> readPointCloud(const std::filesystem::path& file, double scale) {
    std::vector<Vec3> points;
    for (const auto& row : readRows(file, 3, "three numbers, x, y and z")) {
        points.push_back(scale * Vec3{row[0], row[1], row[2]});
    }
    return points;
}

bool isGrainsFile(const std::filesystem::path& file) { return firstLetter(file) == '{'; }

std::vector<Vec2> readOutlinePoints(const std::filesystem::path& file) {
    std::vector<Vec2> points;
    if (firstLetter(file) == '[') {
        points = readJsonPoints(file);
    } else {
        for (const auto& row : readRows(file, 2, "two numbers, x and y")) points.push_back({row[0], row[1]});
    }
    if (points.size() > 1 && points.front() == points.back()) points.pop_back();
    if (points.size() < 3) refuse(file, fmt::format("has {} points; an outline needs at least 3", points.size()));
    return points;
}

}  // namespace talus
