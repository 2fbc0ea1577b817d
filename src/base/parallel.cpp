#include "base/parallel.hpp"

#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace talus {
namespace {

// Worker threads that sleep between loops. Each thread has a share of a loop's blocks, the same part of the range in
// every loop, so that what it wrote in one loop is still in its cache in the next; when its share is done it helps with
// those of others. A loop is over when its blocks are done, whether or not every worker woke up in time to take one: a
// thread that the machine has no core for delays nobody.
//
// A share holds the number of the loop (high half) and its blocks not yet taken (low half). Taking a block is one
// compare-and-swap on both, so no one can take a block of a loop that has ended.
class Pool {
public:
    explicit Pool(int threads) : shares_(static_cast<std::size_t>(threads)) {
        for (std::size_t k = 1; k < shares_.size(); ++k) workers_.emplace_back([this, k] { work(k); });
    }
    ~Pool() {
        stop_.store(true);
        announce();
        for (std::thread& worker : workers_) worker.join();
    }
    int size() const { return static_cast<int>(workers_.size()) + 1; }

    void run(std::size_t blocks, const BlockBody& body) {
        body_ = &body;
        blocks_ = static_cast<std::uint32_t>(blocks);
        failedBlock_ = blocks_;
        unfinished_.store(blocks_);
        ++loop_;
        for (std::size_t k = 0; k < shares_.size(); ++k) {
            shares_[k].open.store(static_cast<std::uint64_t>(loop_) << 32 | (endOf(k) - beginOf(k)));
        }
        announce();
        takeBlocks(0);
        for (std::uint32_t left; (left = unfinished_.load()) != 0;) waitForChange(unfinished_, left);
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

private:
    struct alignas(64) Share {
        std::atomic<std::uint64_t> open{0};
    };
    std::uint64_t beginOf(std::size_t share) const { return std::uint64_t{blocks_} * share / shares_.size(); }
    std::uint64_t endOf(std::size_t share) const { return beginOf(share + 1); }

    void announce() {
        epoch_.fetch_add(1);
        epoch_.notify_all();
    }

    void work(std::size_t thread) {
        for (std::uint32_t seen = 0;;) {
            waitForChange(epoch_, seen);
            seen = epoch_.load();
            if (stop_.load()) return;
            takeBlocks(thread);
        }
    }

    // Those of the thread's own share first.
    void takeBlocks(std::size_t thread) {
        for (std::size_t k = 0; k < shares_.size(); ++k) takeBlocksOf((thread + k) % shares_.size());
    }

    void takeBlocksOf(std::size_t share) {
        std::atomic<std::uint64_t>& shared = shares_[share].open;
        std::uint64_t open = shared.load();
        while (static_cast<std::uint32_t>(open) != 0) {
            if (!shared.compare_exchange_weak(open, open - 1)) continue;
            runBlock(static_cast<std::uint32_t>(endOf(share) - static_cast<std::uint32_t>(open)));
            if (unfinished_.fetch_sub(1) == 1) unfinished_.notify_one();
            open = shared.load();
        }
    }

    void runBlock(std::uint32_t block) {
        try {
            (*body_)(block);
        } catch (...) {
            while (failureLock_.test_and_set()) {
            }
            if (block < failedBlock_) {
                failedBlock_ = block;
                failure_ = std::current_exception();
            }
            failureLock_.clear();
        }
    }

    // Spins for some microseconds (loops follow each other closely within a step), then sleeps.
    static void waitForChange(std::atomic<std::uint32_t>& value, std::uint32_t old) {
        for (int spin = 0; spin < 4000; ++spin) {
            if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
        value.wait(old);
    }

    std::vector<Share> shares_;
    std::vector<std::thread> workers_;
    const BlockBody* body_ = nullptr;
    std::uint32_t blocks_ = 0, loop_ = 0;
    std::atomic<std::uint32_t> unfinished_{0}, epoch_{0};
    std::atomic<bool> stop_{false};
    std::atomic_flag failureLock_;
    std::uint32_t failedBlock_ = 0;
    std::exception_ptr failure_;
};

std::unique_ptr<Pool>& pool() {
    static std::unique_ptr<Pool> instance = std::make_unique<Pool>(1);
    return instance;
}
std::atomic<int> poolSize{1};

// One loop at a time has the workers. A loop that another thread of the program begins meanwhile, or one within a loop,
// runs where it was called.
std::atomic_flag poolInUse;

class PoolUse {
public:
    PoolUse() : has_(!poolInUse.test_and_set(std::memory_order_acquire)) {}
    ~PoolUse() {
        if (has_) poolInUse.clear(std::memory_order_release);
    }
    PoolUse(const PoolUse&) = delete;
    PoolUse& operator=(const PoolUse&) = delete;

    bool has() const { return has_; }

private:
    bool has_;
};

// A forked process has none of the workers: it goes on alone, and leaves their memory as it is.
void goOnAlone() {
    static_cast<void>(pool().release());
    pool() = std::make_unique<Pool>(1);
    poolSize = 1;
    poolInUse.clear();
}

void replacePool(int threads) {
    [[maybe_unused]] static const int registered = pthread_atfork(nullptr, nullptr, goOnAlone);
    while (true) {
        const PoolUse use;
        if (!use.has()) {
            std::this_thread::yield();
            continue;
        }
        pool() = std::make_unique<Pool>(threads);
        poolSize = threads;
        return;
    }
}

}  // namespace

int setThreadCount(int threads) {
    if (threads <= 0) threads = std::max(1u, std::thread::hardware_concurrency());
    if (threads != poolSize) replacePool(threads);
    return threads;
}

int threadCount() { return poolSize; }

void parallelBlocks(std::size_t blocks, const BlockBody& body) {
    if (blocks == 0) return;
    if (blocks > 1 && poolSize > 1) {
        if (const PoolUse use; use.has()) return pool()->run(blocks, body);
    }
    for (std::size_t block = 0; block < blocks; ++block) body(block);
}

}  // namespace talus
