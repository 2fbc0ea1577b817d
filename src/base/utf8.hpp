// Bytes that need be no text, such as names of files, as valid UTF-8 for JSON, from which the same bytes come back.
#pragma once

#include <string>
#include <string_view>

namespace talus {

// Bytes that are no UTF-8 become \xHH, a backslash becomes two; all else stays.
std::string escapeBytes(std::string_view bytes);

// The bytes of which escapeBytes() made this text.
std::string unescapeBytes(std::string_view text);

}  // namespace talus
