#include "collision/narrow/ellipsoid_batch.hpp"

#include "base/kernel_choice.hpp"

namespace talus {

void ellipsoidNormalsBaseline(EllipsoidBatch& batch);
#ifdef TALUS_KERNEL_VARIANTS
void ellipsoidNormalsAvx2(EllipsoidBatch& batch);
void ellipsoidNormalsAvx512(EllipsoidBatch& batch);
#endif

std::vector<EllipsoidVariant> runnableEllipsoidVariants() {
    std::vector<EllipsoidVariant> variants{{"x86-64", ellipsoidNormalsBaseline}};
#ifdef TALUS_KERNEL_VARIANTS
    if (hasAvx2()) variants.push_back({"avx2", ellipsoidNormalsAvx2});
    if (hasAvx512()) variants.push_back({"avx512", ellipsoidNormalsAvx512});
#endif
    return variants;
}

const EllipsoidVariant& ellipsoidVariant() {
    static const EllipsoidVariant chosen = chosenVariant(runnableEllipsoidVariants());
    return chosen;
}

}  // namespace talus
