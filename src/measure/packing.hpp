// How densely grains fill a region, and how many contacts they have.
//
//   solid fraction  phi = V_s / V,   porosity n = 1 - phi,   void ratio e = (V - V_s) / V_s
//
// V_s is the exact volume of the grains inside the region, cut off at its border (sphere_box.hpp); in a planar scene
// it is the area of their discs and V the area of the region. Overlaps at contacts are counted in both grains, as is
// usual, so V_s is slightly larger than the volume of the union. Walls are not grains: choose regions inside them.
// Bodies of other shapes count as balls (discs) of their volume: exact within the region, not at its border.
//
//   coordination number z = contacts per grain, contacts with walls and fixed grains included
//
// Rattlers are free grains with too few contacts to be held in place, found by removing them, then those who lost
// too many contacts by that, and so on. Without friction it takes 4 forces to hold a sphere (3 in a plane), and the
// weight is one of them; with friction two contacts can do it (Thornton, Geotechnique 50, 2000). Asking for 4 where
// 3 hold would not only call good grains loose: in a heap it removes the top, then what is below, and leaves nothing.
// Fixed grains belong to the boundary: they support others, are never rattlers and do not enter the means.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/contact_sample.hpp"
#include "measure/region.hpp"

namespace talus {

struct Packing {
    double solid = 0;  // m^3 (m^2 in a planar scene), of the grains inside the region
    double total = 0;  // likewise, of the region

    double fraction() const { return total > 0 ? solid / total : 0.0; }
    double porosity() const { return 1.0 - fraction(); }
    double voidRatio() const { return (total - solid) / solid; }  // infinite if there is no grain
};

Packing measurePacking(const WorldState& world, const MeasureBox& region);

// The number of contacts below which a grain is a rattler.
std::uint32_t contactsToHold(const WorldState& world);

// Contacts of each grain, by index.
struct ContactCounts {
    std::vector<std::uint32_t> all;       // every contact
    std::vector<std::uint32_t> backbone;  // only those with partners that are not rattlers; 0 for a rattler
    std::vector<char> isRattler;
};

ContactCounts countContacts(const WorldState& world, const std::vector<ContactSample>& samples);

// Means over free grains.
struct Coordination {
    std::uint64_t grains = 0, rattlers = 0;
    std::uint64_t contacts = 0;          // summed over the grains: a contact of two free grains counts twice
    std::uint64_t backboneContacts = 0;  // likewise, rattlers left out

    double mean() const { return grains > 0 ? static_cast<double>(contacts) / static_cast<double>(grains) : 0.0; }
    double meanWithoutRattlers() const {
        return grains > rattlers ? static_cast<double>(backboneContacts) / static_cast<double>(grains - rattlers) : 0.0;
    }
    Coordination& operator+=(const Coordination& b);
};

// Over all free grains, or over those with their centre in the region.
Coordination averageCoordination(const WorldState& world, const ContactCounts& counts);
Coordination averageCoordination(const WorldState& world, const ContactCounts& counts, const MeasureBox& region);

}  // namespace talus
