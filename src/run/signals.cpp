#include "run/signals.hpp"

#include <unistd.h>

#include <array>
#include <csignal>

#include "base/stop.hpp"

namespace talus {
namespace {

volatile std::sig_atomic_t caught = 0, insisted = 0;

void remember(int signal) {
    // A terminal that goes away may send several of these, and a session that ends adds them to others.
    if (signal != SIGHUP) {
        if (insisted != 0) _exit(128 + signal);
        insisted = 1;
    }
    if (caught == 0) caught = signal;
    askToStop();
}

constexpr std::array watched{SIGINT, SIGTERM, SIGHUP};

}  // namespace

struct SignalWatch::Previous {
    std::array<struct sigaction, watched.size()> actions;
};

SignalWatch::SignalWatch() : previous_(new Previous) {
    caught = 0;
    insisted = 0;
    forgetStop();
    struct sigaction action {};
    action.sa_handler = remember;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    for (std::size_t k = 0; k < watched.size(); ++k) {
        sigaction(watched[k], &action, &previous_->actions[k]);
        // nohup asks for a run that outlives its terminal.
        const bool ignored = previous_->actions[k].sa_handler == SIG_IGN;
        if (watched[k] == SIGHUP && ignored) sigaction(SIGHUP, &previous_->actions[k], nullptr);
    }
}

SignalWatch::~SignalWatch() {
    for (std::size_t k = 0; k < watched.size(); ++k) sigaction(watched[k], &previous_->actions[k], nullptr);
    delete previous_;
}

int SignalWatch::received() const { return caught; }

bool isPoliteStop(int signal) {
    for (const int one : watched) {
        if (signal == one) return true;
    }
    return false;
}

}  // namespace talus
