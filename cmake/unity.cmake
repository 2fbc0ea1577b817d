# talus_unity(TARGET [SIZE]): files of a target that are compiled together, SIZE at a time (default 8), since where no time is
# spent compiling takes longest to read headers. Such files see each other: what they hide in unnamed namespaces needs
# different names. TALUS_UNITY=OFF compiles each by itself, as the sanitizer and fuzz builds do, so that a missing include is
# found there.
option(TALUS_UNITY "Compile files together where no time is spent" ON)
function(talus_unity target)
  if(NOT TALUS_UNITY OR TALUS_SANITIZE OR TALUS_FUZZ)
    return()
  endif()
  set(size ${ARGN})
  if(NOT size)
    set(size 8)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${size})
endfunction()
