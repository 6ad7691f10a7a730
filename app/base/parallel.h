// Processes a long range on all processors at once.
#pragma once

#include <cstddef>
#include <functional>

namespace lab {

// Calls act(first, end) on parts that cover [0, count), each at least `least` long (except the
// last), from as many threads as there are processors; returns when all are done. An exception from
// one part is rethrown here once the others have ended.
void in_parallel(std::size_t count, std::size_t least,
                 const std::function<void(std::size_t first, std::size_t end)>& act);

}  // namespace lab
