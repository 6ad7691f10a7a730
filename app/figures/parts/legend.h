// The line under the step view's figure that says what its colours and shapes stand for.
#pragma once

#include "analysis/rows/step_table.h"
#include "base/translations.h"
#include "figures/parts/pass_layout.h"
#include "figures/scene/font.h"
#include "figures/scene/scene.h"

namespace lab::figures {

// Adds what the figure has, at layout.legend_y, and makes the scene large enough; no line is wider
// than `width` or the scene, whichever is more.
void add_legend(Scene& scene, const analysis::StepTable& table, const PassLayout& layout,
                float width, const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
