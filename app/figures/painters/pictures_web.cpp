// Pictures in a browser, which draws them itself: what is written as a PNG is the SVG, or the
// pixels after a mark and two numbers, and the page turns it into a PNG when it is saved
// (web/page.js).
#include <fmt/format.h>

#include "base/problem.h"
#include "figures/painters/save.h"

namespace lab::figures {
namespace {

Problem needs_desktop(const char* format) {
    return {fmt::format("A browser cannot write a {}", format), "",
            "Export an SVG or a PNG, or use Reduction Lab for the desktop"};
}

}  // namespace

std::string png(const Scene& scene, const Palette& palette, const Fonts&, double) {
    return svg(scene, palette);
}

Pixels pixels_of(const Scene&, const Palette&, const Fonts&, double) {
    throw needs_desktop("GIF");
}

std::string pdf(std::span<const Scene>, const Palette&, const Fonts&) {
    throw needs_desktop("PDF");
}

std::string png_of_pixels(int width, int height, std::span<const std::uint8_t> rgba) {
    std::string bytes = fmt::format("pixels {} {}\n", width, height);
    bytes.append(rgba.begin(), rgba.end());
    return bytes;
}

Pixels pixels_of_png(std::string_view) {
    throw needs_desktop("PNG's pixels");
}

}  // namespace lab::figures
