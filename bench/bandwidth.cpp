#include "bench/bandwidth.hpp"

#include <unistd.h>
#include <functional>

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

#include "base/parallel.hpp"

namespace talus {
namespace {

std::size_t cacheBytes() {
    const long bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : std::size_t{64} << 20;
}

double secondsOf(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

double measureBandwidth() {
    const std::size_t total = std::clamp(4 * cacheBytes(), std::size_t{256} << 20, std::size_t{1} << 30);
    const std::size_t n = total / (3 * sizeof(double));
    // Not initialised by one thread alone: memory belongs to the thread that touches it first.
    const std::unique_ptr<double[]> a(new double[n]), b(new double[n]), c(new double[n]);
    constexpr std::size_t block = std::size_t{1} << 16;
    parallelFor(
        n, [&](std::size_t i) { a[i] = 0, b[i] = 1, c[i] = 2; }, block);
    double shortest = std::numeric_limits<double>::infinity();
    for (int pass = 0; pass < 5; ++pass) {
        const double factor = 0.5 + pass;
        shortest = std::min(shortest, secondsOf([&] {
                                parallelFor(
                                    n, [&](std::size_t i) { a[i] = b[i] + factor * c[i]; }, block);
                            }));
    }
    return 3.0 * sizeof(double) * static_cast<double>(n) / shortest;
}

}  // namespace talus
