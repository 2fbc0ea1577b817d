#include "contacts/narrow/ellipsoid/ellipsoid_batch.hpp"

namespace talus {

void ellipsoidNormalsBaseline(EllipsoidBatch& batch);
#ifdef TALUS_KERNEL_VARIANTS
void ellipsoidNormalsAvx2(EllipsoidBatch& batch);
void ellipsoidNormalsAvx512(EllipsoidBatch& batch);
#endif

std::vector<EllipsoidVariant> runnableEllipsoidVariants() {
#ifdef TALUS_KERNEL_VARIANTS
    return runnableVariants(ellipsoidNormalsBaseline, ellipsoidNormalsAvx2, ellipsoidNormalsAvx512);
#else
    return runnableVariants<EllipsoidKernel>(ellipsoidNormalsBaseline, nullptr, nullptr);
#endif
}

const EllipsoidVariant& ellipsoidVariant() {
    static const EllipsoidVariant chosen = chosenVariant(runnableEllipsoidVariants());
    return chosen;
}

}  // namespace talus
