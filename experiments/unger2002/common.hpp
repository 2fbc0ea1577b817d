// What the experiments of Unger and others 2002 share.
#pragma once

#include <string>

namespace talus::reproduce::unger2002 {

inline const std::string citation =
    "Unger, Brendel, Wolf and Kertesz, Elastic behavior in contact dynamics of rigid particles, Phys. Rev. E 65, "
    "061305 "
    "(2002)";

}  // namespace talus::reproduce::unger2002
