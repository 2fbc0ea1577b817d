#include "formats/foreign_hdf5.hpp"

#include <cstring>
#include <vector>

namespace talus {

enum class QuestionKind : std::uint32_t { open, has, rows, isWritten, data, text };

// Followed by the name. Types are those that HDF5 makes when it starts.
struct Hdf5Question {
    QuestionKind kind = QuestionKind::open;
    std::uint32_t nameSize = 0;
    hid_t type = -1;
    std::uint64_t columns = 0, bytes = 0;
};

namespace {

// Followed by the answer, or by what is wrong.
struct Hdf5Answer {
    std::uint64_t isFault = 0, size = 0;
};

constexpr std::uint64_t longestFault = 4096, mebibyte = std::uint64_t{1} << 20;

using Bytes = std::vector<std::byte>;

Bytes bytesOf(const std::string& text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

Bytes bytesOf(std::uint64_t number) {
    Bytes bytes(sizeof number);
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

// What the library itself needs, and room for any dataset twice; time for a slow machine to copy it all.
IsolatedProcess::Limits limitsFor(std::uint64_t fileSize) {
    return {.memory = 256 * mebibyte + 2 * fileSize, .seconds = 5 + fileSize / (20 * mebibyte)};
}

// --- the process that opens the file ---------------------------------------------------------------------------------

Bytes answerTo(const Hdf5Question& question, const Hdf5File& file, const std::string& name) {
    switch (question.kind) {
        case QuestionKind::has:
            return bytesOf(std::uint64_t{file.has(name)});
        case QuestionKind::rows:
            return bytesOf(file.rowsOf(name, question.type, question.columns));
        case QuestionKind::isWritten:
            return bytesOf(std::uint64_t{file.isWritten(name)});
        case QuestionKind::text:
            return bytesOf(file.readText(name));
        case QuestionKind::data: {
            Bytes data(question.bytes);
            file.readDataset(name, question.type, data);
            return data;
        }
        default:
            return {};
    }
}

void answerQuestions(const std::filesystem::path& path, const Line& line) {
    // Never closed: HDF5 may be broken by then, and the process ends anyway.
    Hdf5File* file = nullptr;
    for (Hdf5Question question; line.receiveValue(question);) {
        std::string name(question.nameSize, '\0');
        if (!line.receive(std::as_writable_bytes(std::span(name)))) return;
        Bytes bytes;
        bool isFault = false;
        try {
            if (file == nullptr) file = new Hdf5File(Hdf5File::openToRead(path));
            bytes = answerTo(question, *file, name);
        } catch (const std::exception& fault) {  // Hdf5Error, or no memory left
            bytes = bytesOf(std::string(fault.what()).substr(0, longestFault));
            isFault = true;
        }
        if (!line.sendValue(Hdf5Answer{isFault, bytes.size()}) || !line.send(bytes)) return;
    }
}

}  // namespace

// --- the process that asks -------------------------------------------------------------------------------------------

ForeignHdf5::ForeignHdf5(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) throw Hdf5Error("it is not a file");
    fileSize_ = std::filesystem::file_size(path, error);
    if (error) throw Hdf5Error("it cannot be read");
    const QuietHdf5 started;  // before the other process starts, so that both know the same types
    process_ =
        std::make_unique<IsolatedProcess>([&](const Line& line) { answerQuestions(path, line); }, limitsFor(fileSize_));
    ask({.kind = QuestionKind::open}, "it");
}

bool ForeignHdf5::has(const std::string& name) const { return askNumber({.kind = QuestionKind::has}, name) != 0; }

bool ForeignHdf5::isWritten(const std::string& name) const {
    return askNumber({.kind = QuestionKind::isWritten}, name) != 0;
}

std::uint64_t ForeignHdf5::rowsOf(const std::string& name, hid_t type, std::uint64_t columns) const {
    const std::uint64_t rows = askNumber({.kind = QuestionKind::rows, .type = type, .columns = columns}, name);
    if (rows > fileSize_ / (columns * H5Tget_size(type))) throw Hdf5Error(name + " is larger than the file");
    return rows;
}

void ForeignHdf5::readDataset(const std::string& name, hid_t type, std::span<std::byte> data) const {
    const std::uint64_t size = ask({.kind = QuestionKind::data, .type = type, .bytes = data.size()}, name);
    if (size != data.size()) giveUp(name);
    receive(name, data);
}

std::string ForeignHdf5::readText(const std::string& name) const {
    const std::uint64_t size = ask({.kind = QuestionKind::text}, name);
    if (size > fileSize_) giveUp(name);
    std::string text(size, '\0');
    receive(name, std::as_writable_bytes(std::span(text)));
    return text;
}

std::uint64_t ForeignHdf5::ask(Hdf5Question question, const std::string& name) const {
    question.nameSize = static_cast<std::uint32_t>(name.size());
    const Line line = process_->line();
    Hdf5Answer answer;
    const bool isAnswered = line.sendValue(question) && line.send(std::as_bytes(std::span(name))) &&
                            line.receiveValue(answer) && (answer.isFault == 0 || answer.size <= longestFault);
    if (!isAnswered) giveUp(name);
    if (answer.isFault == 0) return answer.size;
    std::string fault(answer.size, '\0');
    receive(name, std::as_writable_bytes(std::span(fault)));
    throw Hdf5Error(fault);
}

std::uint64_t ForeignHdf5::askNumber(const Hdf5Question& question, const std::string& name) const {
    std::uint64_t number = 0;
    if (ask(question, name) != sizeof number) giveUp(name);
    receive(name, std::as_writable_bytes(std::span(&number, 1)));
    return number;
}

void ForeignHdf5::receive(const std::string& name, std::span<std::byte> answer) const {
    if (!process_->line().receive(answer)) giveUp(name);
}

void ForeignHdf5::giveUp(const std::string& name) const {
    throw Hdf5Error(name + " is damaged; reading it, the HDF5 library " + process_->fault());
}

}  // namespace talus
