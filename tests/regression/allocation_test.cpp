// A step works in memory it already has. Every allocation of this program is counted, whatever thread makes it.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "base/parallel.hpp"
#include "regression/allocation_count.hpp"
#include "regression/settling_world.hpp"
#include "step/step.hpp"

namespace {

std::atomic<std::uint64_t> allocations{0};

void* countedAllocation(std::size_t size, std::size_t alignment) {
    ++allocations;
    const std::size_t rounded = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

// Not inlined: where only the delete of a pair is, g++ takes its free() for one that does not belong to the new.
[[gnu::noinline]] void release(void* memory) noexcept { std::free(memory); }

}  // namespace

void* operator new(std::size_t size) { return countedAllocation(size, alignof(std::max_align_t)); }
void* operator new[](std::size_t size) { return countedAllocation(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return countedAllocation(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
    return countedAllocation(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete[](void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

std::uint64_t talus::allocationCount() { return allocations; }

namespace talus {
namespace {

// Largest number of allocations in a step that did not rebuild the lists; also counts these steps.
struct Count {
    std::uint64_t mostInAStep = 0, plainSteps = 0;
};

Count countAllocations(WorldState world, int threads, const StepSettings& settings) {
    setThreadCount(threads);
    StepWorkspace workspace;
    prepareStep(world, settings, workspace);
    stepPenalty(world, settings, workspace);
    Count count;
    for (int k = 0; k < 60; ++k) {
        const std::uint64_t before = allocations, rebuilds = world.contacts.rebuilds;
        stepPenalty(world, settings, workspace);
        if (world.contacts.rebuilds != rebuilds) continue;
        ++count.plainSteps;
        count.mostInAStep = std::max(count.mostInAStep, allocations - before);
    }
    setThreadCount(1);
    return count;
}

TEST(Step, AllocatesNothingAfterTheFirstOneUnlessListsAreRebuilt) {
    for (const int threads : {1, 2, 3}) {
        const Count count = countAllocations(test::makeFallingGrains({}), threads, {.dt = 1e-5});
        EXPECT_EQ(count.mostInAStep, 0u) << threads << " threads";
        EXPECT_GT(count.plainSteps, 20u);
    }
}

TEST(Step, AllocatesNothingWithMovingWallsAndStickyLaws) {
    WorldState world =
        test::makeFallingGrains({.kinds = {.rolling = RollingLaw::spring, .cohesion = CohesionLaw::jkr}});
    world.motions.push_back({SineMotion{{0, 0, 1e-4}, 30, 0}, {world.bodies.position.back(), {}}});
    world.bodies.motion.back() = 0;
    const Count count = countAllocations(world, 2, {.dt = 1e-5, .orientation = SphereOrientation::tracked});
    EXPECT_EQ(count.mostInAStep, 0u);
    EXPECT_GT(count.plainSteps, 20u);
}

TEST(Step, IsSeenToAllocateWhenListsAreRebuilt) {
    WorldState world = test::makeFallingGrains({});
    StepWorkspace workspace;
    prepareStep(world, {.dt = 1e-5}, workspace);
    world.contacts.stale = true;
    const std::uint64_t before = allocations;
    stepPenalty(world, {.dt = 1e-5}, workspace);
    EXPECT_GT(allocations, before);
}

}  // namespace
}  // namespace talus
