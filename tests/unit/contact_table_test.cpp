// The contact table: three kinds of candidates in one numbering, and what they remember in one array per quantity.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "analytic/analytic_world.hpp"
#include "contacts/table/matching.hpp"
#include "contacts/table/neighbour_lists.hpp"
#include "contacts/table/shape_points.hpp"

namespace talus {
namespace {

constexpr double radius = 5e-3;  // m

const ContactMemory models[] = {SpringMemory{}, RigidMemory{}, ElasticMemory{}, YieldingMemory{}};

// Spheres side by side in a corner of floor and wall, with three boxes on top.
WorldState mixedWorld(const ContactMemory& model) {
    WorldState world = analytic::makeWorld({.kinds = {.normal = NormalLaw::hooke, .rolling = RollingLaw::spring},
                                            .contact = {.friction = 0.5, .stiffness = 1e4}});
    world.contacts.memory = model;
    world.shapes.add(BoxShape{{radius, radius, radius}});
    for (int k = 0; k < 16; ++k) {
        addBody(world, {.radius = radius, .position = {2 * radius * (k % 4), 2 * radius * (k / 4), radius}});
    }
    for (int k = 0; k < 3; ++k) {
        addBody(world,
                {.shape = 1, .radius = boundingRadius(world.shapes[1]), .position = {2 * radius * k, 0, 3 * radius}});
    }
    analytic::addFloor(world);
    world.shapes.add(PlaneWall{});
    addBody(world, {.shape = 3, .position = {-radius, 0, 0}, .orientation = rotationBy({0, 0.5 * M_PI, 0})});
    NeighbourWorkspace lists;
    PointWorkspace points;
    rebuildLists(world, lists);
    updateContactPoints(world, 1e-5, points);
    return world;
}

// Of a candidate: bodies by id, and which of those of the same two.
using Name = std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>;
Name nameOf(const Bodies& b, const SpherePair& c) { return {b.id[c.owner], b.id[c.partner], 0}; }
Name nameOf(const Bodies& b, const WallCandidate& c) { return {b.id[c.grain], b.id[b.grainCount + c.wall], c.face}; }
Name nameOf(const Bodies&, const PointOfPair& c) { return {c.pair.idA, c.pair.idB, c.point.feature}; }

template <class Visit>
void forEachCandidate(const WorldState& world, Visit&& visit) {
    for (std::size_t row = 0; row < world.contacts.rows(); ++row) forEachInRow(world.contacts, row, visit);
}

template <class Visit>
void forEachArray(ContactMemory& memory, Visit&& visit) {
    std::visit([&](auto& model) { visitArrays(visit, model); }, memory);
}

// A vector that tells the candidate, from the view of its owner.
Vec3 markOf(const Name& name) {
    const double a = std::get<0>(name), b = std::get<1>(name), which = static_cast<double>(std::get<2>(name) % 1000);
    return (a < b ? 1.0 : -1.0) * Vec3{1 + std::min(a, b), 1 + std::max(a, b), which};
}

template <class Remembered>
Vec3 vectorOf(const Remembered& value) {
    Vec3 found;
    withVectors(value, [&](const Vec3& v) { return found = v; });
    return found;
}

TEST(ContactTable, NumbersEveryCandidateOnceAndKeepsOneMemoryForEach) {
    for (const ContactMemory& model : models) {
        WorldState world = mixedWorld(model);
        const ContactTable& table = world.contacts;
        EXPECT_GT(table.firstWall(), 0u);
        EXPECT_GT(table.firstPoint(), table.firstWall());
        EXPECT_GT(table.size(), table.firstPoint());
        std::vector<std::uint32_t> numbers, all(table.size());
        forEachCandidate(world, [&](std::uint32_t number, const auto&) { numbers.push_back(number); });
        std::sort(numbers.begin(), numbers.end());
        std::iota(all.begin(), all.end(), 0u);
        EXPECT_EQ(numbers, all);
        forEachArray(world.contacts.memory, [&](const auto& array) { EXPECT_EQ(array.size(), all.size()); });
    }
}

TEST(ContactTable, KeepsWhatEachCandidateRemembersWhenAGrainAndAWallGo) {
    for (const ContactMemory& model : models) {
        WorldState world = mixedWorld(model);
        forEachCandidate(world, [&](std::uint32_t number, const auto& candidate) {
            const Vec3 mark = markOf(nameOf(world.bodies, candidate));
            forEachArray(world.contacts.memory, [&](auto& array) {
                array[number] = withVectors(array[number], [&](const Vec3&) { return mark; });
            });
        });
        const std::uint32_t before = world.contacts.size();
        std::vector<char> grains(world.bodies.grainCount, 0);
        grains[5] = 1;
        removeGrains(world, grains);
        removeWalls(world, {0, 1});
        NeighbourWorkspace lists;
        rebuildLists(world, lists);
        EXPECT_LT(world.contacts.size(), before);
        EXPECT_GT(world.contacts.size(), world.contacts.firstPoint());
        forEachCandidate(world, [&](std::uint32_t number, const auto& candidate) {
            const Vec3 mark = markOf(nameOf(world.bodies, candidate));
            forEachArray(world.contacts.memory,
                         [&](const auto& array) { EXPECT_EQ(vectorOf(array[number]), mark) << number; });
        });
    }
}

TEST(ContactTable, HandsMemoryFromPointToPointBehindThatOfSpheres) {
    for (const ContactMemory& model : models) {
        WorldState world = mixedWorld(model);
        std::map<Name, Vec3> marks;
        forEachCandidate(world, [&](std::uint32_t number, const auto& candidate) {
            const Name name = nameOf(world.bodies, candidate);
            const Vec3 mark = marks[name] = markOf(name);
            forEachArray(world.contacts.memory, [&](auto& array) {
                array[number] = withVectors(array[number], [&](const Vec3&) { return mark; });
            });
        });
        const auto second = static_cast<std::size_t>(std::find(world.bodies.id.begin(), world.bodies.id.end(), 17u) -
                                                     world.bodies.id.begin());
        world.bodies.position[second].z += 3 * radius;  // its points are lost, and others move up
        PointWorkspace points;
        const std::uint32_t before = world.contacts.size();
        updateContactPoints(world, 1e-5, points);
        EXPECT_LT(world.contacts.size(), before);
        std::size_t seen = 0;
        forEachCandidate(world, [&](std::uint32_t number, const auto& candidate) {
            const Name name = nameOf(world.bodies, candidate);
            forEachArray(world.contacts.memory, [&](const auto& array) {
                ASSERT_EQ(array.size(), world.contacts.size());
                EXPECT_LT(norm(vectorOf(array[number]) - marks.at(name)), 1e-9 * norm(marks.at(name)));
                ++seen;
            });
        });
        EXPECT_GT(seen, 30u);
    }
}

// ---- lists of fields

template <class T>
std::size_t bytesListed() {
    const auto size = []<class S, class M>(const Field<S, M>&) { return sizeof(M); };
    return std::apply([&](const auto&... field) { return (size(field) + ...); }, T::fields());
}

TEST(Fields, OfTheStateListEveryMember) {
    EXPECT_EQ(bytesListed<Bodies>(), sizeof(Bodies));
    EXPECT_EQ(bytesListed<GrainCandidates>(), sizeof(GrainCandidates));
    EXPECT_EQ(bytesListed<WallCandidates>(), sizeof(WallCandidates));
    EXPECT_EQ(bytesListed<ShapeCandidates>(), sizeof(ShapeCandidates));
    EXPECT_EQ(bytesListed<SpringMemory>(), sizeof(SpringMemory));
    EXPECT_EQ(bytesListed<RigidMemory>(), sizeof(RigidMemory));
    EXPECT_EQ(bytesListed<ElasticMemory>(), sizeof(ElasticMemory));
    EXPECT_EQ(bytesListed<YieldingMemory>(), sizeof(YieldingMemory));
    EXPECT_EQ(bytesListed<EnergyLedger>(), sizeof(EnergyLedger));
    EXPECT_EQ(bytesListed<Joints>() + sizeof(Joints::list), sizeof(Joints));
}

template <class T>
void flipABit(T& value) {
    *reinterpret_cast<unsigned char*>(&value) ^= 1;
}

TEST(StateHash, CountsEachArrayOfTheBodiesButNumbersOfPlaces) {
    WorldState world = mixedWorld(SpringMemory{});
    const std::uint64_t before = stateHash(world);
    int arrays = 0;
    visitFields(
        [&](const auto& field, auto& array) {
            if constexpr (isVector<std::remove_cvref_t<decltype(array)>>) {
                flipABit(array[3]);
                EXPECT_EQ(stateHash(world) == before, field.hashed == Hashed::no) << field.name;
                flipABit(array[3]);
                ++arrays;
            }
        },
        world.bodies);
    EXPECT_GE(arrays, 19);
    EXPECT_EQ(stateHash(world), before);
}

TEST(StateHash, CountsWhatActiveContactsRemember) {
    for (const ContactMemory& model : models) {
        WorldState world = mixedWorld(model);
        forEachArray(world.contacts.memory, [&](auto& array) {
            for (auto& value : array) value = withVectors(value, [](const Vec3&) { return Vec3{1, 2, 3}; });
        });
        if (world.contacts.keepsSprings()) {
            for (TangentSpring& spring : world.contacts.springs().tangent) spring.contactRadius = 1;
        }
        const std::uint64_t before = stateHash(world);
        forEachArray(world.contacts.memory, [&](auto& array) {
            for (const std::size_t k : {std::size_t{0}, std::size_t{world.contacts.firstWall()}, array.size() - 1}) {
                flipABit(array[k]);
                EXPECT_NE(stateHash(world), before) << k;
                flipABit(array[k]);
            }
        });
        EXPECT_EQ(stateHash(world), before);
    }
}

}  // namespace
}  // namespace talus
