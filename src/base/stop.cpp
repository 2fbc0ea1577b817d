#include "base/stop.hpp"

#include <atomic>

namespace talus {
namespace {

std::atomic<bool> asked{false}, allowed{false};
static_assert(std::atomic<bool>::is_always_lock_free, "for signal handlers");

}  // namespace

void askToStop() noexcept { asked.store(true); }
void forgetStop() noexcept { asked.store(false); }

StopAllowed::StopAllowed() : before_(allowed.exchange(true)) {}
StopAllowed::~StopAllowed() { allowed.store(before_); }

void stopIfAsked() {
    if (asked.load(std::memory_order_relaxed) && allowed.load()) throw Stopped{};
}

}  // namespace talus
