// What the experiments of Tasora and others 2013 share.
#pragma once

#include <string>

namespace talus::reproduce::tasora2012 {

inline const std::string citation =
    "Tasora, Anitescu, Negrini and Negrut, A compliant visco-plastic particle contact model based on differential "
    "variational inequalities, Int. J. Non-Linear Mech. 53, 2 (2013)";

}  // namespace talus::reproduce::tasora2012
