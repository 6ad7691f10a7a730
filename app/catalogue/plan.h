// A launch plan worked out for one n: every buffer and every launch of a reduction, ready for
// anything that can run kernels.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/shape.h"
#include "catalogue/variant.h"

namespace lab::catalogue {

struct PlannedBuffer {
    std::string name;
    std::optional<Type> type;  // empty: T
    std::uint64_t count = 0;   // elements
    Argument::Fill fill = Argument::Fill::none;
    bool constant = false;    // no launch writes it
    bool once = false;        // filled before the first run only
    std::int64_t number = 0;  // for Fill::number
};

struct PlannedArgument {
    Argument::Kind kind = Argument::Kind::scalar;
    std::optional<Type> type;  // empty: T
    std::size_t buffer = 0;    // for a buffer: its index in the plan
    std::uint64_t count = 0;   // for local memory: elements
    std::int64_t value = 0;    // for a scalar
};

struct Launch {
    std::vector<PlannedArgument> arguments;
    std::uint64_t global = 0, local = 0;  // work-items in total, per group
    std::string variables;                // the host's loop variable: "span = 2"; may be empty
    std::size_t shows = 0;                // the buffer with the values after this launch
    std::uint64_t shows_count = 0;        // elements of that buffer that are values
};

struct Plan {
    std::vector<PlannedBuffer> buffers;
    std::vector<Launch> launches;
    std::uint64_t group = 0;  // work-items per group: as requested, or a default
    // The buffer whose first element is the result; empty if n is 0: the result is the identity.
    std::optional<std::size_t> result;
    std::uint64_t depth = 0;  // combinations on the longest way from an element to the result
    Expect expect = Expect::correct;   // for this shape
    std::uint64_t every = 1;           // for Expect::partial: distance between the result's parts
    std::uint64_t rounds = 0;          // for PlanKind::iterate, where the result is all cells
    std::optional<std::size_t> stuck;  // the buffer that is not 0 once a spin gave up
};

// What a plan may know about the device.
struct Target {
    std::uint64_t units = 1;        // compute units
    std::uint64_t max_group = 256;  // work-items per group
    bool cpu = true;
    std::uint64_t kernel_group = 256;  // the largest that suits the kernel: a power of two
};

// `n` elements in groups of shape.group. Throws Problem (where = the variant's file) if the
// variant's header does not allow that n or group, or a toggle of `shape` is unknown.
Plan make_plan(const Variant& variant, const Shape& shape, std::uint64_t n, const Target& target);

// The shape with small groups (4) if it sets no size, so that there are several to see; if the
// variant does not allow 4, its default.
Shape small_shape(const Variant& variant, Shape shape, std::uint64_t n, const Target& target);

// The value of each toggle, as chosen or by default. Throws Problem for an unknown one.
std::map<std::string, std::string> toggle_settings(const Variant& variant, const Shape& shape);

// The kernel's text with the macros that it needs before it.
struct KernelText {
    std::string macros;  // whole lines
    std::string text;    // as in the file
    int macro_lines = 0;
    std::string file;              // for messages: kernels/relaunch.cl
    std::vector<Need> needs = {};  // from the device, with these toggles
};

// What the variant needs from a device with the shape's toggles. Throws Problem for an unknown one.
std::vector<Need> needs_of(const Variant& variant, const Shape& shape);

// `element` overrides the lines that define T, COMBINE, IDENTITY and all else that follows from T.
KernelText kernel_text(const Variant& variant, const Shape& shape,
                       const std::optional<std::string>& element = {});

}  // namespace lab::catalogue
