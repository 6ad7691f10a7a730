// A kernel's host part: one complete C++ program that builds the kernel's file, launches it as the
// header says, and checks and times the result. Its text is assets/host_program.cpp.in.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "catalogue/kernel.h"
#include "catalogue/shape.h"
namespace lab::catalogue {

struct HostProgram {
    std::string name;  // relaunch, of relaunch.cpp and relaunch.cl
    std::string text;  // C++17 with CLHPP; reads the kernel's file from the folder where it runs
    std::string kernel_file, kernel_text;
};

// With the group that suits a small n if the shape sets none, as in a step. The kernel of a text in
// CUDA C++ is in OpenCL C. Throws Problem if the variant does not allow the shape, or there is
// nothing to reduce.
HostProgram host_program(const Kernel& variant, const Shape& shape);

// Writes the program to `file` and the kernel beside it. Throws Problem, with nothing written, if
// another text stands where the kernel would.
void save_program(const HostProgram& program, const std::filesystem::path& file);

// Hand-overs between groups: OpenCL C 2.0 has fences and atomics for the whole device, 1.2 none.
// Feature macros do not tell whether a compiler takes them: NVIDIA's lists none, and has them. So
// what builds a kernel tries first.

// A compiler that takes this takes all that names a scope.
inline constexpr const char* kScopeTrial =
    "kernel void trial(global uint* cell)\n"
    "{\n"
    "    *cell = 0;\n"
    "    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE,\n"
    "                           memory_order_acq_rel, memory_scope_device);\n"
    "    atomic_load_explicit((volatile global atomic_uint*)cell,\n"
    "                         memory_order_relaxed, memory_scope_device);\n"
    "}\n";

// Stands in for them where such a program does not build, with what OpenCL 1.2 has: a fence that
// orders a work-item's accesses for its own group only, as far as any version promises, and a look
// that no version calls atomic.
inline constexpr const char* kScopeStandIn =
    "#define atomic_work_item_fence(memory, order, scope) mem_fence(memory)\n"
    "#define atomic_load_explicit(cell, order, scope) (*(cell))\n"
    "#define atomic_uint uint\n";

inline bool names_scopes(std::string_view text) {
    return text.find("memory_scope_") != std::string_view::npos;
}

}  // namespace lab::catalogue
