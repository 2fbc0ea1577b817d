// What the experiments of Lim, Krabbenhoft and Andrade 2014 share: three sets of sixteen grains, packings of them as
// tables of bodies, and drawings.
//
// Lengths are in units of the mean diameter, called metres. The paper has no drawings of its sixteen shapes that could
// be copied; ours are made by the generator of `talus grains`, with sphericity 0.7 in both NURBS sets and areas equal
// to those of the discs. Non-convex grains are the more angular ones.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "experiments/experiment.hpp"
#include "talus/simulation.hpp"
#include "talus/tools/grains.hpp"

namespace talus::reproduce::lim2014 {

inline const std::string citation =
    "Lim, Krabbenhoft and Andrade, On the contact treatment of non-convex particles in the granular element method, "
    "Comput. Part. Mech. 1, 257 (2014)";

enum class Shapes { nonConvex, angular, discs };
inline constexpr std::array allShapes{Shapes::nonConvex, Shapes::angular, Shapes::discs};
std::string nameOf(Shapes shapes);

// Sixteen forms of one set.
struct GrainModel {
    Shapes shapes = Shapes::discs;
    std::vector<GrainForm> forms;
    std::vector<double> area;                // m^2
    std::vector<std::vector<Vec2>> outline;  // m, polygons for drawings
    double reach = 0;                        // m, of the largest circle about a centroid
};

// Writes the set and a picture of it into the folder of the trial.
GrainModel makeModel(const Trial& trial, Shapes shapes);

// Bodies in the plane xy: place, angle and form of each, in the order of their ids.
struct PlacedGrain {
    double x = 0, y = 0, angle = 0;  // m, rad
    std::size_t form = 0;
};
using Packing = std::vector<PlacedGrain>;

// Loose: on a square lattice from the origin on, turned and dealt out in a way that has no order to speak of, and in
// another one for each seed.
Packing loosePacking(const GrainModel& model, std::size_t count, std::size_t columns, std::size_t seed = 0);
double latticeSpacing(const GrainModel& model);

// Where the same grains are now.
Packing packingOf(const Simulation& simulation, const Packing& before);

// As an entry of a scene; the table goes into the folder of the trial under this name.
BodySettings asBodies(const Trial& trial, const std::string& name, const GrainModel& model, const Packing& packing);

double solidArea(const GrainModel& model, const Packing& packing);  // m^2

// Outlines as folder/NAME.dat for `plot ... with filledcurves`: x,y and a blank line between grains.
void writeOutlines(const Trial& trial, const std::string& name, const GrainModel& model, const Packing& packing);

// The wall of a group; RunError if there is none.
BodyState wallOf(const Simulation& simulation, const std::string& group);

}  // namespace talus::reproduce::lim2014
