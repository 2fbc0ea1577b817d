#include "command.hpp"

namespace talus::cli {

int report(const RunOutcome& outcome) {
    if (!outcome.message.empty()) say((outcome.status == "failed" ? "error: " : "") + outcome.message);
    say(fmt::format("{}; results in {}", outcome.status, outcome.folder.string()));
    if (outcome.signal != 0) return 128 + outcome.signal;
    return outcome.status == "finished" ? 0 : exitFailed;
}

}  // namespace talus::cli
