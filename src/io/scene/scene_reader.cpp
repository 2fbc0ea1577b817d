#include <fmt/format.h>

#include <fstream>

#include "io/scene/field_reader.hpp"
#include "io/scene/overrides.hpp"
#include "io/scene/scene_rules.hpp"
#include "talus/error.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

std::string readText(const std::filesystem::path& file) {
    std::error_code ignored;
    if (std::filesystem::is_directory(file, ignored)) {
        throw InputError(fmt::format("{}: is a folder, not a scene file", file.string()));
    }
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw InputError(fmt::format("{}: cannot be opened", file.string()));
    // One byte more than allowed is enough for the parser to refuse, whatever the file (a pipe, a device).
    std::string text;
    std::vector<char> block(1 << 16);
    while (text.size() <= largestSceneText && stream) {
        stream.read(block.data(), static_cast<std::streamsize>(block.size()));
        text.append(block.data(), static_cast<std::size_t>(stream.gcount()));
    }
    if (stream.bad()) throw InputError(fmt::format("{}: cannot be read", file.string()));
    return text;
}

}  // namespace

Scene parseScene(const std::string& text, const std::string& fileName, const std::filesystem::path& folder,
                 const std::vector<std::string>& overrides) {
    auto source = std::make_shared<SceneSource>(SceneSource{.file = fileName, .folder = folder});
    YamlNode root = parseYaml(text, fileName);
    for (const std::string& override : overrides) source->overrides[applyOverride(root, override)] = override;

    Scene scene;
    Problems problems(*source);
    read(root, ReadContext{"", {}, problems, *source}, scene);
    // Rules are judged on whole scenes only: a missing value would break them for no reason of its own.
    problems.throwIfAny();
    completeScene(scene);
    checkScene(scene, problems);
    problems.throwIfAny();
    scene.source = std::move(source);
    return scene;
}

Scene loadScene(const std::filesystem::path& file, const std::vector<std::string>& overrides) {
    return parseScene(readText(file), file.string(), file.parent_path(), overrides);
}

}  // namespace talus
