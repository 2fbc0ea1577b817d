// Files of grains (docs/grains.md has the format), and tables of their measures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "base/atomic_file.hpp"
#include "base/input_file.hpp"
#include "geometry/nurbs/nurbs_curve.hpp"
#include "talus/error.hpp"
#include "talus/suggest.hpp"
#include "talus/tools/grains.hpp"

namespace talus {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view formatName = "talus-grains";
constexpr int formatVersion = 1;

struct MeasureField {
    const char* name;
    double GrainMeasures::*value;
};
constexpr std::array measureFields = {
    MeasureField{"area", &GrainMeasures::area},
    MeasureField{"perimeter", &GrainMeasures::perimeter},
    MeasureField{"equivalent_diameter", &GrainMeasures::equivalentDiameter},
    MeasureField{"length", &GrainMeasures::length},
    MeasureField{"width", &GrainMeasures::width},
    MeasureField{"inscribed_radius", &GrainMeasures::inscribedRadius},
    MeasureField{"circumscribed_radius", &GrainMeasures::circumscribedRadius},
    MeasureField{"sphericity", &GrainMeasures::sphericity},
    MeasureField{"roundness", &GrainMeasures::roundness},
    MeasureField{"angularity", &GrainMeasures::angularity},
    MeasureField{"circularity", &GrainMeasures::circularity},
    MeasureField{"convexity", &GrainMeasures::convexity},
    MeasureField{"solidity", &GrainMeasures::solidity},
    MeasureField{"aspect", &GrainMeasures::aspect},
};

// ---- writing

Json outlineAsJson(const NurbsDefinition& d) {
    Json json{{"degree", d.degree}, {"knots", d.knots}};
    json["points"] = Json::array();
    for (const Vec2& p : d.points) json["points"].push_back({p.x, p.y});
    if (!d.weights.empty()) json["weights"] = d.weights;
    return json;
}

Json grainAsJson(const Grain& grain) {
    Json json{{"name", grain.name}, {"position", {grain.position.x, grain.position.y}}};
    json["outline"] = outlineAsJson(grain.outline);
    for (const MeasureField& field : measureFields) json["measures"][field.name] = grain.measures.*field.value;
    if (grain.fit) {
        json["fit"] = {{"tolerance", grain.fit->tolerance},
                       {"largest_error", grain.fit->largestError},
                       {"mean_error", grain.fit->meanError},
                       {"traced_points", grain.fit->tracedPoints},
                       {"corners", grain.fit->corners}};
    }
    return json;
}

// ---- reading: every wrong value is told with its path

class Reader {
public:
    explicit Reader(std::string file) : file_(std::move(file)) {}

    GrainSet read(const Json& json) const {
        if (!json.is_object() || !json.contains("format") || json["format"] != formatName) {
            refuse("format", fmt::format("must be \"{}\": this is no file of grains", formatName));
        }
        if (!json.contains("version") || json["version"] != formatVersion) {
            refuse("version", fmt::format("must be {}, the one this program knows", formatVersion));
        }
        checkKeys(json, "", {"format", "version", "source", "grains"});
        GrainSet set;
        if (json.contains("source")) set.source = text(json["source"], "source");
        const Json& list = member(json, "grains", "");
        if (!list.is_array() || list.empty()) refuse("grains", "must be a list of at least one grain");
        std::set<std::string> names;
        for (std::size_t k = 0; k < list.size(); ++k) {
            set.grains.push_back(grain(list[k], fmt::format("grains[{}]", k)));
            if (!names.insert(set.grains.back().name).second) {
                refuse(fmt::format("grains[{}].name", k), fmt::format("'{}' comes twice", set.grains.back().name));
            }
        }
        return set;
    }

private:
    [[noreturn]] void refuse(const std::string& path, const std::string& reason) const {
        throw InputError(fmt::format("{}: {}: {}", file_, path, reason));
    }

    const Json& member(const Json& json, const char* name, const std::string& path) const {
        const std::string full = path.empty() ? name : path + "." + name;
        if (!json.is_object()) refuse(path, "must be an object");
        const auto found = json.find(name);
        if (found == json.end()) refuse(full, "is missing");
        return *found;
    }

    void checkKeys(const Json& json, const std::string& path, const std::vector<std::string>& known) const {
        if (!json.is_object()) refuse(path, "must be an object");
        for (const auto& [key, value] : json.items()) {
            if (std::find(known.begin(), known.end(), key) != known.end()) continue;
            refuse(path.empty() ? key : path + "." + key, "is not a key of such files" + didYouMean(key, known));
        }
    }

    std::string text(const Json& json, const std::string& path) const {
        if (!json.is_string()) refuse(path, "must be a text");
        return json.get<std::string>();
    }

    double number(const Json& json, const std::string& path) const {
        if (!json.is_number()) refuse(path, "must be a number");
        return json.get<double>();
    }

    Vec2 pair(const Json& json, const std::string& path) const {
        if (!json.is_array() || json.size() != 2) refuse(path, "must be two numbers, x and y");
        return {number(json[0], path + "[0]"), number(json[1], path + "[1]")};
    }

    std::vector<double> numbers(const Json& json, const std::string& path) const {
        if (!json.is_array()) refuse(path, "must be a list of numbers");
        std::vector<double> result;
        for (std::size_t k = 0; k < json.size(); ++k) result.push_back(number(json[k], fmt::format("{}[{}]", path, k)));
        return result;
    }

    NurbsDefinition outline(const Json& json, const std::string& path) const {
        checkKeys(json, path, {"degree", "knots", "points", "weights"});
        NurbsDefinition d;
        const double degree = number(member(json, "degree", path), path + ".degree");
        if (degree != std::floor(degree) || std::abs(degree) > 100) refuse(path + ".degree", "must be 1 to 5");
        d.degree = static_cast<int>(degree);
        d.knots = numbers(member(json, "knots", path), path + ".knots");
        const Json& points = member(json, "points", path);
        if (!points.is_array()) refuse(path + ".points", "must be a list of pairs of numbers");
        for (std::size_t k = 0; k < points.size(); ++k) {
            d.points.push_back(pair(points[k], fmt::format("{}.points[{}]", path, k)));
        }
        if (json.contains("weights")) d.weights = numbers(json["weights"], path + ".weights");
        return d;
    }

    Grain grain(const Json& json, const std::string& path) const {
        checkKeys(json, path, {"name", "position", "outline", "measures", "fit"});
        Grain g;
        g.name = text(member(json, "name", path), path + ".name");
        if (json.contains("position")) g.position = pair(json["position"], path + ".position");
        g.outline = outline(member(json, "outline", path), path + ".outline");
        const std::string where = fmt::format("{}: {}.outline", file_, path);
        const NurbsCurve curve(g.outline, where);
        checkOutline(curve, where);
        // About the centroid, however it was written; measured anew rather than believed.
        const Vec2 centroid = areaMoments(curve).centroid;
        if (norm(centroid) > 1e-12 * curve.size()) {
            g.outline = translated(g.outline, -centroid);
            g.position += centroid;
        }
        g.measures = measureGrain(g.outline);
        if (json.contains("fit")) g.fit = fit(json["fit"], path + ".fit");
        return g;
    }

    GrainFit fit(const Json& json, const std::string& path) const {
        checkKeys(json, path, {"tolerance", "largest_error", "mean_error", "traced_points", "corners"});
        const auto value = [&](const char* name) { return number(member(json, name, path), path + "." + name); };
        return {.tolerance = value("tolerance"),
                .largestError = value("largest_error"),
                .meanError = value("mean_error"),
                .tracedPoints = static_cast<int>(std::clamp(value("traced_points"), 0.0, 1e9)),
                .corners = static_cast<int>(std::clamp(value("corners"), 0.0, 1e9))};
    }

    std::string file_;
};

// Lists of numbers on one line each: a grain is then a page, not a scroll.
std::string compact(const Json& json) {
    std::string text = "{\n";
    for (const char* name : {"format", "version", "source"})
        text += fmt::format("  \"{}\": {},\n", name, json[name].dump());
    text += "  \"grains\": [\n";
    for (std::size_t k = 0; k < json["grains"].size(); ++k) {
        const Json& grain = json["grains"][k];
        text += k == 0 ? "    {\n" : ",\n    {\n";
        std::string separator;
        for (const auto& [name, value] : grain.items()) {
            text += fmt::format("{}      \"{}\": {}", separator, name,
                                value.dump(-1, ' ', false, Json::error_handler_t::replace));
            separator = ",\n";
        }
        text += "\n    }";
    }
    return text + "\n  ]\n}\n";
}

}  // namespace

std::string grainsAsJson(const GrainSet& set) {
    Json json{{"format", formatName}, {"version", formatVersion}, {"source", set.source}};
    json["grains"] = Json::array();
    for (const Grain& grain : set.grains) json["grains"].push_back(grainAsJson(grain));
    return compact(json);
}

void writeGrains(const std::filesystem::path& file, const GrainSet& set) {
    if (file.has_parent_path()) makeFolder(file.parent_path());
    writeFileAtomically(file, grainsAsJson(set));
}

GrainSet readGrains(const std::filesystem::path& file) {
    return grainsFromJson(readInput(file, {.name = "a file of grains", .mostMebibytes = 256}), file.string());
}

GrainSet grainsFromJson(const std::string& text, const std::string& name) {
    Json json;
    try {
        json = Json::parse(text);
    } catch (const Json::exception& error) {
        throw InputError(fmt::format("{}: is no JSON: {}", name, error.what()));
    }
    return Reader(name).read(json);
}

std::string grainsAsTable(const GrainSet& set) {
    std::size_t width = 5;
    for (const Grain& g : set.grains) width = std::max(width, g.name.size());
    std::string table =
        fmt::format("{:{}}  {:>10}  {:>10}  {:>10}  {:>10}  {:>9}  {:>11}  {:>9}  {:>8}  {:>6}  {:>7}  {:>9}\n",
                    "grain", width, "area/m^2", "diameter/m", "sphericity", "angularity", "roundness", "circularity",
                    "convexity", "solidity", "aspect", "corners", "fit error");
    for (const Grain& g : set.grains) {
        const GrainMeasures& m = g.measures;
        table += fmt::format(
            "{:{}}  {:>10.4g}  {:>10.4g}  {:>10.3f}  {:>10.3f}  {:>9.3f}  {:>11.3f}  {:>9.3f}  {:>8.3f}  "
            "{:>6.3f}",
            g.name, width, m.area, m.equivalentDiameter, m.sphericity, m.angularity, m.roundness, m.circularity,
            m.convexity, m.solidity, m.aspect);
        table += g.fit ? fmt::format("  {:>7}  {:>9.2g}\n", g.fit->corners, g.fit->largestError) : "\n";
    }
    return table;
}

}  // namespace talus
