// A Scene as an SVG file: real text, a tip for each shape that has one, a title for screen readers.
#pragma once

#include <string>

#include "figures/scene/palette.h"
#include "figures/scene/scene.h"

namespace lab::figures {

// On a ground of Role::panel.
std::string svg(const Scene& scene, const Palette& palette);

}  // namespace lab::figures
