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
    std::optional<Type> type;  // nothing: T
    std::uint64_t count = 0;   // elements
    Argument::Fill fill = Argument::Fill::none;
    bool constant = false;    // no launch writes it
    bool once = false;        // filled before the first run only
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
    std::uint64_t group = 0;  // work-items a group: as asked for, or what suits
    // The buffer whose first element is the result; nothing where n is 0: the identity.
    std::optional<std::size_t> result;
    std::uint64_t depth = 0;  // combinations on the longest way from an element to the result
    Expect expect = Expect::correct;   // of this shape
    std::uint64_t every = 1;           // of Expect::partial: how far apart the result's parts are
    std::uint64_t rounds = 0;          // of PlanKind::iterate: the result is all cells, see there
    std::optional<std::size_t> stuck;  // the buffer that is not 0 once a spin gave up
};

// What a plan may know of the device.
struct Target {
    std::uint64_t units = 1;        // compute units
    std::uint64_t max_group = 256;  // work-items a group
    bool cpu = true;
    std::uint64_t kernel_group = 256;  // the largest that suits the kernel: a power of two
};

// `n` elements in groups of shape.group. Throws Problem (where = the variant's file) if the
// variant's header does not allow that n or group, or a toggle of `shape` is unknown.
Plan make_plan(const Variant& variant, const Shape& shape, std::uint64_t n, const Target& target);

// The shape with small groups (4) where it asks for none, so that there are several to see; what
// suits the variant where it does not allow them.
Shape small_shape(const Variant& variant, Shape shape, std::uint64_t n, const Target& target);

// The value of each toggle, as chosen or by default. Throws Problem for one that is unknown.
std::map<std::string, std::string> toggle_settings(const Variant& variant, const Shape& shape);

// The kernel's text with the macros that it needs before it.
struct KernelText {
    std::string macros;  // whole lines
    std::string text;    // as in the file
    int macro_lines = 0;
    std::string file;              // for messages: kernels/relaunch.cl
    std::vector<Need> needs = {};  // of the device, with these toggles
};

// What the variant asks of a device with the shape's toggles. Throws Problem for an unknown one.
std::vector<Need> needs_of(const Variant& variant, const Shape& shape);

// `element` overrides the lines that define T, COMBINE and IDENTITY, and what else follows from T.
KernelText kernel_text(const Variant& variant, const Shape& shape,
                       const std::optional<std::string>& element = {});

}  // namespace lab::catalogue
