# talus_embed(TARGET FUNCTION file...): puts text files into TARGET, so that the program needs no files beside it. A
# source is generated at build time, again whenever a file changes, that defines
#   namespace talus { std::vector<std::pair<std::string_view, std::string_view>> FUNCTION(); }
# with one pair (name without folder, text) per file, in the order given. Whoever calls FUNCTION declares it.
#
# The same file is the script that writes the source: cmake -DOUTPUT=... -DFUNCTION=... -DFILES=... -P embed.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  set(entries "")
  foreach(file ${FILES})
    get_filename_component(name ${file} NAME)
    file(READ ${file} text)
    string(APPEND entries "        {\"${name}\", R\"embedded(${text})embedded\"},\n")
  endforeach()
  file(WRITE ${OUTPUT} "#include <string_view>
#include <utility>
#include <vector>

namespace talus {

std::vector<std::pair<std::string_view, std::string_view>> ${FUNCTION}();
std::vector<std::pair<std::string_view, std::string_view>> ${FUNCTION}() {
    return {
${entries}    };
}

}  // namespace talus
")
  return()
endif()

set(TALUS_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})
function(talus_embed target function)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/embedded_${function}.cpp)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DFUNCTION=${function} "-DFILES=${ARGN}" -P ${TALUS_EMBED_SCRIPT}
    DEPENDS ${ARGN} ${TALUS_EMBED_SCRIPT}
    COMMENT "Embedding files as ${function}()" VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
