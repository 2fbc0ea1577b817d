#include "model/size_distribution.hpp"

#include <algorithm>

namespace talus {

double smallestRadius(const SizeDistribution& s) {
    switch (s.kind) {
        case SizeDistribution::Kind::single:
            return s.radius;
        case SizeDistribution::Kind::uniform:
        case SizeDistribution::Kind::normal:
            return s.low;
        case SizeDistribution::Kind::table:
            return *std::min_element(s.radii.begin(), s.radii.end());
        case SizeDistribution::Kind::asGiven:
            break;
    }
    return s.radius;
}

double largestRadius(const SizeDistribution& s) {
    switch (s.kind) {
        case SizeDistribution::Kind::single:
            return s.radius;
        case SizeDistribution::Kind::uniform:
        case SizeDistribution::Kind::normal:
            return s.high;
        case SizeDistribution::Kind::table:
            return *std::max_element(s.radii.begin(), s.radii.end());
        case SizeDistribution::Kind::asGiven:
            break;
    }
    return s.radius;
}

double drawRadius(const SizeDistribution& s, Random& random) {
    switch (s.kind) {
        case SizeDistribution::Kind::single:
            return s.radius;
        case SizeDistribution::Kind::uniform:
            return random.uniform(s.low, s.high);
        case SizeDistribution::Kind::normal:
            for (;;) {
                const double r = s.radius + s.deviation * random.normal();
                if (r >= s.low && r <= s.high) return r;
            }
        case SizeDistribution::Kind::table: {
            double total = 0;
            for (const double weight : s.weights) total += weight;
            double left = random.uniform() * total;
            for (std::size_t k = 0; k + 1 < s.radii.size(); ++k) {
                left -= s.weights[k];
                if (left < 0) return s.radii[k];
            }
            return s.radii.back();
        }
        case SizeDistribution::Kind::asGiven:
            break;
    }
    return s.radius;
}

}  // namespace talus
