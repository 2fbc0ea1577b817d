# Compiler flags of every target, in one place.
add_library(talus_flags INTERFACE)
target_compile_options(talus_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wno-missing-field-initializers -Wno-psabi)
# Two warnings of g++ 12 that see ghosts in std::string and fmt at -O3.
target_compile_options(talus_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-stringop-overflow>)
# Warnings are errors with the compiler we use; what another one finds besides does not stop it.
target_compile_options(talus_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Werror>)
# No contraction to fused multiply-add: the same bits whichever inner loop is chosen.
target_compile_options(talus_flags INTERFACE -ffp-contract=off -fno-math-errno)
# Nobody replaces functions of the shared library by others of the same name.
target_compile_options(talus_flags INTERFACE -fno-semantic-interposition)
if(TALUS_NATIVE)
  target_compile_options(talus_flags INTERFACE -march=native)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
  target_compile_options(talus_flags INTERFACE -include ${PROJECT_SOURCE_DIR}/cmake/field_deduction.hpp)
endif()
if(TALUS_SANITIZE)
  target_compile_options(talus_flags INTERFACE -fsanitize=${TALUS_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(talus_flags INTERFACE -fsanitize=${TALUS_SANITIZE})
  # Sanitizers hide from g++ 12 that some members are set.
  target_compile_options(talus_flags INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
  if(TALUS_SANITIZE MATCHES "undefined")
    target_compile_options(talus_flags INTERFACE -fno-sanitize-recover=undefined)
  endif()
endif()
find_program(CCACHE ccache)
if(CCACHE)
  # Without this ccache leaves files with precompiled headers alone.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()
