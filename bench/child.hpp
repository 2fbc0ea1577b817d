// Work in processes of their own: a measurement forked off this program, or another program run beside it.
//
// Each process has its own peak memory, so what was made before a measurement does not count in it.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace talus {

struct ChildReport {
    std::string output;           // what the work returned
    std::uint64_t peakBytes = 0;  // largest resident memory of the process
};

// Runs `work` in a forked process and waits for it. Before that, this process gives up its worker threads, which a
// fork would not take along. A failure of the work, or its violent end, is thrown here as RunError.
ChildReport runInChild(const std::function<std::string()>& work);

// Runs a program (found on the PATH) in a folder, its output thrown away. The exit status is that of a shell:
// 128 + signal if a signal ended it, 127 if it could not be started.
struct ProgramReport {
    int exitStatus = 0;
    std::uint64_t peakBytes = 0;
};
ProgramReport runProgram(const std::vector<std::string>& command, const std::filesystem::path& folder);

// Plain values as bytes, to send them from a child.
template <class Value>
std::string toBytes(const std::vector<Value>& values) {
    static_assert(std::is_trivially_copyable_v<Value>);
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Value)};
}
template <class Value>
std::vector<Value> fromBytes(const std::string& bytes) {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::vector<Value> values(bytes.size() / sizeof(Value));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(Value));
    return values;
}

}  // namespace talus
