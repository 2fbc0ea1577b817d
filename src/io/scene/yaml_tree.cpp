#include "io/scene/yaml_tree.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <unordered_set>

#include "io/scene/problems.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// The parser descends one call per level only after the event of that level, so this bounds its stack too.
constexpr std::size_t deepestNesting = 32;    // a scene needs 8
constexpr std::size_t mostNodes = 2'000'000;  // a few hundred megabytes

[[noreturn]] void fail(const std::string& file, int line, const std::string& what) {
    throw InputError(fmt::format("{}:{}: {}", file, line, what));
}

std::size_t countNodes(const YamlNode& node) {
    std::size_t count = 1;
    for (const YamlNode& item : node.items) count += countNodes(item);
    return count;
}

// Builds the tree from the parser's events. A key arrives as a scalar between the values of its map.
class TreeBuilder final : public YAML::EventHandler {
public:
    explicit TreeBuilder(std::string file) : file_(std::move(file)) {}

    YamlNode takeRoot() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}

    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        YamlNode node;
        node.line = line(mark);
        place(std::move(node), anchor);
    }

    void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) fail(file_, line(mark), "an alias refers to something that contains it");
        charge(countNodes(found->second) - 1, line(mark));
        YamlNode copy = found->second;
        copy.line = line(mark);
        place(std::move(copy), YAML::NullAnchor);
    }

    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& value) override {
        YamlNode node;
        const bool isNull = tag == "?" && (value.empty() || value == "~" || value == "null");
        node.kind = isNull ? YamlNode::Kind::null : YamlNode::Kind::scalar;
        node.quoted = tag == "!";
        node.line = line(mark);
        node.text = value;
        place(std::move(node), anchor);
    }

    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(YamlNode::Kind::list, mark, anchor);
    }
    void OnSequenceEnd() override { close(); }

    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(YamlNode::Kind::map, mark, anchor);
    }
    void OnMapEnd() override { close(); }

private:
    struct Open {
        YamlNode node;
        YAML::anchor_t anchor = YAML::NullAnchor;
        std::unordered_set<std::string> keys;
    };

    static int line(const YAML::Mark& mark) { return mark.line + 1; }

    bool wantsKey() const {
        if (open_.empty()) return false;
        const YamlNode& parent = open_.back().node;
        return parent.kind == YamlNode::Kind::map && parent.keys.size() == parent.items.size();
    }

    void open(YamlNode::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
        if (open_.size() >= deepestNesting) fail(file_, line(mark), "nested too deeply for a scene");
        if (wantsKey()) fail(file_, line(mark), "a key must be a word, not a list or a mapping");
        Open level;
        level.node.kind = kind;
        level.node.line = line(mark);
        level.anchor = anchor;
        open_.push_back(std::move(level));
    }

    void close() {
        Open level = std::move(open_.back());
        open_.pop_back();
        place(std::move(level.node), level.anchor);
    }

    // Counts nodes before they are made or copied.
    void charge(std::size_t nodes, int atLine) {
        count_ += nodes;
        if (count_ > mostNodes) fail(file_, atLine, "too many values for a scene; put the bodies into a CSV file");
    }

    void place(YamlNode node, YAML::anchor_t anchor) {
        charge(1, node.line);
        if (anchor != YAML::NullAnchor) {
            charge(countNodes(node), node.line);
            anchors_[anchor] = node;
        }
        if (open_.empty()) {
            root_ = std::move(node);
        } else if (wantsKey()) {
            placeKey(node);
        } else {
            open_.back().node.items.push_back(std::move(node));
        }
    }

    void placeKey(YamlNode& node) {
        if (node.kind != YamlNode::Kind::scalar) fail(file_, node.line, "a key must be a word");
        if (!open_.back().keys.insert(node.text).second) {
            fail(file_, node.line, fmt::format("the key {} is given twice", inQuotes(node.text)));
        }
        open_.back().node.keys.push_back({std::move(node.text), node.line});
    }

    std::string file_;
    YamlNode root_;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, YamlNode> anchors_;
    std::size_t count_ = 0;
};

// The scanner reads a whole line of [..] or {..} before the first event, so what it may hold is bounded beforehand.
void checkMarks(const std::string& text, const std::string& file) {
    const auto isMark = [](char c) { return c == ',' || c == '[' || c == '{' || c == ':' || c == '?'; };
    if (static_cast<std::size_t>(std::count_if(text.begin(), text.end(), isMark)) > mostNodes) {
        throw InputError(fmt::format("{}: too many values for a scene; put the bodies into a CSV file", file));
    }
}

// The line (from 1) up to and with the given one that begins with a tab, which YAML does not take for an indentation
// and calls by many names; 0 if there is none. A fault shows at that line or at the next.
int indentedByTab(const std::string& text, int lastLine) {
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; number <= lastLine && std::getline(lines, line); ++number) {
        const std::size_t first = line.find_first_not_of(' ');
        const bool hasTab = first != std::string::npos && line[first] == '\t';
        const std::size_t content = line.find_first_not_of(" \t\r");
        if (number + 1 >= lastLine && hasTab && content != std::string::npos && line[content] != '#') return number;
    }
    return 0;
}

}  // namespace

const YamlNode* YamlNode::find(const std::string& key) const {
    for (std::size_t k = 0; k < keys.size(); ++k) {
        if (keys[k].text == key) return &items[k];
    }
    return nullptr;
}

YamlNode parseYaml(const std::string& text, const std::string& fileName) {
    if (text.size() > largestSceneText) {
        throw InputError(
            fmt::format("{}: larger than {} MiB; put the bodies into a CSV file", fileName, largestSceneText >> 20));
    }
    checkMarks(text, fileName);
    std::istringstream stream(text);
    TreeBuilder builder(fileName);
    try {
        YAML::Parser parser(stream);
        parser.HandleNextDocument(builder);
        YamlNode root = builder.takeRoot();
        TreeBuilder rest(fileName);
        if (parser.HandleNextDocument(rest)) {
            fail(fileName, rest.takeRoot().line, "a second YAML document; a scene is one");
        }
        return root;
    } catch (const YAML::Exception& error) {
        const int line = std::max(1, error.mark.line + 1);
        if (const int tab = indentedByTab(text, line); tab > 0) {
            fail(fileName, tab, "begins with a tab; YAML is indented with spaces");
        }
        fail(fileName, line, "not valid YAML: " + error.msg);
    }
}

}  // namespace talus
