#include "experiments/lim2014/common.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "talus/error.hpp"
#include "talus/results.hpp"

namespace talus::reproduce::lim2014 {
namespace {

constexpr std::size_t shapeCount = 16;
constexpr int diameterSeed = 2014;
constexpr double sphericity = 0.7;
constexpr std::uint64_t contactKnots = 50;

// m, of the disc of the same area: evenly from 0.7 to 1.3.
double diameterOf(std::size_t form) { return 0.7 + 0.6 * static_cast<double>(form) / (shapeCount - 1); }

double fraction(double x) { return x - std::floor(x); }

GrainSet generated(Shapes shapes) {
    const bool convex = shapes == Shapes::angular;
    GrainSet set = generateGrains({.count = shapeCount,
                                   .sphericity = sphericity,
                                   .angularity = convex ? 0.6 : 0.8,
                                   .convex = convex,
                                   .diameter = 1,
                                   .seed = diameterSeed});
    for (std::size_t k = 0; k < shapeCount; ++k) {
        for (Vec2& p : set.grains[k].outline.points) p = diameterOf(k) * p;
        set.grains[k].measures = measureGrain(set.grains[k].outline);
    }
    return set;
}

// Generated outlines are of degree 2 with every knot twice: three control points for each arc.
std::vector<Vec2> polygonOf(const NurbsDefinition& d) {
    constexpr int parts = 4;
    std::vector<Vec2> polygon;
    for (std::size_t k = 0; k + 2 < d.points.size(); k += 2) {
        for (int j = 0; j < parts; ++j) {
            const double t = static_cast<double>(j) / parts;
            const std::array<double, 3> basis{(1 - t) * (1 - t), 2 * t * (1 - t), t * t};
            Vec2 sum;
            double weight = 0;
            for (std::size_t i = 0; i < 3; ++i) {
                const double w = basis[i] * (d.weights.empty() ? 1 : d.weights[k + i]);
                sum += w * d.points[k + i];
                weight += w;
            }
            polygon.push_back(sum / weight);
        }
    }
    return polygon;
}

std::vector<Vec2> circlePolygon(double radius) {
    std::vector<Vec2> polygon;
    for (int k = 0; k < 24; ++k) {
        const double angle = 2 * std::numbers::pi * k / 24;
        polygon.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    return polygon;
}

void addDiscs(GrainModel& model) {
    for (std::size_t k = 0; k < shapeCount; ++k) {
        const double radius = 0.5 * diameterOf(k);
        model.forms.push_back({Disc{radius}});
        model.area.push_back(std::numbers::pi * radius * radius);
        model.outline.push_back(circlePolygon(radius));
        model.reach = std::max(model.reach, radius);
    }
}

void addOutlines(const Trial& trial, GrainModel& model) {
    const GrainSet set = generated(model.shapes);
    const std::string file = fmt::format("grains-{}.json", nameOf(model.shapes));
    writeGrains(trial.folder() / file, set);
    drawGrains(trial.folder() / fmt::format("grains-{}.png", nameOf(model.shapes)), set);
    for (const Grain& grain : set.grains) {
        Outline form;
        form.file = file;
        form.grain = grain.name;
        form.contactKnots = contactKnots;
        model.forms.push_back({form});
        model.area.push_back(grain.measures.area);
        model.outline.push_back(polygonOf(grain.outline));
        for (const Vec2& p : grain.outline.points) model.reach = std::max(model.reach, norm(p));
    }
}

}  // namespace

std::string nameOf(Shapes shapes) {
    if (shapes == Shapes::nonConvex) return "non-convex";
    return shapes == Shapes::angular ? "angular" : "discs";
}

GrainModel makeModel(const Trial& trial, Shapes shapes) {
    GrainModel model{.shapes = shapes};
    if (shapes == Shapes::discs) {
        addDiscs(model);
    } else {
        addOutlines(trial, model);
    }
    return model;
}

double latticeSpacing(const GrainModel& model) { return 2.02 * model.reach; }

Packing loosePacking(const GrainModel& model, std::size_t count, std::size_t columns, std::size_t seed) {
    const double spacing = latticeSpacing(model);
    Packing packing;
    for (std::size_t k = 0; k < count; ++k) {
        const double golden = std::numbers::phi * static_cast<double>(k) + std::numbers::e * static_cast<double>(seed);
        // Discs that stand exactly upon each other would not fall.
        const double aside = 0.008 * (fraction(3 * golden) - 0.5);
        packing.push_back({.x = spacing * (0.5 + aside + static_cast<double>(k % columns)),
                           .y = spacing * (0.5 + static_cast<double>(k / columns)),
                           .angle = 2 * std::numbers::pi * fraction(golden),
                           .form = static_cast<std::size_t>(shapeCount * fraction(7 * golden + 0.3))});
    }
    return packing;
}

Packing packingOf(const Simulation& simulation, const Packing& before) {
    Packing packing = before;
    std::size_t next = 0;  // ids are in the order of the table
    for (const BodyState& body : simulation.bodies()) {
        if (body.group != "grains") continue;
        PlacedGrain& grain = packing.at(next++);
        grain.x = body.position.x;
        grain.y = body.position.y;
        grain.angle = 2 * std::atan2(body.orientation.z, body.orientation.w);
    }
    return packing;
}

BodySettings asBodies(const Trial& trial, const std::string& name, const GrainModel& model, const Packing& packing) {
    std::string table = "x,y,z,qw,qx,qy,qz,shape\n";
    for (const PlacedGrain& g : packing) {
        table += fmt::format("{:.17g},{:.17g},0,{:.17g},0,0,{:.17g},{}\n", g.x, g.y, std::cos(0.5 * g.angle),
                             std::sin(0.5 * g.angle), g.form);
    }
    writeResultFile(trial.folder() / (name + ".csv"), table);
    return {.kind = CsvBodies{name + ".csv", model.forms}, .material = "grain"};
}

double solidArea(const GrainModel& model, const Packing& packing) {
    double sum = 0;
    for (const PlacedGrain& g : packing) sum += model.area[g.form];
    return sum;
}

void writeOutlines(const Trial& trial, const std::string& name, const GrainModel& model, const Packing& packing) {
    std::string text;
    for (const PlacedGrain& g : packing) {
        const double c = std::cos(g.angle), s = std::sin(g.angle);
        const std::vector<Vec2>& outline = model.outline[g.form];
        for (std::size_t k = 0; k <= outline.size(); ++k) {
            const Vec2& p = outline[k % outline.size()];
            text += fmt::format("{:.4f},{:.4f}\n", g.x + c * p.x - s * p.y, g.y + s * p.x + c * p.y);
        }
        text += "\n";
    }
    writeResultFile(trial.folder() / (name + ".dat"), text);
}

BodyState wallOf(const Simulation& simulation, const std::string& group) {
    for (BodyState& body : simulation.bodies()) {
        if (body.group == group) return body;
    }
    throw RunError(fmt::format("there is no wall of the group {}", group));
}

}  // namespace talus::reproduce::lim2014
