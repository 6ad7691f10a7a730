// Saves a Scene in the format given by the file's name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figures/font.h"
#include "figures/scene.h"

namespace lab::figures {

// Throws Problem for a suffix that save() does not know; to check before long work.
void check_suffix(const std::filesystem::path& path);

// True if save() knows the suffix.
bool is_picture(const std::filesystem::path& path);

// Writes the file whole or not at all. Throws Problem if the suffix is none of .svg, .png and .pdf
// (in any case), if it cannot be drawn, or if it cannot be written. `png_scale`: pixels a point.
void save(const Scene& scene, const Palette& palette, const Fonts& fonts,
          const std::filesystem::path& path, double png_scale = 2);

// Decodes a PNG, for pictures that come with the program.

struct Pixels {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // four bytes each, the top row first
};

// Throws Problem if these bytes are no PNG.
Pixels pixels_of_png(std::string_view png);

// A Scene as PNG or PDF, drawn by Cairo with our own typefaces and our own spacing.
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

// A moving picture as a GIF, which slides of any program play.
// Plays its frames over and over. Of each frame only what differs from the one before is kept, in
// its 256 most frequent colours; others become the nearest of them.
class Gif {
  public:
    // Pixels, at most 65535 each way; each frame is shown for so many hundredths of a second.
    Gif(int width, int height, int hundredths);
    void add(const Pixels& frame);  // of the same size
    std::string finish() &&;

  private:
    std::string bytes_;
    Pixels before_;
    int hundredths_;
};

// A Scene as an SVG file: real text, a tip for each shape that has one, a title for screen readers.
// On a ground of Role::panel.
std::string svg(const Scene& scene, const Palette& palette);

// The scenes one after the other, each for `seconds`, over and over; a reader that knows no
// animation shows the last. As large as the largest.
std::string animated_svg(std::span<const Scene> scenes, const Palette& palette, double seconds);

}  // namespace lab::figures
