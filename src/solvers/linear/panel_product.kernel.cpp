// Compiled once per vector unit, with TALUS_VARIANT set to the name of the function to define; nothing here may leak
// into the program through a shared inline function (step/forces/grain_forces.kernel.cpp).
//
// Strips of 8 rows of A are copied to where they lie side by side, then met with strips of 6 columns of B: 48 sums in
// registers.
#include "solvers/linear/panel_product.hpp"

namespace talus {
namespace {

#if defined(__AVX512F__)
constexpr std::size_t lanes = 8;
#elif defined(__AVX__)
constexpr std::size_t lanes = 4;
#else
constexpr std::size_t lanes = 2;
#endif
constexpr std::size_t parts = stripRows / lanes;  // registers that a strip of rows takes

using Lanes = double __attribute__((vector_size(8 * lanes)));

inline Lanes load(const double* from) {
    Lanes value;
    __builtin_memcpy(&value, from, sizeof value);
    return value;
}
inline void store(const Lanes& value, double* to) { __builtin_memcpy(to, &value, sizeof value); }

inline void packRows(const PanelProductTask& task, std::size_t first, std::size_t count, double* strip) {
    for (std::size_t k = 0; k < task.depth; ++k) {
        const double* from = task.a.data + first + task.a.stride * k;
        double* to = strip + stripRows * k;
        for (std::size_t row = 0; row < stripRows; ++row) to[row] = row < count ? from[row] : 0.0;
    }
}

inline void packWholeRows(const PanelProductTask& task, std::size_t first, double* strip) {
    for (std::size_t k = 0; k < task.depth; ++k) {
        const double* from = task.a.data + first + task.a.stride * k;
        for (std::size_t part = 0; part < parts; ++part) {
            store(load(from + lanes * part), strip + stripRows * k + lanes * part);
        }
    }
}

// One strip of rows with one of columns.
inline void multiply(const double* a, const double* b, std::size_t depth, double* sums) {
    Lanes sum[stripColumns][parts] = {};
    for (std::size_t k = 0; k < depth; ++k, a += stripRows, b += stripColumns) {
#pragma GCC unroll 8
        for (std::size_t part = 0; part < parts; ++part) {
            const Lanes rows = load(a + lanes * part);
#pragma GCC unroll 8
            for (std::size_t column = 0; column < stripColumns; ++column) sum[column][part] += rows * b[column];
        }
    }
#pragma GCC unroll 8
    for (std::size_t column = 0; column < stripColumns; ++column) {
#pragma GCC unroll 8
        for (std::size_t part = 0; part < parts; ++part) {
            store(sum[column][part], sums + stripRows * column + lanes * part);
        }
    }
}

}  // namespace

[[gnu::flatten]] void TALUS_VARIANT(const PanelProductTask& task) {
    alignas(64) double strip[stripRows * longestStretch], sums[stripRows * stripColumns];
    for (std::size_t first = 0; first < task.rows; first += stripRows) {
        const std::size_t count = task.rows - first < stripRows ? task.rows - first : stripRows;
        if (count == stripRows) {
            packWholeRows(task, first, strip);
        } else {
            packRows(task, first, count, strip);
        }
        const double* b = task.packed;
        for (std::size_t column = 0; column < task.columns; column += stripColumns, b += stripColumns * task.depth) {
            multiply(strip, b, task.depth, sums);
            for (std::size_t j = 0; j < stripColumns && column + j < task.columns; ++j) {
                double* c = task.c.data + first + task.c.stride * (column + j);
                if (count == stripRows) {
                    for (std::size_t row = 0; row < stripRows; ++row) c[row] -= sums[stripRows * j + row];
                } else {
                    for (std::size_t row = 0; row < count; ++row) c[row] -= sums[stripRows * j + row];
                }
            }
        }
    }
}

}  // namespace talus
