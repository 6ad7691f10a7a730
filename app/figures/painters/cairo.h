// A Scene as PNG or PDF, drawn by Cairo with our own typefaces and our own spacing.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "figures/font.h"
#include "figures/painters/png_pixels.h"
#include "figures/palette.h"
#include "figures/scene.h"

namespace lab::figures {

// Both on a background of Role::panel. Throw Problem if Cairo fails, as for a picture that is too
// large. `scale`: pixels per point.
std::string png(const Scene& scene, const Palette& palette, const Fonts& fonts, double scale);
// The same picture as pixels.
Pixels pixels_of(const Scene& scene, const Palette& palette, const Fonts& fonts, double scale);
// A page of each scene's size; their text can be selected and copied. The first one's title and
// description are the document's.
std::string pdf(std::span<const Scene> pages, const Palette& palette, const Fonts& fonts);
inline std::string pdf(const Scene& scene, const Palette& palette, const Fonts& fonts) {
    return pdf(std::span(&scene, 1), palette, fonts);
}

// A PNG of pixels as they are on a screen: four bytes each (red, green, blue, alpha), the top row
// first. Throws Problem if there are not width * height of them.
std::string png_of_pixels(int width, int height, std::span<const std::uint8_t> rgba);

}  // namespace lab::figures
