#include "talus/suggest.hpp"

#include <algorithm>
#include <cctype>

namespace talus {
namespace {

// Longer words are no slips of a known key, and comparing them would cost the product of the lengths.
constexpr std::size_t longestWord = 64;

double replacementCost(char a, char b) {
    if (a == b) return 0;
    const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    return lower(a) == lower(b) ? 0.5 : 1.0;
}

// "kinetic_energy" and "energy_kinetic" alike: the words in alphabetical order.
std::string inOrder(std::string_view name) {
    std::vector<std::string> words(1);
    for (const char c : name) {
        if (c == '_' || c == '-' || c == ' ') {
            words.emplace_back();
        } else {
            words.back() += c;
        }
    }
    std::sort(words.begin(), words.end());
    std::string joined;
    for (const std::string& word : words) joined += word + "_";
    return joined;
}

}  // namespace

double editDistance(std::string_view a, std::string_view b) {
    // Rows of the table of distances between prefixes: the last but one, the last and the present one.
    std::vector<double> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<double>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        now[0] = static_cast<double>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + replacementCost(a[i - 1], b[j - 1])});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(now);
    }
    return last[b.size()];
}

std::string nearestWord(std::string_view word, const std::vector<std::string>& candidates) {
    if (word.empty() || word.size() > longestWord) return {};
    double best = 0.5 + 0.4 * static_cast<double>(word.size());
    std::string nearest;
    const std::string ordered = inOrder(word);
    for (const std::string& candidate : candidates) {
        const bool hasSameWords = candidate.size() <= longestWord && inOrder(candidate) == ordered;
        const double distance = std::min(editDistance(word, candidate), hasSameWords ? 1.0 : best);
        if (distance < best) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string didYouMean(std::string_view word, const std::vector<std::string>& candidates) {
    const std::string nearest = nearestWord(word, candidates);
    return nearest.empty() ? "" : "; did you mean '" + nearest + "'?";
}

}  // namespace talus
