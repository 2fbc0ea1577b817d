// SIGINT and SIGTERM as a polite request: the run finishes its step, or undoes it if it is a long one (base/stop.hpp),
// and writes a checkpoint. A second one ends the process at once.
#pragma once

namespace talus {

// Catches the two signals while it lives and puts the previous handlers back afterwards.
class SignalWatch {
public:
    SignalWatch();
    ~SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;

    // The signal that came, or 0.
    int received() const;

private:
    struct Previous;
    Previous* previous_;
};

}  // namespace talus
