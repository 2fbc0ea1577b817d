// Settings of space: ranges of lengths and speeds, axes, regions, the domain.
#pragma once

#include "io/scene/field.hpp"
#include "talus/scene.hpp"

namespace talus {

// Sizes beyond these are slips of a unit; within them every derived mass and stiffness is a sound double.
inline constexpr Range radiusRange{.low = 1e-9, .high = 1e6};
inline constexpr Range lengthRange{.low = 1e-9, .high = 1e9};
inline constexpr Range coordinateRange{.low = -1e9, .high = 1e9};
inline constexpr Range speedRange{.low = -1e9, .high = 1e9};
inline constexpr Range forceRange{.low = -1e15, .high = 1e15};

template <>
struct EnumNames<Planar> {
    static constexpr std::array<std::string_view, 4> names{"none", "xy", "xz", "yz"};
};
template <>
struct EnumNames<Axis> {
    static constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
};

// --- space ---------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<BoxRegion>{"", "box", "A box along the axes."};
template <>
inline constexpr Tag tagOf<CylinderRegion>{"", "cylinder", "A round cylinder."};

template <class V>
void fields(V& v, BoxRegion& r) {
    v({"low", "Low corner.", unit::length, coordinateRange, Need::required}, r.low);
    v({"high", "High corner.", unit::length, coordinateRange, Need::required}, r.high);
}

template <class V>
void fields(V& v, CylinderRegion& r) {
    v({"centre", "Centre of the cylinder.", unit::length, coordinateRange, Need::required}, r.centre);
    v({"axis", "Direction of its axis, of any length.", unit::number}, r.axis);
    v({"radius", "Radius.", unit::length, lengthRange, Need::required}, r.radius);
    v({"length", "Length along the axis.", unit::length, lengthRange, Need::required}, r.length);
}

template <class V>
void fields(V& v, DomainSettings& d) {
    v({"low", "Low corner of the space.", unit::length, coordinateRange, Need::required}, d.low);
    v({"high", "High corner of the space.", unit::length, coordinateRange, Need::required}, d.high);
    v({"periodic", "Axes that wrap: a grain that leaves at one side enters at the other."}, d.periodic);
}

}  // namespace talus
