// Instruments a kernel: after every barrier it takes copies of the arrays it works on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lang/compile.h"
namespace lab::lang {

// A copied array: a kernel parameter that points to writable global memory or to local memory, or a
// local variable of the kernel.
struct Watched {
    std::string name;
    Space space = Space::global;
    bool is_parameter = false;
    std::size_t parameter = 0;  // of the kernel
    std::uint64_t bytes = 0;    // of a variable; a parameter's are known at launch only
};

struct Instrumented {
    Text text;  // with unchanged line numbers; insertions are explained by its macros
    std::vector<Watched> watched;
    std::size_t parameters = 0;  // the kernel's own; two more follow them
    bool at_end = false;         // one more snapshot, where the kernel ends
};

// After each barrier that a work-item passes, in functions too, the group copies all watched arrays
// between two extra barriers with both fences: the kernel waits longer, but nothing is ordered that
// was not before. Two arguments follow those of the kernel:
//
//   volatile global uint* head   [0] snapshots per group that there is room for, [1] bytes of one
//                                snapshot, [2 + k] bytes of watched array k, then for each group
//                                the snapshots it took: those beyond the room are only counted
//   global uchar* to             group after group, snapshot after snapshot, array after array
//
// A variable declared after the barrier is not copied there. If the kernel has no `return`, its end
// counts as a barrier too, so that local memory is known at the end.
//
// Throws Problem for errors in the text, or if it cannot be instrumented.
Instrumented instrument(const Text& text, std::string_view kernel = {});

}  // namespace lab::lang
