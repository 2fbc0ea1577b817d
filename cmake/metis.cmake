# METIS (libmetis-dev) has no CMake package of its own.
find_path(METIS_INCLUDE_DIR metis.h)
find_library(METIS_LIBRARY metis)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)
if(NOT METIS_INCLUDE_DIR OR NOT METIS_LIBRARY)
  message(FATAL_ERROR "METIS is missing; the package is libmetis-dev")
endif()
add_library(Metis::metis UNKNOWN IMPORTED)
set_target_properties(Metis::metis PROPERTIES IMPORTED_LOCATION ${METIS_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${METIS_INCLUDE_DIR})
