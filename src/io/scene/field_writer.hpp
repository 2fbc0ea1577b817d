// Writes the settings of a struct as JSON, driven by its field list: every key, defaults included.
//
// Numbers are SI and keep all their bits. A setting that is absent and has no default is left out.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "io/scene/field.hpp"
#include "io/scene/scene_fields.hpp"
#include "io/scene/stage_fields.hpp"

namespace talus {

using Json = nlohmann::ordered_json;

class FieldWriter {
public:
    template <class T>
    void operator()(const FieldInfo& info, T& member) {
        Json value = toJson(member);
        if (!value.is_null()) result[std::string(info.key)] = std::move(value);
    }

    void rows(const FieldInfo& info, std::vector<double>& time, std::vector<Vec3>& values) {
        Json points = Json::array();
        for (std::size_t k = 0; k < time.size(); ++k) {
            points.push_back({time[k], values[k].x, values[k].y, values[k].z});
        }
        result[std::string(info.key)] = std::move(points);
    }
    void rows(const FieldInfo& info, std::vector<double>& time, std::vector<double>& values) {
        if (time.empty()) return;
        Json points = Json::array();
        for (std::size_t k = 0; k < time.size(); ++k) points.push_back({time[k], values[k]});
        result[std::string(info.key)] = std::move(points);
    }

    template <class... Alternatives>
    void alternatives(std::variant<Alternatives...>& variant) {
        std::visit(
            [&]<class Alternative>(Alternative& settings) {
                constexpr Tag tag = tagOf<Alternative>;
                if (!tag.key.empty()) result[std::string(tag.key)] = tag.value;
                fields(*this, settings);
            },
            variant);
    }

    static Json toJson(double value) { return value; }
    static Json toJson(bool value) { return value; }
    static Json toJson(std::uint64_t value) { return value; }
    static Json toJson(const std::string& value) { return value; }
    static Json toJson(const Vec3& value) { return {value.x, value.y, value.z}; }
    static Json toJson(const QuantityText& value) { return value.text; }
    static Json toJson(const AutoValue& value) { return value.value ? Json(*value.value) : Json("auto"); }

    template <NamedEnum Enum>
    static Json toJson(Enum value) {
        return EnumNames<Enum>::names[static_cast<std::size_t>(value)];
    }
    template <class T>
    static Json toJson(std::optional<T>& value) {
        return value ? toJson(*value) : Json(nullptr);
    }
    template <class Settings>
    static Json toJson(Changes<Settings>& changes) {
        const Json all = toJson(changes.values);
        Json chosen = Json::object();
        for (const std::string& key : changes.keys) chosen[key] = all[key];
        return chosen.empty() ? Json(nullptr) : chosen;
    }
    template <class T, std::size_t Size>
    static Json toJson(std::array<T, Size>& values) {
        return toList(values);
    }
    template <class T>
    static Json toJson(std::vector<T>& values) {
        return toList(values);
    }
    template <class T>
    static Json toJson(std::map<std::string, T>& values) {
        Json object = Json::object();
        for (auto& [key, value] : values) object[key] = toJson(value);
        return object.empty() ? Json(nullptr) : object;
    }
    template <class... Alternatives>
    static Json toJson(std::variant<Alternatives...>& variant) {
        if constexpr (TakesBareValue<std::variant<Alternatives...>>) {
            if (variant.index() == 0) return toJson(std::get<0>(variant).*bareMember<std::variant<Alternatives...>>);
        }
        FieldWriter writer;
        writer.alternatives(variant);
        return std::move(writer.result);
    }
    template <class Settings>
    requires requires(FieldWriter& writer, Settings& settings) { fields(writer, settings); }
    static Json toJson(Settings& settings) {
        FieldWriter writer;
        fields(writer, settings);
        return std::move(writer.result);
    }

    Json result = Json::object();

private:
    template <class Values>
    static Json toList(Values& values) {
        Json list = Json::array();
        for (auto& value : values) list.push_back(toJson(value));
        return list;
    }
};

}  // namespace talus
