// Puts the recorded accesses of one launch in an order that explains what they read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lang/record.h"

namespace lab::simulation {

// Memory as accesses see it: of the launch's global objects, then of each group its local ones.
struct RecordedMemory {
    std::vector<std::uint8_t> bytes;
    std::vector<bool> known;  // else any value may be read: nobody wrote it yet

    // What would be read there by one who knows `value` of what nobody knows.
    std::uint64_t read(std::uint64_t offset, std::size_t size, std::uint64_t value) const;
};

struct RecordedPlaces {
    std::vector<std::size_t> blocks;  // by object: its first block in the memory
    std::vector<bool> of_group;       // by object: there is one for each group
    std::size_t per_group = 0;        // blocks from one group's to the next one's
};

struct TicketOrder {
    std::vector<std::uint32_t> order;  // indices of RecordedLaunch::accesses; complete if `found`
    bool found = false;
    bool tried_all = false;       // if not found: there is no other order
    std::uint32_t slack = 0;      // tickets by which an access may be later than it says
    std::uint64_t exchanged = 0;  // accesses that another with a later ticket goes before
    // If not found: a load that no order explained, as far as the search came.
    std::optional<std::uint32_t> unexplained;
    std::uint64_t in_memory = 0;  // what it would have read there
};

// The order keeps every item's own, and lets nobody pass a barrier before his group is there. An
// access goes before all those with a ticket past its end; where tickets leave it open, the search
// tries what explains the loads. If no order explains them, tickets are believed less and less.
// `memory` is that before the launch, and becomes that after it, if an order was found. `left`:
// what the device left in its first blocks, where that is known; of orders that explain the loads,
// one that leaves the same is taken if it is found.
TicketOrder order_by_tickets(const std::vector<lang::Site>& sites,
                             const lang::RecordedLaunch& launch, const RecordedPlaces& places,
                             std::vector<RecordedMemory>& memory,
                             const std::vector<std::vector<std::uint8_t>>& left = {});

}  // namespace lab::simulation
