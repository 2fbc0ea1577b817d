// Schema, reference and examples agree with the reader of scenes.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "io/scene/scene_fields.hpp"
#include "io/scene/yaml_tree.hpp"
#include "source_folder.hpp"
#include "talus/solver.hpp"
#include "unit/scene_samples.hpp"

namespace talus {
namespace {

std::string readFile(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

std::vector<std::filesystem::path> exampleFiles() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(sourceFolder() / "examples")) {
        if (entry.path().extension() == ".yaml") files.push_back(entry.path());
    }
    return files;
}

TEST(Examples, AreReadBuiltAndWrittenBackUnchanged) {
    ASSERT_GE(exampleFiles().size(), 5u);
    for (const auto& file : exampleFiles()) {
        const Scene scene = loadScene(file);
        const Scene again = parseScene(writeScene(scene), "again.yaml", file.parent_path());
        EXPECT_EQ(sceneAsJson(scene), sceneAsJson(again)) << file;
        EXPECT_EQ(stateHash(buildWorld(scene)), stateHash(buildWorld(again))) << file;
    }
}

nlohmann::json toJson(const YamlNode& node) {
    if (node.kind == YamlNode::Kind::null) return nullptr;
    if (node.kind == YamlNode::Kind::scalar) {
        const nlohmann::json value = nlohmann::json::parse(node.text, nullptr, false);
        const bool isPlain = !node.quoted && (value.is_number() || value.is_boolean());
        return isPlain ? value : nlohmann::json(node.text);
    }
    nlohmann::json result = node.kind == YamlNode::Kind::list ? nlohmann::json::array() : nlohmann::json::object();
    for (std::size_t k = 0; k < node.items.size(); ++k) {
        if (node.kind == YamlNode::Kind::list)
            result.push_back(toJson(node.items[k]));
        else
            result[node.keys[k].text] = toJson(node.items[k]);
    }
    return result;
}

bool isValidBySchema(const nlohmann::json& document) {
    static const nlohmann::json text = nlohmann::json::parse(sceneSchema());
    static const auto schema = [] {
        auto parsed = std::make_unique<valijson::Schema>();
        valijson::SchemaParser(valijson::SchemaParser::kDraft7)
            .populateSchema(valijson::adapters::NlohmannJsonAdapter(text), *parsed);
        return parsed;
    }();
    return valijson::Validator().validate(*schema, valijson::adapters::NlohmannJsonAdapter(document), nullptr);
}

TEST(Schema, AcceptsEveryExampleAsWrittenAndInFull) {
    for (const auto& file : exampleFiles()) {
        EXPECT_TRUE(isValidBySchema(toJson(parseYaml(readFile(file), "example")))) << file;
        EXPECT_TRUE(isValidBySchema(nlohmann::json::parse(sceneAsJson(loadScene(file))))) << file;
    }
}

TEST(Schema, RefusesEveryStructuralMistake) {
    for (const Mistake& mistake : mistakes) {
        EXPECT_EQ(isValidBySchema(toJson(parseYaml(mistake.text, "mistake"))), !mistake.isStructural) << mistake.text;
    }
}

TEST(Schema, InTheRepositoryIsTheOneTheProgramWrites) {
    EXPECT_EQ(readFile(sourceFolder() / "schema/scene.schema.json"), sceneSchema()) << "run: talus schema";
}

TEST(SceneReference, SpeaksOfNoNamesInTheSource) { EXPECT_EQ(sceneReference().find("::"), std::string::npos); }

TEST(Reference, InTheRepositoryIsTheOneTheProgramWrites) {
    EXPECT_EQ(readFile(sourceFolder() / "docs/reference/scene.md"), sceneReference()) << "run: talus reference";
}

TEST(Scene, SolversHaveTheNamesThatReportsGiveThem) {
    for (std::size_t k = 0; k < EnumNames<SolverKind>::names.size(); ++k) {
        EXPECT_EQ(EnumNames<SolverKind>::names[k], nameOf(static_cast<SolverKind>(k)));
    }
    for (std::size_t k = 0; k < EnumNames<FrictionLaw>::names.size(); ++k) {
        EXPECT_EQ(EnumNames<FrictionLaw>::names[k], nameOf(static_cast<FrictionLaw>(k)));
    }
}

}  // namespace
}  // namespace talus
