// What the experiments of Unger and others 2002 share.
#pragma once

#include <functional>
#include <string>

namespace talus::reproduce::unger2002 {

inline const std::string citation =
    "Unger, Brendel, Wolf and Kertesz, Elastic behavior in contact dynamics of rigid particles, Phys. Rev. E 65, "
    "061305 "
    "(2002)";

// The fewest sweeps with which this share of a load arrives, to a fiftieth of them; more sweeps, more arrives.
inline int leastSweeps(double wanted, const std::function<double(int sweeps)>& shareThatArrives) {
    int low = 0, high = 8;
    while (shareThatArrives(high) < wanted) {
        low = high;
        high *= 2;
    }
    while (high - low > 1 && 50 * (high - low) > high) {
        const int middle = low + (high - low) / 2;
        (shareThatArrives(middle) < wanted ? low : high) = middle;
    }
    return high;
}

}  // namespace talus::reproduce::unger2002
