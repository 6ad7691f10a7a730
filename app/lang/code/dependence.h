// Whether a kernel's accesses are known before it runs, whatever others write meanwhile.
#pragma once

#include <vector>

#include "lang/code/code.h"

namespace lab::lang {

// Whether the cells that work-items touch, or whether and how often they touch them, may depend on
// what memory holds. Values loaded through `fixed` parameters (nobody writes those buffers) and
// constant data are known beforehand. Follows values through registers while they are live, and
// errs towards yes.
bool accesses_depend_on_data(const Code& code, const std::vector<bool>& fixed);

// The same of all that buffers hold at the start, also of those that nobody writes: whether what is
// found holds for the numbers of this launch only.
bool accesses_depend_on_numbers(const Code& code);

}  // namespace lab::lang
