// The stiffness F^T S F + e of springs along the normals of sphere contacts (F: sphere_normals.hpp), for conjugate
// gradients: applied body by body in one pass, with the inverse of its blocks on the diagonal to precondition.
//
// Springs of a body lie together, 40 bytes each, so that no contact is looked up on the way.
#pragma once

#include "base/matrix3.hpp"
#include "talus/contact_rows.hpp"

namespace talus {

class SphereStiffness {
public:
    // One stiffness S per contact, 0 where none acts; e times the identity is added.
    void load(const BodyContacts& contacts, const std::vector<double>& springs, double e);

    void apply(const std::vector<double>& bodies, std::vector<double>& result) const;

    void precondition(const std::vector<double>& bodies, std::vector<double>& result) const;

private:
    struct Spring {
        Vec3 row;             // of F for this body, times sqrt(S)
        double ratio;         // the other body's row is -ratio times this one
        std::uint32_t other;  // body
    };
    void loadBody(const BodyContacts& contacts, const std::vector<double>& springs, std::size_t body);

    double e_ = 0;
    std::vector<std::size_t> first_;  // of each body's springs, and the end
    std::vector<Spring> springs_;
    std::vector<Mat3> inverses_;
};

}  // namespace talus
