// Work on bytes from strangers, done in a process of its own.
//
// Libraries believe what a file says of itself. One that is damaged, or made so with intent, lets them read and write
// where they should not, go round for ever or take all memory. Such work is done in a copy of this process that has
// limits and hands back plain bytes; when it breaks, that is an answer like any other.
//
//     IsolatedProcess reader([&](const Line& line) { ... line.send(...); }, {.memory = ..., .seconds = ...});
//     if (!reader.line().receive(...)) throw InputError("it " + reader.fault());
//
// The copy has one thread, so the work must not wait for others: no parallel loops, no locks that they may hold. It
// ends without running destructors or flushing anything, files that were open are closed in it, and what it would print
// goes nowhere. It cannot write files. When this object goes, the copy goes.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace talus {

// One end of a connection between two processes.
class Line {
public:
    explicit Line(int socket) : socket_(socket) {}

    // Whole or not at all: false if the other side is gone.
    bool send(std::span<const std::byte> bytes) const;
    bool receive(std::span<std::byte> bytes) const;

    // Values without pointers, as bits.
    template <class T>
    bool sendValue(const T& value) const {
        return send(std::as_bytes(std::span(&value, 1)));
    }
    template <class T>
    bool receiveValue(T& value) const {
        return receive(std::as_writable_bytes(std::span(&value, 1)));
    }

private:
    int socket_;
};

class IsolatedProcess {
public:
    struct Limits {
        std::uint64_t memory = 0;   // bytes, beyond what this process has now
        std::uint64_t seconds = 0;  // s of processor time
    };

    // Throws RunError if the machine allows no further process.
    IsolatedProcess(const std::function<void(const Line&)>& work, const Limits& limits);
    ~IsolatedProcess();
    IsolatedProcess(const IsolatedProcess&) = delete;
    IsolatedProcess& operator=(const IsolatedProcess&) = delete;

    Line line() const { return Line(socket_); }

    // Ends the conversation and waits: what happened to the copy, as in "it crashed (Segmentation fault)".
    std::string fault();

private:
    int socket_ = -1;
    pid_t process_ = -1;
};

}  // namespace talus
