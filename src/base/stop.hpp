// A request to stop that reaches long work in the middle.
//
//     const StopAllowed inHere;     // until the end of the scope
//     step(world, ...);             // throws Stopped soon after askToStop()
//
// What was being done is then left half done. Whoever allows it keeps what is needed to undo it, and catches Stopped.
// It counts for all threads of the process: one run at a time may allow it.
#pragma once

namespace talus {

class Stopped {};

// From any thread or signal handler.
void askToStop() noexcept;
void forgetStop() noexcept;

class StopAllowed {
public:
    StopAllowed();
    ~StopAllowed();
    StopAllowed(const StopAllowed&) = delete;
    StopAllowed& operator=(const StopAllowed&) = delete;

private:
    bool before_;
};

// Long work calls this between its parts, many times a second. Throws Stopped if a stop is asked for and allowed.
void stopIfAsked();

}  // namespace talus
