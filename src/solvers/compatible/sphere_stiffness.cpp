#include "solvers/compatible/sphere_stiffness.hpp"

#include <cmath>

#include "base/parallel.hpp"

namespace talus {
namespace {

constexpr double blunt =
    1e-6;  // -, of its trace that is added to a block before it is inverted: few springs leave it flat

Vec3 at(const std::vector<double>& bodies, std::size_t i) {
    return {bodies[3 * i], bodies[3 * i + 1], bodies[3 * i + 2]};
}

void put(const Vec3& v, std::size_t i, std::vector<double>& bodies) {
    bodies[3 * i] = v.x, bodies[3 * i + 1] = v.y, bodies[3 * i + 2] = v.z;
}

}  // namespace

void SphereStiffness::load(const BodyContacts& op, const std::vector<double>& springs, double e) {
    e_ = e;
    first_.assign(op.bodyCount() + 1, 0);
    for (std::size_t i = 0; i < op.bodyCount(); ++i) {
        std::size_t count = 0;
        for (const Incidence::Entry& entry : op.incidence().of(i)) count += springs[entry.contact()] > 0;
        first_[i + 1] = first_[i] + count;
    }
    springs_.resize(first_.back());
    inverses_.resize(op.bodyCount());
    parallelFor(op.bodyCount(), [&](std::size_t i) { loadBody(op, springs, i); });
}

void SphereStiffness::loadBody(const BodyContacts& op, const std::vector<double>& springs, std::size_t i) {
    Mat3 block = e_ * identity3();
    std::size_t k = first_[i];
    for (const Incidence::Entry& entry : op.incidence().of(i)) {
        const double s = springs[entry.contact()];
        if (!(s > 0)) continue;
        const ContactRow& c = op.contacts[entry.contact()];
        const std::uint32_t other = entry.side() == 0 ? c.b : c.a;
        const Vec3 row = std::sqrt(s * op.inverseMass[i]) * hadamard(op.linearFreedom, c.normal);
        springs_[k++] = {row, std::sqrt(op.inverseMass[other] / op.inverseMass[i]), other};
        block += outer(row, row);
    }
    const double trace = block(0, 0) + block(1, 1) + block(2, 2);
    inverses_[i] = inverse(block + (trace > 0 ? blunt * trace : 1.0) * identity3());
}

void SphereStiffness::apply(const std::vector<double>& bodies, std::vector<double>& result) const {
    parallelFor(inverses_.size(), [&](std::size_t i) {
        const Vec3 here = at(bodies, i);
        Vec3 sum = e_ * here;
        for (std::size_t k = first_[i]; k < first_[i + 1]; ++k) {
            const Spring& s = springs_[k];
            sum += dot(s.row, here - s.ratio * at(bodies, s.other)) * s.row;
        }
        put(sum, i, result);
    });
}

void SphereStiffness::precondition(const std::vector<double>& bodies, std::vector<double>& result) const {
    parallelFor(inverses_.size(), [&](std::size_t i) { put(inverses_[i] * at(bodies, i), i, result); });
}

}  // namespace talus
