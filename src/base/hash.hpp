// A 64-bit hash (XXH3) of plain values, fed one after the other.
#pragma once

#include <cstdint>
#include <memory>
#include <type_traits>

namespace talus {

class Hash {
public:
    Hash();
    ~Hash();
    Hash(const Hash&) = delete;
    Hash& operator=(const Hash&) = delete;

    void addBytes(const void* data, std::size_t size);
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void add(const T& value) { addBytes(&value, sizeof value); }
    std::uint64_t value() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace talus
