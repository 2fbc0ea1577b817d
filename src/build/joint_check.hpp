// What only the place of its bodies can tell of a joint.
#pragma once

#include <string>

#include "model/joints.hpp"

namespace talus {

// What is wrong with a joint as it stands, and with which of its settings; both empty if nothing is.
struct JointFault {
    std::string key, message;
    bool any() const { return !message.empty(); }
};
JointFault jointFault(const Joint& joint);

}  // namespace talus
