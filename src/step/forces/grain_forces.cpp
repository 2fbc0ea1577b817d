#include "step/forces/grain_forces.hpp"

namespace talus {

void grainForcesBaseline(GrainForceTask& task);
#ifdef TALUS_KERNEL_VARIANTS
void grainForcesAvx2(GrainForceTask& task);
void grainForcesAvx512(GrainForceTask& task);
#endif

std::vector<GrainForceVariant> runnableGrainForceVariants() {
#ifdef TALUS_KERNEL_VARIANTS
    return runnableVariants(grainForcesBaseline, grainForcesAvx2, grainForcesAvx512);
#else
    return runnableVariants<GrainForceKernel>(grainForcesBaseline, nullptr, nullptr);
#endif
}

const GrainForceVariant& grainForceVariant() {
    static const GrainForceVariant chosen = chosenVariant(runnableGrainForceVariants());
    return chosen;
}

}  // namespace talus
