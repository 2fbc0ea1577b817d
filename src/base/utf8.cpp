#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace talus {
namespace {

bool isContinuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// Length of the character at the start of the text; 0 if it is none. RFC 3629: the shortest form of a code point up to
// 10FFFF that is no surrogate.
std::size_t characterLength(std::string_view text) {
    const auto first = static_cast<unsigned char>(text.front());
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    if (length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k) {
        if (!isContinuation(text[k])) return 0;
    }
    if (length < 3) return length;
    const auto second = static_cast<unsigned char>(text[1]);
    const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
    const bool surrogate = first == 0xED && second >= 0xA0, tooLarge = first == 0xF4 && second >= 0x90;
    return overlong || surrogate || tooLarge ? 0 : length;
}

}  // namespace

std::string escapeBytes(std::string_view bytes) {
    std::string text;
    while (!bytes.empty()) {
        const std::size_t length = characterLength(bytes);
        if (length == 0) {
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(bytes.front()));
        } else if (bytes.front() == '\\') {
            text += "\\\\";
        } else {
            text += bytes.substr(0, length);
        }
        bytes.remove_prefix(std::max<std::size_t>(1, length));
    }
    return text;
}

std::string unescapeBytes(std::string_view text) {
    std::string bytes;
    for (std::size_t k = 0; k < text.size(); ++k) {
        const std::string_view rest = text.substr(k);
        std::uint8_t byte = 0;
        if (rest.starts_with("\\\\")) {
            ++k;
        } else if (rest.starts_with("\\x") && rest.size() >= 4 &&
                   std::from_chars(rest.data() + 2, rest.data() + 4, byte, 16).ptr == rest.data() + 4) {
            bytes += static_cast<char>(byte);
            k += 3;
            continue;
        }
        bytes += text[k];
    }
    return bytes;
}

}  // namespace talus
