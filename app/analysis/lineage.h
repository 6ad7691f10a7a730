// The lineage of a cell: which inputs went into it, how often each, and how.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "analysis/step_table.h"
#include "catalogue/reference.h"
#include "machine/run.h"
namespace lab::analysis {

// A cell of memory, wherever it lies. Indices are in the scalars of the array's elements.
struct MemoryCell {
    bool local = false;
    std::uint32_t launch = 0, group = 0;  // of local memory
    std::uint32_t array = 0;              // a buffer of the job; for local memory: an object
    std::uint64_t index = 0;

    bool operator==(const MemoryCell&) const = default;
};
// As it is called in texts: "out", and "out#2" for the second buffer of that name.
std::string buffer_name(const machine::Machine& machine, std::size_t buffer);
// "data[3]"; for local memory "buf/1[3]": of group 1.
std::string text_of(const machine::Machine& machine, const MemoryCell& cell);

// The cell that an access touches.
MemoryCell cell_of(const machine::Machine& machine, const machine::Action& action,
                   const machine::Access& access);

struct CellContents {
    machine::Scalar type = machine::Scalar::int_;
    std::uint64_t bits = 0;  // as registers hold values
    bool written = false;    // else it was never written, and the bits mean nothing
    machine::Node node = 0;
};
// Empty: no such cell in that state, since it is out of range or its group is not running.
std::optional<CellContents> contents_of(const machine::Machine& machine,
                                        const machine::State& state, const MemoryCell& cell);

// Counts of inputs in a value saturate here, since they can double at each step.
inline constexpr std::uint64_t kCountless = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t saturated_sum(std::uint64_t a, std::uint64_t b) {  // or kCountless
    return a > kCountless - b ? kCountless : a + b;
}

struct Ingredient {
    std::uint32_t buffer = 0, index = 0;
    std::uint64_t times = 0;
    bool operator==(const Ingredient&) const = default;
};

struct Composition {
    std::vector<Ingredient> inputs;  // by buffer and index, each at least once
    std::uint64_t unwritten = 0;     // uninitialised values
};
// For all values together. With operators that choose, such as max, what was compared.
Composition composition_of(const machine::Lineage& lineage, std::span<const machine::Node> values);

// Elements 0 to count - 1 of an input buffer, each of which should be in it once.
struct InputCoverage {
    std::vector<Ingredient> missing, repeated;
    std::uint64_t unwritten = 0;
};
InputCoverage account_of(const Composition& composition, std::uint32_t buffer, std::uint64_t count);

// The tree of a value's parts. Near the root it is whole.
struct Ancestry {
    struct Entry {
        machine::Node node = 0;           // 0: no input is in it; kUnwritten
        std::string value;                // as first read or stored; empty: neither
        std::size_t left = 0, right = 0;  // indices of later entries; 0: none
        bool cut = false;                 // its two parts are left out
    };
    std::vector<Entry> entries;  // the root first
    std::uint64_t left_out = 0;  // entries, or kCountless
};
// Values in the tree of what one is made of; the rest are counted.
inline constexpr std::size_t kMostEntries = 4096;
Ancestry ancestry_of(const machine::Run& run, machine::Node value, std::size_t most = kMostEntries);

// [{"input": "data[3]", "times": 2}, …]
nlohmann::json json_of(const machine::Machine& machine, const std::vector<Ingredient>& inputs);
// Nested: {"value": "9", "of": [{"input": "data[0]", "value": "7"}, …]}; "unwritten" and "cut" are
// true where they are. Values are texts, as they are shown.
nlohmann::json json_of(const machine::Machine& machine, const Ancestry& ancestry);

// Finds where an input that is missing from a result was lost.

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

inline constexpr std::size_t kMostLosses = 64;  // missing inputs; how more got lost is not traced

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

// The lineage of values as trees to draw: every part with its name and value, and which inputs are
// missing.

struct TreeNode {
    enum class Kind : std::uint8_t {
        combined,   // of left and right
        input,      // an element of an input buffer
        unwritten,  // uninitialised memory
        none,       // no input is in it, as in a constant
    } kind = Kind::none;
    std::string value;                // empty: only in registers, or never written
    std::string name;                 // of an input: "data[3]"
    std::uint64_t times = 0;          // of an input: how often it is in all roots together
    std::size_t left = 0, right = 0;  // indices of later nodes; 0: none, or left out
    std::uint64_t leaves = 1;         // below it, including those left out; or kCountless
};

struct TreeRoot {
    std::size_t node = 0;
    std::string cell;  // "out[0]"
};

struct LostInput {
    std::string name, value;
    Loss::Kind kind = Loss::Kind::never_read;
    std::string cell;  // where it was lost
    std::optional<AccessRef> stored, read, overwritten;
    bool explained = false;  // the fields before this one are set
};

struct LineageTree {
    std::vector<TreeNode> nodes;
    std::vector<TreeRoot> roots;
    std::vector<LostInput> lost;  // missing inputs
    std::uint64_t repeated = 0;   // inputs that are in it more than once
    std::uint64_t unwritten = 0;  // uninitialised values
    bool judged = false;          // it is known what should be in the roots, and
    bool right = false;           // whether the result is right
    Exactness exactness = {};     // of a right one
    std::string result, expected;
    bool chooses = false;  // the operator is min or max: being in it twice does no harm
};

// A cell of a state: its name, and the node of its value.
struct RootValue {
    std::string cell;
    machine::Node node = 0;
};

// At most about `most` nodes; those farthest from their roots are left out.
LineageTree lineage_tree(const machine::Run& run, std::span<const RootValue> roots,
                         std::size_t most = kMostEntries);
// The missing inputs, and where each was lost on the way to `result`.
std::vector<LostInput> lost_inputs(const machine::Run& run, std::span<const MemoryCell> result,
                                   std::span<const Ingredient> missing);

// Tells how values of a run arose: their depth, the work-items that combined, the memory used.

struct Work {
    std::uint64_t depth = 0;  // combinations on the longest way from an input to a value
    // Work-items and groups that stored a combination which went into a value, or is one.
    std::uint64_t items = 0, groups = 0;
    std::uint64_t local_loads = 0;  // lanes that read a part of a value from local memory
};
Work work_of(const machine::Run& run, std::span<const machine::Node> values);

// Counts what went into a cell of the step view: each input element, and how often.

struct CellCoverage {
    std::string cell, value;  // "data[4]"; empty: nobody has written it
    struct Input {
        std::string name, value;  // "in[3]"
        std::uint64_t times = 0;
    };
    std::vector<Input> inputs;    // all elements of the buffers that its value comes from, in order
    std::uint64_t unwritten = 0;  // uninitialised values
};

// The memory that a cell of a row stands for; empty if the row does not say whose it is.
std::optional<MemoryCell> memory_cell(const machine::Run& run, const Row& pass, std::size_t cell);

// At `time`, of a run with lineage. Empty if there is no such cell, or no input buffer.
std::optional<CellCoverage> cell_account(machine::Run& run, const MemoryCell& cell,
                                         std::uint64_t time);

}  // namespace lab::analysis
