// Contacts in groups (colours) within which no two move the same body: those can be solved at the same time, in any
// order, with the same result.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "problem/contact_problem.hpp"

namespace talus {

// Greedy in list order: each contact takes the first colour its neighbours leave. A body with more contacts than there
// are colours (a large one among many small) sends what is left to a last group that is solved one by one.
class Colouring {
public:
    void build(const BodyContacts& contacts);
    void build(const BlockMatrix& matrix);

    std::size_t colourCount() const { return start_.size() - 1; }
    // Contacts of a colour are order()[begin(c)] to order()[end(c)].
    std::size_t begin(std::size_t colour) const { return start_[colour]; }
    std::size_t end(std::size_t colour) const { return start_[colour + 1]; }
    bool isSequential(std::size_t colour) const { return colour == maxColours; }
    const std::vector<std::uint32_t>& order() const { return order_; }

private:
    static constexpr std::size_t maxColours = 256;
    using Mask = std::array<std::uint64_t, maxColours / 64>;

    static std::uint16_t firstFree(const Mask& used) {
        for (std::size_t word = 0; word < used.size(); ++word) {
            if (~used[word] != 0) {
                return static_cast<std::uint16_t>(64 * word + static_cast<std::size_t>(std::countr_one(used[word])));
            }
        }
        return maxColours;
    }
    static void mark(Mask& used, std::uint16_t colour) {
        if (colour < maxColours) used[colour / 64] |= std::uint64_t{1} << colour % 64;
    }
    void sortByColour();

    std::vector<std::uint16_t> colour_;  // per contact
    std::vector<Mask> used_;             // per body: colours of its contacts
    std::vector<std::uint32_t> order_;
    std::vector<std::size_t> start_, next_;
};

}  // namespace talus
