// A run of a device whose accesses were recorded, replayed by the simulator.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "lang/record.h"
#include "simulation/simulate.h"

namespace lab::simulation {

struct RecordedRun {
    std::vector<lang::Site> sites;
    std::vector<lang::Watched> objects;
    std::vector<lang::RecordedLaunch> launches;
    // The job's buffers before and after the run; empty for those that nobody writes.
    std::vector<std::vector<std::byte>> before, after;
    std::string result;  // on the device
};

struct Replay {
    std::vector<machine::Turn> turns;  // of independent items, all groups at once
    std::uint64_t accesses = 0, barriers = 0;
    std::uint64_t exchanged = 0;  // as TicketOrder has it, over all launches; the next one, too
    std::uint32_t slack = 0;
    // Empty: each access found the same value in the same cell, and the memory and the result at
    // the end are the device's. Else what differs first.
    std::string difference;
    bool tried_all = false;  // if no order explains the loads: there is none
};

// The machine on which recorded runs are replayed.
Options replay_options(const catalogue::Target& target);

// "recorded on NAME, run 9,912": the name of such an order.
std::string recorded_name(const std::string& device, std::uint64_t run);

// What the simulator's run ends with, as RecordedRun::result has it.
using ResultAt = std::function<std::string(const machine::Machine&, const machine::State&)>;

// `job`: on the machine of replay_options(). Throws Problem if it cannot run it at all.
Replay replay(const machine::Job& job, const ResultAt& result_at, const RecordedRun& recorded,
              const std::atomic<bool>* cancel = nullptr);
// The same for a variant that was prepared with them.
Replay replay(const Prepared& ready, const RecordedRun& recorded,
              const std::atomic<bool>* cancel = nullptr);

}  // namespace lab::simulation
