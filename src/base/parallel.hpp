// Parallel loops whose result does not depend on the number of threads.
//
// A loop is cut into blocks whose number depends on the problem only. Each block is run by one thread, blocks
// write disjoint data, and sums are added block by block in index order, so any thread count gives the same bits.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <limits>
#include <memory>
#include <type_traits>

namespace talus {

// Number of threads that loops use from now on; 0 means one per core. Returns the number in force.
int setThreadCount(int threads);
int threadCount();

// What a loop does with one block: the caller's function seen by reference, valid while the loop runs. Unlike
// std::function it never copies what the function holds, so that a step allocates nothing.
class BlockBody {
public:
    template <class Body>
    requires(!std::is_same_v<std::remove_cvref_t<Body>, BlockBody> && std::is_invocable_v<Body&, std::size_t>)
        BlockBody(Body&& body)
        : body_(const_cast<void*>(static_cast<const void*>(std::addressof(body)))),
          call_([](void* b, std::size_t block) { (*static_cast<std::remove_reference_t<Body>*>(b))(block); }) {}

    void operator()(std::size_t block) const { call_(body_, block); }

private:
    void* body_;
    void (*call_)(void*, std::size_t);
};

// Calls body(block) once for each block in [0, blocks), in any order, on all threads; returns when all are done.
// An exception thrown by a body is rethrown here (that of the lowest block). Threads of the program may call it at the
// same time: one of them then has all threads, the others only themselves.
void parallelBlocks(std::size_t blocks, const BlockBody& body);

// Calls body(i) for i in [0, n), in blocks of `grain`.
template <class Body>
void parallelFor(std::size_t n, Body&& body, std::size_t grain = 1024) {
    parallelBlocks((n + grain - 1) / grain, [&](std::size_t block) {
        const std::size_t end = std::min(n, (block + 1) * grain);
        for (std::size_t i = block * grain; i < end; ++i) body(i);
    });
}

// Sum of term(i) over [0, n): blocks are summed in parallel, the partial sums in order. Allocates nothing.
template <class Value, class Term>
Value parallelSum(std::size_t n, Value zero, Term&& term) {
    constexpr std::size_t mostBlocks = 256;
    const std::size_t grain = std::max<std::size_t>(1024, (n + mostBlocks - 1) / mostBlocks);
    std::array<Value, mostBlocks> partial;
    const std::size_t blocks = (n + grain - 1) / grain;
    parallelBlocks(blocks, [&](std::size_t block) {
        Value sum = zero;
        const std::size_t end = std::min(n, (block + 1) * grain);
        for (std::size_t i = block * grain; i < end; ++i) sum += term(i);
        partial[block] = sum;
    });
    Value total = zero;
    for (std::size_t block = 0; block < blocks; ++block) total += partial[block];
    return total;
}

// Largest of term(i) >= 0 over [0, n), 0 if there is none; infinite if a term is not a number.
template <class Term>
double parallelMax(std::size_t n, Term&& term, std::size_t grain = 1024) {
    std::atomic<double> largest{0.0};
    parallelBlocks((n + grain - 1) / grain, [&](std::size_t block) {
        double here = 0;
        bool bad = false;
        const std::size_t end = std::min(n, (block + 1) * grain);
        for (std::size_t i = block * grain; i < end; ++i) {
            const double value = term(i);
            here = value <= here ? here : value;
            bad |= !(value <= std::numeric_limits<double>::max());
        }
        if (bad) here = std::numeric_limits<double>::infinity();
        for (double seen = largest.load(); seen < here && !largest.compare_exchange_weak(seen, here);) {
        }
    });
    return largest.load();
}

}  // namespace talus
