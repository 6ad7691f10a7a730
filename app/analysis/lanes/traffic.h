// The memory traffic of warps: sectors of global memory, bank conflicts of local memory.
//
// A request is a load, store or atomic instruction of a warp, with all lanes that take part; one
// per object if they touch several. Constant memory is left out.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "machine/run.h"

namespace lab::analysis {

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

}  // namespace lab::analysis
