// Bytes as text, for pages that carry their pictures (talus/results.hpp).
#include "talus/results.hpp"

namespace talus {

std::string asBase64(std::string_view bytes) {
    static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve(4 * (bytes.size() / 3 + 1));
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        const auto byte = [&](std::size_t i) {
            return k + i < bytes.size() ? static_cast<unsigned char>(bytes[k + i]) : 0u;
        };
        const unsigned group = byte(0) << 16 | byte(1) << 8 | byte(2);
        text += digits[group >> 18];
        text += digits[group >> 12 & 63];
        text += k + 1 < bytes.size() ? digits[group >> 6 & 63] : '=';
        text += k + 2 < bytes.size() ? digits[group & 63] : '=';
    }
    return text;
}

}  // namespace talus
