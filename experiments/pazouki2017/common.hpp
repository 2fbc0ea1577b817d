// What the experiments of Pazouki and others 2017 share.
#pragma once

#include <ctime>
#include <string>

namespace talus::reproduce::pazouki2017 {

inline const std::string citation =
    "Pazouki, Kwarta, Williams, Likos, Serban, Jayakumar and Negrut, Compliant contact versus rigid contact: A "
    "comparison "
    "in the context of granular dynamics, Phys. Rev. E 96, 042905 (2017)";

// s, that this program has used so far, on all threads.
inline double processorSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

}  // namespace talus::reproduce::pazouki2017
