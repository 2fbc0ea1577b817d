#include "io/results/series.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>

#include "base/atomic_file.hpp"
#include "base/check.hpp"
#include "talus/error.hpp"
#include "talus/results.hpp"

namespace talus {
namespace {

std::string headerCell(const SeriesColumn& column) {
    const std::string text = column.unit.empty() ? column.name : column.name + " [" + column.unit + "]";
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '\n' || c == '\r') continue;  // a header is one line
        quoted += c;
        if (c == '"') quoted += '"';
    }
    return quoted + '"';
}

// Cells of one line; quotes as in RFC 4180.
std::vector<std::string> splitLine(const std::string& line) {
    std::vector<std::string> cells(1);
    bool quoted = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
            cells.back() += line[++i];
        } else if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            cells.emplace_back();
        } else if (c != '\r') {
            cells.back() += c;
        }
    }
    return cells;
}

std::optional<double> readNumber(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return {};
    return value;
}

SeriesColumn readHeaderCell(const std::string& cell) {
    const std::size_t open = cell.rfind(" [");
    if (open == std::string::npos || cell.back() != ']') return {cell, ""};
    return {cell.substr(0, open), cell.substr(open + 2, cell.size() - open - 3)};
}

// A row that was written whole: its time, or nothing.
std::optional<double> timeOfRow(const std::string& line, std::size_t columns) {
    const std::vector<std::string> cells = splitLine(line);
    if (cells.size() != columns) return {};
    return readNumber(cells.front());
}

std::string orderFault(double time, double before) {
    return fmt::format("times must increase, got {} s after {} s", shortestNumber(time), shortestNumber(before));
}

[[noreturn]] void refuseToGoOn(const std::filesystem::path& file, std::size_t line, const std::string& reason) {
    throw InputError(
        fmt::format("{}:{}: {}: the file is not as the run left it; restore it, or move it away and a new "
                    "one begins at the checkpoint",
                    file.string(), line, reason));
}

}  // namespace

std::string shortestNumber(double value) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, value).ptr;
    return {text, end};
}

std::string seriesHeader(const std::vector<SeriesColumn>& columns) {
    std::string header = "time [s]";
    for (const SeriesColumn& column : columns) header.append(1, ',').append(headerCell(column));
    return header + "\n";
}

SeriesWriter::SeriesWriter(const std::filesystem::path& file, const std::vector<SeriesColumn>& columns,
                           std::optional<double> resumeTime)
    : path_(file), columns_(columns.size()) {
    const std::string header = seriesHeader(columns);
    std::error_code error;
    if (resumeTime && std::filesystem::exists(file, error)) {
        goOn(header, *resumeTime);
    } else {
        startAnew(header);
    }
}

// To be read as well: from what is open a file that somebody removes can be made again.
void SeriesWriter::open() { file_ = FileDescriptor(path_, O_RDWR | O_APPEND); }

void SeriesWriter::startAnew(const std::string& header) {
    writeFileAtomically(path_, header);
    open();
    size_ = header.size();
}

// Keeps whole rows up to the time of the checkpoint; what follows will be written again.
void SeriesWriter::goOn(const std::string& header, double resumeTime) {
    std::ifstream existing(path_, std::ios::binary);
    std::string line;
    if (!std::getline(existing, line) || line + "\n" != header) {
        throw InputError(
            fmt::format("{}: its columns are not those of this scene: '{}', expected '{}'; restore the file "
                        "or move it away",
                        path_.string(), line, header.substr(0, header.size() - 1)));
    }
    size_ = header.size();
    std::size_t broken = 0;  // line
    double last = lastTime_;
    for (std::size_t number = 2; std::getline(existing, line) && !existing.eof(); ++number) {
        const std::optional<double> time = timeOfRow(line, columns_ + 1);
        if (!time && broken == 0) broken = number;
        if (!time) continue;
        if (!(*time > last)) refuseToGoOn(path_, number, orderFault(*time, last));
        last = *time;
        if (*time > resumeTime) continue;
        if (broken > 0) refuseToGoOn(path_, broken, "is no row of this series");
        lastTime_ = *time;
        size_ += line.size() + 1;
    }
    open();
    if (::ftruncate(file_.number(), static_cast<off_t>(size_)) != 0) throwFileError("shorten", path_, errno);
}

bool SeriesWriter::restoreIfGone() {
    if (file_.isAt(path_)) return false;
    writeFileAtomically(path_, file_.readAll());
    open();
    return true;
}

void SeriesWriter::write(double time, const std::vector<double>& values) {
    ENGINE_CHECK(values.size() == columns_);
    if (!(time > lastTime_)) return;
    std::string row = shortestNumber(time);
    for (const double value : values) row.append(1, ',').append(shortestNumber(value));
    row += '\n';
    try {
        file_.writeAll(row);
    } catch (const RunError&) {
        // Leave no half row; if the disk refuses even this, a resume cuts it off.
        if (::ftruncate(file_.number(), static_cast<off_t>(size_)) != 0) errno = 0;
        throw;
    }
    size_ += row.size();
    lastTime_ = time;
}

Series readSeries(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::string line;
    if (!in || !std::getline(in, line)) {
        throw InputError(fmt::format("{}: cannot be read; it is the time series that a run writes", file.string()));
    }
    Series series;
    for (const std::string& cell : splitLine(line)) series.columns.push_back(readHeaderCell(cell));
    series.values.resize(series.columns.size());
    for (std::size_t number = 2; std::getline(in, line); ++number) {
        const std::vector<std::string> cells = splitLine(line);
        if (cells.size() != series.columns.size() && in.eof()) break;  // a row being written
        if (cells.size() != series.columns.size()) {
            throw InputError(fmt::format("{}:{}: {} values where the header has {} columns", file.string(), number,
                                         cells.size(), series.columns.size()));
        }
        for (std::size_t c = 0; c < cells.size(); ++c) {
            const std::optional<double> value = readNumber(cells[c]);
            if (!value) {
                throw InputError(fmt::format("{}:{}: column '{}' must be a number, got '{}'", file.string(), number,
                                             series.columns[c].name, cells[c].substr(0, 40)));
            }
            series.values[c].push_back(*value);
        }
    }
    return series;
}

std::vector<std::vector<double>> readSeriesColumns(const std::filesystem::path& folder,
                                                   const std::vector<std::string>& names) {
    const std::filesystem::path file = folder / "series.csv";
    const Series series = readSeries(file);
    std::vector<std::vector<double>> columns;
    for (const std::string& name : names) {
        const auto at = std::find_if(series.columns.begin(), series.columns.end(),
                                     [&](const SeriesColumn& column) { return column.name == name; });
        if (at == series.columns.end()) throw InputError(fmt::format("{}: has no column '{}'", file.string(), name));
        columns.push_back(series.values[static_cast<std::size_t>(at - series.columns.begin())]);
    }
    return columns;
}

}  // namespace talus
