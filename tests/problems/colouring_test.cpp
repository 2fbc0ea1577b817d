#include "solvers/first_order/colouring.hpp"

#include <gtest/gtest.h>

#include <set>

#include "problems/sphere_problems.hpp"

namespace talus {
namespace {

BodyContacts pile() { return std::get<BodyContacts>(makeLatticePile({.jitter = 0.02}, 4, 3, 5).contacts); }

// One large sphere with this many small ones around it.
BodyContacts star(std::uint32_t arms) {
    BodyContacts contacts;
    contacts.inverseMass.assign(arms + 1, 1.0);
    contacts.inverseInertia.assign(arms + 1, 1.0);
    for (std::uint32_t k = 1; k <= arms; ++k) {
        contacts.contacts.push_back({{std::cos(0.01 * k), std::sin(0.01 * k), 0}, 1, 0.1, 0, k});
    }
    contacts.finish();
    return contacts;
}

template <class Contacts>
void expectEachContactOnce(const Colouring& colouring, const Contacts& contacts) {
    const std::set<std::uint32_t> seen(colouring.order().begin(), colouring.order().end());
    EXPECT_EQ(seen.size(), contacts.contactCount());
    EXPECT_EQ(colouring.order().size(), contacts.contactCount());
    EXPECT_EQ(colouring.end(colouring.colourCount() - 1), contacts.contactCount());
}

template <class Contacts>
void expectNoCommonBody(const Colouring& colouring, const Contacts& contacts) {
    for (std::size_t colour = 0; colour < colouring.colourCount(); ++colour) {
        if (colouring.isSequential(colour)) continue;
        std::set<std::uint32_t> moved;
        for (std::size_t k = colouring.begin(colour); k < colouring.end(colour); ++k) {
            contacts.forEachMovable(colouring.order()[k], [&](std::uint32_t body, std::uint32_t) {
                EXPECT_TRUE(moved.insert(body).second) << "body " << body << " twice in colour " << colour;
            });
        }
    }
}

TEST(Colouring, NoTwoContactsOfAColourMoveTheSameBody) {
    const BodyContacts spheres = pile();
    Colouring colouring;
    colouring.build(spheres);
    expectEachContactOnce(colouring, spheres);
    expectNoCommonBody(colouring, spheres);
    const BodyContacts bodies = asBlocks(spheres);
    colouring.build(bodies);
    expectEachContactOnce(colouring, bodies);
    expectNoCommonBody(colouring, bodies);
}

TEST(Colouring, NoTwoContactsOfAColourShareABlockOfTheMatrix) {
    const BlockMatrix matrix = asBlockMatrix(pile());
    Colouring colouring;
    colouring.build(matrix);
    expectEachContactOnce(colouring, matrix);
    for (std::size_t colour = 0; colour < colouring.colourCount(); ++colour) {
        const std::set<std::uint32_t> members(colouring.order().begin() + std::ptrdiff_t(colouring.begin(colour)),
                                              colouring.order().begin() + std::ptrdiff_t(colouring.end(colour)));
        for (const std::uint32_t i : members) {
            for (std::uint32_t k = matrix.rowStart[i]; k < matrix.rowStart[i + 1]; ++k) {
                EXPECT_TRUE(matrix.column[k] == i || !members.count(matrix.column[k]));
            }
        }
    }
}

TEST(Colouring, NeedsNotManyMoreColoursThanABodyHasContacts) {
    const BodyContacts spheres = pile();
    std::size_t most = 0;
    for (std::size_t body = 0; body < spheres.bodyCount(); ++body) {
        most = std::max(most, spheres.incidence().of(body).size());
    }
    Colouring colouring;
    colouring.build(spheres);
    EXPECT_LE(colouring.colourCount(), 2 * most);
}

TEST(Colouring, ContactsBeyondTheLastColourAreSolvedOneByOne) {
    const BodyContacts spheres = star(300);
    Colouring colouring;
    colouring.build(spheres);
    expectEachContactOnce(colouring, spheres);
    expectNoCommonBody(colouring, spheres);
    ASSERT_EQ(colouring.colourCount(), 257u);
    EXPECT_TRUE(colouring.isSequential(256));
    EXPECT_EQ(colouring.end(256) - colouring.begin(256), 44u);
}

TEST(Colouring, WallsTakeNoColourAway) {
    BodyContacts spheres = star(300);
    spheres.inverseMass[0] = spheres.inverseInertia[0] = 0;
    spheres.finish();
    Colouring colouring;
    colouring.build(spheres);
    EXPECT_EQ(colouring.colourCount(), 1u);
}

TEST(Colouring, IsTheSameEveryTimeAndKeepsTheListOrderWithinAColour) {
    Colouring first, second;
    second.build(star(300));
    first.build(pile());
    second.build(pile());
    EXPECT_EQ(first.order(), second.order());
    for (std::size_t colour = 0; colour < first.colourCount(); ++colour) {
        EXPECT_EQ(first.begin(colour), second.begin(colour));
        EXPECT_TRUE(std::is_sorted(first.order().begin() + std::ptrdiff_t(first.begin(colour)),
                                   first.order().begin() + std::ptrdiff_t(first.end(colour))));
    }
}

TEST(Colouring, OfNoContactsHasNoColours) {
    Colouring colouring;
    colouring.build(BodyContacts{});
    EXPECT_EQ(colouring.colourCount(), 0u);
}

}  // namespace
}  // namespace talus
