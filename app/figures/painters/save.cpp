#include "figures/painters/save.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "base/paths.h"
#include "base/problem.h"
#include "base/ranges.h"

namespace lab::figures {
namespace {

struct Picture {
    const Scene& scene;
    const Palette& palette;
    const Fonts& fonts;
    double png_scale;
};

struct Format {
    const char* suffix;
    std::string (*paint)(const Picture&);
};
constexpr std::array<Format, 3> kFormats{{
    {".svg", [](const Picture& in) { return svg(in.scene, in.palette); }},
    {".png", [](const Picture& in) { return png(in.scene, in.palette, in.fonts, in.png_scale); }},
    {".pdf", [](const Picture& in) { return pdf(in.scene, in.palette, in.fonts); }},
}};

// Throws Problem if the name asks for no format that there is.
const Format& format_of(const fs::path& path) {
    const std::string suffix = suffix_of(path);
    std::vector<const char*> known;
    for (const Format& format : kFormats) {
        if (suffix == format.suffix) return format;
        known.push_back(format.suffix);
    }
    throw Problem(fmt::format("'{}' is no picture that can be written", path.string()),
                  suffix.empty() ? "The name has no suffix that tells the format"
                                 : fmt::format("'{}' is not a known format", suffix),
                  fmt::format("End the name in one of: {}", fmt::join(known, ", ")), path.string());
}

}  // namespace

bool is_picture(const fs::path& path) {
    return any_of(kFormats, [suffix = suffix_of(path)](const Format& format) {
        return suffix == format.suffix;
    });
}

void check_suffix(const fs::path& path) {
    (void)format_of(path);
}

void save(const Scene& scene, const Palette& palette, const Fonts& fonts, const fs::path& path,
          double png_scale) {
    write_file(path, format_of(path).paint({scene, palette, fonts, png_scale}));
}

}  // namespace lab::figures
