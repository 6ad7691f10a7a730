// Saves a Scene in the format given by the file's name.
#pragma once

#include <filesystem>

#include "figures/font.h"
#include "figures/palette.h"
#include "figures/scene.h"

namespace lab::figures {

// Throws Problem for a suffix that save() does not know; to check before long work.
void check_suffix(const std::filesystem::path& path);

// Whether save() knows the suffix.
bool is_picture(const std::filesystem::path& path);

// Writes the file whole or not at all. Throws Problem if the suffix is none of .svg, .png and .pdf
// (in any case), if it cannot be drawn, or if it cannot be written. `png_scale`: pixels a point.
void save(const Scene& scene, const Palette& palette, const Fonts& fonts,
          const std::filesystem::path& path, double png_scale = 2);

}  // namespace lab::figures
