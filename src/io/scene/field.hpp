// What a field list says about one setting, and the names that enums and variants have in a file.
//
// A field list (scene_fields.hpp) calls visitor(FieldInfo, member) for each setting of a struct. A visitor is the
// reader, the writer or the schema; none of them knows any setting by name.
#pragma once

#include <array>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/units.hpp"

namespace talus {

struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();
    bool openLow = false, openHigh = false;  // the bound itself is excluded

    bool holds(double x) const { return (openLow ? x > low : x >= low) && (openHigh ? x < high : x <= high); }
};

namespace bounds {
inline constexpr Range anyValue{};
inline constexpr Range nonNegative{.low = 0};
inline constexpr Range positive{.low = 0, .openLow = true};
inline constexpr Range fraction{.low = 0, .high = 1};
inline constexpr Range atLeastOne{.low = 1};
}  // namespace bounds

// "> 0 m", "0 to 1", "any value".
std::string describe(const Range& range, const Unit& unit);

enum class Need { optional, required };

struct FieldInfo {
    std::string_view key;
    std::string_view description;
    Unit unit = unit::number;
    Range range = bounds::anyValue;
    Need need = Need::optional;
};

// Names of an enum's values in order; specialised for each enum a scene can hold.
template <class Enum>
struct EnumNames;

template <class Enum>
concept NamedEnum = requires {
    EnumNames<Enum>::names.size();
};

// How a file says which alternative of a variant it holds: `key: value`. An empty key means that the alternative is
// told by the keys it needs.
struct Tag {
    std::string_view key, value, description;
};

// Specialised for each alternative.
template <class Alternative>
inline constexpr Tag tagOf{};

// For variants whose first alternative may be given by one of its members alone: that member.
template <class Variant>
inline constexpr auto bareMember = nullptr;
template <class Variant>
concept TakesBareValue = !std::is_null_pointer_v<decltype(bareMember<Variant>)>;

}  // namespace talus
