#include "base/hash.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace talus {

struct Hash::State {
    XXH3_state_t xxh;
};

Hash::Hash() : state_(std::make_unique<State>()) { XXH3_64bits_reset(&state_->xxh); }
Hash::~Hash() = default;
void Hash::addBytes(const void* data, std::size_t size) { XXH3_64bits_update(&state_->xxh, data, size); }
std::uint64_t Hash::value() const { return XXH3_64bits_digest(&state_->xxh); }

}  // namespace talus
