// CUDA C++ as a dialect of the same front end: what it brings along, and the host's part of a file.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lang/source.h"
#include "lang/type.h"
namespace lab::lang {

// A launch that the host's code makes: name<<<grid, block, shared>>>(arguments). Each is a text.
struct HostLaunch {
    std::string kernel;                    // "sum", or "sum<float, 256>"
    std::vector<std::string> grid, block;  // a number per dimension
    std::string shared;                    // bytes; empty: none
    std::vector<std::string> arguments;
    Place place;
};

// Says what the host fills memory with: each byte, or each element of the first `count`.
struct HostFill {
    std::string value, count;
    bool of_bytes = false;
};

// The host's part of a file, which is read for its launches only.
struct HostCode {
    std::vector<HostLaunch> launches;
    std::map<std::string, std::string, std::less<>> values;  // that variables are declared with
    std::map<std::string, std::string, std::less<>> bytes;   // that cudaMalloc gives to pointers
    std::map<std::string, HostFill, std::less<>> fills;      // of pointers
    std::set<std::string, std::less<>> unsure;   // variables that have more values than one
    std::set<std::string, std::less<>> written;  // memory that is filled in some other way
    std::set<std::string, std::less<>> functions;
};

// A word of CUDA's, and what OpenCL C calls it.
struct CudaWord {
    std::string_view word, opencl;
};

inline constexpr std::uint16_t kPreludeFile = 0;  // in Sources: what a language brings along

// Before the names of cooperative_groups, where it is all one namespace.
inline constexpr std::string_view kGroupPrefix = "__cg_";

// True for a .cu or .cuh, and for a text that begins with //! cuda.
bool is_cuda(std::string_view file, std::string_view text);

// Takes out all declarations but the device's, and those that these name.
HostCode take_host_code(std::vector<Token>& tokens);

// A word that may begin a declaration, as OpenCL C has it: "kernel" for "__global__"; itself if
// both have it; empty if it is a plain name in CUDA.
std::string_view cuda_specifier(std::string_view word);

// Words that brackets follow, and which change nothing here but how structures lie.
bool is_cuda_attribute(std::string_view word);

// OpenCL C's function that does the same, with the constants that follow what it is given; no name
// for what is none of CUDA's.
struct CudaFunction {
    std::string_view name, opencl;
    std::vector<std::uint64_t> constants = {};
    Scalar takes = Scalar::void_;  // what its arguments are converted to; void: not
};
CudaFunction cuda_function(std::string_view name);

}  // namespace lab::lang
