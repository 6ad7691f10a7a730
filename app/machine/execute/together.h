// Advances all warps of a group to their next action: where each is one work-item, an instruction
// is decoded once for all work-items that stand before it.
#pragma once

#include "machine/execute/executor.h"

namespace lab::machine {

// For a group that begins, or whose barrier opens: all warps stand at one instruction. The result
// is that of Executor::advance() for one warp after another. Throws Fault.
template <bool kLineage, bool kOneLane>
void advance_all(const Surroundings& around, Group& group);

extern template void advance_all<false, false>(const Surroundings&, Group&);
extern template void advance_all<false, true>(const Surroundings&, Group&);
extern template void advance_all<true, false>(const Surroundings&, Group&);
extern template void advance_all<true, true>(const Surroundings&, Group&);

}  // namespace lab::machine
