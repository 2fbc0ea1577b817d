// The browser of the user.
#pragma once

#include <string>

namespace talus::view {

// Opens it where there is a display; nothing happens elsewhere.
void openBrowser(const std::string& url);

}  // namespace talus::view
