# talus_precompiled(TARGET SET): headers that most files of a target include are parsed once. They are those of the
# standard library and fmt (`standard`), with those that one kind of target has besides. A file still includes what it
# uses: sanitizer and fuzz builds have no precompiled headers, so that a missing include is found there.
#
# Compilers take such headers only for the flags they were made with, so that there is a set for each speed.
option(TALUS_PRECOMPILED "Precompile headers of libraries" ON)
set(standard <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map> <memory> <numbers> <numeric>
  <optional> <set> <span> <string> <string_view> <utility> <variant> <vector> <fmt/format.h>)
set(TALUS_HEADERS_standard ${standard})
set(TALUS_HEADERS_io ${standard} <fstream> <nlohmann/json.hpp> <yaml-cpp/yaml.h>)
set(TALUS_HEADERS_cli ${standard} <CLI/CLI.hpp>)
set(TALUS_HEADERS_json ${standard} <fstream> <nlohmann/json.hpp>)
set(TALUS_HEADERS_tests ${standard} <fstream> <gtest/gtest.h> <nlohmann/json.hpp>)

function(talus_precompiled target set)
  if(NOT TALUS_PRECOMPILED OR TALUS_SANITIZE OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  get_property(owner GLOBAL PROPERTY TALUS_PRECOMPILED_${set})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${TALUS_HEADERS_${set}})
    set_property(GLOBAL PROPERTY TALUS_PRECOMPILED_${set} ${target})
  endif()
endfunction()
