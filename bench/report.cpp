// Results as JSON for programs and as a table for people.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "io/results/reports.hpp"
#include "step/forces/grain_forces.hpp"
#include "talus/tools/bench.hpp"

namespace talus {
namespace {

using nlohmann::json;

json toJson(const BenchResult& r) {
    json fields = {{"name", r.name},
                   {"n", r.n},
                   {"threads", r.threads},
                   {"value", r.value},
                   {"unit", r.unit},
                   {"bytes_per_item", r.bytesPerItem},
                   {"contacts_per_item", r.contactsPerItem},
                   {"bytes_moved", r.bytesMoved},
                   {"bandwidth_share", r.bandwidthShare}};
    const bool compared = !r.peer.empty();
    fields["peer"] = compared ? json(r.peer) : json();
    fields["peer_value"] = compared ? json(r.peerValue) : json();
    fields["peer_bytes_per_item"] = compared ? json(r.peerBytesPerItem) : json();
    fields["ratio"] = compared ? json(r.ratio) : json();
    return fields;
}

std::string machineLines() {
    const MachineFacts m = machineFacts();
    return fmt::format("{}, {} core{}, {:.1f} GiB, {}\n{}, {}; inner loop {}\n\n", m.cpu, m.cores,
                       m.cores == 1 ? "" : "s", static_cast<double>(m.memoryBytes) / (1 << 30), m.system, m.compiler,
                       m.build, grainForceVariant().name);
}

std::string row(const BenchResult& r) {
    std::string line =
        fmt::format("{:22} {:>9} {:>7} {:>12.3g} {:>9.2f} {:>8.0f} {:>8.0f} {:>9.0f}%", r.name, r.n, r.threads, r.value,
                    r.contactsPerItem, r.bytesPerItem, r.bytesMoved, 100 * r.bandwidthShare);
    if (!r.peer.empty()) line += fmt::format("  {:.3g} ({}): ratio {:.2f}", r.peerValue, r.peer, r.ratio);
    return line + "\n";
}

}  // namespace

std::string benchAsJson(const std::vector<BenchResult>& results) {
    json list = json::array();
    for (const BenchResult& result : results) list.push_back(toJson(result));
    return list.dump(2) + "\n";
}

std::string benchAsTable(const std::vector<BenchResult>& results) {
    std::string table = machineLines();
    table += fmt::format("{:22} {:>9} {:>7} {:>12} {:>9} {:>8} {:>8} {:>10}  {}\n", "name", "items", "threads",
                         "items/s", "contacts", "bytes", "moved", "bandwidth", "peer");
    for (const BenchResult& result : results) table += row(result);
    table +=
        "\n"
        "items       packing, chute: grains; rigid, compatible: contacts; outlines: closest points or pairs of grains\n"
        "items/s     particle-steps, contact-iterations, contacts, points or pairs per second, the best of five "
        "rounds\n"
        "contacts    with other grains, per grain; of outlines points per pair\n"
        "bytes       peak memory of the process per item\n"
        "moved       bytes read and written per item in a step or iteration, estimated; bandwidth: as a share of what "
        "the memory gives\n";
    return table;
}

}  // namespace talus
