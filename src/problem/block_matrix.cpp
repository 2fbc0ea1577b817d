#include "talus/contact_rows.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talus {

void BlockMatrix::finish() {
    diagonal_.resize(contactCount());
    for (std::uint32_t i = 0; i < contactCount(); ++i) {
        const auto begin = column.begin() + rowStart[i], end = column.begin() + rowStart[i + 1];
        const auto found = std::lower_bound(begin, end, i);
        ENGINE_CHECK(found != end && *found == i);
        diagonal_[i] = static_cast<std::uint32_t>(found - column.begin());
    }
}

}  // namespace talus
