#include "solvers/linear/panel_product.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/stop.hpp"

namespace talus {

void panelProductBaseline(const PanelProductTask& task);
#ifdef TALUS_KERNEL_VARIANTS
void panelProductAvx2(const PanelProductTask& task);
void panelProductAvx512(const PanelProductTask& task);
#endif

namespace {

constexpr std::size_t rowsPerBlock = 64;    // of C, that a thread takes at a time
constexpr double workForThreads = 500'000;  // multiplications, from which on several of them pay

void pack(ConstPanel b, std::size_t columns, std::size_t depth, std::vector<double>& packed) {
    const std::size_t strips = (columns + stripColumns - 1) / stripColumns;
    packed.resize(std::max(packed.size(), strips * stripColumns * depth));
    double* to = packed.data();
    for (std::size_t first = 0; first < columns; first += stripColumns) {
        const std::size_t width = std::min(stripColumns, columns - first);
        for (std::size_t k = 0; k < depth; ++k) {
            for (std::size_t j = 0; j < stripColumns; ++j) *to++ = j < width ? b(first + j, k) : 0.0;
        }
    }
}

PanelProductKernel* chosenKernel() {
    static PanelProductKernel* const chosen = chosenVariant(runnablePanelProducts()).run;
    return chosen;
}

}  // namespace

std::vector<KernelVariant<PanelProductKernel>> runnablePanelProducts() {
#ifdef TALUS_KERNEL_VARIANTS
    return runnableVariants(panelProductBaseline, panelProductAvx2, panelProductAvx512);
#else
    return runnableVariants<PanelProductKernel>(panelProductBaseline, nullptr, nullptr);
#endif
}

void subtractProduct(Panel c, ConstPanel a, ConstPanel b, std::size_t rows, std::size_t columns, std::size_t depth,
                     PanelProductWorkspace& ws) {
    PanelProductKernel* const run = chosenKernel();
    for (std::size_t first = 0; first < depth; first += longestStretch) {
        stopIfAsked();
        const std::size_t stretch = std::min(longestStretch, depth - first);
        pack(b.at(0, first), columns, stretch, ws.packed);
        const auto work = [&](std::size_t begin, std::size_t end) {
            run({c.at(begin, 0), a.at(begin, first), ws.packed.data(), end - begin, columns, stretch});
        };
        if (static_cast<double>(rows) * static_cast<double>(columns * stretch) < workForThreads) {
            work(0, rows);
        } else {
            parallelBlocks((rows + rowsPerBlock - 1) / rowsPerBlock, [&](std::size_t block) {
                work(block * rowsPerBlock, std::min(rows, (block + 1) * rowsPerBlock));
            });
        }
    }
}

}  // namespace talus
