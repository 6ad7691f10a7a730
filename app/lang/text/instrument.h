// The same kernel with copies of what it works on taken after every barrier.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lang/text/compile.h"

namespace lab::lang {

// An array that is copied: a pointer parameter of the kernel to global memory that it may write or
// to local memory, or a local variable of its own.
struct Watched {
    std::string name;
    Space space = Space::global;
    bool is_parameter = false;
    std::size_t parameter = 0;  // of the kernel
    std::uint64_t bytes = 0;    // of a variable; a parameter's are known to who launches it
};

struct Instrumented {
    Text text;  // lines as they were; what was inserted is explained by its macros
    std::vector<Watched> watched;
    std::size_t parameters = 0;  // the kernel's own; two more follow them
    bool at_end = false;         // one more snapshot, where the kernel ends
};

// After each barrier that a work-item passes, also in functions, the group copies all that is
// watched, between two barriers of its own with both fences: so the kernel waits longer, but orders
// nothing that it did not order. Two arguments follow those of the kernel:
//
//   volatile global uint* head   [0] snapshots a group that there is room for, [1] bytes of one
//                                snapshot, [2 + k] bytes of watched array k, then for each group
//                                the snapshots it took: those beyond the room are only counted
//   global uchar* to             group after group, snapshot after snapshot, array after array
//
// A variable that is declared further on than the barrier is not copied there. Where no `return`
// stands in the kernel, its end is a barrier too, so that local memory is known at the end.
//
// Throws Problem: errors of the text, or why it cannot be watched.
Instrumented instrument(const Text& text, std::string_view kernel = {});

}  // namespace lab::lang
