// The global form of a contact problem: M v = H r + G l + f, u = H^T v + w, 0 = G^T v + b, and what is computed from
// it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "io/fclib/layout.hpp"
#include "io/fclib/sparse_matrix.hpp"
#include "talus/contact_rows.hpp"

namespace talus {

struct GlobalMatrices {
    SparseMatrix mass, contacts, bilateral;  // M, H, G
    std::vector<double> force;               // f
    std::vector<double> contactOffset;       // w
    std::vector<double> bilateralOffset;     // b
};

class GlobalSystem {
public:
    // Factorises M. Throws InputError if it has no inverse, or is symmetric but not positive definite.
    explicit GlobalSystem(GlobalMatrices matrices);
    ~GlobalSystem();
    GlobalSystem(const GlobalSystem&) = delete;
    GlobalSystem& operator=(const GlobalSystem&) = delete;

    const GlobalMatrices& matrices() const { return matrices_; }

    // q over the rows of r, then of l: [H G]^T M^-1 f + (w, b).
    std::vector<double> offset() const;

    // [H G]^T M^-1 [H G].
    SparseMatrix delassus() const;

    // v = M^-1 (H r + G l + f), r and l in one vector.
    std::vector<double> velocity(const std::vector<double>& reactions) const;

    // As bodies of three or six degrees of freedom, at most two per contact; none if it is not such a system.
    std::optional<BodyContacts> asBodies(const FclibLayout& layout) const;

private:
    struct Factor;
    GlobalMatrices matrices_;
    std::unique_ptr<Factor> factor_;
};

}  // namespace talus
