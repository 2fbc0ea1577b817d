// Large arrays of the program on large pages.
//
// A step visits the arrays of all grains and, at each contact, places of the neighbour's. With pages of 4 KiB a scene
// of a million grains needs more of them than the processor keeps track of, and each visit first looks up the page.
// Debian gives pages of 2 MiB to those who ask. The program asks for every allocation of some pages or more; the
// library does not, since how memory is handed out is its user's to decide.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#include <sys/mman.h>

namespace {

constexpr std::size_t largePage = 2u << 20, fromSize = 4 * largePage;

// The arrays keep the places that malloc chooses: if all began at the start of a page, entries of one grain would
// compete for the same few lines of the caches.
void wishForLargePages(void* place, std::size_t size) {
    const auto begin = reinterpret_cast<std::uintptr_t>(place);
    const std::uintptr_t first = (begin + largePage - 1) / largePage * largePage;
    const std::uintptr_t last = (begin + size) / largePage * largePage;
    madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);  // if refused, all is as before
}

void* allocate(std::size_t size, std::size_t alignment) {
    if (alignment <= alignof(std::max_align_t)) return std::malloc(size ? size : 1);
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocateOrThrow(std::size_t size, std::size_t alignment) {
    for (;;) {
        if (void* place = allocate(size, alignment)) {
            if (size >= fromSize) wishForLargePages(place, size);
            return place;
        }
        const std::new_handler handler = std::get_new_handler();
        if (!handler) throw std::bad_alloc();
        handler();
    }
}

}  // namespace

// The array forms and those that do not throw call these.
void* operator new(std::size_t size) { return allocateOrThrow(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocateOrThrow(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* place) noexcept { std::free(place); }
void operator delete(void* place, std::size_t) noexcept { std::free(place); }
void operator delete(void* place, std::align_val_t) noexcept { std::free(place); }
void operator delete(void* place, std::size_t, std::align_val_t) noexcept { std::free(place); }
#endif
