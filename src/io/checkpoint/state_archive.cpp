#include "io/checkpoint/state_archive.hpp"

namespace talus {

PopulationCounters countersOf(const World& world) {
    PopulationCounters counters;
    for (const Source& source : world.sources) {
        counters.made.push_back(source.made);
        counters.drawn.push_back(source.drawn);
        counters.refused.push_back(source.refused);
    }
    for (const Sink& sink : world.sinks) {
        counters.removed.push_back(sink.removed);
        counters.removedMass.push_back(sink.removedMass);
    }
    return counters;
}

void restoreCounters(World& world, const PopulationCounters& counters) {
    for (std::size_t k = 0; k < world.sources.size(); ++k) {
        world.sources[k].made = counters.made[k];
        world.sources[k].drawn = counters.drawn[k];
        world.sources[k].refused = counters.refused[k];
    }
    for (std::size_t k = 0; k < world.sinks.size(); ++k) {
        world.sinks[k].removed = counters.removed[k];
        world.sinks[k].removedMass = counters.removedMass[k];
    }
}

WallColumns columnsOf(const std::vector<WallCandidate>& candidates) {
    WallColumns columns;
    for (const WallCandidate& c : candidates) {
        columns.grain.push_back(c.grain);
        columns.wall.push_back(c.wall);
        columns.face.push_back(c.face);
    }
    return columns;
}

std::vector<WallCandidate> candidatesOf(const WallColumns& columns) {
    std::vector<WallCandidate> candidates(columns.grain.size());
    for (std::size_t k = 0; k < candidates.size(); ++k) {
        candidates[k] = {columns.grain[k], columns.wall[k], columns.face[k]};
    }
    return candidates;
}

}  // namespace talus
