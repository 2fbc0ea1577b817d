#include "problem/contact_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "problem/falling_root.hpp"
#include "problem/plane_problem.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

void checkSize(const char* what, std::size_t size, std::size_t contacts) {
    if (size != contacts) throw InputError(fmt::format("{}: there are {} for {} contacts", what, size, contacts));
}

void checkSet(std::size_t i, const ReactionSet& s) {
    const auto fail = [&](const char* what, double value) {
        throw InputError(fmt::format("contact {}: {}, got {}", i, what, value));
    };
    if (!(s.friction >= 0 && std::isfinite(s.friction))) fail("friction must be >= 0", s.friction);
    if (!(s.cohesion >= 0 && std::isfinite(s.cohesion))) fail("cohesion must be >= 0 N s", s.cohesion);
    if (!(s.ball >= 0 && std::isfinite(s.ball))) fail("ball must be >= 0 N s", s.ball);
    if (!(s.cap > -s.cohesion || (s.cap == -s.cohesion && s.ball > 0))) fail("cap must lie above the apex", s.cap);
}

bool isFinite(const Mat3& a) {
    return std::all_of(a.m.begin(), a.m.end(), [](double value) { return std::isfinite(value); });
}

double determinant(const Mat3& a) { return dot(a * Vec3{1, 0, 0}, cross(a * Vec3{0, 1, 0}, a * Vec3{0, 0, 1})); }

// Symmetric, with no direction in which it would push; either to rounding.
void checkCompliance(std::size_t contact, const Mat3& e) {
    const double size = trace(e);
    bool isSound = isFinite(e) && size >= 0 && determinant(e) >= -1e-12 * size * size * size;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3;
        const double minor = e(i, i) * e(j, j) - e(i, j) * e(j, i);
        isSound &= e(i, i) >= 0 && minor >= -1e-12 * size * size && std::abs(e(i, j) - e(j, i)) <= 1e-9 * size;
    }
    if (!isSound) throw InputError(fmt::format("contact {}: its compliance is not symmetric and >= 0", contact));
}

// Its symmetric part positive definite; for half-lines, without a way from tangents to the normal.
void checkSkew(std::size_t contact, const ReactionSet& set, const Mat3& h) {
    const Mat3 s = 0.5 * (h + transpose(h));
    const double minor = s(0, 0) * s(1, 1) - s(0, 1) * s(0, 1);
    const bool isDefinite = isFinite(h) && s(0, 0) > 0 && minor > 0 && determinant(s) > 0;
    const bool isCoupled = !set.actsAcross() && (h(0, 1) != 0 || h(0, 2) != 0);
    if (isDefinite && !isCoupled) return;
    throw InputError(
        fmt::format("contact {}: its skew {}", contact,
                    isDefinite ? "ties normal and tangents, which needs friction" : "is not positive definite"));
}

// Bodies that are there, normals of unit length; finish() after the last contact.
void checkRows(const BodyContacts& op) {
    if (!op.isFinished()) throw InputError("contacts: finish() is missing after the last of them");
    for (std::size_t i = 0; i < op.contactCount(); ++i) {
        const ContactRow& c = op.contacts[i];
        const bool isBlock = op.kind(i) == RowKind::block;
        for (const std::uint32_t body : {c.a, c.b}) {
            if (body < op.bodyCount() || (isBlock && body == BodyContacts::noBody)) continue;
            throw InputError(fmt::format("contact {}: there is no body {}; there are {}", i, body, op.bodyCount()));
        }
        if (!isBlock && !(std::abs(norm(c.normal) - 1) < 1e-6)) {
            throw InputError(fmt::format("contact {}: its normal must have unit length, got {}", i, norm(c.normal)));
        }
    }
}
void checkRows(const BlockMatrix&) {}

// Coulomb's law for a capped or rounded cone: of all shifts of the convex problem the one that its own slip asks for.
Vec3 solveShifted(const ReactionSet& set, const Mat3& w, const Vec3& q) {
    const auto solution = [&](double shift) { return minimise(set, w, q + Vec3{shift, 0, 0}); };
    const auto missing = [&](double shift) { return slipShift(set, w * solution(shift) + q) - shift; };
    const double first = missing(0);
    return solution(first > 0 ? fallingRoot(missing, first) : 0.0);
}

}  // namespace

Mat3 ContactProblem::diagonal(std::size_t contact) const {
    const Mat3 w = std::visit([&](const auto& op) -> Mat3 { return op.diagonal(contact); }, contacts);
    return compliance.empty() ? w : w + compliance[contact];
}

const BodyContacts* roundContacts(const ContactProblem& p) {
    const auto* bodies = std::get_if<BodyContacts>(&p.contacts);
    return bodies != nullptr && bodies->isRound() ? bodies : nullptr;
}

Mat3 regularDiagonal(const ContactProblem& p, std::size_t contact) {
    Mat3 w = p.diagonal(contact);
    const double filler = trace(w) / 3, tiny = 1e-12 * filler;
    const double middle = 0.5 * (w(1, 1) + w(2, 2)), half = 0.5 * (w(1, 1) - w(2, 2));
    const double spread = std::hypot(half, w(1, 2));
    if (middle - spread > tiny) return w;
    // Of the principal tangents, those along which nothing moves.
    const double angle = 0.5 * std::atan2(w(1, 2), half);
    const Vec3 easy{0, std::cos(angle), std::sin(angle)}, hard{0, -easy.z, easy.y};
    w += filler * outer(hard, hard);
    if (middle + spread <= tiny) w += filler * outer(easy, easy);
    return w;
}

void validate(const ContactProblem& p) {
    const std::size_t contacts = std::visit([](const auto& op) { return op.contactCount(); }, p.contacts);
    std::visit([](const auto& op) { checkRows(op); }, p.contacts);
    checkSize("reaction sets", p.sets.size(), contacts);
    checkSize("offsets", p.offset.size(), contacts);
    if (!p.compliance.empty()) checkSize("compliances", p.compliance.size(), contacts);
    if (!p.skew.empty()) checkSize("skews", p.skew.size(), contacts);
    for (std::size_t i = 0; i < contacts; ++i) {
        checkSet(i, p.sets[i]);
        if (!p.compliance.empty()) checkCompliance(i, p.compliance[i]);
        if (!p.skew.empty()) checkSkew(i, p.sets[i], p.skew[i]);
        if (!talus::isFinite(p.offset[i])) throw InputError(fmt::format("contact {}: its offset is not finite", i));
        const Mat3 w = p.diagonal(i);
        if (!isFinite(w)) throw InputError(fmt::format("contact {}: its diagonal block is not finite", i));
        if (!(w(0, 0) > 0)) {
            throw InputError(fmt::format("contact {}: nothing there can move; its normal diagonal is {}", i, w(0, 0)));
        }
    }
}

void relativeVelocities(const ContactProblem& p, const std::vector<Vec3>& g, std::vector<Vec3>& u) {
    u.resize(p.contactCount());
    std::visit(
        [&](const auto& op) {
            typename std::remove_cvref_t<decltype(op)>::State state;
            op.start(g, state);
            parallelFor(u.size(), [&](std::size_t i) {
                u[i] = op.velocity(state, i) + p.offset[i] + p.complianceTimes(i, g[i]);
            });
        },
        p.contacts);
}

double slipShift(const ReactionSet& set, const Vec3& u) {
    return set.bilateral ? 0.0 : set.friction * std::sqrt(u.y * u.y + u.z * u.z);
}

Vec3 lawVelocity(const ContactProblem& p, FrictionLaw law, std::size_t contact, const Vec3& u) {
    Vec3 seen = p.skew.empty() ? u : p.skew[contact] * u;
    if (law == FrictionLaw::coulomb) seen.x += slipShift(p.sets[contact], seen);
    return seen;
}

Vec3 solveContact(const ReactionSet& set, FrictionLaw law, const Mat3& w, const Vec3& q) {
    if (law == FrictionLaw::associated || set.bilateral || set.friction == 0) return minimise(set, w, q);
    if (set.ball > 0 || std::isfinite(set.cap)) return solveShifted(set, w, q);
    // Seen from its apex a shifted cone is a plain one.
    const Vec3 apex{-set.cohesion, 0, 0};
    return apex + solveCoulomb(set.friction, w, q + w * apex);
}

}  // namespace talus
