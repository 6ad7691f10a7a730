// Looks for numbers with which a kernel goes wrong: by kinds of numbers that often do, then by
// those that reach what none has reached, made as few and as small as they can be.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/simulate.h"
#include "analysis/size_map.h"

namespace lab::analysis {

struct InputSearchOptions {
    // Rows of numbers that are tried before any is made smaller; no more are.
    std::size_t most_tries = 400;
    // The spec is a launch that somebody tells: for as many numbers no buffer is longer than it
    // says.
    bool lengths_are_told = false;
    const std::atomic<bool>* cancel = nullptr;
};

// Numbers that lead to a verdict.
struct FoundNumbers {
    ShapeJudgement judgement;
    std::vector<std::string> numbers;
    std::size_t tried = 0;                    // rows before this was found
    std::vector<std::string> arguments = {};  // of a form, with the numbers
};

// Counts how much of the kernel some row has reached.
struct ReachedCode {
    std::size_t lines = 0, all_lines = 0;        // that touch memory or wait
    std::size_t outcomes = 0, all_outcomes = 0;  // of conditions: each may hold, and may not
    std::size_t pairs = 0;  // of lines that conflict: two work-items meet at a cell, one writes
};

struct InputSearchResult {
    ShapeJudgement given;             // of the numbers that were asked for
    std::vector<FoundNumbers> found;  // one for each bad verdict, in the order of ShapeVerdict
    ReachedCode reached;
    std::size_t tried = 0, unjudged = 0;  // rows; of these, the effort was used up
    bool depends = false;                 // accesses, branches or divisions depend on the numbers
    std::vector<std::string> varied;      // of a form: the buffers that took other numbers
    bool cancelled = false;
};
void to_json(nlohmann::json& json, const InputSearchResult& result);
void from_json(const nlohmann::json& json, InputSearchResult& result);

// `spec`: by a header, whose input is replaced; or by a form, of which the numbers of buffers are
// varied that it fills and that the kernel only reads, or where they differ, and nothing else.
// Throws Problem if it cannot be launched as it is, or takes no numbers.
InputSearchResult search_inputs(const RunSpec& spec, const InputSearchOptions& options = {});

}  // namespace lab::analysis
