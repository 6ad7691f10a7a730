// Finds where an input that is missing from a result was lost.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <vector>

#include "analysis/lineage/lineage.h"

namespace lab::analysis {

// One access, as shown to the user.
struct AccessRef {
    std::uint64_t time = 0;              // the action's number
    std::uint64_t item = 0;              // global id
    std::uint32_t launch = 0, pass = 0;  // pass from 1: see PassNumbers
    std::uint32_t line = 0;
};

struct Loss {
    enum class Kind : std::uint8_t {
        never_read,      // no work-item read it
        read_too_early,  // `cell` was read for the result before the input was stored there
        overwritten,     // it was in `cell`, and a value without it was stored over it
        last_stored,     // it was stored in `cell` and never reached the result from there
        last_read,       // it was read from `cell`, and the computed value was never stored
    } kind = Kind::never_read;
    Ingredient input;  // 0 times
    MemoryCell cell;
    std::optional<AccessRef> stored;  // of a value with the input in it, to `cell`; none: it lay
                                      // there from the start
    std::optional<AccessRef> read;    // too early, or the last one
    std::optional<AccessRef> overwritten;  // by whom
};
const char* name_of(Loss::Kind kind);  // "never read", "read too early", …

inline constexpr std::size_t kMostLosses = 64;

// For each of `missing` (the first kMostLosses of them), which is in none of the cells of `result`
// as they are at the end of the run. From the result it goes back over the stores and loads that
// led to it: what a work-item loaded before it stored a value counts if it went into the result, or
// if no input was in it. The last of those loads whose cell held the input at another time, in an
// order that only the schedule decided, is where it was lost; the same on the way to what was
// stored too late for those loads. Where there is none such, it is the last whose cell held the
// input at another time at all; else the last that was seen of the input is told. Where an input
// can go several ways, as in a tree whose spare items go on adding, it is one of those ways.
std::vector<Loss> losses_of(const machine::Run& run, std::span<const MemoryCell> result,
                            std::span<const Ingredient> missing);

// With "kind", "input", "cell", and each moment as {"time", "item", "launch", "pass", "line"}.
nlohmann::json json_of(const machine::Machine& machine, const Loss& loss);

}  // namespace lab::analysis
