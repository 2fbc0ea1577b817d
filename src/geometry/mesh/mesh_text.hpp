// Words and numbers of text files with meshes, line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace talus {

class MeshText {
public:
    MeshText(std::string_view bytes, const std::string& name) : rest_(bytes), name_(name) {}

    // Goes to the next line that has a word; false at the end. A backslash at the end of a line joins the next to it.
    bool nextLine();

    // Next word of the line, empty at its end.
    std::string_view nextWord();

    // Next word of the text, whichever line it is on; empty at the end.
    std::string_view nextWordAnywhere();

    // The word as a finite number.
    double number(std::string_view word) const;

    std::uint32_t line() const { return line_; }

    // Throws an InputError that names file and line.
    [[noreturn]] void refuse(const std::string& why) const;

private:
    std::string_view rest_, text_;
    std::string name_;
    std::string joined_;
    std::uint32_t line_ = 0, lineAhead_ = 0;
};

// A number of a coordinate, by a text that is one wholly.
std::optional<double> parseNumber(std::string_view word);

// The word in quotes, cut short, with strange characters replaced: for messages.
std::string quoted(std::string_view word);

// True if the word is the keyword, whichever case it is written in.
bool isKeyword(std::string_view word, std::string_view keyword);

}  // namespace talus
