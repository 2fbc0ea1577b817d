// Compiled once per vector unit, with TALUS_VARIANT set to the name of the function to define; everything called here
// is inlined (see step/forces/grain_forces.kernel.cpp).
#include "contacts/narrow/ellipsoid/ellipsoid_batch.hpp"
#include "contacts/narrow/ellipsoid/ellipsoid_search.hpp"

namespace talus {
namespace {

inline Vector3<Pack> load3(const EllipsoidBatch::Row* rows) { return {load(rows[0]), load(rows[1]), load(rows[2])}; }
inline SymmetricOf<Pack> load6(const EllipsoidBatch::Row* rows) {
    return {load(rows[0]), load(rows[1]), load(rows[2]), load(rows[3]), load(rows[4]), load(rows[5])};
}
inline void store3(const Vector3<Pack>& v, EllipsoidBatch::Row* rows) {
    store(v.x, rows[0]);
    store(v.y, rows[1]);
    store(v.z, rows[2]);
}

inline Vector3<Pack> select3(const Mask& m, const Vector3<Pack>& yes, const Vector3<Pack>& no) {
    return {select(m, yes.x, no.x), select(m, yes.y, no.y), select(m, yes.z, no.z)};
}
inline SeparationOf<Pack> selectAll(const Mask& m, const SeparationOf<Pack>& yes, const SeparationOf<Pack>& no) {
    return {select3(m, yes.n, no.n),           select(m, yes.hA, no.hA),          select(m, yes.hB, no.hB),
            select3(m, yes.reachA, no.reachA), select3(m, yes.reachB, no.reachB), select(m, yes.s, no.s)};
}

}  // namespace

// Newton's step, and one more with the same second derivative; each only where the gradient is not small yet.
[[gnu::flatten]] void TALUS_VARIANT(EllipsoidBatch& batch) {
    const EllipsoidPairOf<Pack> pair{load6(batch.a), load6(batch.b), load3(batch.d)};
    SeparationOf<Pack> r = pair.along(load3(batch.normal));
    Vector3<Pack> gradient = pair.gradient(r);
    const Mask atStart = normSquared(gradient) <= r.smallSquare();
    const EllipsoidNewton<Pack> newton(pair, r);
    const Vector3<Pack> move = newton.step(gradient);
    const SeparationOf<Pack> first = pair.along(unitOf(r.n + move));
    gradient = pair.gradient(first);
    const Mask afterFirst = normSquared(gradient) <= first.smallSquare();
    const SeparationOf<Pack> second = pair.along(unitOf(first.n + newton.step(gradient)));
    const Mask afterSecond = normSquared(pair.gradient(second)) <= second.smallSquare();
    r = selectAll(atStart, r, selectAll(afterFirst, first, second));
    // Long steps have to be watched: not here.
    const Mask isShort = normSquared(move) <= Pack(shortStep * shortStep);
    batch.found = bits(atStart) | (bits(isShort) & (bits(afterFirst) | bits(afterSecond)));
    store3(r.n, batch.normal);
    store(r.s, batch.distance);
    store3(r.reachA, batch.reachA);
    store3(r.reachB, batch.reachB);
    const Pack curvature =
        curvatureAt(pair.a, load(batch.detA), r.reachA, r.hA) + curvatureAt(pair.b, load(batch.detB), r.reachB, r.hB);
    store(1.0 / curvature, batch.radius);
}

}  // namespace talus
