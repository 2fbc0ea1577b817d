#include "run/signals.hpp"

#include <unistd.h>
#include <csignal>

#include "base/stop.hpp"

namespace talus {
namespace {

volatile std::sig_atomic_t caught = 0;

void remember(int signal) {
    if (caught != 0) _exit(128 + signal);
    caught = signal;
    askToStop();
}

}  // namespace

struct SignalWatch::Previous {
    struct sigaction interrupt, terminate;
};

SignalWatch::SignalWatch() : previous_(new Previous) {
    caught = 0;
    forgetStop();
    struct sigaction action {};
    action.sa_handler = remember;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(SIGINT, &action, &previous_->interrupt);
    sigaction(SIGTERM, &action, &previous_->terminate);
}

SignalWatch::~SignalWatch() {
    sigaction(SIGINT, &previous_->interrupt, nullptr);
    sigaction(SIGTERM, &previous_->terminate, nullptr);
    delete previous_;
}

int SignalWatch::received() const { return caught; }

}  // namespace talus
