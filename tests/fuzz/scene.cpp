// Any text given as a scene is read or refused with an InputError; what is read is written and read again unchanged.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "talus/error.hpp"
#include "talus/scene.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    try {
        const talus::Scene scene = talus::parseScene(text, "scene.yaml", ".");
        const talus::Scene again = talus::parseScene(talus::writeScene(scene), "again.yaml", ".");
        if (talus::sceneAsJson(scene) != talus::sceneAsJson(again)) std::abort();
    } catch (const talus::InputError&) {
    }
    return 0;
}
