#include "contacts/narrow/convex/features.hpp"

#include <algorithm>

namespace talus {

void orderByFeature(std::vector<ContactPoint>& points, std::size_t start) {
    const auto begin = points.begin() + static_cast<std::ptrdiff_t>(start);
    std::sort(begin, points.end(), [](const ContactPoint& p, const ContactPoint& q) {
        return p.feature != q.feature ? p.feature < q.feature : p.gap < q.gap;
    });
    // Names that were mixed could be equal by chance; then the later one is the next number.
    for (std::size_t k = start + 1; k < points.size(); ++k) {
        if (points[k].feature <= points[k - 1].feature) points[k].feature = points[k - 1].feature + 1;
    }
}

}  // namespace talus
