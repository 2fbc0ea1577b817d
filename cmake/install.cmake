# What `cmake --install` puts in place and `./dev package` packs: the program with its manual page and completions, the
# shared library with its headers, and what find_package(Talus) reads.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# --- the library: all layers in one file ---------------------------------------------------------------------------------
get_property(objects GLOBAL PROPERTY TALUS_OBJECTS)
get_property(libraries GLOBAL PROPERTY TALUS_LIBRARIES)
list(REMOVE_DUPLICATES libraries)
add_library(talus_shared SHARED ${objects})
target_link_libraries(talus_shared PRIVATE $<BUILD_INTERFACE:${libraries}>)
target_link_options(talus_shared PRIVATE -Wl,--version-script=${CMAKE_SOURCE_DIR}/cmake/library.map -Wl,-Bsymbolic)
target_include_directories(talus_shared INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(talus_shared INTERFACE cxx_std_20)
# Before 1.0 each minor version may break what is linked against the one before.
set_target_properties(talus_shared PROPERTIES OUTPUT_NAME talus EXPORT_NAME talus LINK_DEPENDS
  ${CMAKE_SOURCE_DIR}/cmake/library.map VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(config ${CMAKE_INSTALL_LIBDIR}/cmake/Talus)
install(TARGETS talus_shared EXPORT Talus LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT Talus FILE TalusTargets.cmake NAMESPACE Talus:: DESTINATION ${config})
configure_package_config_file(cmake/TalusConfig.cmake.in TalusConfig.cmake INSTALL_DESTINATION ${config})
write_basic_package_version_file(TalusConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/TalusConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/TalusConfigVersion.cmake
  DESTINATION ${config})
install(DIRECTORY include/talus DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")

# --- the program -----------------------------------------------------------------------------------------------------------
# talus_description(FORM FILE DESTINATION): what `talus describe FORM` prints, as an installed file.
function(talus_description form file destination)
  set(output ${CMAKE_BINARY_DIR}/share/${form}/${file})
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/share/${form})
  add_custom_command(OUTPUT ${output} COMMAND talus describe ${form} > ${output} DEPENDS talus VERBATIM)
  set_property(GLOBAL APPEND PROPERTY TALUS_DESCRIPTIONS ${output})
  install(FILES ${output} DESTINATION ${destination})
endfunction()
install(TARGETS talus RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
talus_description(man talus.1 ${CMAKE_INSTALL_MANDIR}/man1)
talus_description(bash talus ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
talus_description(zsh _talus ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
get_property(descriptions GLOBAL PROPERTY TALUS_DESCRIPTIONS)
add_custom_target(talus_descriptions ALL DEPENDS ${descriptions})
install(FILES LICENSE README.md CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)
install(FILES schema/scene.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/talus)

# --- the Debian package ------------------------------------------------------------------------------------------------------
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME talus)
set(CPACK_PACKAGE_CONTACT "The Talus developers <talus@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_PACKAGE_DESCRIPTION "Penalty DEM and contact dynamics in one program: the command talus, the shared library and its headers.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake, paraview")
include(CPack)
