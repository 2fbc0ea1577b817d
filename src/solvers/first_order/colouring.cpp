#include "solvers/first_order/colouring.hpp"

#include <algorithm>

namespace talus {

void Colouring::build(const BodyContacts& contacts) {
    colour_.resize(contacts.contactCount());
    used_.assign(contacts.bodyCount(), Mask{});
    for (std::size_t i = 0; i < colour_.size(); ++i) {
        Mask used{};
        contacts.forEachMovable(i, [&](std::uint32_t body, std::uint32_t) {
            for (std::size_t word = 0; word < used.size(); ++word) used[word] |= used_[body][word];
        });
        colour_[i] = firstFree(used);
        contacts.forEachMovable(i, [&](std::uint32_t body, std::uint32_t) { mark(used_[body], colour_[i]); });
    }
    sortByColour();
}

void Colouring::build(const BlockMatrix& matrix) {
    colour_.assign(matrix.contactCount(), maxColours);
    for (std::size_t i = 0; i < colour_.size(); ++i) {
        Mask used{};
        for (std::uint32_t k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; ++k) {
            if (matrix.column[k] < i) mark(used, colour_[matrix.column[k]]);
        }
        colour_[i] = firstFree(used);
    }
    sortByColour();
}

void Colouring::sortByColour() {
    std::size_t colours = 0;
    for (const std::uint16_t colour : colour_) colours = std::max<std::size_t>(colours, colour + 1u);
    start_.assign(colours + 1, 0);
    for (const std::uint16_t colour : colour_) ++start_[colour + 1u];
    for (std::size_t c = 0; c < colours; ++c) start_[c + 1] += start_[c];
    next_.assign(start_.begin(), start_.end());
    order_.resize(colour_.size());
    for (std::uint32_t i = 0; i < colour_.size(); ++i) order_[next_[colour_[i]]++] = i;
}

}  // namespace talus
