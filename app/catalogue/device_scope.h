// Hand-overs between groups: OpenCL C 2.0 has fences and atomics for the whole device, 1.2 none.
// Feature macros do not tell whether a compiler takes them: NVIDIA's lists none, and has them. So
// what builds a kernel tries first.
#pragma once

#include <string_view>

namespace lab::catalogue {

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

// Where it does not, what OpenCL 1.2 has instead: a fence that orders a work-item's accesses for
// its own group only, as far as any version promises, and a look that no version calls atomic.
inline constexpr const char* kScopeStandIn =
    "#define atomic_work_item_fence(memory, order, scope) mem_fence(memory)\n"
    "#define atomic_load_explicit(cell, order, scope) (*(cell))\n"
    "#define atomic_uint uint\n";

inline bool names_scopes(std::string_view text) {
    return text.find("memory_scope_") != std::string_view::npos;
}

}  // namespace lab::catalogue
