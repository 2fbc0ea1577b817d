#include "bench/start_state.hpp"

#include <algorithm>

namespace talus {

StartGrain StartState::grain(std::uint64_t index) const {
    StartGrain grain = tile[index % tile.size()];
    const auto copy = static_cast<int>(index / tile.size());
    const int column = copy % copiesX, row = copy / copiesX;
    // Velocities stay as they are: only states at rest are mirrored.
    if (repeat == Repeat::mirrored && column % 2 == 1) grain.position.x = tileSize.x - grain.position.x;
    if (repeat == Repeat::mirrored && row % 2 == 1) grain.position.y = tileSize.y - grain.position.y;
    grain.position += Vec3{column * tileSize.x, row * tileSize.y, 0};
    return grain;
}

bool StartState::atRest() const {
    return std::all_of(tile.begin(), tile.end(),
                       [](const StartGrain& g) { return g.velocity == Vec3{} && g.spin == Vec3{}; });
}

void placeGrains(const StartState& start, WorldState& world) {
    // One copy of the tile at a time: definitions of all grains at once would count in the peak memory.
    std::vector<BodyDefinition> definitions(start.tile.size());
    for (std::uint64_t first = 0; first < start.grainCount(); first += start.tile.size()) {
        for (std::size_t k = 0; k < definitions.size(); ++k) {
            const StartGrain grain = start.grain(first + k);
            definitions[k] = {.radius = 0.5 * start.diameter,
                              .position = grain.position,
                              .velocity = grain.velocity,
                              .spin = grain.spin,
                              .fixed = grain.fixed != 0};
        }
        addGrains(world, definitions);
    }
}

}  // namespace talus
