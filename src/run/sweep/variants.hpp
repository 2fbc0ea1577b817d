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
std::vector<std::string> settingsOf(const std::vector<std::string>& overrides, const std::vector<Variation>& vary,
                                    const SweepVariant& variant);

// Reads the scene of each variant, so that all that can be wrong with them is told before the first run. Returns their
// ends, s of simulated time. Throws InputError.
std::vector<double> checkScenes(const SweepOptions& options, const std::vector<SweepVariant>& variants);

}  // namespace talus
