// Whether what a kernel touches can be told before it runs, whatever others write meanwhile.
#pragma once

#include <vector>

#include "lang/code/code.h"

namespace lab::lang {

// Whether the cells that work-items touch, or whether and how often they come there, may depend on
// what memory holds. Values loaded through the pointers that are `fixed` (a parameter each: nobody
// writes that buffer) and constant data are known beforehand. Follows values through registers
// as long as those are alive, and errs towards yes.
bool accesses_depend_on_data(const Code& code, const std::vector<bool>& fixed);

}  // namespace lab::lang
