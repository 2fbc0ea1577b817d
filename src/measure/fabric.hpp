// Which way contacts point: the fabric tensor of Satake (1982) and what it says about anisotropy.
//
//   F = mean over contacts of n (x) n,   trace 1;  isotropic: I/3 (in the plane I/2)
//
// With the distribution of directions E(n) = (1 + a:n (x) n) / 4 pi (in the plane / 2 pi), a = 15/2 dev F (plane:
// 4 dev F), and its size is the anisotropy: sqrt(3/2 a:a) (plane: sqrt(1/2 a:a), so E = (1 + size cos 2 t) / 2 pi).
// Every contact has the same weight, whatever its force.
#pragma once

#include <vector>

#include "measure/contact_sample.hpp"
#include "measure/region.hpp"

namespace talus {

struct Fabric {
    Mat3 tensor;  // -, zero if there is no contact
    std::uint64_t contacts = 0;
    double deviator = 0;    // -, deviatorOf(tensor), see tensor.hpp
    double anisotropy = 0;  // -, 0 if isotropic
};

// Takes all contacts, or those with their contact point in the region.
Fabric measureFabric(const WorldState& world, const std::vector<ContactSample>& samples);
Fabric measureFabric(const WorldState& world, const std::vector<ContactSample>& samples, const MeasureBox& region);

}  // namespace talus
