// Pairs that rest, and what is kept of pairs from step to step, change nothing but the time it takes.
#include "contacts/table/pair_watch.hpp"

#include <gtest/gtest.h>

#include "convex_samples.hpp"
#include "sample_meshes.hpp"
#include "step/step.hpp"
#include "touching_world.hpp"

namespace talus {
namespace {

constexpr double side = 2.2;  // m, of the periodic space

std::uint16_t addShape(WorldState& world, const Shape& shape) { return world.shapes.add(shape); }

// Bodies of all convex shapes and spheres around a turning ball of triangles, periodic along x and y.
WorldState crowdedWorld() {
    WorldState world = test::makeWorld();
    world.domain = {
        .low = {-side / 2, -side / 2, -10}, .high = {side / 2, side / 2, 10}, .periodic = {true, true, false}};
    std::vector<std::uint16_t> shapes{0, 0, 0};
    for (const auto& solid : samples::convexSolids()) shapes.push_back(addShape(world, solid.shape));
    Random random(5, 1);
    for (int k = 0; k < 150; ++k) {
        addBody(world, {.shape = shapes[static_cast<std::size_t>(k) % shapes.size()],
                        .radius = random.uniform(0.08, 0.15),
                        .position = random.inBox({-side / 2, -side / 2, -0.6}, {side / 2, side / 2, 0.6}),
                        .orientation = samples::randomOrientation(random),
                        .velocity = random.inBox({-1, -1, -1}, {1, 1, 1}),
                        .spin = random.inBox({-9, -9, -9}, {9, 9, 9})});
    }
    const MeshInPlace ball = makeMesh(ballMesh(3));
    addBody(world, {.shape = addShape(world, ball.shape), .radius = 0.3, .spin = {3, 2, 1}});
    return world;
}

bool samePoints(const ShapeCandidates& a, const ShapeCandidates& b) {
    const auto same = [](const ContactPoint& p, const ContactPoint& q) {
        return p.position == q.position && p.normal == q.normal && p.gap == q.gap && p.radius == q.radius &&
               p.feature == q.feature;
    };
    return a.pointStart == b.pointStart &&
           std::equal(a.point.begin(), a.point.end(), b.point.begin(), b.point.end(), same);
}

TEST(PairWatch, GivesTheSameBitsAsALookAtAllPairsInEachStep) {
    WorldState world = crowdedWorld();
    StepWorkspace workspace;
    const StepSettings settings{.dt = 5e-4};
    prepareStep(world, settings, workspace);
    std::size_t resting = 0, pairs = 0;
    for (int k = 0; k < 200; ++k) {
        WorldState again = world;
        StepWorkspace fresh;
        fresh.neighbours = workspace.neighbours;
        stepPenalty(world, settings, workspace);
        stepPenalty(again, settings, fresh);
        ASSERT_EQ(world.contacts.rebuilds, again.contacts.rebuilds);
        ASSERT_TRUE(samePoints(world.contacts.shapes, again.contacts.shapes)) << "step " << k;
        pairs += world.contacts.shapes.pair.size();
        for (std::size_t p = 0; p < world.contacts.shapes.pair.size(); ++p)
            resting += workspace.points.watch.rests(p, 0);
    }
    EXPECT_GT(resting, pairs / 4);
    EXPECT_GT(world.contacts.rebuilds, 2u);
}

// As a resume does, which begins with a look at the contacts it has.
TEST(ContactPoints, AreFoundAgainToTheLastBit) {
    WorldState world = crowdedWorld();
    StepWorkspace workspace;
    const StepSettings settings{.dt = 5e-4};
    prepareStep(world, settings, workspace);
    for (int k = 0; k < 50; ++k) {
        stepPenalty(world, settings, workspace);
        WorldState again = world;
        PointWorkspace fresh;
        updateContactPoints(again, 0, fresh);
        ASSERT_TRUE(samePoints(world.contacts.shapes, again.contacts.shapes)) << "step " << k;
    }
}

// Shaken within the skin for long, then the lists are built anew: what was kept of the mesh before must not be used.
TEST(PairWatch, FindsASphereOnAShakenMeshWhenListsAreBuiltAnew) {
    WorldState world = test::makeWorld();
    const MeshInPlace tray = makeSurface(sheetMesh(8, 1));
    addBody(world, {.shape = addShape(world, tray.shape), .radius = tray.shape.mesh->radius, .fixed = true});
    test::addSphere(world, {0.1, 0.2, 0.0995}, 0.1);
    StepWorkspace workspace;
    const StepSettings settings{.dt = 1e-6};
    prepareStep(world, settings, workspace);
    const std::size_t mesh = world.bodies.shape[0] == 0 ? 1 : 0;
    for (int k = 0; k < 400; ++k) {
        world.bodies.position[mesh].x = k % 2 == 0 ? 1e-3 : 0;
        updateContactPoints(world, 0, workspace.points);
        ASSERT_EQ(world.contacts.shapes.point.size(), 1u);
    }
    world.contacts.stale = true;
    WorldState again = world;
    StepWorkspace fresh;
    fresh.neighbours = workspace.neighbours;
    stepPenalty(world, settings, workspace);
    stepPenalty(again, settings, fresh);
    EXPECT_EQ(world.contacts.shapes.point.size(), 1u);
    EXPECT_TRUE(samePoints(world.contacts.shapes, again.contacts.shapes));
}

TEST(NearTriangles, GiveTheTouchesOfTheTreeWhileTheBallStaysNear) {
    Random random(3, 1);
    const MeshInPlace ball = makeMesh(ballMesh(3));
    const TriangleMesh& mesh = *ball.shape.mesh;
    for (int k = 0; k < 300; ++k) {
        const Vec3 centre = random.uniform(1.1, 1.4) * samples::randomDirection(random);
        NearTriangles near;
        gatherTriangles(mesh, centre, 0.5, near);
        const double moved = random.uniform(0, 0.1), reach = 0.4;
        const Vec3 now = centre + moved * samples::randomDirection(random);
        std::vector<MeshTouch> byTree, byNear;
        findTouches(mesh, now, reach, byTree);
        findTouches(mesh, near, moved, now, reach, byNear);
        ASSERT_EQ(byTree.size(), byNear.size());
        for (std::size_t t = 0; t < byTree.size(); ++t) {
            EXPECT_EQ(byTree[t].point, byNear[t].point);
            EXPECT_EQ(byTree[t].part, byNear[t].part);
        }
    }
}

}  // namespace
}  // namespace talus
