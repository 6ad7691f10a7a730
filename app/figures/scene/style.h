// Shared by all painters, beyond a Scene's numbers: dashes and hatching.
#pragma once

#include <array>

#include "figures/scene/scene.h"

namespace lab::figures {

// Lengths of a dash and of the gap after it, in points; ends are round. Both 0 where solid.
inline std::array<float, 2> dash_lengths(Dash dash, float width) {
    switch (dash) {
        case Dash::solid:
            return {0, 0};
        case Dash::dashed:
            return {3 * width, 2.5F * width};
        case Dash::dotted:
            return {0.01F, 2.2F * width};
    }
    return {0, 0};
}

// Hatching: lines that rise to the right at 45 degrees.
inline constexpr float kHatchSpacing = 7;  // points between lines, across them
inline constexpr float kHatchWidth = 1.5F;
inline constexpr float kHatchOpacity = 0.3F;  // so that text over it stays readable

}  // namespace lab::figures
