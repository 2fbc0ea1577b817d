// Pairs of ellipsoids that touched a step before, eight at a time: from the normals they had to those they have.
//
// The inner loop is compiled several times for different vector units (ellipsoid_batch.kernel.cpp), and the best one
// that this machine can run is chosen at start. All variants give the bits of ellipsoidDistance().
#pragma once

#include <vector>

#include "base/pack.hpp"
#include "base/vector_units.hpp"

namespace talus {

// One row of lanes per number.
struct EllipsoidBatch {
    using Row = double[packLanes];
    alignas(64) Row a[6], b[6];  // m^2, entries xx, xy, xz, yy, yz, zz of E
    alignas(64) Row detA, detB;  // m^6, of E
    alignas(64) Row d[3];        // m, from the centre of b to that of a
    alignas(64) Row normal[3];   // unit, out of b; in: one that is near, out: the one found
    alignas(64) Row distance;    // m
    alignas(64) Row reachA[3];   // m, from the centres to the surfaces, along the normal
    alignas(64) Row reachB[3];   // m
    alignas(64) Row radius;      // m, 1/(sum of the mean curvatures)
    unsigned found = 0;          // bit per lane: true if the normal was found; else it takes the longer search
};

using EllipsoidKernel = void(EllipsoidBatch&);
using EllipsoidVariant = KernelVariant<EllipsoidKernel>;

// The best variant this machine runs, or the one named in the environment variable TALUS_KERNEL.
const EllipsoidVariant& ellipsoidVariant();

// All variants this machine can run, plainest first.
std::vector<EllipsoidVariant> runnableEllipsoidVariants();

}  // namespace talus
