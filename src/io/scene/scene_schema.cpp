#include "io/scene/scene_schema.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <type_traits>

#include "io/scene/field_writer.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

// A number followed by anything: units are checked by the program, not by the schema.
constexpr const char* numberPattern = "^\\s*[-+]?\\.?[0-9]";
constexpr const char* autoOrNumberPattern = "^(auto$|\\s*[-+]?\\.?[0-9])";

void addRange(Json& schema, const Range& range) {
    if (std::isfinite(range.low)) schema[range.openLow ? "exclusiveMinimum" : "minimum"] = range.low;
    if (std::isfinite(range.high)) schema[range.openHigh ? "exclusiveMaximum" : "maximum"] = range.high;
}

// Bounds hold for bare numbers and the pattern for texts; each ignores the other.
Json quantitySchema(const FieldInfo& info, const char* pattern) {
    Json schema{{"type", {"number", "string"}}, {"pattern", pattern}};
    addRange(schema, info.range);
    schema["x-quantity"] = info.unit.name;
    if (!info.unit.symbol.empty()) schema["x-unit"] = info.unit.symbol;
    return schema;
}

Json listSchema(Json items, std::size_t size = 0) {
    Json schema{{"type", "array"}, {"items", std::move(items)}};
    if (size > 0) schema["minItems"] = schema["maxItems"] = size;
    return schema;
}

// The visitor that describes one mapping, beginning from a struct that holds the defaults.
class SchemaWriter {
public:
    template <class T>
    void operator()(const FieldInfo& info, T& member) {
        Json schema{{"description", info.description}};
        schema.update(schemaOf(info, member));
        if (info.need == Need::required) {
            object_["required"].push_back(info.key);
        } else if (const Json value = FieldWriter::toJson(member); isPlainDefault(value)) {
            schema["default"] = value;
        }
        object_["properties"][std::string(info.key)] = std::move(schema);
    }

    template <class T>
    void rows(const FieldInfo& info, std::vector<double>&, std::vector<T>&) {
        constexpr std::size_t cells = 1 + sizeof(T) / sizeof(double);
        Json schema{{"description", info.description}};
        schema.update(listSchema(listSchema(Json{{"type", {"number", "string"}}, {"pattern", numberPattern}}, cells)));
        if (info.need == Need::required) object_["required"].push_back(info.key);
        object_["properties"][std::string(info.key)] = std::move(schema);
    }

    // Each alternative becomes a mapping of its own; the fields that follow are added to all of them.
    template <class... Alternatives>
    void alternatives(std::variant<Alternatives...>&) {
        (choices_.push_back(alternativeSchema(Alternatives{})), ...);
    }

    Json finish() const {
        if (choices_.empty()) return object_;
        Json all = Json::array();
        for (Json choice : choices_) {
            choice["properties"].update(object_["properties"]);
            all.push_back(std::move(choice));
        }
        return {{"anyOf", std::move(all)}};
    }

    template <class Settings>
    requires requires(SchemaWriter& writer, Settings& settings) { fields(writer, settings); }
    static Json schemaOf(const FieldInfo&, Settings& settings) {
        SchemaWriter writer;
        fields(writer, settings);
        return writer.finish();
    }

private:
    // Defaults of whole mappings would repeat those of their keys.
    static bool isPlainDefault(const Json& value) { return !value.is_null() && !value.is_object() && value != ""; }

    template <class Alternative>
    static Json alternativeSchema(Alternative settings) {
        constexpr Tag tag = tagOf<Alternative>;
        Json schema{
            {"title", tag.key.empty() ? std::string(tag.value) : std::string(tag.key) + ": " + std::string(tag.value)},
            {"description", tag.description},
            {"type", "object"},
            {"additionalProperties", false},
            {"required", Json::array()},
            {"properties", Json::object()}};
        if (!tag.key.empty()) {
            schema["required"].push_back(tag.key);
            schema["properties"][std::string(tag.key)] = {{"const", tag.value}};
        }
        const Json rest = schemaOf({}, settings);
        for (const Json& key : rest["required"]) schema["required"].push_back(key);
        schema["properties"].update(rest["properties"]);
        return schema;
    }

    static Json schemaOf(const FieldInfo& info, double&) { return quantitySchema(info, numberPattern); }
    static Json schemaOf(const FieldInfo& info, AutoValue&) { return quantitySchema(info, autoOrNumberPattern); }
    static Json schemaOf(const FieldInfo&, QuantityText&) {
        return {{"type", {"number", "string"}}, {"pattern", numberPattern}, {"x-quantity", "quantity"}};
    }
    // What is not given stays as it is: there are no defaults.
    template <class Settings>
    static Json schemaOf(const FieldInfo& info, Changes<Settings>& changes) {
        Json schema = schemaOf(info, changes.values);
        for (auto& [key, property] : schema["properties"].items()) property.erase("default");
        return schema;
    }
    static Json schemaOf(const FieldInfo& info, Vec3&) { return listSchema(quantitySchema(info, numberPattern), 3); }
    static Json schemaOf(const FieldInfo&, bool&) { return {{"type", "boolean"}}; }
    static Json schemaOf(const FieldInfo&, std::string&) { return {{"type", "string"}}; }
    static Json schemaOf(const FieldInfo& info, std::uint64_t&) {
        Json schema{{"type", "integer"}};
        addRange(schema, info.range);
        return schema;
    }
    template <NamedEnum Enum>
    static Json schemaOf(const FieldInfo&, Enum&) {
        return {{"type", "string"}, {"enum", EnumNames<Enum>::names}};
    }
    template <class T>
    static Json schemaOf(const FieldInfo& info, std::optional<T>&) {
        T inner{};
        return schemaOf(info, inner);
    }
    template <class T, std::size_t Size>
    static Json schemaOf(const FieldInfo& info, std::array<T, Size>&) {
        T item{};
        return listSchema(schemaOf(info, item), Size);
    }
    template <class T>
    static Json schemaOf(const FieldInfo& info, std::vector<T>&) {
        T item{};
        return listSchema(schemaOf(info, item));
    }
    template <class T>
    static Json schemaOf(const FieldInfo& info, std::map<std::string, T>&) {
        T item{};
        return {{"type", "object"}, {"minProperties", 1}, {"additionalProperties", schemaOf(info, item)}};
    }
    template <class... Alternatives>
    static Json schemaOf(const FieldInfo& info, std::variant<Alternatives...>&) {
        Json choices = Json::array();
        if constexpr (TakesBareValue<std::variant<Alternatives...>>) {
            std::variant_alternative_t<0, std::variant<Alternatives...>> first;
            choices.push_back(schemaOf(info, first.*bareMember<std::variant<Alternatives...>>));
        }
        (choices.push_back(alternativeSchema(Alternatives{})), ...);
        return {{"anyOf", std::move(choices)}};
    }

    Json object_{{"type", "object"},
                 {"additionalProperties", false},
                 {"required", Json::array()},
                 {"properties", Json::object()}};
    std::vector<Json> choices_;
};

// Writes parts that stand in several places once, under "definitions", and refers to them.
class SharedParts {
public:
    Json share(Json schema) {
        const Json whole = withoutParts("scene", std::move(schema), true);
        Json result = withRareParts(whole);
        Json definitions = Json::object();
        for (const auto& [name, part] : parts_) {
            if (uses_[name] > 1) definitions[name] = withRareParts(part);
        }
        result["definitions"] = std::move(definitions);
        return result;
    }

private:
    // The node with every part in it, innermost first, replaced by a reference. `name` is a good one for the node.
    Json withoutParts(const std::string& name, Json node, bool isRoot = false) {
        const bool part = !isRoot && node.is_object() && (node.contains("properties") || node.contains("anyOf"));
        if (node.contains("properties")) {
            for (auto& [key, property] : node["properties"].items()) property = withoutParts(key, std::move(property));
        }
        for (const char* key : {"items", "additionalProperties"}) {
            if (node.contains(key) && node[key].is_object()) node[key] = withoutParts(name, std::move(node[key]));
        }
        if (node.contains("anyOf")) {
            for (Json& choice : node["anyOf"]) {
                const std::string title = choice.value("title", name);
                choice = withoutParts(title, std::move(choice));
            }
        }
        return part ? reference(name, std::move(node)) : node;
    }

    // A part differs from place to place in its description only.
    Json reference(const std::string& name, Json part) {
        Json here = Json::object();
        if (part.contains("description") && !part.contains("title")) {
            here["description"] = part["description"];
            part.erase("description");
        }
        const auto [known, isNew] = names_.try_emplace(part.dump());
        if (isNew) {
            known->second = freeName(name);
            parts_.emplace_back(known->second, std::move(part));
        }
        ++uses_[known->second];
        const Json target{{"$ref", "#/definitions/" + known->second}};
        if (here.empty()) return target;
        here["allOf"] = Json::array({target});  // beside a reference itself nothing else counts
        return here;
    }

    std::string freeName(std::string wish) {
        std::replace_if(
            wish.begin(), wish.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
        std::string name = wish;
        for (int k = 2; uses_.contains(name); ++k) name = wish + "_" + std::to_string(k);
        return name;
    }

    // Parts that are used once go back to their place.
    Json withRareParts(Json node) const {
        if (node.is_object() && node.contains("allOf")) {
            Json inner = withRareParts(node["allOf"][0]);
            if (inner.contains("$ref")) return node;
            node.erase("allOf");
            node.update(inner);
            return node;
        }
        if (node.is_object() && node.contains("$ref")) {
            const std::string name = node["$ref"].get<std::string>().substr(std::string("#/definitions/").size());
            if (uses_.at(name) > 1) return node;
            const auto isIt = [&](const auto& part) { return part.first == name; };
            return withRareParts(std::find_if(parts_.begin(), parts_.end(), isIt)->second);
        }
        if (node.is_structured()) {
            for (Json& child : node) child = withRareParts(std::move(child));
        }
        return node;
    }

    std::map<std::string, std::string> names_;         // of parts, by their text
    std::vector<std::pair<std::string, Json>> parts_;  // in order of appearance, innermost first
    std::map<std::string, int> uses_;
};

}  // namespace

nlohmann::ordered_json makeSceneSchema() {
    Json schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                {"title", "Talus scene"},
                {"description", "Plain numbers are SI; a text may carry a unit, as in \"2.5 mm\"."}};
    Scene scene;
    schema.update(SchemaWriter::schemaOf({}, scene));
    return schema;
}

std::string sceneSchema() { return SharedParts().share(makeSceneSchema()).dump(2) + "\n"; }

}  // namespace talus
