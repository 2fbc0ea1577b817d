// The normals of sphere contacts as a matrix for iterative methods: F = D^T A^-1/2 without tangents and rotations,
// which frictionless spheres do not know. Three numbers per body, six per contact.
#pragma once

#include "talus/contact_rows.hpp"

namespace talus {

class SphereNormals {
public:
    void load(const BodyContacts& contacts);

    std::size_t contactCount() const { return rows_.size(); }
    std::size_t bodyNumbers() const { return 3 * bodies_; }

    // F^T f, three numbers per body.
    void gather(const std::vector<double>& impulses, std::vector<double>& bodies) const;

    // (F y)_i
    double velocity(const std::vector<double>& bodies, std::size_t contact) const {
        const Row& r = rows_[contact];
        return dot(r.ofA, at(bodies, r.a)) + dot(r.ofB, at(bodies, r.b));
    }

private:
    struct Row {
        Vec3 ofA, ofB;
        std::uint32_t a, b;
    };
    static Vec3 at(const std::vector<double>& bodies, std::size_t i) {
        return {bodies[3 * i], bodies[3 * i + 1], bodies[3 * i + 2]};
    }
    const Vec3& rowOf(const Incidence::Entry& e) const {
        return e.side() == 0 ? rows_[e.contact()].ofA : rows_[e.contact()].ofB;
    }

    std::vector<Row> rows_;
    Incidence incidence_;
    std::size_t bodies_ = 0;
};

}  // namespace talus
