// Random OpenCL C kernels whose results are the same on every right device: free of undefined and
// implementation-defined behaviour, of data races, and of built-ins that may be inexact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/index_space.h"

namespace lab::differential {

// An argument `global T*` or `constant T*`.
struct GeneratedBuffer {
    std::string type;              // of an element, as the text names it: "int", "float4", "Cell"
    std::uint64_t count = 0;       // elements
    std::vector<std::byte> bytes;  // before the launch, little-endian
};

// An argument `local T*`.
struct GeneratedLocal {
    std::string type;
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
};

// One kernel `test`. Its arguments are the buffers and then the locals, in order.
struct GeneratedKernel {
    std::uint64_t seed = 0;
    std::string text;
    NDRange range;
    std::vector<GeneratedBuffer> buffers;
    std::vector<GeneratedLocal> locals;
};

struct Size {
    unsigned statements = 8;  //  at the kernel's top level
    unsigned depth = 3;       // of expressions; of statements one less
    unsigned helpers = 3;     // functions besides the kernel, at most
    unsigned exchanges = 2;   // blocks with barriers, at most
    unsigned dims = 1;        // of the launch; of several, work-items ask for ids in each
};

// The same seed and size give the same kernel, whatever the compiler and its library.
GeneratedKernel generate(std::uint64_t seed, const Size& size = {});

}  // namespace lab::differential
