// The order in which the nodes of a symmetric pattern are eliminated, so that its factors fill in little.
//
//     minimum degree      whichever node has the fewest neighbours left: quick to find, best for small graphs
//     nested dissection   a separator last, its two sides before it, each ordered likewise (METIS): at 10^4 bodies of a
//                         packing in three dimensions a third of the operations of minimum degree
//
// METIS draws random numbers from a seed that is always the same, and the order does not depend on anything but the
// graph.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace talus {

enum class FillOrder {
    bySize,  // nested dissection from some thousand nodes on
    minimumDegree,
    nestedDissection,
};

// The place of each node. Pairs of different nodes that have a block, in any order, each once or more.
std::vector<std::uint32_t> fillReducingOrder(std::size_t nodes,
                                             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs,
                                             FillOrder kind = FillOrder::bySize);

}  // namespace talus
