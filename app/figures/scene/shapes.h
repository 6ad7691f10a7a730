// The shapes that figures are mostly made of, in one line each.
#pragma once

#include <vector>

#include "figures/scene/scene.h"

namespace lab::figures {

Rect box(float x, float y, float width, float height, Role fill);
Rect disc(Point middle, float radius, Role fill);
Path line(Point from, Point to, Stroke stroke);
Path polygon(std::vector<Point> points, Role fill);
// From one point to another below it: straight down, across, and straight down again.
Path arc(Point from, Point to, Stroke stroke);
// A triangle that points down at `tip`.
Path arrow_head(Point tip, float size, Role fill);

}  // namespace lab::figures
