#include "dynamics/grain_forces.hpp"

#include "base/kernel_choice.hpp"

namespace talus {

void grainForcesBaseline(GrainForceTask& task);
#ifdef TALUS_KERNEL_VARIANTS
void grainForcesAvx2(GrainForceTask& task);
void grainForcesAvx512(GrainForceTask& task);
#endif

std::vector<GrainForceVariant> runnableGrainForceVariants() {
    std::vector<GrainForceVariant> variants{{"x86-64", grainForcesBaseline}};
#ifdef TALUS_KERNEL_VARIANTS
    if (hasAvx2()) variants.push_back({"avx2", grainForcesAvx2});
    if (hasAvx512()) variants.push_back({"avx512", grainForcesAvx512});
#endif
    return variants;
}

const GrainForceVariant& grainForceVariant() {
    static const GrainForceVariant chosen = chosenVariant(runnableGrainForceVariants());
    return chosen;
}

}  // namespace talus
