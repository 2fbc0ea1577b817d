// series.csv: one row of numbers per output time.
//
// The first column is the time. Numbers are written with the fewest digits that read back to the same bits; each row
// reaches the file at once, so a killed run loses none. A run that is resumed cuts the file back to the rows up to the
// time of its checkpoint and goes on from there: the file ends up as that of a run that was never interrupted. Times
// increase from row to row; a file in which they do not was changed by somebody else and is not gone on with.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/file_descriptor.hpp"

namespace talus {

struct SeriesColumn {
    std::string name;  // e.g. energy_kinetic
    std::string unit;  // e.g. J; empty for pure numbers
};

class SeriesWriter {
public:
    // Columns without the time. Without resumeTime, or if there is none to go on with, the file starts anew. A file to
    // go on with must have these columns and increasing times: InputError otherwise, and the file is as before.
    SeriesWriter(const std::filesystem::path& file, const std::vector<SeriesColumn>& columns,
                 std::optional<double> resumeTime = {});

    // One value per column. A row that is not later than the last one is left out, so that an output time that is
    // met twice (at a resume, at the end of the run) gives one row.
    void write(double time, const std::vector<double>& values);

    // Brings the rows to the disk; before a checkpoint that relies on them.
    void flush() { file_.flushToDisk(); }

    // If the file was removed, moved, or replaced by another since, it is made anew with all rows; true then.
    bool restoreIfGone();

private:
    void startAnew(const std::string& header);
    void goOn(const std::string& header, double resumeTime);
    void open();

    std::filesystem::path path_;
    FileDescriptor file_;
    std::size_t columns_ = 0;
    std::uint64_t size_ = 0;  // bytes of whole rows
    double lastTime_ = -std::numeric_limits<double>::infinity();
};

// The header line: time [s],energy_kinetic [J],contacts
std::string seriesHeader(const std::vector<SeriesColumn>& columns);

// The shortest decimal number that reads back to the same double; nan, inf and -inf as these words.
std::string shortestNumber(double value);

// A series as read back. Throws InputError for a file that is not a table of numbers.
struct Series {
    std::vector<SeriesColumn> columns;        // the time is the first
    std::vector<std::vector<double>> values;  // one per column
    std::size_t rows() const { return values.empty() ? 0 : values.front().size(); }
};
Series readSeries(const std::filesystem::path& file);

}  // namespace talus
