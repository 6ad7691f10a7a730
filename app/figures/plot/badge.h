// The signs for right and wrong, distinguished by shape as well as by colour.
#pragma once

#include "figures/scene/scene.h"

namespace lab::figures {

// A tick on a disc, or an exclamation mark on a triangle.
void add_badge(Scene& scene, Point middle, float radius, bool right);

}  // namespace lab::figures
