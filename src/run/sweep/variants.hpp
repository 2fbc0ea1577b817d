// The variants of a sweep: all combinations of the values, and the names of their folders.
#pragma once

#include <string>
#include <vector>

#include "talus/tools/sweep.hpp"

namespace talus {

// More than this is taken for a slip of the pen.
inline constexpr std::size_t mostVariants = 10000;

// The last key varies fastest. Throws InputError if no key is varied, one is varied twice, or they are too many.
std::vector<SweepVariant> makeVariants(const std::vector<Variation>& vary);

// The settings of one variant as `--set` takes them: those for all, then its own.
std::vector<std::string> settingsOf(const SweepOptions& options, const SweepVariant& variant);

}  // namespace talus
