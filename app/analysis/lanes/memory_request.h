// One memory request of a warp in detail: which lane touched which bytes, and what it cost.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/lanes/traffic.h"
#include "machine/run.h"

namespace lab::analysis {

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

}  // namespace lab::analysis
