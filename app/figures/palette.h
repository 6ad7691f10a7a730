// What each role looks like in a theme: a table of colours, from assets/palette.json.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "figures/scene.h"
namespace lab::figures {

struct Colour {
    float r = 0, g = 0, b = 0, a = 1;  // sRGB, 0 to 1
};

struct Palette {
    std::string name;
    float stroke_scale = 1;  // painters make every line this much thicker
    float text_scale = 1;    // for layouts: how much larger text should be set
    std::array<Colour, kRoles> colours;

    const Colour& operator[](Role role) const { return colours[static_cast<std::size_t>(role)]; }
};

inline constexpr std::array<const char*, 3> kThemes{"light", "dark", "projector"};

// Throws Problem if there is no such theme, or the file is missing or damaged.
Palette load_palette(std::string_view theme);

}  // namespace lab::figures
