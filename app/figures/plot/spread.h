// Labels moved apart, so that none covers another.
#pragma once

#include <vector>

namespace lab::figures {

// Where middles stand that wish to be at `wanted` but at least `apart` from each other and within
// [low, high]: in the order of what they want, and as near to it as can be (the sum of squares is
// the least there is). If there is no room for all, they reach beyond `high`, still `apart`.
//
// Take i * apart from the i-th wish in order; what remains must only not fall, and the nearest such
// row is found by pooling adjacent violators: Barlow, Bartholomew, Bremner, Brunk, "Statistical
// Inference under Order Restrictions" (1972); de Leeuw, Hornik, Mair, "Isotone Optimization in R:
// Pool-Adjacent-Violators Algorithm (PAVA) and Active Set Methods", J. Stat. Software 32(5), 2009.
std::vector<float> spread(const std::vector<float>& wanted, float apart, float low, float high);

}  // namespace lab::figures
