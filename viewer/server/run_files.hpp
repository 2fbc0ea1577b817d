// What a page may read of a run: the files of one folder, and none outside of it, whatever links and names in an index
// say. Any thread may ask.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "talus/frames.hpp"

namespace talus::view {

class RunFiles {
public:
    // InputError if there is no run.
    explicit RunFiles(const std::filesystem::path& folder);

    const std::filesystem::path& folder() const { return folder_; }

    nlohmann::json run() const;      // run.json; null if it is missing or damaged
    nlohmann::json summary() const;  // summary.json; null while there is none
    FrameNames names() const;

    // Times of the frames so far, s.
    std::vector<double> times();
    // With what is wished for at least.
    std::shared_ptr<const Frame> frame(std::size_t number, const FrameWish& wish = {});

    // The series from this byte on; from 0 if the file is another one by now, or shorter.
    struct SeriesText {
        std::uint64_t from = 0, file = 0;  // the file's own number
        std::string text;
    };
    SeriesText series(std::uint64_t from, std::uint64_t file) const;

private:
    std::filesystem::path inside(const std::filesystem::path& file) const;
    std::string text(const char* name, std::uint64_t most) const;
    void readIndex();

    std::filesystem::path folder_;
    std::mutex mutex_;
    std::filesystem::file_time_type indexTime_;
    std::vector<FrameFiles> frames_;
    // The last few, as decoding takes longer than sending. A frame may be written again: its time is part of the key.
    struct Kept {
        std::size_t number;
        std::filesystem::file_time_type written;
        FrameWish wish;
        std::shared_ptr<const Frame> frame;
    };
    std::vector<Kept> kept_;
};

}  // namespace talus::view
