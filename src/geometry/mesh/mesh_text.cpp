#include "geometry/mesh/mesh_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "talus/error.hpp"

namespace talus {
namespace {

bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

char lowered(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string_view withoutEndBlanks(std::string_view text) {
    while (!text.empty() && isBlank(text.back())) text.remove_suffix(1);
    return text;
}

}  // namespace

bool MeshText::nextLine() {
    joined_.clear();
    while (!rest_.empty()) {
        const std::size_t end = rest_.find('\n');
        std::string_view piece = withoutEndBlanks(rest_.substr(0, end));
        rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
        if (joined_.empty()) line_ = lineAhead_ + 1;
        ++lineAhead_;
        const bool goesOn = !piece.empty() && piece.back() == '\\' && !rest_.empty();
        if (goesOn) piece.remove_suffix(1);
        if (goesOn || !joined_.empty()) {
            joined_ += std::string(piece) + ' ';
            piece = joined_;
        }
        if (goesOn) continue;
        text_ = piece;
        if (!std::all_of(text_.begin(), text_.end(), isBlank)) return true;
        joined_.clear();
    }
    text_ = {};
    return false;
}

std::string_view MeshText::nextWord() {
    while (!text_.empty() && isBlank(text_.front())) text_.remove_prefix(1);
    const auto end = std::find_if(text_.begin(), text_.end(), isBlank);
    const std::string_view word = text_.substr(0, static_cast<std::size_t>(end - text_.begin()));
    text_.remove_prefix(word.size());
    return word;
}

std::string_view MeshText::nextWordAnywhere() {
    for (;;) {
        const std::string_view word = nextWord();
        if (!word.empty() || !nextLine()) return word;
    }
}

double MeshText::number(std::string_view word) const {
    const std::optional<double> value = parseNumber(word);
    if (!value) refuse(word.empty() ? "a coordinate is missing" : fmt::format("{} is not a number", quoted(word)));
    return *value;
}

void MeshText::refuse(const std::string& why) const {
    throw InputError(fmt::format("{}:{}: {}", name_, std::max(line_, 1u), why));
}

std::optional<double> parseNumber(std::string_view word) {
    if (word.starts_with('+')) word.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    const bool isWhole = !word.empty() && end == word.data() + word.size();
    // Numbers too small for a double are zero to a length.
    if (error == std::errc::result_out_of_range && isWhole && word.find_first_of("eE") != std::string_view::npos &&
        word[word.find_first_of("eE") + 1] == '-') {
        return 0.0;
    }
    if (error != std::errc{} || !isWhole || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::string quoted(std::string_view word) {
    constexpr std::size_t longest = 40;
    std::string text = "'";
    for (const char c : word.substr(0, longest)) text += c >= ' ' && c <= '~' ? c : '?';
    return text + (word.size() > longest ? "...'" : "'");
}

bool isKeyword(std::string_view word, std::string_view keyword) {
    return word.size() == keyword.size() &&
           std::equal(word.begin(), word.end(), keyword.begin(), [](char a, char b) { return lowered(a) == b; });
}

}  // namespace talus
