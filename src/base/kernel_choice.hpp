// Which of the variants of an inner loop, compiled for different vector units, runs here.
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

namespace talus {

#if defined(__x86_64__)
inline bool hasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"); }
inline bool hasAvx512() { return __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"); }
#endif

// The last of those this machine can run, or the one that the environment variable TALUS_KERNEL names.
template <class Variant>
Variant chosenVariant(const std::vector<Variant>& runnable) {
    const char* wanted = std::getenv("TALUS_KERNEL");
    for (const Variant& variant : runnable) {
        if (wanted != nullptr && std::string_view(wanted) == variant.name) return variant;
    }
    return runnable.back();
}

}  // namespace talus
