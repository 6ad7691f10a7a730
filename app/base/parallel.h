// Work on a long range by all processors at once.
#pragma once

#include <cstddef>
#include <functional>

namespace lab {

// Calls act(first, end) for parts of [0, count) that cover it, each of `least` or more (but for the
// last), from as many threads as there are processors; returns when all are done. An exception of
// one part is thrown here, once the others have ended.
void in_parallel(std::size_t count, std::size_t least,
                 const std::function<void(std::size_t first, std::size_t end)>& act);

}  // namespace lab
