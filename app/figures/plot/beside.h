// Two scenes as one, and one with a heading: for files, which stand alone.
#pragma once

#include "figures/scene/scene.h"

namespace lab::figures {

// The second at the right of the first, their upper edges level.
Scene side_by_side(Scene left, const Scene& right, float gap);

// The scene with a title and some words above it; its width is left to it.
Scene under_heading(Scene scene, const std::string& title, const std::string& words, float scale);

}  // namespace lab::figures
