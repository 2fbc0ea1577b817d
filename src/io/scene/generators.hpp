// Where generated grains go: lattices, pyramids and random fill. Geometry only; build_world.cpp makes the bodies.
//
// A failure is an InputError without a place; the caller knows which entry of the scene it belongs to.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "base/random.hpp"
#include "io/scene/grain_grid.hpp"
#include "model/grain_forms.hpp"
#include "model/population.hpp"
#include "talus/scene.hpp"

namespace talus {

// The axis across a planar scene, along which nothing moves; -1 if there is none.
int acrossAxis(Planar planar);

// The shortest turn that brings z into the direction, which may have any length but zero.
Quat turnFromZ(const Vec3& direction);

// Centres of a lattice, the first sphere touching the low corner of its space; radius and spacing are set. Across a
// planar scene there is one layer, in the plane of the corner (origin) or of the middle (region). Jitter is not added
// here.
std::vector<Vec3> latticeCentres(const LatticeBodies& lattice, Planar planar);

// The box that the centres of a lattice stay in when they are shifted: its region less a radius all round, or, where it
// is counted, that of these centres.
struct CentreBox {
    Vec3 low, high;  // m
    Vec3 nearest(const Vec3& p) const;
};
CentreBox centreBox(const LatticeBodies& lattice, const std::vector<Vec3>& centres);

// Upper bound of the number of sites, without making them.
double countLatticeSites(const LatticeBodies& lattice, Planar planar);

// Centres of a pile, lowest layer first: base^2, (base-1)^2, ... 1 spheres.
std::vector<Vec3> pyramidCentres(const PyramidBodies& pyramid);

struct Placed {
    Vec3 centre;
    DrawnGrain grain;
};

// Sizes and forms of grains, ready to be drawn.
struct GrainSupply {
    SizeDistribution size;
    std::vector<GrainShare> forms;
};

struct FreeSpace {
    GrainGrid& grid;  // grows by what is placed
    std::function<bool(const Vec3&, double)> isClearOfWalls;
};

// Grains at random places, no bounding sphere overlapping another, a sphere in the grid or a wall; largest first.
std::vector<Placed> fillRandomly(const RandomBodies& settings, const GrainSupply& supply, Planar planar, Random& random,
                                 FreeSpace space);

// How many grains a random fill asks for (expected number if by volume), without drawing them.
double countRandomFill(const RandomBodies& settings, const GrainSupply& supply, Planar planar);

// Without sizes grains are as large as their forms are given.
SizeDistribution distributionOf(const std::optional<SizeSettings>& size);

}  // namespace talus
