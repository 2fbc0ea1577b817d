// What the experiments of Olsen and Kamrin 2018 share.
#pragma once

#include <string>
#include <vector>

namespace talus::reproduce::olsen2018 {

inline const std::string citation =
    "Olsen and Kamrin, Resolving force indeterminacy in contact dynamics using compatibility conditions, Granular "
    "Matter "
    "20, 69 (2018)";

// Keys that turn a scene of the penalty method into the paper's contact dynamics, and more.
inline std::vector<std::string> rigid(std::vector<std::string> more) {
    for (const char* key : {"method=contact-dynamics", "run.step=1 ms", "contact_law.damping=restitution"}) {
        more.emplace_back(key);
    }
    return more;
}

}  // namespace talus::reproduce::olsen2018
