// Every allocation of the test program is counted, whatever thread makes it (allocation_test.cpp does so).
#pragma once

#include <cstdint>

namespace talus {

std::uint64_t allocationCount();

}  // namespace talus
