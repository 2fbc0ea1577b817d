// Inner loops that are compiled once per vector unit (cmake/kernels.cmake), and the choice among them at run time.
//
// All variants of a loop give the same bits: none may fuse or reorder operations.
#pragma once

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "talus/error.hpp"

namespace talus {

template <class Run>
struct KernelVariant {
    const char* name;
    Run* run;
};

#if defined(__x86_64__)
// lzcnt, movbe and f16c, which compilers know by these names only lately (clang 14 does not).
inline bool runsLateNamed() {
    unsigned a = 0, b = 0, c = 0, d = 0, extended = 0;
    if (__get_cpuid(0x80000001, &a, &b, &extended, &d) == 0 || __get_cpuid(1, &a, &b, &c, &d) == 0) return false;
    constexpr unsigned lzcnt = 1u << 5, movbe = 1u << 22, f16c = 1u << 29;
    return (extended & lzcnt) != 0 && (c & movbe) != 0 && (c & f16c) != 0;
}

// What compilers may use for -march=haswell and -march=skylake-avx512 (cmake/kernels.cmake).
inline bool runsAvx2() {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
           __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt") && runsLateNamed();
}
inline bool runsAvx512() {
    return runsAvx2() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd");
}
#endif

// Those of a loop that this machine can run, plainest first. Variants that were not compiled are null.
template <class Run>
std::vector<KernelVariant<Run>> runnableVariants(Run* baseline, Run* avx2, Run* avx512) {
    std::vector<KernelVariant<Run>> variants{{"x86-64", baseline}};
#if defined(__x86_64__)
    if (avx2 != nullptr && runsAvx2()) variants.push_back({"avx2", avx2});
    if (avx512 != nullptr && runsAvx512()) variants.push_back({"avx512", avx512});
#endif
    return variants;
}

// What the environment variable TALUS_KERNEL names; empty without it. Throws InputError for a name that is none.
inline std::string_view wantedVariant() {
    const char* set = std::getenv("TALUS_KERNEL");
    const std::string_view wanted = set == nullptr ? "" : set;
    for (const std::string_view known : {"", "x86-64", "avx2", "avx512"}) {
        if (wanted == known) return wanted;
    }
    throw InputError("TALUS_KERNEL: must be x86-64, avx2 or avx512, got '" + std::string(wanted) + "'");
}

// The one that is wanted, else, or where the machine has no such unit, the last.
template <class Run>
KernelVariant<Run> chosenVariant(const std::vector<KernelVariant<Run>>& variants) {
    const std::string_view wanted = wantedVariant();
    for (const KernelVariant<Run>& variant : variants) {
        if (wanted == variant.name) return variant;
    }
    return variants.back();
}

}  // namespace talus
