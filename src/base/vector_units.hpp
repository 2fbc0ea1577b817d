// Inner loops that are compiled once per vector unit (cmake/kernels.cmake), and the choice among them at run time.
//
// All variants of a loop give the same bits: none may fuse or reorder operations.
#pragma once

#include <cstdlib>
#include <string_view>
#include <vector>

namespace talus {

template <class Run>
struct KernelVariant {
    const char* name;
    Run* run;
};

// Those of a loop that this machine can run, plainest first. Variants that were not compiled are null.
template <class Run>
std::vector<KernelVariant<Run>> runnableVariants(Run* baseline, Run* avx2, Run* avx512) {
    std::vector<KernelVariant<Run>> variants{{"x86-64", baseline}};
#if defined(__x86_64__)
    if (avx2 != nullptr && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) {
        variants.push_back({"avx2", avx2});
    }
    if (avx512 != nullptr && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        variants.push_back({"avx512", avx512});
    }
#endif
    return variants;
}

// The one named in the environment variable TALUS_KERNEL, else the last.
template <class Run>
KernelVariant<Run> chosenVariant(const std::vector<KernelVariant<Run>>& variants) {
    const char* wanted = std::getenv("TALUS_KERNEL");
    for (const KernelVariant<Run>& variant : variants) {
        if (wanted != nullptr && std::string_view(wanted) == variant.name) return variant;
    }
    return variants.back();
}

}  // namespace talus
