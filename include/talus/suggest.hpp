// The word a user probably meant: behind every "did you mean".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace talus {

// Number of inserted, removed, replaced or swapped neighbouring letters between two words; case counts half of one.
double editDistance(std::string_view a, std::string_view b);

// The nearest of the candidates, or "" if none is near enough to be a slip of the pen. The same words in another order
// are one slip.
std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates);

// "; did you mean 'radius'?", or "" if nothing is near.
std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace talus
