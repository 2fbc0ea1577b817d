#include "io/results/npz.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>

#include "base/check.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr int compressionLevel = 1;  // higher levels take several times longer and save little of doubles
// Of an entry, and of the archive, without the extension ZIP64: sizes have 32 bits, and what does not shrink grows a
// little.
constexpr std::size_t mostBytes = 0xF0000000u;
constexpr std::uint16_t version = 20, deflate = 8;  // of ZIP that is needed to read it; the method
// ZIP dates begin in 1980; the same results give the same bytes whenever they are written.
constexpr std::uint16_t noTime = 0, firstDay = (1 << 5) | 1;

template <class Number>
void append(std::string& out, Number number) {
    out.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class T>
std::string_view bytesOf(std::span<const T> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// The head of an NPY file, as long as a multiple of 64 bytes.
std::string npyHead(const std::string& type, const std::string& shape) {
    std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
    const std::size_t before = 10;  // magic, version, length
    text.resize((before + text.size() + 1 + 63) / 64 * 64 - before - 1, ' ');
    text += '\n';
    std::string head("\x93NUMPY\x01\x00", 8);
    append(head, static_cast<std::uint16_t>(text.size()));
    return head + text;
}

std::string shapeOf(std::size_t count, std::size_t width) {
    return width == 0 ? fmt::format("({},)", count) : fmt::format("({}, {})", count / width, width);
}

// Without the head and tail of zlib, as ZIP wants it.
std::string deflated(std::string_view bytes) {
    z_stream stream{};
    ENGINE_CHECK(deflateInit2(&stream, compressionLevel, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    ENGINE_CHECK(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

void requireSize(std::size_t bytes, const std::string& what) {
    if (bytes < mostBytes) return;
    throw InputError(fmt::format("{}: has more than the 4 GB that a file of this kind can have; export as CSV", what));
}

}  // namespace

void NpzFile::add(const std::string& name, std::span<const double> values, std::size_t width) {
    addFile(name, "<f8", shapeOf(values.size(), width), bytesOf(values));
}

void NpzFile::add(const std::string& name, std::span<const std::int64_t> values, std::size_t width) {
    addFile(name, "<i8", shapeOf(values.size(), width), bytesOf(values));
}

void NpzFile::add(const std::string& name, double value) {
    addFile(name, "<f8", "()", bytesOf(std::span<const double>(&value, 1)));
}

void NpzFile::add(const std::string& name, const std::vector<std::string>& names) {
    std::size_t longest = 1;
    for (const std::string& text : names) longest = std::max(longest, text.size());
    std::u32string letters;
    for (const std::string& text : names) {
        for (std::size_t k = 0; k < longest; ++k) letters += k < text.size() ? static_cast<unsigned char>(text[k]) : 0;
    }
    addFile(name, fmt::format("<U{}", longest), shapeOf(names.size(), 0), bytesOf(std::span<const char32_t>(letters)));
}

void NpzFile::addFile(const std::string& name, const std::string& type, const std::string& shape,
                      std::string_view values) {
    const std::string file = name + ".npy", head = npyHead(type, shape);
    requireSize(head.size() + values.size(), name);
    std::string whole = head;
    whole += values;
    Entry entry{.file = file, .facts = {}, .data = deflated(whole)};
    std::string& facts = entry.facts;
    for (const std::uint16_t number : {version, std::uint16_t{0}, deflate, noTime, firstDay}) append(facts, number);
    append(facts, static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(whole.data()), whole.size())));
    append(facts, static_cast<std::uint32_t>(entry.data.size()));
    append(facts, static_cast<std::uint32_t>(whole.size()));
    append(facts, static_cast<std::uint16_t>(file.size()));
    append(facts, std::uint16_t{0});  // of further fields
    entries_.push_back(std::move(entry));
}

std::string NpzFile::bytes() const {
    std::string all, directory;
    for (const Entry& entry : entries_) {
        directory += "PK\x01\x02";
        append(directory, version);
        directory += entry.facts + std::string(10, '\0');  // no comment, first disk, no attributes
        append(directory, static_cast<std::uint32_t>(all.size()));
        directory += entry.file;
        all += "PK\x03\x04" + entry.facts + entry.file + entry.data;
        requireSize(all.size() + directory.size(), "the frame");
    }
    const auto start = static_cast<std::uint32_t>(all.size());
    all += directory + std::string("PK\x05\x06\0\0\0\0", 8);
    for (int k = 0; k < 2; ++k) append(all, static_cast<std::uint16_t>(entries_.size()));
    append(all, static_cast<std::uint32_t>(directory.size()));
    append(all, start);
    append(all, std::uint16_t{0});  // of a comment
    return all;
}

}  // namespace talus
