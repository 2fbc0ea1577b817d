// Biaxial compression of discs, angular and non-convex grains (Lim, Krabbenhoft and Andrade 2014, section 4.1).
//
// Each set is packed once, rigid. For each friction and stiffness the packing then finds its equilibrium under the side
// stress on all walls, and the upper wall goes down in equal increments while the right wall keeps its stress. As in
// the paper, an increment is one program, with the geometry that it starts from; what bent paths leave is mended by the
// next. With the forces on these walls, the width W and the height H,
//
//     sigma_1 = F_top / W,  sigma_3 = F_right / H,  strain = 1 - H/H_0,  volumetric strain = 1 - W H / (W_0 H_0).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
// N/m, fictitious, of the lightest grain: one that goes a tenth of a diameter in an iteration is then out of balance by
// about a hundredth of the mean contact force. That of the light walls is nothing.
constexpr double inertia = 20;
// The paper's infinite stiffness: overlaps are then about 1e-8 of a diameter.
constexpr double almostRigid = 1e10;  // N/m

struct Sizes {
    std::size_t grains, columns;
    int increments;
    std::uint64_t packSteps;
};

Sizes sizesOf(const Trial& trial) { return trial.isQuick() ? Sizes{144, 8, 60, 600} : Sizes{1520, 28, 150, 2500}; }

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
Packed pack(Trial& trial, Shapes shapes) {
    const Sizes sizes = sizesOf(trial);
    const GrainModel model = makeModel(trial, shapes);
    const Packing loose = staggered(model, loosePacking(model, sizes.grains, sizes.columns), sizes.columns);
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
};

std::string nameOf(double stiffness) {
    return stiffness == almostRigid ? "inf" : fmt::format("1e{}", std::lround(std::log10(stiffness)));
}
std::string nameOf(const Variant& v) {
    return fmt::format("{}-mu{}-k{}", lim2014::nameOf(v.shapes), v.friction, nameOf(v.stiffness));
}

struct Row {
    double strain, deviator, volumetric, sideStress;
};

struct Course {
    Variant variant;
    double porosity = 0;  // -, after consolidation
    std::vector<Row> rows;

    // Medians, for with few grains single increments jam: the largest of five or a fifteenth of the increments that
    // follow each other, and that of the last third.
    double peak() const {
        double largest = 0;
        const std::size_t window = std::max<std::size_t>(5, rows.size() / 15);
        for (std::size_t k = 0; k + window <= rows.size(); ++k) {
            largest = std::max(largest, medianDeviator(k, k + window));
        }
        return largest;
    }
    double residual() const { return medianDeviator(rows.size() - rows.size() / 3, rows.size()); }
    // The mean of the last fifth.
    double dilation() const { return -mean(&Row::volumetric, rows.size() - rows.size() / 5, rows.size()); }
    double compaction() const {
        return std::max_element(rows.begin(), rows.end(), [](auto& a, auto& b) { return a.volumetric < b.volumetric; })
            ->volumetric;
    }
    // The largest difference of the side stress from what it should be, as a share of it.
    double sideStressError() const {
        double largest = 0;
        for (const Row& r : rows)
            largest = std::max(largest, std::abs(r.sideStress / talus::reproduce::sideStress - 1));
        return largest;
    }

private:
    double medianDeviator(std::size_t first, std::size_t end) const {
        std::vector<double> sorted;
        for (std::size_t k = first; k < end; ++k) sorted.push_back(rows[k].deviator);
        std::sort(sorted.begin(), sorted.end());
        return 0.5 * (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]);
    }
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
    scene.bodies[grains] = asBodies(trial, "packed-" + lim2014::nameOf(v.shapes), packed.model, packed.packing);
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
        course.rows.push_back({1 - h / height, sigma1 - sigma3, 1 - w * h / (width * height), sigma3});
    }
    writeOutlines(trial, name + "-after", packed.model, packingOf(simulation, packed.packing));
    std::vector<std::vector<double>> table;
    for (const Row& r : course.rows) table.push_back({r.strain, r.deviator, r.volumetric, r.sideStress});
    trial.writeTable(name, {"axial strain", "sigma_1 - sigma_3", "volumetric strain", "sigma_3"}, table);
    return course;
}

// Paper's figures 5 to 8: stress and volume of all shapes and frictions for one stiffness.
void plotResponse(Trial& trial, const std::vector<Course>& courses, double stiffness) {
    std::string stress, volume;
    for (const Course& c : courses) {
        if (c.variant.stiffness != stiffness) continue;
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
        if (c.variant.stiffness != 1e8 || c.variant.friction != 0.5) continue;
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

// Over all courses of a set: few grains make each one uncertain.
double meanOf(const std::vector<Course>& courses, Shapes shapes, double (Course::*measure)() const) {
    double sum = 0;
    int count = 0;
    for (const Course& c : courses) {
        if (c.variant.shapes != shapes) continue;
        sum += (c.*measure)();
        ++count;
    }
    return sum / count;
}

void compareShapes(Trial& trial, const std::vector<Course>& courses) {
    const auto ratio = [&](Shapes above, Shapes below, double (Course::*measure)() const) {
        return meanOf(courses, above, measure) / meanOf(courses, below, measure);
    };
    using enum Shapes;
    trial.add(atLeast("peak deviator, angular over discs", "", 1, ratio(angular, discs, &Course::peak)));
    trial.add(atLeast("peak deviator, non-convex over angular", "", 1, ratio(nonConvex, angular, &Course::peak)));
    trial.add(atLeast("residual deviator, angular over discs", "", 1, ratio(angular, discs, &Course::residual)));
    trial.add(
        atLeast("residual deviator, non-convex over angular", "", 1, ratio(nonConvex, angular, &Course::residual)));
    trial.add(atLeast("dilation, angular over discs", "", 1, ratio(angular, discs, &Course::dilation)));
    trial.add(atLeast("dilation, non-convex over angular", "", 1, ratio(nonConvex, angular, &Course::dilation)));
}

void compareStiffnesses(Trial& trial, const std::vector<Course>& courses, Shapes shapes) {
    const std::string name = lim2014::nameOf(shapes);
    const Course &hard = find(courses, shapes, 0.5, 1e8), &soft = find(courses, shapes, 0.5, 1e5);
    const double allowed = trial.pick(0.5, 0.15);
    trial.add(within(fmt::format("residual deviator, k_N 1e5 over 1e8, {}", name), "", 1,
                     soft.residual() / hard.residual(), allowed));
    trial.add(within(fmt::format("residual deviator, k_N infinite over 1e8, {}", name), "", 1,
                     find(courses, shapes, 0.5, almostRigid).residual() / hard.residual(), allowed));
    trial.add(atLeast(fmt::format("compaction at first, k_N 1e5 less 1e8, {}", name), "", 0,
                      soft.compaction() - hard.compaction()));
    trial.add(atLeast(fmt::format("peak deviator, mu 0.5 over 0.3, {}", name), "", 1,
                      hard.peak() / find(courses, shapes, 0.3, 1e8).peak()));
}

void compare(Trial& trial, const std::vector<Course>& courses) {
    const auto porosity = [&](Shapes shapes) { return find(courses, shapes, 0.5, 1e8).porosity; };
    const double allowed = trial.pick(0.05, 0.03);
    trial.add(near("porosity, non-convex", "", 0.152, porosity(Shapes::nonConvex), allowed));
    trial.add(near("porosity, angular", "", 0.152, porosity(Shapes::angular), allowed));
    trial.add(near("porosity, discs", "", 0.176, porosity(Shapes::discs), allowed));
    trial.add(near("porosity, non-convex less angular", "", 0, porosity(Shapes::nonConvex) - porosity(Shapes::angular),
                   trial.pick(0.02, 0.01)));
    double worst = 0;
    for (const Course& c : courses) worst = std::max(worst, c.sideStressError());
    trial.add(atMost("largest error of sigma_3, of all increments", "", 0.02, worst, Source::theory));
    compareShapes(trial, courses);
    for (const Shapes shapes : allShapes) compareStiffnesses(trial, courses, shapes);
}

void run(Trial& trial) {
    // The quick version leaves out what it does not compare.
    std::vector<double> stiffnesses{almostRigid, 1e8, 1e6, 1e5};
    if (trial.isQuick()) stiffnesses = {almostRigid, 1e8, 1e5};
    std::vector<Course> courses;
    const double ofAll = 1.0 / (2.0 * 3 * static_cast<double>(stiffnesses.size()));
    for (const Shapes shapes : allShapes) {
        trial.progress(fmt::format("packing, {}", lim2014::nameOf(shapes)),
                       ofAll * static_cast<double>(courses.size()));
        const Packed packed = pack(trial, shapes);
        for (const double stiffness : stiffnesses) {
            for (const double friction : {0.5, 0.3}) {
                if (trial.isQuick() && friction == 0.3 && stiffness != 1e8) continue;
                courses.push_back(compress(trial, packed, {shapes, friction, stiffness},
                                           ofAll * static_cast<double>(courses.size()), ofAll));
            }
        }
    }
    compare(trial, courses);
    for (const double stiffness : stiffnesses) plotResponse(trial, courses, stiffness);
    plotConfigurations(trial, courses);
}

}  // namespace

Experiment lim2014_biaxial() {
    return {.paper = citation,
            .title = "Biaxial compression of discs, angular and non-convex grains: strength and dilation",
            .run = run};
}

}  // namespace talus::reproduce
