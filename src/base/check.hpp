// ENGINE_CHECK(condition): a promise the code makes to itself. Always on: it guards places outside inner loops.
#pragma once

#include <cstdio>
#include <cstdlib>

#define ENGINE_CHECK(condition)                                                                                  \
    do {                                                                                                         \
        if (!(condition)) {                                                                                      \
            std::fprintf(stderr, "talus: internal check failed: %s at %s:%d\n", #condition, __FILE__, __LINE__); \
            std::abort();                                                                                        \
        }                                                                                                        \
    } while (false)
