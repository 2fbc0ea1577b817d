// Conjugate gradients for A x = b, A symmetric and positive semidefinite, b within its range.
//
// From x = 0, to |r| <= tolerance |b| in the norm of the preconditioner. Sums are in a fixed order: the same bits for
// any number of threads.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "base/parallel.hpp"
#include "base/stop.hpp"

namespace talus {

struct ConjugateGradientsWorkspace {
    std::vector<double> rest, ready, along, product;
};

// matrix.apply(v, result): result = A v; matrix.precondition(v, result): result = M^-1 v. False if it takes more
// iterations.
template <class Matrix>
bool solveByConjugateGradients(const Matrix& matrix, const std::vector<double>& b, double tolerance,
                               std::uint64_t maxIterations, ConjugateGradientsWorkspace& ws, std::vector<double>& x) {
    const std::size_t n = b.size();
    const auto product = [&](const std::vector<double>& u, const std::vector<double>& v) {
        return parallelSum(n, 0.0, [&](std::size_t i) { return u[i] * v[i]; });
    };
    x.assign(n, 0.0);
    ws.rest = b;
    for (auto* v : {&ws.ready, &ws.product}) v->resize(n);
    matrix.precondition(ws.rest, ws.ready);
    ws.along = ws.ready;
    double size = product(ws.rest, ws.ready);
    const double enough = tolerance * tolerance * size;
    for (std::uint64_t iteration = 0; size > enough; ++iteration) {
        stopIfAsked();
        matrix.apply(ws.along, ws.product);
        const double curvature = product(ws.along, ws.product);
        if (iteration == maxIterations || !(curvature > 0) || !std::isfinite(size)) return false;
        const double length = size / curvature;
        parallelFor(n, [&](std::size_t i) {
            x[i] += length * ws.along[i];
            ws.rest[i] -= length * ws.product[i];
        });
        matrix.precondition(ws.rest, ws.ready);
        const double next = product(ws.rest, ws.ready), keep = next / size;
        parallelFor(n, [&](std::size_t i) { ws.along[i] = ws.ready[i] + keep * ws.along[i]; });
        size = next;
    }
    return true;
}

}  // namespace talus
