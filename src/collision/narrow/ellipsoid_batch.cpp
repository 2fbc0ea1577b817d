#include "collision/narrow/ellipsoid_batch.hpp"

namespace talus {

void ellipsoidNormalsBaseline(EllipsoidBatch& batch);
#ifdef TALUS_KERNEL_VARIANTS
void ellipsoidNormalsAvx2(EllipsoidBatch& batch);
void ellipsoidNormalsAvx512(EllipsoidBatch& batch);
#endif

std::vector<EllipsoidKernel> runnableEllipsoidKernels() {
    std::vector<EllipsoidKernel> kernels{ellipsoidNormalsBaseline};
#ifdef TALUS_KERNEL_VARIANTS
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2")) kernels.push_back(ellipsoidNormalsAvx2);
    if (__builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
        kernels.push_back(ellipsoidNormalsAvx512);
    }
#endif
    return kernels;
}

EllipsoidKernel ellipsoidKernel() {
    static const EllipsoidKernel chosen = runnableEllipsoidKernels().back();
    return chosen;
}

}  // namespace talus
