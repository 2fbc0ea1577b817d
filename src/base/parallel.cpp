#include "base/parallel.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <thread>
#include <utility>

namespace talus {
namespace {

// Worker threads that sleep between loops. One loop at a time; blocks are handed out by a shared counter.
class Pool {
public:
    explicit Pool(int threads) {
        for (int k = 1; k < threads; ++k) workers_.emplace_back([this] { work(); });
    }
    ~Pool() {
        stop_.store(true);
        announce();
        for (std::thread& worker : workers_) worker.join();
    }
    int size() const { return static_cast<int>(workers_.size()) + 1; }

    void run(std::size_t blocks, const BlockBody& body) {
        body_ = &body;
        blocks_ = blocks;
        next_.store(0);
        failedBlock_ = blocks;
        running_.store(static_cast<int>(workers_.size()));
        announce();
        takeBlocks();
        waitForWorkers();
        if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    }

private:
    void announce() {
        epoch_.fetch_add(1);
        epoch_.notify_all();
    }

    void work() {
        std::uint32_t seen = 0;
        for (;;) {
            waitForChange(epoch_, seen);
            seen = epoch_.load();
            if (stop_.load()) return;
            takeBlocks();
            if (running_.fetch_sub(1) == 1) running_.notify_one();
        }
    }

    void takeBlocks() {
        for (std::size_t block; (block = next_.fetch_add(1)) < blocks_;) {
            try {
                (*body_)(block);
            } catch (...) {
                recordFailure(block);
            }
        }
    }

    void recordFailure(std::size_t block) {
        while (failureLock_.test_and_set()) {
        }
        if (block < failedBlock_) {
            failedBlock_ = block;
            failure_ = std::current_exception();
        }
        failureLock_.clear();
    }

    void waitForWorkers() {
        for (int left; (left = running_.load()) != 0;) waitForChange(running_, left);
    }

    // Spins for some microseconds (loops follow each other closely within a step), then sleeps.
    template <class T>
    static void waitForChange(std::atomic<T>& value, T old) {
        for (int spin = 0; spin < 4000; ++spin) {
            if (value.load(std::memory_order_acquire) != old) return;
#if defined(__x86_64__)
            __builtin_ia32_pause();
#endif
        }
        value.wait(old);
    }

    std::vector<std::thread> workers_;
    const BlockBody* body_ = nullptr;
    std::size_t blocks_ = 0;
    std::atomic<std::size_t> next_{0};
    std::atomic<std::uint32_t> epoch_{0};
    std::atomic<int> running_{0};
    std::atomic<bool> stop_{false};
    std::atomic_flag failureLock_;
    std::size_t failedBlock_ = 0;
    std::exception_ptr failure_;
};

std::unique_ptr<Pool>& pool() {
    static std::unique_ptr<Pool> instance = std::make_unique<Pool>(1);
    return instance;
}

}  // namespace

int setThreadCount(int threads) {
    if (threads <= 0) threads = std::max(1u, std::thread::hardware_concurrency());
    if (threads != pool()->size()) pool() = std::make_unique<Pool>(threads);
    return threads;
}

int threadCount() { return pool()->size(); }

void parallelBlocks(std::size_t blocks, const BlockBody& body) {
    if (blocks == 0) return;
    if (blocks == 1 || threadCount() == 1) {
        for (std::size_t block = 0; block < blocks; ++block) body(block);
        return;
    }
    pool()->run(blocks, body);
}

}  // namespace talus
