#include "run/run_memory.hpp"

#include "base/utf8.hpp"
#include "run/field_json.hpp"
#include "talus/error.hpp"

namespace talus {

std::string writeMemory(const RunMemory& memory) {
    RunMemory kept = memory;
    kept.sceneFolder = escapeBytes(memory.sceneFolder);
    // What people read may hold anything, and must not cost the checkpoint.
    return fieldsAsJson(kept).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

RunMemory readMemory(const std::string& text) {
    try {
        RunMemory memory;
        readFields(nlohmann::json::parse(text), memory);
        memory.sceneFolder = unescapeBytes(memory.sceneFolder);
        if (!(memory.course.dt > 0)) throw InputError("checkpoint: the length of its step is not positive");
        return memory;
    } catch (const nlohmann::json::exception& e) {
        throw InputError(std::string("checkpoint: its record of the run cannot be read: ") + e.what());
    }
}

}  // namespace talus
