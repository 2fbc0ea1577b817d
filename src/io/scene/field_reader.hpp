// Reads the settings of a struct from a YAML mapping, driven by its field list.
//
// Every finding goes to Problems and reading goes on, so that one run of `talus validate` shows all slips. The
// functions read() below are one per type of setting; a struct is read by a FieldReader.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "io/scene/field.hpp"
#include "io/scene/problems.hpp"
#include "io/scene/scene_fields.hpp"
#include "io/scene/stage_fields.hpp"
#include "io/scene/yaml_tree.hpp"

namespace talus {

// What a read() needs beside the node: where it stands, what is wanted, and where findings and lines go.
struct ReadContext {
    std::string path;
    FieldInfo info;
    Problems& problems;
    SceneSource& source;

    ReadContext at(std::string newPath) const { return {std::move(newPath), info, problems, source}; }
    void complain(const std::string& message) const { problems.add(path, message); }
};

void read(const YamlNode& node, const ReadContext& context, double& value);
void read(const YamlNode& node, const ReadContext& context, bool& value);
void read(const YamlNode& node, const ReadContext& context, std::string& value);
void read(const YamlNode& node, const ReadContext& context, std::uint64_t& value);
void read(const YamlNode& node, const ReadContext& context, Vec3& value);
void read(const YamlNode& node, const ReadContext& context, AutoValue& value);
void read(const YamlNode& node, const ReadContext& context, QuantityText& value);
// Rows of a time and a vector.
void readRows(const YamlNode& node, const ReadContext& context, std::vector<double>& time, std::vector<Vec3>& values);
// Rows of a time and a number.
void readRows(const YamlNode& node, const ReadContext& context, std::vector<double>& time, std::vector<double>& values);

// Index of the name in the list, or a finding and nothing.
std::optional<std::size_t> readName(const YamlNode& node, const ReadContext& context,
                                    const std::vector<std::string>& names);
// False, with a finding, if the node is of another kind or (sizes other than 0) has another number of items.
bool expectList(const YamlNode& node, const ReadContext& context, std::size_t size = 0);
bool expectMap(const YamlNode& node, const ReadContext& context);

// Collects the keys of a field list without reading anything.
class KeyCollector {
public:
    template <class T>
    void operator()(const FieldInfo& info, T&) {
        all.emplace_back(info.key);
        if (info.need == Need::required) required.emplace_back(info.key);
    }
    template <class T>
    void rows(const FieldInfo& info, std::vector<double>&, std::vector<T>& values) {
        (*this)(info, values);
    }
    template <class Variant>
    void alternatives(Variant&) {}

    std::vector<std::string> all, required;
};

// The visitor that reads one mapping. Call finish() after the field list: it reports keys nobody asked for.
class FieldReader {
public:
    FieldReader(const YamlNode& map, const ReadContext& context)
        : map_(map), context_(context), used_(map.keys.size(), false) {}

    template <class T>
    void operator()(const FieldInfo& info, T& member);
    template <class T>
    void rows(const FieldInfo& info, std::vector<double>& time, std::vector<T>& values) {
        if (const YamlNode* node = take(info)) readRows(*node, contextOf(info), time, values);
    }
    // A variant whose fields stand in this same mapping, beside the tag that chooses among them.
    template <class... Alternatives>
    void alternatives(std::variant<Alternatives...>& variant);

    void finish() const;

private:
    const YamlNode* take(const FieldInfo& info);
    std::optional<std::size_t> chooseByTag(const std::vector<Tag>& tags);
    std::optional<std::size_t> chooseByKeys(const std::vector<Tag>& tags,
                                            const std::vector<std::vector<std::string>>& requiredKeys);
    ReadContext contextOf(const FieldInfo& info) const {
        return {joined(context_.path, info.key), info, context_.problems, context_.source};
    }

    const YamlNode& map_;
    ReadContext context_;
    std::vector<std::string> known_;
    std::vector<bool> used_;
    bool isUnclear_ = false;  // no alternative could be chosen, so other keys cannot be judged
};

template <class Settings>
requires requires(KeyCollector& collector, Settings& settings) { fields(collector, settings); }
void read(const YamlNode& node, const ReadContext& context, Settings& settings) {
    if (!expectMap(node, context)) return;
    FieldReader reader(node, context);
    fields(reader, settings);
    reader.finish();
}

template <NamedEnum Enum>
void read(const YamlNode& node, const ReadContext& context, Enum& value) {
    const auto& names = EnumNames<Enum>::names;
    if (const auto index = readName(node, context, {names.begin(), names.end()})) value = static_cast<Enum>(*index);
}

template <class... Alternatives>
void read(const YamlNode& node, const ReadContext& context, std::variant<Alternatives...>& variant) {
    if constexpr (TakesBareValue<std::variant<Alternatives...>>) {
        if (node.kind != YamlNode::Kind::map) {
            std::variant_alternative_t<0, std::variant<Alternatives...>> first;
            read(node, context, first.*bareMember<std::variant<Alternatives...>>);
            variant = first;
            return;
        }
    }
    if (!expectMap(node, context)) return;
    FieldReader reader(node, context);
    reader.alternatives(variant);
    reader.finish();
}

template <class T>
void read(const YamlNode& node, const ReadContext& context, std::optional<T>& value) {
    T given{};
    read(node, context, given);
    value = std::move(given);
}

template <class Settings>
void read(const YamlNode& node, const ReadContext& context, Changes<Settings>& changes) {
    read(node, context, changes.values);
    for (const YamlNode::Key& key : node.keys) changes.keys.push_back(key.text);
}

template <class T, std::size_t Size>
void read(const YamlNode& node, const ReadContext& context, std::array<T, Size>& values) {
    if (!expectList(node, context, Size)) return;
    for (std::size_t k = 0; k < Size; ++k) read(node.items[k], context.at(indexed(context.path, k)), values[k]);
}

template <class T>
void read(const YamlNode& node, const ReadContext& context, std::vector<T>& values) {
    if (!expectList(node, context)) return;
    values.clear();
    values.reserve(node.items.size());
    for (const YamlNode& item : node.items) {
        const ReadContext inner = context.at(indexed(context.path, values.size()));
        context.source.lines[inner.path] = item.line;
        T value{};
        read(item, inner, value);
        values.push_back(std::move(value));
    }
}

template <class T>
void read(const YamlNode& node, const ReadContext& context, std::map<std::string, T>& values) {
    if (!expectMap(node, context)) return;
    for (std::size_t k = 0; k < node.keys.size(); ++k) {
        const ReadContext inner = context.at(joined(context.path, node.keys[k].text));
        context.source.lines[inner.path] = node.keys[k].line;
        read(node.items[k], inner, values[node.keys[k].text]);
    }
}

template <class T>
void FieldReader::operator()(const FieldInfo& info, T& member) {
    if (const YamlNode* node = take(info)) read(*node, contextOf(info), member);
}

template <class... Alternatives>
void FieldReader::alternatives(std::variant<Alternatives...>& variant) {
    const auto requiredKeys = []<class Alternative>(Alternative settings) {
        KeyCollector collector;
        fields(collector, settings);
        return collector.required;
    };
    const std::vector<Tag> tags{tagOf<Alternatives>...};
    const auto chosen = tags[0].key.empty() ? chooseByKeys(tags, {requiredKeys(Alternatives{})...}) : chooseByTag(tags);
    if (!chosen) {
        isUnclear_ = true;
        return;
    }
    std::size_t index = 0;
    const auto readIfChosen = [&]<class Alternative>(Alternative settings) {
        if (index++ != *chosen) return;
        fields(*this, settings);
        variant = std::move(settings);
    };
    (readIfChosen(Alternatives{}), ...);
}

}  // namespace talus
