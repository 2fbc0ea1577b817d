// Mean stress of a packing from its contact forces (Love 1927, Weber 1966), compression positive:
//
//   sigma = 1/V ( sum over contacts f (x) l  +  sum over grains m (v - vbar) (x) (v - vbar) )
//
// f is the force on the owner and l the branch from the partner's centre (wall: contact point) to the owner's. In a
// region, a contact counts with the share of its branch that lies inside. The second, kinetic part is the momentum
// that grains carry; it is left out unless asked for, and matters only in fast flows. In a packing at rest sigma is
// symmetric; couples of rolling resistance are not part of it. In a planar scene the edge of the region along the
// normal of the plane is the thickness that makes a force per length a stress.
#pragma once

#include <vector>

#include "measure/contact_sample.hpp"
#include "measure/region.hpp"
#include "measure/tensor.hpp"

namespace talus {

enum class StressParts { contacts, contactsAndKinetic };

// Pa, mean over the region.
Mat3 measureStress(const WorldState& world, const std::vector<ContactSample>& samples, const MeasureBox& region,
                   StressParts parts = StressParts::contacts);

// Pa, of all contacts, as the mean over this volume (m^3).
Mat3 measureStress(const WorldState& world, const std::vector<ContactSample>& samples, double volume,
                   StressParts parts = StressParts::contacts);

// Pa, of every grain by index: the sum over its contacts of f (x) (centre - contact point), over its own volume.
// Weighted with the grains' volumes they add up to V sigma of all contacts, contact part only.
std::vector<Mat3> particleStress(const WorldState& world, const std::vector<ContactSample>& samples);

// Pa, positive in compression.
inline double pressureOf(const Mat3& stress, std::optional<int> planarAxis = {}) { return meanOf(stress, planarAxis); }

}  // namespace talus
