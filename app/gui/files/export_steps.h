// Pictures of several steps of what is shown, for slides.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "gui/shell/ui.h"

namespace lab::gui {

struct StepRange {
    std::size_t first = 0, last = 0;  // positions of the walk, both included
};

inline constexpr std::array kAnimations{".gif", ".svg"};  // its formats; a browser has no GIF

// Whether the view on screen can be drawn step by step.
bool has_steps(const Ui& ui);

// One file that plays the steps over and over, or one numbered file a step: "name-01.png"; each
// step looks as while presenting. Each is written whole or not at all; what is on screen stays
// where it is. Returns the files. Throws Problem for a format that cannot be written.
std::filesystem::path save_animation(Ui& ui, StepRange range, const std::filesystem::path& file);
std::vector<std::filesystem::path> save_each_step(Ui& ui, StepRange range,
                                                  const std::filesystem::path& file);

}  // namespace lab::gui
