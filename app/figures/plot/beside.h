// Two scenes as one, and one with a heading: for files, which stand alone.
#pragma once

#include "figures/scene/scene.h"

namespace lab::figures {

// The second at the right of the first, their upper edges level.
Scene side_by_side(Scene left, const Scene& right, float gap);

// The second below the first, their left edges level.
Scene one_above_the_other(Scene upper, const Scene& lower, float gap);

// Adds a scene's shapes, larger by `scale`, with its corner at `by`.
void add_placed(Scene& to, const Scene& scene, Point by, float scale);

// The scene with a title and some words above it; its width is left to it.
Scene under_heading(Scene scene, const std::string& title, const std::string& words, float scale);

}  // namespace lab::figures
