// Blocks in which the work-items of a group pass values to each other: free of races, for every
// work-item writes cells of its own, and reads those of others only between two barriers.
#pragma once

#include "context.h"

namespace lab::differential {

// Local memory of a group, declared in the kernel or passed as an argument.
struct Shared {
    std::string name;
    Type type;
    unsigned per_item = 1;  // cells each work-item owns
};

// A buffer of which every work-item owns some cells.
struct Output {
    std::string name;
    Type type;
    unsigned per_item = 1;
};

// Of `inputs` those of scalars can be copied into `shared` by the whole group.
struct Exchange {
    Shared shared;
    Shared tally;                 // uints for atomics
    std::vector<Output> outputs;  // for exchanges through global memory
    std::string copied;  // a buffer of shared.type with a cell for each of a group; or none
};

// One block. Its lines that end in "// keep" make it free of races; the shrinker leaves them.
void exchange(Context& context, const Exchange& parts);

}  // namespace lab::differential
