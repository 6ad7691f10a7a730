// The lineage of values as trees to draw: every part with its name and value, and which inputs are
// missing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/lineage/lineage.h"
#include "analysis/rows/loss.h"
#include "base/exactness.h"
#include "machine/run.h"

namespace lab::analysis {

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

}  // namespace lab::analysis
