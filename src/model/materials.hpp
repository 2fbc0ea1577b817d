// The materials of a scene and the law parameters of every pair of them.
#pragma once

#include <cstdint>
#include <vector>

#include "laws/contact_law.hpp"
#include "laws/yield_law.hpp"
#include "talus/material.hpp"

namespace talus {

// laws holds one entry per ordered pair of materials, row by row; symmetric. So does yields, if contacts yield.
struct Materials {
    std::vector<Material> list;
    std::vector<PairLaw> laws;
    std::vector<YieldLaw> yields;
    LawKinds kinds;

    const PairLaw& between(std::uint16_t a, std::uint16_t b) const { return laws[a * list.size() + b]; }
    const YieldLaw* yieldBetween(std::uint16_t a, std::uint16_t b) const {
        return yields.empty() ? nullptr : &yields[a * list.size() + b];
    }
};

}  // namespace talus
