#include "io/fclib/recognise_spheres.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr double roundOff = 1e-11;  // -, of the largest entry

template <std::size_t size>
bool isNear(const std::array<double, size>& a, const std::array<double, size>& b) {
    double largest = 0, difference = 0;
    for (std::size_t k = 0; k < size; ++k) {
        largest = std::max(largest, std::abs(b[k]));
        difference = std::max(difference, std::abs(a[k] - b[k]));
    }
    return difference <= roundOff * largest;
}

bool isSphere(const MassBlock& inverse) {
    MassBlock sphere{};
    for (std::size_t k = 0; k < 6; ++k) sphere[7 * k] = inverse[k < 3 ? 0 : 21];
    return inverse[0] > 0 && isNear(inverse, sphere);
}

struct Side {
    std::uint32_t body;
    JacobianBlock block;
};

// How far the contact is from the centre of the body at a side, along the normal; nothing if it is beside it.
std::optional<double> leverOf(const Side& side, const ContactFrame& frame, double sign) {
    if (side.body == BodyContacts::noBody) return 0;
    const Vec3 turning{side.block[9], side.block[10], side.block[11]};  // of the first tangent
    const double lever = -dot(turning, frame.second);
    const bool isSame = isNear(side.block, velocityBlock(frame, -sign * lever * frame.normal, sign));
    return isSame ? std::optional(lever) : std::nullopt;
}

// Side a has the sign of the file, b the other one.
std::optional<ContactRow> asRound(const Side& a, const Side& b, double sign) {
    const Vec3 normal = sign * Vec3{a.block[0], a.block[1], a.block[2]};
    if (!(std::abs(norm(normal) - 1) <= roundOff)) return std::nullopt;
    const ContactFrame frame = contactFrame(normal);
    const auto leverA = leverOf(a, frame, sign), leverB = leverOf(b, frame, -sign);
    if (!leverA || !leverB) return std::nullopt;
    if (sign > 0) return ContactRow{normal, *leverA, *leverB, a.body, b.body};
    return ContactRow{normal, *leverB, *leverA, b.body, a.body};
}

}  // namespace

std::optional<BodyContacts> recogniseSpheres(const BodyContacts& blocks) {
    BodyContacts spheres;
    for (std::size_t i = 0; i < blocks.bodyCount(); ++i) {
        const MassBlock inverse = blocks.inverseMassOf(i);
        if (!isSphere(inverse)) return std::nullopt;
        spheres.inverseMass.push_back(inverse[0]);
        spheres.inverseInertia.push_back(inverse[21]);
    }
    const std::uint32_t fixed = spheres.addFixed();
    for (std::size_t k = 0; k < blocks.contactCount(); ++k) {
        const ContactRow& row = blocks.contacts[k];
        if (blocks.kind(k) != RowKind::block || row.a == BodyContacts::noBody) return std::nullopt;
        const Side a{row.a, blocks.blockOf(k, 0)}, b{row.b, blocks.blockOf(k, 1)};
        auto round = asRound(a, b, 1);
        if (!round) round = asRound(a, b, -1);
        if (!round) return std::nullopt;
        for (std::uint32_t* body : {&round->a, &round->b}) {
            if (*body == BodyContacts::noBody) *body = fixed;
        }
        spheres.contacts.push_back(*round);
    }
    spheres.finish();
    return spheres;
}

}  // namespace talus
