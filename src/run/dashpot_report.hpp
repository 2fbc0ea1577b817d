// Dashpots that the steps of a run did not bear as a whole (step/forces/dashpot_shares.hpp), for its summary.
//
// Contacts whose dashpots are held back lose less energy than their restitution says: grains bounce more. What a
// packing carries is the same (docs/time-stepping.md), so this is told, and no failure.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "base/fields.hpp"
#include "measure/contact_sample.hpp"
#include "step/forces/dashpot_shares.hpp"

namespace talus {

struct DashpotWatch {
    std::uint64_t steps = 0;     // at whose end dashpots had to be held back
    std::uint64_t bodies = 0;    // the most at once
    std::uint64_t contacts = 0;  // the most at one of the looks at the run as a whole
    double leastShare = 1;       // -, of a body's dashpots, each cut before to what its contact bears alone
    double cut = 0;              // -, what bodies lacked on average, summed over the steps

    void add(const HeldDashpots& held);
    void addContacts(const WorldState& world, const std::vector<ContactSample>& samples);

    static constexpr auto fields() {
        using W = DashpotWatch;
        return std::tuple{Field{"held_steps", &W::steps}, Field{"most_bodies", &W::bodies},
                          Field{"most_contacts", &W::contacts}, Field{"least_share", &W::leastShare},
                          Field{"cut", &W::cut}};
    }
};

// For the summary, of a run of so many steps.
nlohmann::json asResults(const DashpotWatch& watch, std::uint64_t steps);

// For people; empty if bodies had nearly all of their dashpots on average.
std::string describeHeldDashpots(const DashpotWatch& watch, std::uint64_t steps);

}  // namespace talus
