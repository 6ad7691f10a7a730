// A Scene as an SVG file: real text, a tip for each shape that has one, a title for screen readers.
#pragma once

#include <span>
#include <string>

#include "figures/palette.h"
#include "figures/scene.h"

namespace lab::figures {

// On a ground of Role::panel.
std::string svg(const Scene& scene, const Palette& palette);

// The scenes one after the other, each for `seconds`, over and over; a reader that knows no
// animation shows the last. As large as the largest.
std::string animated_svg(std::span<const Scene> scenes, const Palette& palette, double seconds);

}  // namespace lab::figures
