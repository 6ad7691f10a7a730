// Advances all warps of a group to their next action: where each is one work-item, an instruction
// is decoded once for all work-items that stand before it.
#pragma once

#include "machine/execute/executor.h"

namespace lab::machine {

// For a group that begins, or whose barrier opens: all warps stand at one instruction. The result
// is that of Executor::advance() for one warp after another. Throws Fault.
template <bool kLineage, bool kOneLane>
void advance_all(const ExecutionContext& execution, Group& group);

extern template void advance_all<false, false>(const ExecutionContext&, Group&);
extern template void advance_all<false, true>(const ExecutionContext&, Group&);
extern template void advance_all<true, false>(const ExecutionContext&, Group&);
extern template void advance_all<true, true>(const ExecutionContext&, Group&);

}  // namespace lab::machine
