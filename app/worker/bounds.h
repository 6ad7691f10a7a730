// Bounds on a line between the app and its worker, so that a broken neighbour cannot use up memory
// or stack. Far above any use.
#pragma once

#include <cstddef>

namespace lab::worker {

inline constexpr std::size_t kLongestLine = std::size_t{256} << 20;  // bytes
inline constexpr int kDeepestNesting = 1000;                         // brackets

}  // namespace lab::worker
