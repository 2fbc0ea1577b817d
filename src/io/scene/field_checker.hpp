// The visitor that holds the settings of a struct made in memory against the ranges of its field list: what the reader
// does for settings of a file.
#pragma once

#include <cmath>

#include <fmt/format.h>

#include "io/scene/field_reader.hpp"
#include "io/scene/scene_fields.hpp"

namespace talus {

class FieldChecker {
public:
    FieldChecker(std::string path, Problems& problems) : path_(std::move(path)), problems_(problems) {}

    template <class T>
    void operator()(const FieldInfo& info, T& member) {
        check(joined(path_, info.key), info, member);
    }
    template <class T>
    void rows(const FieldInfo& info, std::vector<double>& time, std::vector<T>& values) {
        const std::string path = joined(path_, info.key);
        const FieldInfo ofTime{.key = "time", .unit = unit::time, .range = bounds::nonNegative};
        for (std::size_t k = 0; k < time.size(); ++k) check(indexed(path, k), ofTime, time[k]);
        for (std::size_t k = 0; k < values.size(); ++k) check(indexed(path, k), info, values[k]);
        if (time.size() != values.size()) problems_.add(path, "times and values must be equally many");
    }
    template <class... Alternatives>
    void alternatives(std::variant<Alternatives...>& variant) {
        std::visit([&](auto& settings) { fields(*this, settings); }, variant);
    }

private:
    void check(const std::string& path, const FieldInfo& info, double value) {
        if (std::isfinite(value) && info.range.holds(value)) return;
        const std::string symbol = info.unit.symbol.empty() ? "" : fmt::format(" {}", info.unit.symbol);
        problems_.add(path, fmt::format("must be {}, got {}{}",
                                        std::isfinite(value) ? describe(info.range, info.unit) : "a finite number",
                                        value, symbol));
    }
    void check(const std::string& path, const FieldInfo& info, std::uint64_t& value) {
        check(path, info, static_cast<double>(value));
    }
    void check(const std::string& path, const FieldInfo& info, Vec3& value) {
        for (int axis = 0; axis < 3; ++axis) check(indexed(path, static_cast<std::size_t>(axis)), info, value[axis]);
    }
    void check(const std::string&, const FieldInfo&, bool&) {}
    void check(const std::string&, const FieldInfo&, std::string&) {}
    template <NamedEnum Enum>
    void check(const std::string&, const FieldInfo&, Enum&) {}
    template <class T>
    void check(const std::string& path, const FieldInfo& info, std::optional<T>& value) {
        if (value) check(path, info, *value);
    }
    template <class T, std::size_t Size>
    void check(const std::string& path, const FieldInfo& info, std::array<T, Size>& values) {
        for (std::size_t k = 0; k < Size; ++k) check(indexed(path, k), info, values[k]);
    }
    template <class T>
    void check(const std::string& path, const FieldInfo& info, std::vector<T>& values) {
        for (std::size_t k = 0; k < values.size(); ++k) check(indexed(path, k), info, values[k]);
    }
    template <class... Alternatives>
    void check(const std::string& path, const FieldInfo&, std::variant<Alternatives...>& variant) {
        FieldChecker(path, problems_).alternatives(variant);
    }
    template <class Settings>
    requires requires(FieldChecker& checker, Settings& settings) { fields(checker, settings); }
    void check(const std::string& path, const FieldInfo&, Settings& settings) {
        FieldChecker inner(path, problems_);
        fields(inner, settings);
    }

    std::string path_;
    Problems& problems_;
};

}  // namespace talus
