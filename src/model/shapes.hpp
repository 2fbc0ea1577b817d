// The shapes of a world, and what the world may change of a body's form.
//
// A shape never changes once it is there, and many bodies share one. What makes one body larger than another is in
// arrays of the state: the radius of a grain (Bodies::radius) and the mantle of a wall.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/shape.hpp"
#include "talus/error.hpp"

namespace talus {

// The mantle of a hollow cylinder, which a servo moves. Other walls have none: its radius is 0.
struct Mantle {
    double radius = 0;  // m

    static constexpr auto fields() { return std::tuple{Field{"radius", &Mantle::radius}}; }
};
// The mantle with which a wall of this shape begins.
inline Mantle mantleOf(const Shape& wall) {
    const auto* cylinder = std::get_if<CylinderWall>(&wall);
    return {cylinder != nullptr ? cylinder->radius : 0.0};
}

// Shape 0 is the sphere. There is no way to change a shape that is in the list.
class Shapes {
public:
    // The number of the shape, for bodies that have it; throws InputError if there are too many.
    std::uint16_t add(Shape shape) {
        if (all_.size() >= 0xFFFF) throw InputError("too many shapes and walls; at most 65534");
        all_.push_back(std::move(shape));
        return static_cast<std::uint16_t>(all_.size() - 1);
    }
    // Forgets those that were added later.
    void keepFirst(std::size_t count) { all_.resize(count); }

    const Shape& operator[](std::size_t number) const { return all_[number]; }
    std::size_t size() const { return all_.size(); }
    auto begin() const { return all_.begin(); }
    auto end() const { return all_.end(); }

private:
    std::vector<Shape> all_{SphereShape{}};
};

}  // namespace talus
