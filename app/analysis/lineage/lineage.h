// The lineage of a cell: which inputs went into it, how often each, and how.
#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

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
struct Account {
    std::vector<Ingredient> missing, repeated;
    std::uint64_t unwritten = 0;
};
Account account_of(const Composition& composition, std::uint32_t buffer, std::uint64_t count);

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
inline constexpr std::size_t kMostEntries = 4096;
Ancestry ancestry_of(const machine::Run& run, machine::Node value, std::size_t most = kMostEntries);

// [{"input": "data[3]", "times": 2}, …]
nlohmann::json json_of(const machine::Machine& machine, const std::vector<Ingredient>& inputs);
// Nested: {"value": "9", "of": [{"input": "data[0]", "value": "7"}, …]}; "unwritten" and "cut" are
// true where they are. Values are texts, as they are shown.
nlohmann::json json_of(const machine::Machine& machine, const Ancestry& ancestry);

}  // namespace lab::analysis
