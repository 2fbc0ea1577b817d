#include "viewer/server/open_browser.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace talus::view {

void openBrowser(const std::string& url) {
    if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
    std::string program = "xdg-open", address = url;
    char* const arguments[] = {program.data(), address.data(), nullptr};
    pid_t process = 0;
    if (posix_spawnp(&process, program.c_str(), nullptr, nullptr, arguments, environ) != 0) return;
    std::thread([process] { waitpid(process, nullptr, 0); }).detach();
}

}  // namespace talus::view
