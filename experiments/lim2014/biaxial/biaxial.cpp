// Biaxial compression of discs, angular and non-convex grains (Lim, Krabbenhoft and Andrade 2014, section 4.1).
//
// Each set is packed once, rigid. For each friction and stiffness the packing then finds its equilibrium under the side
// stress on all walls, and the upper wall goes down in equal increments while the right wall keeps its stress. In the
// paper an increment is one program with the geometry that it starts from. Here programs follow each other until all
// forces balance: after one alone grains were out of balance by twice the mean force, and some increments bore a
// hundred times the stress of those around. With the forces on these walls, the width W and the height H,
//
//     sigma_1 = F_top / W,  sigma_3 = F_right / H,  strain = 1 - H/H_0,  volumetric strain = 1 - W H / (W_0 H_0).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/lim2014/common.hpp"
#include "talus/results.hpp"

namespace talus::reproduce {
namespace {

using namespace lim2014;

constexpr double sideStress = 125;                     // N per m, of thickness 1 m
constexpr double strain = 0.21;                        // -
constexpr std::size_t right = 2, top = 3, grains = 4;  // places in the lists of bodies
constexpr std::size_t shear = 1;                       // stage
constexpr std::uint64_t restIncrements = 4;            // as in biaxial.yaml
constexpr double balance = 0.05;                       // -, as in biaxial.yaml
// N/m, fictitious, of the lightest grain: one that goes a tenth of a diameter in an iteration is then out of balance by
// about a hundredth of the mean contact force. That of the light walls is nothing.
constexpr double inertia = 20;
// The paper's infinite stiffness: overlaps are then about 1e-8 of a diameter.
constexpr double almostRigid = 1e10;  // N/m

struct Sizes {
    std::size_t grains, columns;
    int increments;
    std::uint64_t packSteps;
    std::size_t seeds;  // packings of each set
};

Sizes sizesOf(const Trial& trial) { return trial.isQuick() ? Sizes{64, 6, 24, 600, 3} : Sizes{1520, 28, 150, 4200, 1}; }

struct Packed {
    GrainModel model;
    Packing packing;
    double width = 0, height = 0;  // m
};

// Of grains on each other while they are packed. Without friction angular grains pack far denser than non-convex ones;
// with this they come to the same porosity, as both have in the paper.
double packingFriction(Shapes shapes) { return shapes == Shapes::angular ? 0.2 : 0.0; }

// Every other row stands half a place aside. Grains that begin right above each other stay in columns, which a program
// of the associated sliding rule cannot always break: contacts steeper than friction jam from wall to wall.
Packing staggered(const GrainModel& model, Packing packing, std::size_t columns) {
    for (std::size_t k = 0; k < packing.size(); ++k) {
        if (k / columns % 2 == 1) packing[k].x += 0.5 * latticeSpacing(model);
    }
    return packing;
}

// The free walls, under this stress.
void setWalls(Scene& scene, const Vec2& size, double stress) {
    kindOf<Plane>(scene, right).point = {size.x, 0, 0};
    kindOf<Plane>(scene, top).point = {0, size.y, 0};
    scene.bodies[right].force = ConstantForce{{-stress * size.y, 0, 0}};
    scene.bodies[top].force = ConstantForce{{0, -stress * size.x, 0}};
}

// Walls press with a stress of 1, which with density and diameters of 1 makes a time of 1 that grains need to give way.
Packed pack(Trial& trial, Shapes shapes, std::size_t seed) {
    const Sizes sizes = sizesOf(trial);
    const GrainModel model = makeModel(trial, shapes);
    const Packing loose = staggered(model, loosePacking(model, sizes.grains, sizes.columns, seed), sizes.columns);
    const double width = latticeSpacing(model) * (0.5 + static_cast<double>(sizes.columns));
    const double height = loose.back().y + 0.5 * latticeSpacing(model);
    const double mass = 0.2 * solidArea(model, loose);
    Scene scene = trial.scene("pack.yaml");
    setWalls(scene, {width, height}, 0.6);
    for (const std::size_t wall : {right, top}) scene.bodies[wall].free->mass = mass;
    scene.materials.at("grain").contact.friction = packingFriction(shapes);
    scene.bodies[grains] = asBodies(trial, "loose", model, loose);
    Simulation simulation(scene);
    simulation.advance(sizes.packSteps);
    Packed packed{model, packingOf(simulation, loose)};
    packed.width = wallOf(simulation, "right").position.x;
    packed.height = wallOf(simulation, "top").position.y;
    return packed;
}

struct Variant {
    Shapes shapes;
    double friction, stiffness;  // -, N/m
    std::size_t seed = 0;        // of the packing
};

std::string nameOf(double stiffness) {
    return stiffness == almostRigid ? "inf" : fmt::format("1e{}", std::lround(std::log10(stiffness)));
}
std::string nameOf(const Variant& v) {
    const std::string name = fmt::format("{}-mu{}-k{}", lim2014::nameOf(v.shapes), v.friction, nameOf(v.stiffness));
    return v.seed == 0 ? name : fmt::format("{}-seed{}", name, v.seed);
}

struct Row {
    double strain, deviator, volumetric, sideStress;
    double unbalanced;  // -, force on a grain over the mean contact force, at most
};

struct Course {
    Variant variant;
    double porosity = 0;  // -, after consolidation
    std::vector<Row> rows;

    // The largest mean of increments that follow each other over a strain of 0.03, and the mean of the last third.
    double peak() const {
        double largest = 0;
        const std::size_t window = std::max<std::size_t>(1, std::lround(0.03 / strain * double(rows.size())));
        for (std::size_t k = 0; k + window <= rows.size(); ++k) {
            largest = std::max(largest, mean(&Row::deviator, k, k + window));
        }
        return largest;
    }
    double residual() const { return mean(&Row::deviator, rows.size() - rows.size() / 3, rows.size()); }
    // The mean of the last fifth.
    double dilation() const { return -mean(&Row::volumetric, rows.size() - rows.size() / 5, rows.size()); }
    double compaction() const {
        return std::max_element(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.volumetric < b.volumetric; })
            ->volumetric;
    }
    double unbalanced() const {
        return std::max_element(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.unbalanced < b.unbalanced; })
            ->unbalanced;
    }
    // The largest difference of the side stress from what it should be, as a share of it.
    double sideStressError() const {
        double largest = 0;
        for (const Row& r : rows)
            largest = std::max(largest, std::abs(r.sideStress / talus::reproduce::sideStress - 1));
        return largest;
    }

private:
    double mean(double Row::*value, std::size_t first, std::size_t end) const {
        double sum = 0;
        for (std::size_t k = first; k < end; ++k) sum += rows[k].*value;
        return sum / static_cast<double>(end - first);
    }
};

Scene sceneOf(const Trial& trial, const Packed& packed, const Variant& v) {
    Scene scene = trial.scene("biaxial.yaml");
    setWalls(scene, {packed.width, packed.height}, sideStress);
    scene.materials.at("grain").contact.friction = v.friction;
    for (const char* material : {"grain", "wall"}) scene.materials.at(material).contact.stiffness = v.stiffness;
    scene.quasiStatic.inertia = inertia / v.stiffness;
    const int increments = sizesOf(trial).increments;
    scene.stages[shear].time = increments;
    scene.stages[shear].change[0].force =
        TableForce{{0.0, static_cast<double>(increments)},
                   {Vec3{-sideStress * packed.height, 0, 0}, Vec3{-sideStress * (1 - strain) * packed.height, 0, 0}}};
    scene.stages[shear].change[1].motion = ConstantMotion{{0, -strain * packed.height / increments, 0}, {}};
    scene.bodies[grains] =
        asBodies(trial, fmt::format("packed-{}-{}", lim2014::nameOf(v.shapes), v.seed), packed.model, packed.packing);
    return scene;
}

Course compress(Trial& trial, const Packed& packed, const Variant& v, double share, double ofAll) {
    const int increments = sizesOf(trial).increments;
    Simulation simulation(sceneOf(trial, packed, v));
    const auto widthNow = [&] { return wallOf(simulation, "right").position.x; };
    const auto heightNow = [&] { return wallOf(simulation, "top").position.y; };
    simulation.advance(restIncrements);
    const double width = widthNow(), height = heightNow();
    Course course{v, 1 - solidArea(packed.model, packed.packing) / (width * height)};
    const std::string name = nameOf(v);
    writeOutlines(trial, name + "-before", packed.model, packingOf(simulation, packed.packing));
    for (int k = 0; k < increments; ++k) {
        trial.progress(fmt::format("{}, increment {} of {}", name, k + 1, increments),
                       share + ofAll * k / static_cast<double>(increments));
        simulation.advance(1);
        const double w = widthNow(), h = heightNow();
        const double sigma1 = wallOf(simulation, "top").force.y / w, sigma3 = wallOf(simulation, "right").force.x / h;
        course.rows.push_back({1 - h / height, sigma1 - sigma3, 1 - w * h / (width * height), sigma3,
                               simulation.measured("unbalanced_force")});
    }
    writeOutlines(trial, name + "-after", packed.model, packingOf(simulation, packed.packing));
    std::vector<std::vector<double>> table;
    for (const Row& r : course.rows) {
        table.push_back({r.strain, r.deviator, r.volumetric, r.sideStress, r.unbalanced});
    }
    trial.writeTable(name, {"axial strain", "sigma_1 - sigma_3", "volumetric strain", "sigma_3", "unbalanced force"},
                     table);
    return course;
}

// Paper's figures 5 to 8: stress and volume of all shapes and frictions for one stiffness.
void plotResponse(Trial& trial, const std::vector<Course>& courses, double stiffness) {
    std::string stress, volume;
    for (const Course& c : courses) {
        if (c.variant.stiffness != stiffness || c.variant.seed != 0) continue;
        const int colour = static_cast<int>(c.variant.shapes) + 1;
        const std::string line =
            fmt::format("{}'{}.csv' skip 1 using 1:{{}} with lines ls {} dt {} title '{}, mu {}'",
                        stress.empty() ? "" : ", ", nameOf(c.variant), colour, c.variant.friction < 0.4 ? 2 : 1,
                        lim2014::nameOf(c.variant.shapes), c.variant.friction);
        stress += fmt::format(fmt::runtime(line), 2);
        volume += fmt::format(fmt::runtime(line), 3);
    }
    const std::string label = nameOf(stiffness);
    trial.plot("response-k" + label,
               fmt::format("set multiplot layout 2,1 title 'Biaxial compression, k_N = {}'\nset xlabel 'axial strain'\n"
                           "set key outside\nset ylabel 'sigma_1 - sigma_3'\nplot {}\n"
                           "set ylabel 'volumetric strain'\nplot {}\nunset multiplot\n",
                           label, stress, volume));
}

// Paper's figure 4. All specimens have one scale, that of the largest.
void plotConfigurations(Trial& trial, const std::vector<Course>& courses) {
    std::string measures = "left = low = 1e9\nright = high = -1e9\n", pictures;
    for (const Course& c : courses) {
        if (c.variant.stiffness != 1e8 || c.variant.friction != 0.5 || c.variant.seed != 0) continue;
        for (const char* when : {"before", "after"}) {
            const std::string file = fmt::format("'{}-{}.dat'", nameOf(c.variant), when);
            measures += fmt::format(
                "stats {} using 1:2 nooutput\nif (STATS_min_x < left) left = STATS_min_x\n"
                "if (STATS_max_x > right) right = STATS_max_x\nif (STATS_min_y < low) low = STATS_min_y\n"
                "if (STATS_max_y > high) high = STATS_max_y\n",
                file);
            pictures += fmt::format("set title \"{}\\n{}\"\nplot {} with filledcurves closed lc rgb '#c8a060'\n",
                                    lim2014::nameOf(c.variant.shapes), when, file);
        }
    }
    trial.plot("configurations",
               measures +
                   "set multiplot layout 1,6\nunset key\nset size ratio -1\nunset tics\nset border 0\n"
                   "set xrange [left:right]\nset yrange [low:high]\nset style fill solid 0.6 border -1\n" +
                   pictures + "unset multiplot\n");
}

const Course& find(const std::vector<Course>& courses, Shapes shapes, double friction, double stiffness) {
    return *std::find_if(courses.begin(), courses.end(), [&](const Course& c) {
        return c.variant.shapes == shapes && c.variant.friction == friction && c.variant.stiffness == stiffness;
    });
}

// A mean over the packings of a set, and what the scatter among them makes it uncertain by.
struct Estimate {
    double mean = 0, error = 0;  // standard error of the mean
    double ofOne = 0;            // standard deviation of a single packing
    double relative() const { return error / mean; }
};

// Of the courses with friction 0.5 and k_N = 1e8, of which there is one for each packing.
Estimate estimate(const std::vector<Course>& courses, Shapes shapes, double (Course::*measure)() const) {
    std::vector<double> values;
    for (const Course& c : courses) {
        const Variant& v = c.variant;
        if (v.shapes == shapes && v.friction == 0.5 && v.stiffness == 1e8) values.push_back((c.*measure)());
    }
    Estimate e;
    const auto count = static_cast<double>(values.size());
    for (const double value : values) e.mean += value / count;
    for (const double value : values) e.ofOne += (value - e.mean) * (value - e.mean) / std::max(1.0, count - 1);
    e.ofOne = std::sqrt(e.ofOne);
    e.error = e.ofOne / std::sqrt(count);
    return e;
}

// The paper has the order in its figures, and no numbers. What is three times as strong as the next set is a jam.
constexpr double mostRatio = 3;

void compareShapes(Trial& trial, const std::vector<Course>& courses) {
    const auto compareRatio = [&](const std::string& what, Shapes above, Shapes below,
                                  double (Course::*measure)() const) {
        const Estimate a = estimate(courses, above, measure), b = estimate(courses, below, measure);
        const std::string name = fmt::format("{}, {} over {}", what, lim2014::nameOf(above), lim2014::nameOf(below));
        trial.add(between(name, "", 1, mostRatio, a.mean / b.mean));
        if (sizesOf(trial).seeds < 2) return;
        trial.note(fmt::format("{}: {:.2f} +- {:.2f} (standard error of {} packings each)", name, a.mean / b.mean,
                               std::abs(a.mean / b.mean) * std::hypot(a.relative(), b.relative()),
                               sizesOf(trial).seeds));
    };
    using enum Shapes;
    compareRatio("peak deviator", angular, discs, &Course::peak);
    compareRatio("peak deviator", nonConvex, angular, &Course::peak);
    compareRatio("dilation", angular, discs, &Course::dilation);
    compareRatio("dilation", nonConvex, angular, &Course::dilation);
}

// Residual strength does not depend on the stiffness: by not more than 15 %, or two standard deviations of single
// packings of few grains.
void compareResidual(Trial& trial, const std::vector<Course>& courses, Shapes shapes, double stiffness) {
    const Course &hard = find(courses, shapes, 0.5, 1e8), &other = find(courses, shapes, 0.5, stiffness);
    const Estimate scatter = estimate(courses, shapes, &Course::residual);
    const double allowed = std::max(0.15, 2 * std::numbers::sqrt2 * scatter.ofOne / scatter.mean);
    trial.add(near(fmt::format("residual deviator, k_N {} over 1e8, {}", nameOf(stiffness), lim2014::nameOf(shapes)),
                   "", 1, other.residual() / hard.residual(), allowed));
}

void compareStiffnesses(Trial& trial, const std::vector<Course>& courses, Shapes shapes) {
    const std::string name = lim2014::nameOf(shapes);
    const Course &hard = find(courses, shapes, 0.5, 1e8), &soft = find(courses, shapes, 0.5, 1e5);
    compareResidual(trial, courses, shapes, 1e5);
    if (!trial.isQuick()) compareResidual(trial, courses, shapes, almostRigid);
    trial.add(atLeast(fmt::format("compaction at first, k_N 1e5 less 1e8, {}", name), "", 0,
                      soft.compaction() - hard.compaction()));
    trial.add(between(fmt::format("peak deviator, mu 0.5 over 0.3, {}", name), "", 1, mostRatio,
                      hard.peak() / find(courses, shapes, 0.3, 1e8).peak()));
}

// Walls of a small box leave too many voids for a comparison.
void comparePorosities(Trial& trial, const std::vector<Course>& courses) {
    const auto porosity = [&](Shapes shapes) { return find(courses, shapes, 0.5, 1e8).porosity; };
    using enum Shapes;
    if (trial.isQuick()) {
        trial.note(fmt::format("porosities, walls included: non-convex {:.3f}, angular {:.3f}, discs {:.3f}",
                               porosity(nonConvex), porosity(angular), porosity(discs)));
        return;
    }
    trial.add(near("porosity, non-convex", "", 0.152, porosity(nonConvex), 0.03));
    trial.add(near("porosity, angular", "", 0.152, porosity(angular), 0.03));
    trial.add(near("porosity, discs", "", 0.176, porosity(discs), 0.03));
    trial.add(near("porosity, non-convex less angular", "", 0, porosity(nonConvex) - porosity(angular), 0.01));
}

void compare(Trial& trial, const std::vector<Course>& courses) {
    comparePorosities(trial, courses);
    double worst = 0, unbalanced = 0;
    for (const Course& c : courses) {
        worst = std::max(worst, c.sideStressError());
        unbalanced = std::max(unbalanced, c.unbalanced());
    }
    trial.add(atMost("largest error of sigma_3, of all increments", "", 0.02, worst, Source::theory));
    trial.add(atMost("largest unbalanced force over the mean contact force, of all increments", "", balance, unbalanced,
                     Source::theory));
    compareShapes(trial, courses);
    for (const Shapes shapes : allShapes) compareStiffnesses(trial, courses, shapes);
}

// The quick version leaves out what it does not compare, and has more packings with one friction and stiffness.
std::vector<Variant> variantsOf(const Trial& trial, Shapes shapes, std::size_t seed) {
    if (seed > 0) return {{shapes, 0.5, 1e8, seed}};
    if (trial.isQuick()) return {{shapes, 0.5, 1e8}, {shapes, 0.3, 1e8}, {shapes, 0.5, 1e5}};
    std::vector<Variant> variants;
    for (const double stiffness : {almostRigid, 1e8, 1e6, 1e5}) {
        for (const double friction : {0.5, 0.3}) variants.push_back({shapes, friction, stiffness});
    }
    return variants;
}

void run(Trial& trial) {
    const std::size_t seeds = sizesOf(trial).seeds;
    const auto all = static_cast<double>(3 * (variantsOf(trial, Shapes::discs, 0).size() + seeds - 1));
    std::vector<Course> courses;
    for (const Shapes shapes : allShapes) {
        for (std::size_t seed = 0; seed < seeds; ++seed) {
            trial.progress(fmt::format("packing, {}", lim2014::nameOf(shapes)),
                           static_cast<double>(courses.size()) / all);
            const Packed packed = pack(trial, shapes, seed);
            for (const Variant& v : variantsOf(trial, shapes, seed)) {
                courses.push_back(compress(trial, packed, v, static_cast<double>(courses.size()) / all, 1 / all));
            }
        }
    }
    compare(trial, courses);
    for (const Variant& v : variantsOf(trial, Shapes::discs, 0)) {
        if (v.friction == 0.5) plotResponse(trial, courses, v.stiffness);
    }
    plotConfigurations(trial, courses);
}

}  // namespace

Experiment lim2014_biaxial() {
    return {.paper = citation,
            .title = "Biaxial compression of discs, angular and non-convex grains: strength and dilation",
            .run = run};
}

}  // namespace talus::reproduce
