// Computes what a group or sub-group computes together: reductions, scans, broadcasts, votes,
// shuffles.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/code.h"
#include "machine/executor.h"
#include "machine/memory.h"
#include "machine/state.h"
namespace lab::machine {

struct Member {
    std::uint64_t value = 0, second = 0;  // operands
    Node node = 0;
    std::uint64_t result = 0;
    Node made = 0;
    std::uint32_t lane = 0;                  // its place in the group or sub-group; ascending
    std::uint64_t from = ~std::uint64_t{0};  // the lane that a shuffle or broadcast takes from
};

// One instruction, for all members in the order of their ids, of a group or sub-group of `lanes`.
// Without `lineage` nodes stay 0.
void collect(const lang::Instruction& instruction, std::uint32_t lanes,
             std::vector<Member>& members, State& state, Lineage* lineage);

// Throws Fault if that is a broadcast and they ask for values of different ones, or of one that
// there is not; the latter is allowed where not all need come, and gives anything. `first`: the
// work-item of the group that is number 0 of `size`.
void check_broadcast(const Context& context, const Group& group,
                     const lang::Instruction& instruction, const std::vector<Member>& members,
                     std::uint64_t first, std::uint64_t size);

// Advances all warps of a group to their next action: where each is one work-item, an instruction
// is decoded once for all work-items that stand before it.

// For a group that begins, or whose barrier opens: all warps stand at one instruction. The result
// is that of Executor::advance() for one warp after another. Throws Fault.
template <bool kLineage, bool kOneLane>
void advance_all(const ExecutionContext& execution, Group& group);

extern template void advance_all<false, false>(const ExecutionContext&, Group&);
extern template void advance_all<false, true>(const ExecutionContext&, Group&);
extern template void advance_all<true, false>(const ExecutionContext&, Group&);
extern template void advance_all<true, true>(const ExecutionContext&, Group&);

// Does what a group does as one with operands that all its work-items must agree on: asynchronous
// copies (OpenCL C 1.2, section 6.12.10), waits for them, and barriers whose flags are computed.

// The fence flags of a warp that stands at that barrier.
std::uint32_t fence_flags(const Context& context, const Group& group, std::uint32_t warp,
                          const lang::Instruction& barrier);

// The same for a whole group. Throws Fault if its work-items do not agree.
std::uint32_t agreed_flags(const Context& context, const Group& group,
                           const lang::Instruction& barrier);

// True if the launch copies asynchronously at all.
bool copies_in(const Context& context);

// Elements between two of a strided copy; more count as so many, which is beyond any memory.
inline constexpr std::uint64_t kMostStride = std::uint64_t{1} << 38U;

// The copy that a warp stands at, and the event that it waits for.
Copy copy_at(const Context& context, const Group& group, std::uint32_t warp);
std::uint64_t event_at(const Context& context, const Group& group, std::uint32_t warp);
// True if all others have come to the call or the wait: the last one does what the group does
// there.
inline bool comes_last(const Group& group) {
    return group.waiting + group.done + 1 == group.warps.size();
}

// For a group that stands at a group_copy. Throws Fault if its operands differ, or if it copies
// more than can be shown.
void begin_copy(const Context& context, const State& state, Group& group,
                const lang::Instruction& instruction);

// Takes those that a group_wait waits for out of the group. Throws Fault if it waits for no event.
std::vector<Copy> waited_for(const Context& context, Group& group,
                             const lang::Instruction& instruction);

// A group comes to its end with copies that nobody waited for.
[[noreturn]] void refuse_unfinished(const Context& context, const Group& group);

// The accesses that a copy makes.
class CopyAccesses {
  public:
    CopyAccesses(const Context& context, const Copy& copy);
    std::uint64_t from(std::uint64_t element) const;  // pointers
    std::uint64_t to(std::uint64_t element) const;

    lang::Instruction load, store;

  private:
    const Copy& copy_;
    std::uint64_t bytes_, from_stride_, to_stride_;
};

}  // namespace lab::machine
