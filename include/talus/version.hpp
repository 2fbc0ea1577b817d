// The version of the library, as a text like "0.1.0".
#pragma once

namespace talus {

const char* version();

}  // namespace talus
