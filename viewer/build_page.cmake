# cmake -DNODE=... -DNPM=... -DSOURCE=viewer -DBUILD=FOLDER -DPAGE=FOLDER -P build_page.cmake
#
# Builds the page into PAGE: index.html, viewer.js, viewer.css. Work is done in BUILD, so that the sources stay as they
# are. What cannot be built is left empty, and missing.txt says why.
file(MAKE_DIRECTORY ${PAGE} ${BUILD})

function(leave_out reason)
  message(WARNING "the viewer's page is left out: ${reason}")
  foreach(file index.html viewer.js viewer.css)
    file(WRITE ${PAGE}/${file} "")
  endforeach()
  file(WRITE ${PAGE}/missing.txt "this program was built without the page that it would show: ${reason}; "
    "install node (20.19 or later, https://nodejs.org) with npm, and build again")
endfunction()

if(NOT NODE OR NOT NPM)
  leave_out("node or npm was missing")
  return()
endif()
execute_process(COMMAND ${NODE} --version OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE)
string(REGEX REPLACE "^v" "" version "${version}")
if(version VERSION_LESS 20.19)
  leave_out("node was of version ${version}")
  return()
endif()
foreach(file package.json package-lock.json tsconfig.json vite.config.ts)
  file(COPY ${SOURCE}/${file} DESTINATION ${BUILD})
endforeach()
file(REMOVE_RECURSE ${BUILD}/page)
file(COPY ${SOURCE}/page DESTINATION ${BUILD})

file(SHA256 ${BUILD}/package-lock.json wanted)
set(installed "")
if(EXISTS ${BUILD}/node_modules/.installed)
  file(READ ${BUILD}/node_modules/.installed installed)
endif()
if(NOT installed STREQUAL wanted)
  execute_process(COMMAND ${NPM} ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${BUILD} RESULT_VARIABLE failed
    OUTPUT_VARIABLE said ERROR_VARIABLE said TIMEOUT 300)
  if(failed)
    leave_out("npm could not fetch its parts")
    message("${said}")
    return()
  endif()
  file(WRITE ${BUILD}/node_modules/.installed "${wanted}")
endif()

# A mistake in the sources is an error, not a missing page.
execute_process(COMMAND ${NPM} run build --silent WORKING_DIRECTORY ${BUILD} RESULT_VARIABLE failed
  OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(failed)
  message(FATAL_ERROR "the viewer's page does not build:\n${said}")
endif()
foreach(file index.html viewer.js viewer.css)
  configure_file(${BUILD}/dist/${file} ${PAGE}/${file} COPYONLY)
  file(TOUCH_NOCREATE ${PAGE}/${file})
endforeach()
file(WRITE ${PAGE}/missing.txt "")
