# Inner loops compiled once per vector unit, chosen at run time (src/dynamics/grain_forces.hpp): one per layer, with the
# name of its function. Sanitizer builds and
# machines other than x86-64 have the plain variant only.
function(talus_kernel layer source name)
  set(variants Baseline)
  if(NOT TALUS_SANITIZE AND CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
    list(APPEND variants Avx2 Avx512)
    target_compile_definitions(talus_${layer} PRIVATE TALUS_KERNEL_VARIANTS)
  endif()
  set(flags_Baseline "")
  set(flags_Avx2 -march=haswell)
  # g++ 12 takes the "undefined" registers of its own AVX-512 header for a mistake.
  set(flags_Avx512 -march=skylake-avx512 -mprefer-vector-width=256 -Wno-maybe-uninitialized)
  foreach(variant ${variants})
    set(target talus_${layer}_${variant})
    add_library(${target} OBJECT ${source})
    target_compile_options(${target} PRIVATE -O3 ${flags_${variant}})
    target_compile_definitions(${target} PRIVATE TALUS_VARIANT=${name}${variant})
    target_include_directories(${target} PRIVATE ${CMAKE_SOURCE_DIR}/include ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${target} PRIVATE talus_flags)
    target_sources(talus_${layer} PRIVATE $<TARGET_OBJECTS:${target}>)
  endforeach()
endfunction()
