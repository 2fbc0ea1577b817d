// SIGINT, SIGTERM and SIGHUP as a polite request: the run finishes its step, or undoes it if it is a long one
// (base/stop.hpp), and writes a checkpoint. A second SIGINT or SIGTERM ends the process at once.
#pragma once

namespace talus {

// Catches these signals while it lives and puts the previous handlers back afterwards. SIGHUP stays ignored if it was,
// as nohup has it.
class SignalWatch {
public:
    SignalWatch();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    // The first signal that came, or 0.
    int received() const;

private:
    struct Previous;
    Previous* previous_;
};

// Whether it is one of these.
bool isPoliteStop(int signal);

}  // namespace talus
