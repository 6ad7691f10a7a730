// A launch prepared to run: what its work-items share and never change.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "machine/job.h"
#include "machine/state.h"
#include "machine/trace.h"

namespace lab::machine {

// A pointer is an object number and a byte offset into that object. Object 0: null.
inline constexpr unsigned kOffsetBits = 48;
inline constexpr std::uint64_t kOffsetMask = (std::uint64_t{1} << kOffsetBits) - 1;
inline std::uint64_t object_in(std::uint64_t pointer) {
    return pointer >> kOffsetBits;
}
inline std::int64_t offset_in(std::uint64_t pointer) {  // may be negative
    return static_cast<std::int64_t>(pointer << (64U - kOffsetBits)) >> (64U - kOffsetBits);
}
inline std::uint64_t moved(std::uint64_t pointer, std::int64_t bytes) {
    return (pointer & ~kOffsetMask) | ((pointer + static_cast<std::uint64_t>(bytes)) & kOffsetMask);
}

struct Context {
    const lang::Code* code = nullptr;
    std::uint32_t launch = 0;
    std::uint32_t lanes = 1, local = 1, warps = 1, groups = 1;  // warps: per group
    std::uint64_t global = 1;  // work-items in all; `local`: of a group
    IndexSpace space;
    bool plain = true;  // its range is: numbers are ids
    std::uint32_t registers = 1, masks = 1;
    std::vector<std::uint64_t> uniforms;  // [register][lane]
    std::vector<Node> no_nodes;           // as many zeros as uniforms
    // By object number: 1 to `visible` are memory that several work-items see, then private arrays.
    std::vector<ObjectInfo> objects;
    std::size_t visible = 0;
    std::uint64_t local_bytes = 0, local_nodes = 0;
    std::uint64_t private_bytes = 0, private_nodes = 0;  // per work-item

    // A work-item by its number in the launch, a group by its: as messages name them.
    std::string item_name(std::uint64_t item) const { return space.item_name(item); }
    std::string group_name(std::uint64_t group) const { return space.group_name(group); }

    // What get_global_id and the like give in a dimension; lang::kLinear: their linear forms.
    std::uint64_t global_id(std::uint64_t group, std::uint64_t in_group,
                            std::uint64_t dimension) const;
    std::uint64_t local_id(std::uint64_t in_group, std::uint64_t dimension) const;
    std::uint64_t group_id(std::uint64_t group, std::uint64_t dimension) const;
};

// Bytes that a resident group takes: registers, local and private memory.
std::uint64_t group_bytes(const Context& context, bool lineage);

// Throws Problem if the arguments do not fit the kernel's parameters, or the sizes do not match.
Context make_context(const Job& job, std::uint32_t launch);

}  // namespace lab::machine
