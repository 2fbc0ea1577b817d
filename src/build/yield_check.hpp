// Yield limits that are given partly as forces and partly as stresses can be compared once grains have sizes.
#pragma once

#include "build/materials.hpp"
#include "model/world.hpp"

namespace talus {

// Two materials whose contacts have a cap that is not above what they bear in tension. `key`: cap or cap_stress.
struct CapError : InputError {
    CapError(std::size_t a, std::size_t b, std::string keyOfCap, const std::string& message)
        : InputError(message), first(a), second(b), key(std::move(keyOfCap)) {}
    std::size_t first, second;
    std::string key;
};

// Throws CapError, for the smallest or the largest contacts that the grains and sources of the world can make.
void checkCaps(const MaterialTable& table, const WorldState& world);

}  // namespace talus
