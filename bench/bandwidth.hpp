// What the memory of this machine gives, to hold the traffic of a step against.
#pragma once

namespace talus {

// Bytes per second of a = b + s c over arrays far larger than the caches (the triad of the STREAM benchmark), with the
// present number of threads; the best of several passes.
double measureBandwidth();

}  // namespace talus
