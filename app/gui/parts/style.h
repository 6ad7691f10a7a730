// How the controls look, from a palette and a scale.
#pragma once

#include "figures/scene/palette.h"
#include "gui/parts/fonts.h"

namespace lab::gui {

void set_style(const figures::Palette& palette, const ScreenFonts& fonts, float scale);

}  // namespace lab::gui
