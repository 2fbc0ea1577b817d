#include "build/joint_check.hpp"

#include <fmt/format.h>

namespace talus {

JointFault jointFault(const Joint& joint) {
    if (joint.kind != JointKind::distance) return {};
    if (!(joint.length > 0)) return {"", "its two points are in one place; use a spherical joint, or set point2"};
    if (joint.length >= joint.slide.lower && joint.length <= joint.slide.upper) return {};
    return {"limits", fmt::format("the distance at the start, {} m, is outside", joint.length)};
}

}  // namespace talus
