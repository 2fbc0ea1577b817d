#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "io/scene/field_writer.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

bool isPlainWord(const std::string& text) {
    const auto isPlain = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    const bool looksPlain = !text.empty() && std::isalpha(static_cast<unsigned char>(text[0])) &&
                            std::all_of(text.begin(), text.end(), isPlain);
    return looksPlain && text != "true" && text != "false" && text != "null";
}

// JSON strings are YAML too; short words go without quotes because they read better.
std::string yamlText(const std::string& text) {
    return isPlainWord(text) ? text : Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string yamlScalar(const Json& value) {
    if (value.is_string()) return yamlText(value.get<std::string>());
    if (value.is_number_float()) return fmt::format("{}", value.get<double>());
    return value.dump();
}

bool isScalarList(const Json& value) {
    return value.is_array() &&
           std::none_of(value.begin(), value.end(), [](const Json& v) { return v.is_structured(); });
}

std::string inlineList(const Json& list) {
    std::string text;
    for (const Json& item : list) text += (text.empty() ? "" : ", ") + yamlScalar(item);
    return "[" + text + "]";
}

void writeYaml(const Json& value, int indent, std::string& out);

// The value after "key:" or "-": on the same line where it is short, below and indented where it is not.
void writeValue(const Json& value, int indent, std::string& out) {
    if (isScalarList(value)) {
        out += " " + inlineList(value) + "\n";
    } else if (value.is_structured() && value.empty()) {
        out += " {}\n";
    } else if (value.is_structured()) {
        out += "\n";
        writeYaml(value, indent, out);
    } else {
        out += " " + yamlScalar(value) + "\n";
    }
}

void writeYaml(const Json& value, int indent, std::string& out) {
    const std::string margin(static_cast<std::size_t>(indent), ' ');
    for (const auto& [key, item] : value.items()) {
        if (value.is_array() && item.is_object()) {
            // The dash takes the place of the first key's margin.
            const std::size_t start = out.size();
            writeYaml(item, indent + 2, out);
            out[start + static_cast<std::size_t>(indent)] = '-';
            continue;
        }
        out += margin + (value.is_array() ? std::string("-") : yamlText(key) + ":");
        writeValue(item, indent + 2, out);
    }
}

}  // namespace

std::string sceneAsJson(const Scene& scene) {
    Scene copy = scene;
    return FieldWriter::toJson(copy).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string writeScene(const Scene& scene) {
    Scene copy = scene;
    std::string text;
    writeYaml(FieldWriter::toJson(copy), 0, text);
    return text;
}

}  // namespace talus
