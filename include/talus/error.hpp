// The two failures a caller of Talus meets. Broken promises of our own abort (ENGINE_CHECK in base/check.hpp).
#pragma once

#include <stdexcept>
#include <string>

namespace talus {

// What the user gave is wrong: the message names the file and line (if any), the path and the value.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The run cannot go on: numbers went bad, a body got lost, the disk is full. The message says what to try.
struct RunError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace talus
