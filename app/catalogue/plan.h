// A launch plan worked out for one n: every buffer and every launch of a reduction, ready for
// anything that can run kernels.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/shape.h"
#include "catalogue/variant.h"

namespace lab {

struct PlannedBuffer {
    std::string name;
    std::optional<Type> type;  // nothing: T
    std::uint64_t count = 0;   // elements
    Argument::Fill fill = Argument::Fill::none;
    bool constant = false;    // no launch writes it
    std::int64_t number = 0;  // of Fill::number
};

struct PlannedArgument {
    Argument::Kind kind = Argument::Kind::scalar;
    std::optional<Type> type;  // nothing: T
    std::size_t buffer = 0;    // of a buffer: its place in the plan
    std::uint64_t count = 0;   // of local memory: elements
    std::int64_t value = 0;    // of a scalar
};

struct Launch {
    std::vector<PlannedArgument> arguments;
    std::uint64_t global = 0, local = 0;  // work-items in all, and a group
    std::string variables;                // what the host counts, as "span = 2"; may be empty
    std::size_t shows = 0;                // the buffer that holds the values after this launch …
    std::uint64_t shows_count = 0;        // … and how many of its elements are values
};

struct Plan {
    std::vector<PlannedBuffer> buffers;
    std::vector<Launch> launches;
    // The buffer whose first element is the result; nothing where n is 0: the identity.
    std::optional<std::size_t> result;
    std::uint64_t depth = 0;  // combinations on the longest way from an element to the result
};

// `n` elements in groups of `group`, on a device of `units` compute units. Throws Problem (where =
// the variant's file) if the variant's header does not allow that n or group, or a toggle of
// `shape` is unknown.
Plan make_plan(const Variant& variant, const Shape& shape, std::uint64_t n, std::uint64_t group,
               std::uint64_t units);

// The kernel's text with the macros that it needs before it.
struct KernelText {
    std::string macros;  // whole lines
    std::string text;    // as in the file
    int macro_lines = 0;
    std::string file;  // for messages: kernels/relaunch.cl
};

// `element` overrides the lines that define T, COMBINE and IDENTITY.
KernelText kernel_text(const Variant& variant, const Shape& shape,
                       const std::optional<std::string>& element = {});

}  // namespace lab
