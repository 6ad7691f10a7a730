// The four typefaces, their measures, and text cut into runs that one typeface can show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "figures/scene.h"
struct FT_FaceRec_;

namespace lab::figures {

// The files in data_folder()/fonts, by their stem. `cjk` stands in for what the others lack.
enum class FontFile : std::uint8_t { sans, bold, mono, cjk, count_ };

// Throws Problem with what to install.
std::filesystem::path font_path(FontFile file);

struct Glyph {
    std::uint32_t index = 0;  // in the font file
    float x = 0;              // of its origin, from the start of the whole text
    std::size_t bytes = 0;    // of GlyphRun::text that it shows
};

struct GlyphRun {
    FontFile file = FontFile::sans;
    std::string text;  // valid UTF-8
    std::vector<Glyph> glyphs;
};

// Keeps all four faces loaded. Measures come from the unhinted outlines, so that a layout is the
// same everywhere. Sizes and widths in points. For one thread at a time.
class Fonts {
  public:
    Fonts();  // throws Problem if a font is missing or damaged

    float text_width(std::string_view text, float size, Face face) const;
    std::vector<GlyphRun> shape(std::string_view text, float size, Face face) const;

    float ascent(float size, Face face) const;
    float descent(float size, Face face) const;  // positive
    float cap_height(float size, Face face) const;

    // Returns one line of text; the middle of its capital letters is at the point's y.
    Text line_at(Point point, std::string words, float size, Face face, Role role,
                 Anchor anchor = Anchor::start) const;
    Box bounds(const Text& text) const;  // from ascent to descent
    // `text`, or its beginning and "…" if it is wider than `width`.
    std::string shortened(const std::string& text, float width, float size, Face face) const;
    // The same of a value: a number keeps its size, rounded as far as needed ("1e5"), with "≈"
    // where that loses a digit, so that two unlike numbers never look like the same one.
    std::string shortened_value(const std::string& text, float width, float size, Face face) const;

    // The loaded face, for painters; it lives as long as the pointer.
    std::shared_ptr<FT_FaceRec_> handle(FontFile file) const;

  private:
    struct Faces;
    std::shared_ptr<const Faces> faces_;
};

}  // namespace lab::figures
