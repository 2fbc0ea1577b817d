#include "base/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <optional>
#include <vector>

#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

constexpr std::size_t longestText = 200;
constexpr int largestExponent = 30;

// A unit as factor * 10^decade * SI.
struct Scale {
    double factor = 1;
    int decade = 0;
    Dimension dimension;
};

struct Symbol {
    std::string_view name;
    bool takesPrefix;
    Scale scale;
};

constexpr double pi = std::numbers::pi;
constexpr std::array symbols{
    Symbol{"m", true, {1, 0, {1, 0, 0, 0}}},
    Symbol{"g", true, {1, -3, {0, 1, 0, 0}}},
    Symbol{"s", true, {1, 0, {0, 0, 1, 0}}},
    Symbol{"N", true, {1, 0, {1, 1, -2, 0}}},
    Symbol{"Pa", true, {1, 0, {-1, 1, -2, 0}}},
    Symbol{"J", true, {1, 0, {2, 1, -2, 0}}},
    Symbol{"W", true, {1, 0, {2, 1, -3, 0}}},
    Symbol{"Hz", true, {1, 0, {0, 0, -1, 0}}},
    Symbol{"bar", true, {1, 5, {-1, 1, -2, 0}}},
    Symbol{"L", true, {1, -3, {3, 0, 0, 0}}},
    Symbol{"l", true, {1, -3, {3, 0, 0, 0}}},
    Symbol{"t", true, {1, 3, {0, 1, 0, 0}}},
    Symbol{"rad", true, {1, 0, {0, 0, 0, 1}}},
    Symbol{"deg", false, {pi / 180, 0, {0, 0, 0, 1}}},
    Symbol{"°", false, {pi / 180, 0, {0, 0, 0, 1}}},
    Symbol{"rev", false, {2 * pi, 0, {0, 0, 0, 1}}},
    Symbol{"rpm", false, {pi / 30, 0, {0, 0, -1, 1}}},
    Symbol{"min", false, {60, 0, {0, 0, 1, 0}}},
    Symbol{"h", false, {3600, 0, {0, 0, 1, 0}}},
    Symbol{"day", false, {86400, 0, {0, 0, 1, 0}}},
    Symbol{"%", false, {1, -2, {}}},
};

struct Prefix {
    std::string_view name;
    int decade;
};
// Both code points of the Greek letter stand for micro beside "u".
constexpr std::array prefixes{Prefix{"f", -15}, Prefix{"p", -12}, Prefix{"n", -9}, Prefix{"u", -6}, Prefix{"m", -3},
                              Prefix{"c", -2},  Prefix{"d", -1},  Prefix{"h", 2},  Prefix{"k", 3},  Prefix{"M", 6},
                              Prefix{"G", 9},   Prefix{"T", 12},  Prefix{"µ", -6}, Prefix{"μ", -6}};

std::optional<Scale> findUnit(std::string_view name) {
    for (const Symbol& symbol : symbols) {
        if (symbol.name == name) return symbol.scale;
    }
    for (const Prefix& prefix : prefixes) {
        if (!name.starts_with(prefix.name)) continue;
        for (const Symbol& symbol : symbols) {
            if (!symbol.takesPrefix || symbol.name != name.substr(prefix.name.size())) continue;
            Scale scale = symbol.scale;
            scale.decade += prefix.decade;
            return scale;
        }
    }
    return std::nullopt;
}

std::string suggestUnit(std::string_view name) {
    std::vector<std::string> known;
    for (const Symbol& symbol : symbols) {
        known.emplace_back(symbol.name);
        if (!symbol.takesPrefix) continue;
        for (const char* prefix : {"u", "m", "k", "M", "G"}) known.push_back(prefix + std::string(symbol.name));
    }
    return didYouMean(name, known);
}

int clampedExponent(int value) {
    if (std::abs(value) > largestExponent) throw InputError("has a unit with too large powers");
    return value;
}

// left * right^power, exponents kept small enough for exact arithmetic.
Scale multiply(const Scale& left, const Scale& right, int power) {
    const auto add = [power](int a, int b) { return clampedExponent(a + power * b); };
    return {left.factor * std::pow(right.factor, power),
            left.decade + power * right.decade,
            {add(left.dimension.metre, right.dimension.metre), add(left.dimension.kilogram, right.dimension.kilogram),
             add(left.dimension.second, right.dimension.second), add(left.dimension.radian, right.dimension.radian)}};
}

// Recursive descent over the unit part; the length of the text bounds the depth.
class UnitParser {
public:
    explicit UnitParser(std::string_view text) : rest_(text) {}

    Scale parseAll() {
        const Scale scale = parseProduct();
        if (!rest_.empty()) throw InputError(fmt::format("has an unexpected '{}' in its unit", rest_));
        return scale;
    }

private:
    Scale parseProduct() {
        Scale product;
        int sign = 1;
        for (;;) {
            skipSpaces();
            const Scale factor = parseFactor();
            product = multiply(product, factor, sign * parsePower());
            skipSpaces();
            if (rest_.empty() || rest_.front() == ')') return product;
            sign = take('/') ? -1 : 1;
            if (sign == 1 && !take('*')) take("·");
        }
    }

    Scale parseFactor() {
        if (take('(')) {
            const Scale inside = parseProduct();
            if (!take(')')) throw InputError("lacks a ')' in its unit");
            return inside;
        }
        if (take('1')) return {};
        const std::string_view name = takeName();
        if (name.empty()) throw InputError("has an incomplete unit");
        if (const auto unit = findUnit(name)) return *unit;
        throw InputError(fmt::format("has an unknown unit '{}'{}", name, suggestUnit(name)));
    }

    int parsePower() {
        if (take("²")) return 2;
        if (take("³")) return 3;
        const bool marked = take('^');
        const bool isNumber = !rest_.empty() && (rest_.front() == '-' || std::isdigit(byte(rest_.front())));
        if (!marked && !isNumber) return 1;
        int power = 0;
        const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), power);
        if (error != std::errc{}) throw InputError("needs a whole number after '^' in its unit");
        rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
        return clampedExponent(power);
    }

    std::string_view takeName() {
        std::size_t length = 0;
        const auto isLetter = [](char c) { return std::isalpha(byte(c)) || c == '%' || byte(c) >= 0x80; };
        const auto isPowerSign = [&](std::size_t at) {
            const std::string_view tail = rest_.substr(at);
            return tail.starts_with("²") || tail.starts_with("³") || tail.starts_with("·");
        };
        while (length < rest_.size() && isLetter(rest_[length]) && !isPowerSign(length)) ++length;
        const std::string_view name = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return name;
    }

    static unsigned char byte(char c) { return static_cast<unsigned char>(c); }

    void skipSpaces() {
        while (!rest_.empty() && std::isspace(byte(rest_.front()))) rest_.remove_prefix(1);
    }
    bool take(char c) {
        if (rest_.empty() || rest_.front() != c) return false;
        rest_.remove_prefix(1);
        return true;
    }
    bool take(std::string_view word) {
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }

    std::string_view rest_;
};

std::string_view trimmed(std::string_view text) {
    const auto isSpace = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
    while (!text.empty() && isSpace(text.front())) text.remove_prefix(1);
    while (!text.empty() && isSpace(text.back())) text.remove_suffix(1);
    return text;
}

// The spellings of infinity and not-a-number in YAML, C and Python.
bool isNonFinite(std::string_view text) {
    while (text.starts_with('+') || text.starts_with('-') || text.starts_with('.')) text.remove_prefix(1);
    std::string lower;
    for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower == "inf" || lower == "nan" || lower == "infinity";
}

// Length of the decimal number at the start of the text; 0 if there is none.
std::size_t numberLength(std::string_view text) {
    double ignored = 0;
    const std::size_t sign = text.starts_with('+') || text.starts_with('-') ? 1 : 0;
    const bool startsWell =
        text.size() > sign && (std::isdigit(static_cast<unsigned char>(text[sign])) || text[sign] == '.');
    if (!startsWell) return 0;
    const char* begin = text.data() + sign;
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), ignored);
    return error == std::errc::invalid_argument ? 0 : static_cast<std::size_t>(end - text.data());
}

// number * 10^decade, rounded once.
double shifted(std::string_view number, int decade) {
    if (number.starts_with('+')) number.remove_prefix(1);
    const std::size_t mark = number.find_first_of("eE");
    int exponent = 0;
    if (mark != std::string_view::npos) {
        std::string_view digits = number.substr(mark + 1);
        if (digits.starts_with('+')) digits.remove_prefix(1);
        if (std::from_chars(digits.data(), digits.data() + digits.size(), exponent).ec != std::errc{}) {
            throw InputError("is too large");
        }
    }
    // An exponent beyond any double, so that the sum below cannot overflow.
    exponent = std::clamp(exponent, -100000, 100000);
    const std::string whole = fmt::format("{}e{}", number.substr(0, mark), exponent + decade);
    double value = 0;
    const auto parsed = std::from_chars(whole.data(), whole.data() + whole.size(), value);
    if (parsed.ec == std::errc::result_out_of_range && exponent + decade > 0) throw InputError("is too large");
    return value;
}

}  // namespace

Measured parseMeasured(std::string_view text) {
    if (text.size() > longestText) throw InputError("is too long for a number");
    text = trimmed(text);
    const std::size_t length = numberLength(text);
    if (length == 0) throw InputError(isNonFinite(text) ? "is not finite" : "is not a number");
    const std::string_view rest = trimmed(text.substr(length));
    const Scale scale = rest.empty() ? Scale{} : UnitParser(rest).parseAll();
    const double value = shifted(text.substr(0, length), scale.decade) * scale.factor;
    if (!std::isfinite(value)) throw InputError("is not finite");
    return {value, !rest.empty(), scale.dimension};
}

double parseQuantity(std::string_view text, const Unit& wanted) {
    const Measured measured = parseMeasured(text);
    if (!measured.hasUnit || measured.dimension == wanted.dimension) return measured.value;
    throw InputError(fmt::format("is {}, but {} is wanted (e.g. \"{}\")", describe(measured.dimension),
                                 withArticle(wanted.name), wanted.example));
}

std::string withArticle(std::string_view noun) {
    const bool vowel = !noun.empty() && std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
    return fmt::format("{} {}", vowel ? "an" : "a", noun);
}

std::string describe(const Dimension& dimension) {
    using namespace unit;
    for (const Unit& known : {number, length, time, velocity, acceleration, angle, angularVelocity, frequency, mass,
                              density, pressure, force, stiffness, energy, power, area, volume}) {
        if (known.dimension == dimension) return withArticle(known.name);
    }
    std::string text = "of dimension";
    const auto append = [&](std::string_view symbol, int power) {
        if (power == 1) text += fmt::format(" {}", symbol);
        if (power != 0 && power != 1) text += fmt::format(" {}^{}", symbol, power);
    };
    append("kg", dimension.kilogram);
    append("m", dimension.metre);
    append("s", dimension.second);
    append("rad", dimension.radian);
    return text;
}

}  // namespace talus
