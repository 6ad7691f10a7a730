// One memory request of a warp in detail: which lane touched which bytes, and what it cost.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "machine/run.h"
namespace lab::analysis {

// The memory traffic of warps: sectors of global memory, bank conflicts of local memory.
//
// A request is a load, store or atomic instruction of a warp, with all lanes that take part; one
// per object if they touch several. Constant memory is left out.

// One request. Global memory comes in sectors, which lie in lines (Config::sector_bytes,
// line_bytes); every buffer begins at a line. Local memory is served by banks, which take turns by
// words (Config::banks, bank_bytes).
struct Request {
    bool local = false;
    std::uint64_t useful_bytes = 0;  // distinct: what several lanes read counts once
    // For global memory.
    std::uint64_t sectors = 0, lines = 0;  // distinct ones that were touched
    std::uint64_t ideal_sectors = 0;       // that useful_bytes would fill, at least 1
    // For local memory. The degree is the largest number of different words in one bank, as if the
    // whole request were served at once; a word that several lanes want is one (a broadcast), an
    // element wider than a word or a vector is several. That is an approximation: devices split
    // requests of 64 bits and more a lane into parts, which least_degree makes up for (words /
    // banks, rounded up: what cannot be less), and serve atomics of one word one by one.
    std::uint64_t degree = 0, least_degree = 0;
};
// For an action that loads, stores or is atomic, in global or local memory.
Request request_of(const machine::Run& run, const machine::Action& action);

// The requests of one line of the text to one array, of one kind, over all launches.
struct LineTraffic {
    std::string file, array;
    std::uint32_t line = 0;
    bool local = false;
    machine::ActionKind kind = machine::ActionKind::load;
    std::uint64_t requests = 0, useful_bytes = 0;
    std::uint64_t sectors = 0, lines = 0, ideal_sectors = 0;  // of global memory
    std::map<std::uint64_t, std::uint64_t> degrees;           // of local: requests by degree
    std::uint64_t turns = 0, least_turns = 0;                 // of local: the sums of degrees
};
// Least possible over actual sectors or bank cycles: above 0, to 1.
double efficiency(const LineTraffic& traffic);

struct Traffic {
    std::vector<LineTraffic> lines;  // in the order of the text
    LineTraffic global, local;       // totals, without file, array, line and kind
};

// For a run that was recorded with a trace.
Traffic traffic_of(const machine::Run& run);

// {"lines": [...], "global": {...}, "local": {...}}
void to_json(nlohmann::json& out, const Traffic& traffic);

struct LaneBytes {
    std::uint32_t lane = 0;
    std::uint64_t item = 0;  // global id
    std::uint64_t first = 0,
                  end = 0;  // bytes within the group's local memory, else within the buffer
};

// The most expensive request of a kernel or of one of its lines, with what is needed to draw it.
struct RequestDetail {
    Request cost;
    machine::ActionKind kind = machine::ActionKind::load;
    std::string file, text, array;  // text: the line of the kernel
    lang::ArrayShape shape;
    std::uint32_t line = 0;
    std::uint32_t launch = 0, group = 0, warp = 0;  // from 0
    std::uint32_t pass = 0;                         // from 1: see PassNumbers
    std::uint32_t warp_lanes = 0;                   // that the warp has
    IndexSpace space;                               // names work-items and groups
    std::uint32_t element_bytes = 4;
    std::uint64_t array_first = 0, array_end = 0;  // bytes, as in LaneBytes
    std::vector<LaneBytes> touched;
    std::uint32_t banks = 32, bank_bytes = 4, sector_bytes = 32, line_bytes = 128;
    std::uint64_t requests = 0,
                  costly = 0;  // of that line and array; those that cost more than needed
};

// The first request with the greatest cost beyond what was needed, in local memory if there is any,
// else in global memory. `line`: of the text; empty: any. Empty if there is none.
std::optional<RequestDetail> most_expensive_request(const machine::Run& run,
                                                    std::optional<std::uint32_t> line = {});

// The request of that action; empty if it is none.
std::optional<RequestDetail> request_at(const machine::Run& run, std::uint64_t time);

// The times of all requests, or of those in ranges of lines (first and last of each).
std::vector<std::uint64_t> request_times(
    const machine::Run& run, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& lines);

// Lines of the text with such requests, ascending.
std::vector<std::uint32_t> lines_with_requests(const machine::Run& run);

// Counts what each line of a kernel's text costs: how often work-items execute it, and its memory
// traffic.

struct LineCost {
    std::uint64_t hits = 0;      // by a work-item: a load, a store, an atomic or a barrier
    std::uint64_t requests = 0;  // of warps to memory
    // Sectors fetched (global memory) or bank cycles (local memory), and the least possible for
    // what was needed.
    std::uint64_t taken = 0, least = 0;
    std::uint64_t times = 0,
                  splits = 0;  // that a warp came to a condition, that it was split there
    std::uint64_t waits = 0;   // of a work-item at a barrier
};

// By line of the kernel's file. Needs a run with Recording::trace and, for splits, Recording::flow.
std::map<std::uint32_t, LineCost> line_costs(const machine::Run& run);

// Counts that explain what a run costs a device.
struct RunCosts {
    std::uint64_t idle = 0, offered = 0;  // lane-slots of warps' steps: those that do nothing, all
    std::uint64_t sectors = 0, least_sectors = 0;          // of global memory, of 32 bytes
    std::uint64_t lines = 0;                               // of 128 bytes
    std::uint64_t bank_cycles = 0, least_bank_cycles = 0;  // of local memory
    std::uint64_t barriers = 0;                            // that a group came to
    // The line of the text whose accesses take most beyond the least, else the one that splits
    // warps most often; 0: none does.
    std::uint32_t line = 0;
};
RunCosts costs_of(const machine::Run& run);  // with a trace and its flow

}  // namespace lab::analysis
