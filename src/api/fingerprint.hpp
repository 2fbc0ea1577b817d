// What a checkpoint of a World says beside its state: by which calls the world was made, as a digest, and how it was
// going.
#pragma once

#include <string>

#include "api/world_data.hpp"

namespace talus {

// Of everything that a checkpoint does not keep, since calls have made it.
std::string digestOfCalls(const WorldParts& parts);

// JSON.
std::string fingerprintOf(const WorldParts& parts);

// Before the state is loaded. InputError that names the file if the world was made by other calls.
void adoptFingerprint(const std::string& json, const std::string& file, WorldParts& parts);

// The laws of contacts and what they remember are those of the method that the world goes by; memory is marked, not
// converted.
void adoptLaws(WorldParts& parts);

}  // namespace talus
