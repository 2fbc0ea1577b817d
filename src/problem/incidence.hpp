// Which contacts a body has: for sums over the contacts of each body in a fixed order, and for colouring.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace talus {

class Incidence {
public:
    // A contact and the side of it at which the body is.
    struct Entry {
        std::uint32_t code;
        std::uint32_t contact() const { return code >> 1; }
        std::uint32_t side() const { return code & 1; }
        double sign() const { return 1.0 - 2.0 * side(); }  // 1 at the first side, -1 at the second
    };

    // Contacts is any type with forEachMovable(contact, visit(body, side)).
    template <class Contacts>
    void build(std::size_t bodies, std::size_t contactCount, const Contacts& contacts) {
        rowStart_.assign(bodies + 1, 0);
        for (std::size_t i = 0; i < contactCount; ++i) {
            contacts.forEachMovable(i, [&](std::uint32_t body, std::uint32_t) { ++rowStart_[body + 1]; });
        }
        for (std::size_t body = 0; body < bodies; ++body) rowStart_[body + 1] += rowStart_[body];
        entries_.resize(rowStart_[bodies]);
        next_.assign(rowStart_.begin(), rowStart_.end());
        for (std::size_t i = 0; i < contactCount; ++i) {
            contacts.forEachMovable(i, [&](std::uint32_t body, std::uint32_t side) {
                entries_[next_[body]++] = {static_cast<std::uint32_t>(i << 1 | side)};
            });
        }
    }

    std::span<const Entry> of(std::size_t body) const {
        return {entries_.data() + rowStart_[body], entries_.data() + rowStart_[body + 1]};
    }

private:
    std::vector<std::uint32_t> rowStart_, next_;
    std::vector<Entry> entries_;
};

}  // namespace talus
