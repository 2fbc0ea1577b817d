// Materials as a user describes them, and what is set for pairs of them.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "talus/material.hpp"

namespace talus {

struct MaterialSettings {
    double density = Material{}.density;  // kg/m^3
    ElasticProperties elastic;
    ContactProperties contact;
};

struct PairSettings {
    std::array<std::string, 2> between;
    ContactOverrides contact;
};

struct ContactLawSettings {
    LawKinds kinds;
    DampingLaw damping = DampingLaw::restitution;
};

}  // namespace talus
