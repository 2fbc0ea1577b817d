#include "io/scene/csv_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <functional>
#include <string_view>

#include "base/input_file.hpp"
#include "io/scene/problems.hpp"
#include "io/scene/scene_fields.hpp"
#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

constexpr std::size_t longestLine = 1 << 14;
constexpr const char* byteOrderMark = "\xEF\xBB\xBF";

constexpr Range quaternionRange{.low = -1e6, .high = 1e6};

// Columns that only bodies with forms have.
bool needsForms(std::string_view column) { return column == "shape" || (column.size() == 2 && column.front() == 'q'); }

struct Column {
    std::string_view name;
    bool required;
    Unit unit;
    Range range;
    std::function<double&(CsvBody&)> number;  // empty for the columns that are no numbers of the body
};

const std::vector<Column>& knownColumns() {
    static const std::vector<Column> columns{
        {"x", true, unit::length, coordinateRange, [](CsvBody& b) -> double& { return b.position.x; }},
        {"y", true, unit::length, coordinateRange, [](CsvBody& b) -> double& { return b.position.y; }},
        {"z", true, unit::length, coordinateRange, [](CsvBody& b) -> double& { return b.position.z; }},
        {"radius", true, unit::length, radiusRange, [](CsvBody& b) -> double& { return b.radius; }},
        {"vx", false, unit::velocity, speedRange, [](CsvBody& b) -> double& { return b.velocity.x; }},
        {"vy", false, unit::velocity, speedRange, [](CsvBody& b) -> double& { return b.velocity.y; }},
        {"vz", false, unit::velocity, speedRange, [](CsvBody& b) -> double& { return b.velocity.z; }},
        {"wx", false, unit::angularVelocity, speedRange, [](CsvBody& b) -> double& { return b.spin.x; }},
        {"wy", false, unit::angularVelocity, speedRange, [](CsvBody& b) -> double& { return b.spin.y; }},
        {"wz", false, unit::angularVelocity, speedRange, [](CsvBody& b) -> double& { return b.spin.z; }},
        {"qw", false, unit::number, quaternionRange, [](CsvBody& b) -> double& { return b.orientation.w; }},
        {"qx", false, unit::number, quaternionRange, [](CsvBody& b) -> double& { return b.orientation.x; }},
        {"qy", false, unit::number, quaternionRange, [](CsvBody& b) -> double& { return b.orientation.y; }},
        {"qz", false, unit::number, quaternionRange, [](CsvBody& b) -> double& { return b.orientation.z; }},
        {"shape", false, unit::number, bounds::nonNegative, {}},
        {"material", false, unit::number, bounds::anyValue, {}},
        {"fixed", false, unit::number, bounds::anyValue, {}},
    };
    return columns;
}

std::string_view trimmed(std::string_view text) {
    const auto isBlank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && isBlank(text.front())) text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    const bool isQuoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return isQuoted ? text.substr(1, text.size() - 2) : text;
}

void splitLine(std::string_view line, std::vector<std::string_view>& cells) {
    cells.clear();
    for (;;) {
        const std::size_t comma = line.find(',');
        cells.push_back(trimmed(line.substr(0, comma)));
        if (comma == std::string_view::npos) return;
        line.remove_prefix(comma + 1);
    }
}

class CsvReader {
public:
    CsvReader(std::istream& stream, const std::string& file, std::size_t most, std::size_t forms)
        : stream_(stream), file_(file), most_(most), forms_(forms), buffer_(longestLine + 1) {}

    std::vector<CsvBody> readAll() {
        readHeader();
        problems_.throwIfAny();
        while (nextLine()) readRow();
        problems_.throwIfAny();
        return std::move(bodies_);
    }

private:
    // Moves on to the next line that counts. The buffer bounds memory whatever the file holds.
    bool nextLine() {
        while (stream_.getline(buffer_.data(), static_cast<std::streamsize>(buffer_.size()))) {
            ++line_;
            const auto length = static_cast<std::size_t>(stream_.gcount()) - (stream_.eof() ? 0 : 1);
            text_ = std::string_view(buffer_.data(), length);
            if (line_ == 1 && text_.starts_with(byteOrderMark)) text_.remove_prefix(3);
            const std::string_view content = trimmed(text_);
            if (!content.empty() && content.front() != '#') return true;
        }
        if (stream_.fail() && !stream_.eof()) {
            ++line_;
            complain(fmt::format("a line is longer than {} characters", longestLine));
            problems_.throwIfAny();
        }
        return false;
    }

    void complain(const std::string& message) { problems_.addAt(fmt::format("{}:{}", file_, line_), message); }

    void readHeader() {
        if (!nextLine()) {
            line_ = 1;
            return complain("a header line with the columns x, y, z, radius is missing");
        }
        std::vector<std::string> names;
        for (const Column& column : knownColumns()) names.emplace_back(column.name);
        splitLine(text_, cells_);
        for (const std::string_view cell : cells_) {
            const auto found = std::find(names.begin(), names.end(), cell);
            if (found == names.end()) {
                complain(fmt::format("unknown column {}{}", inQuotes(cell), didYouMean(cell, names)));
            } else if (forms_ == 0 && needsForms(cell)) {
                complain(fmt::format("the column {} needs the key grains in the scene", inQuotes(cell)));
            } else if (std::find(columns_.begin(), columns_.end(), found - names.begin()) != columns_.end()) {
                complain(fmt::format("the column {} is given twice", inQuotes(cell)));
            }
            columns_.push_back(found - names.begin());
        }
        const auto isTurn = [](std::string_view cell) { return cell.size() == 2 && cell.front() == 'q'; };
        const bool isTurned = std::any_of(cells_.begin(), cells_.end(), isTurn);
        for (std::size_t k = 0; k < names.size(); ++k) {
            const bool isGiven = std::find(columns_.begin(), columns_.end(), static_cast<long>(k)) != columns_.end();
            const bool isNeeded = (knownColumns()[k].required && (forms_ == 0 || names[k] != "radius")) ||
                                  (isTurned && forms_ > 0 && isTurn(names[k]));
            if (isNeeded && !isGiven) complain(fmt::format("the column '{}' is missing", names[k]));
        }
    }

    void readRow() {
        splitLine(text_, cells_);
        if (cells_.size() != columns_.size()) {
            return complain(fmt::format("{} values for {} columns", cells_.size(), columns_.size()));
        }
        if (bodies_.size() >= most_) {
            complain(fmt::format("more than {} bodies", most_));
            problems_.throwIfAny();
        }
        CsvBody body;
        body.line = line_;
        for (std::size_t k = 0; k < cells_.size(); ++k) {
            readCell(knownColumns()[static_cast<std::size_t>(columns_[k])], cells_[k], body);
        }
        const Quat& q = body.orientation;
        if (!(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z > 1e-24)) complain("qw, qx, qy and qz are all zero");
        bodies_.push_back(std::move(body));
    }

    void readCell(const Column& column, std::string_view cell, CsvBody& body) {
        if (column.number) return readNumber(column, cell, column.number(body));
        if (column.name == "shape") return readShape(column, cell, body);
        if (column.name == "material") {
            body.material = cell;
        } else if (cell == "1" || cell == "true") {
            body.fixed = true;
        } else if (!cell.empty() && cell != "0" && cell != "false") {
            complain(fmt::format("column 'fixed': must be true, false, 1 or 0, got {}", inQuotes(cell)));
        }
    }

    void readShape(const Column& column, std::string_view cell, CsvBody& body) {
        double number = 0;
        readNumber(column, cell, number);
        if (number != std::floor(number) || number >= static_cast<double>(forms_)) {
            return complain(fmt::format("column 'shape': must be a whole number below the {} grains, got {}", forms_,
                                        inQuotes(cell)));
        }
        body.shape = static_cast<std::size_t>(number);
    }

    void readNumber(const Column& column, std::string_view cell, double& value) {
        const std::string_view digits = cell.starts_with('+') ? cell.substr(1) : cell;
        double number = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (error != std::errc{} || end != digits.data() + digits.size() || digits.empty()) {
            complain(fmt::format("column '{}': {} is not a number", column.name, inQuotes(cell)));
        } else if (!std::isfinite(number) || !column.range.holds(number)) {
            complain(fmt::format("column '{}': must be {}, got {}", column.name, describe(column.range, column.unit),
                                 number));
        } else {
            value = number;
        }
    }

    std::istream& stream_;
    std::string file_;
    std::size_t most_, forms_;
    std::vector<char> buffer_;
    std::string_view text_;
    std::size_t line_ = 0;
    std::vector<std::string_view> cells_;
    std::vector<long> columns_;  // for each column of the file its index in knownColumns()
    std::vector<CsvBody> bodies_;
    SceneSource noSource_;
    Problems problems_{noSource_};
};

}  // namespace

std::vector<CsvBody> readCsvBodies(std::istream& stream, const std::string& fileName, std::size_t most,
                                   std::size_t forms) {
    return CsvReader(stream, fileName, most, forms).readAll();
}

std::vector<CsvBody> readCsvBodies(const std::filesystem::path& file, std::size_t most, std::size_t forms) {
    std::ifstream stream = openInput(file, {.name = "a table"});
    return readCsvBodies(stream, file.string(), most, forms);
}

}  // namespace talus
