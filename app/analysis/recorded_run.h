// A run of a device whose accesses were recorded, replayed by the simulator.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/simulate.h"
#include "lang/record.h"
namespace lab::analysis {

struct RecordedRun {
    std::vector<lang::Site> sites;
    std::vector<lang::Watched> objects;
    std::vector<lang::RecordedLaunch> launches;
    // The job's buffers before and after the run; empty for those that nobody writes.
    std::vector<std::vector<std::byte>> before, after;
    std::string result;  // on the device
};

struct Replay {
    std::vector<machine::ScheduleSlice> turns;  // of independent items, all groups at once
    std::uint64_t accesses = 0, barriers = 0;
    std::uint64_t exchanged = 0;  // as TicketOrder has it, over all launches; the next one, too
    std::uint32_t slack = 0;
    // Empty: each access found the same value in the same cell, and the memory and the result at
    // the end are the device's. Else what differs first.
    std::string difference;
    // The difference where it is a value: its cell, of which group if that is local, and both
    // values.
    struct Value {
        std::size_t launch = 0;
        std::string array;
        std::int64_t in_group = -1;
        std::uint64_t cell = 0;
        std::string device, simulator;
    };
    std::optional<Value> differs;
    bool tried_all = false;  // if no order explains the loads: there is none
};

// The machine on which recorded runs are replayed: that of `asked`, but of independent items, all
// groups at once.
SimulatorOptions replay_options(const catalogue::Target& target,
                                const machine::MachineShape& asked = {});

// "recorded on NAME, run 9,912": the name of such an order.
std::string recorded_name(const std::string& device, std::uint64_t run);

// `job`: on the machine of replay_options(). Its result is as ending_of() has it, without prints.
// Throws Problem if it cannot run it at all.
Replay replay(const machine::Job& job, const RecordedRun& recorded,
              const std::atomic<bool>* cancel = nullptr);

// Puts the recorded accesses of one launch in an order that explains what they read.

// Memory as accesses see it: of the launch's global objects, then of each group its local ones.
struct RecordedMemory {
    std::vector<std::uint8_t> bytes;
    std::vector<bool> known;  // else any value may be read: nobody wrote it yet

    // Returns what would be read there if the unknown value were `value`.
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

}  // namespace lab::analysis
