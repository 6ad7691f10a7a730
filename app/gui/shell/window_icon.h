// The icon in the window's corner and in lists of windows, from the icons installed for the
// desktop.
#pragma once

#include <vector>

#include "figures/painters/png_pixels.h"

namespace lab::gui {

// In all sizes that are there. None is no Problem: a window does without.
std::vector<figures::Pixels> window_icons();

}  // namespace lab::gui
