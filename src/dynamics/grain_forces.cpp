#include "dynamics/grain_forces.hpp"

#include <cstdlib>
#include <string_view>

namespace talus {

void grainForcesBaseline(GrainForceTask& task);
#ifdef TALUS_KERNEL_VARIANTS
void grainForcesAvx2(GrainForceTask& task);
void grainForcesAvx512(GrainForceTask& task);
#endif

std::vector<GrainForceVariant> runnableGrainForceVariants() {
    std::vector<GrainForceVariant> variants{{"x86-64", grainForcesBaseline}};
#ifdef TALUS_KERNEL_VARIANTS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) variants.push_back({"avx2", grainForcesAvx2});
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        variants.push_back({"avx512", grainForcesAvx512});
    }
#endif
    return variants;
}

const GrainForceVariant& grainForceVariant() {
    static const GrainForceVariant chosen = [] {
        const std::vector<GrainForceVariant> variants = runnableGrainForceVariants();
        const char* wanted = std::getenv("TALUS_KERNEL");
        for (const GrainForceVariant& variant : variants) {
            if (wanted != nullptr && std::string_view(wanted) == variant.name) return variant;
        }
        return variants.back();
    }();
    return chosen;
}

}  // namespace talus
