// What the experiments of Olsen and Kamrin 2018 share.
#pragma once

#include <string>

#include "talus/scene.hpp"

namespace talus::reproduce::olsen2018 {

inline const std::string citation =
    "Olsen and Kamrin, Resolving force indeterminacy in contact dynamics using compatibility conditions, Granular "
    "Matter "
    "20, 69 (2018)";

// A scene of the penalty method with the paper's contact dynamics instead.
inline Scene rigid(Scene scene) {
    scene.method = Method::contactDynamics;
    scene.run.step = {1e-3};
    scene.contactLaw.damping = DampingLaw::restitution;
    return scene;
}

}  // namespace talus::reproduce::olsen2018
