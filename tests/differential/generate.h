// Random OpenCL C kernels whose results are the same on every right device: free of undefined and
// implementation-defined behaviour, of data races, and of built-ins that may be inexact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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

// One kernel `test` of one dimension. Its arguments are the buffers and then the locals, in order.
struct GeneratedKernel {
    std::uint64_t seed = 0;
    std::string text;
    std::uint64_t global = 1, local = 1;  // work-items in all, and a group
    std::vector<GeneratedBuffer> buffers;
    std::vector<GeneratedLocal> locals;
};

struct Size {
    unsigned statements = 8;  //  at the kernel's top level
    unsigned depth = 3;       // of expressions; of statements one less
    unsigned helpers = 3;     // functions besides the kernel, at most
    unsigned exchanges = 2;   // blocks with barriers, at most
};

// The same seed and size give the same kernel, whatever the compiler and its library.
GeneratedKernel generate(std::uint64_t seed, const Size& size = {});

}  // namespace lab::differential
