#include "base/random.hpp"

#include <numbers>

namespace talus {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> c, std::array<std::uint32_t, 2> key) {
    constexpr std::uint64_t multiplier0 = 0xD2511F53, multiplier1 = 0xCD9E8D57;
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t p0 = multiplier0 * c[0], p1 = multiplier1 * c[2];
        c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(p1),
             static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(p0)};
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return c;
}

double Random::uniform() {
    const std::uint64_t k = drawn_++;
    const auto bits = philox({static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k >> 32), stream_, 0},
                             {static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32)});
    const std::uint64_t word = (static_cast<std::uint64_t>(bits[0]) << 32 | bits[1]) >> 11;
    return static_cast<double>(word) * 0x1.0p-53;
}

double Random::normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

Vec3 Random::inBox(const Vec3& low, const Vec3& high) {
    const double x = uniform(low.x, high.x), y = uniform(low.y, high.y), z = uniform(low.z, high.z);
    return {x, y, z};
}

}  // namespace talus
