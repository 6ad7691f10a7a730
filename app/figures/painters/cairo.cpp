#include "figures/painters/save.h"

#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "base/problem.h"
#include "figures/scene.h"

namespace lab::figures {
namespace {

void check(cairo_status_t status, const char* what) {
    if (status == CAIRO_STATUS_SUCCESS) return;
    throw Problem(fmt::format("The {} could not be drawn", what), cairo_status_to_string(status),
                  "Try a smaller picture or scale, or save it as SVG");
}

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Context = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;
using FontFace = std::unique_ptr<cairo_font_face_t, decltype(&cairo_font_face_destroy)>;
using FontOptions = std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)>;

cairo_status_t append(void* to, const unsigned char* bytes, unsigned count) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

// Cairo keeps faces in caches of its own, longer than any picture: each holds on to our fonts.
FontFace font_face(const Fonts& fonts, FontFile file) {
    using Held = std::shared_ptr<FT_FaceRec_>;
    static const cairo_user_data_key_t key{};
    auto held = std::make_unique<Held>(fonts.handle(file));
    FontFace face(cairo_ft_font_face_create_for_ft_face(held->get(), FT_LOAD_NO_HINTING),
                  cairo_font_face_destroy);
    check(cairo_font_face_set_user_data(face.get(), &key, held.get(),
                                        [](void* data) { delete static_cast<Held*>(data); }),
          "text");
    static_cast<void>(held.release());
    return face;
}

class Painter {
  public:
    Painter(cairo_t* cairo, const Palette& palette, const Fonts& fonts)
        : cairo_(cairo), palette_(palette), fonts_(fonts) {
        for (std::size_t file = 0; file < static_cast<std::size_t>(FontFile::count_); ++file)
            faces_.push_back(font_face(fonts, static_cast<FontFile>(file)));
        const FontOptions options(cairo_font_options_create(), cairo_font_options_destroy);
        cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
        cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
        cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
        cairo_set_font_options(cairo_, options.get());
        cairo_set_line_join(cairo_, CAIRO_LINE_JOIN_ROUND);
        cairo_set_line_cap(cairo_, CAIRO_LINE_CAP_ROUND);
    }

    void paint(const Scene& scene) {
        use(Role::panel);
        cairo_paint(cairo_);
        for (const Shape& shape : scene.shapes)
            std::visit([&](const auto& what) { paint(what); }, shape.what);
    }

  private:
    void use(Role role, double opacity = 1) {
        const Colour& colour = palette_[role];
        cairo_set_source_rgba(cairo_, colour.r, colour.g, colour.b, colour.a * opacity);
    }

    // Fills and strokes the current path, and forgets it.
    void finish(Role fill, const Stroke& stroke, double opacity = 1) {
        if (fill != Role::none) {
            use(fill, opacity);
            cairo_fill_preserve(cairo_);
        }
        if (stroke.role != Role::none) {
            const float width = stroke.width * palette_.stroke_scale;
            const auto lengths = dash_lengths(stroke.dash, width);
            const std::array<double, 2> dashes{lengths[0], lengths[1]};
            use(stroke.role);
            cairo_set_line_width(cairo_, width);
            cairo_set_dash(cairo_, dashes.data(), stroke.dash == Dash::solid ? 0 : 2, 0);
            cairo_stroke_preserve(cairo_);
        }
        cairo_new_path(cairo_);
    }

    void outline(const Rect& rect) {
        const double radius = std::min({rect.radius, rect.width / 2, rect.height / 2});
        if (radius <= 0) {
            cairo_rectangle(cairo_, rect.x, rect.y, rect.width, rect.height);
            return;
        }
        constexpr double quarter = std::numbers::pi / 2;
        const double left = rect.x + radius, right = rect.x + rect.width - radius;
        const double top = rect.y + radius, bottom = rect.y + rect.height - radius;
        cairo_new_sub_path(cairo_);
        cairo_arc(cairo_, right, top, radius, -quarter, 0);
        cairo_arc(cairo_, right, bottom, radius, 0, quarter);
        cairo_arc(cairo_, left, bottom, radius, quarter, 2 * quarter);
        cairo_arc(cairo_, left, top, radius, 2 * quarter, 3 * quarter);
        cairo_close_path(cairo_);
    }

    void hatch(const Rect& rect) {
        cairo_save(cairo_);
        outline(rect);
        cairo_clip(cairo_);
        const double step = kHatchSpacing * std::numbers::sqrt2;  // along an edge
        // The same lines for every rectangle of the picture, so that neighbours match.
        const double first = std::floor((rect.x + rect.y) / step) * step - rect.y;
        const auto lines = static_cast<int>((rect.x + rect.width + rect.height - first) / step);
        for (int i = 0; i <= lines; ++i) {
            const double x = first + i * step;
            cairo_move_to(cairo_, x, rect.y);
            cairo_line_to(cairo_, x - rect.height, rect.y + rect.height);
        }
        use(rect.stroke.role, kHatchOpacity);
        cairo_set_line_width(cairo_, kHatchWidth * palette_.stroke_scale);
        cairo_set_dash(cairo_, nullptr, 0, 0);
        cairo_stroke(cairo_);
        cairo_restore(cairo_);
    }

    void paint(const Rect& rect) {
        if (rect.width <= 0 || rect.height <= 0) return;
        if (rect.hatch) {
            outline(rect);
            finish(rect.fill, {});
            hatch(rect);
        }
        outline(rect);
        finish(rect.hatch ? Role::none : rect.fill, rect.stroke);
    }

    void paint(const Path& path) {
        const auto& p = path.points;
        if (p.empty()) return;
        cairo_move_to(cairo_, p[0].x, p[0].y);
        if (path.curved) {
            for (std::size_t i = 1; i + 2 < p.size(); i += 3)
                cairo_curve_to(cairo_, p[i].x, p[i].y, p[i + 1].x, p[i + 1].y, p[i + 2].x,
                               p[i + 2].y);
        } else {
            for (std::size_t i = 1; i < p.size(); ++i)
                cairo_line_to(cairo_, p[i].x, p[i].y);
        }
        if (path.closed) cairo_close_path(cairo_);
        finish(path.fill, path.stroke, path.opacity);
    }

    void paint(const Text& text) {
        if (text.role == Role::none) return;
        use(text.role);
        const Box box = fonts_.bounds(text);
        for (const GlyphRun& run : fonts_.shape(text.text, text.size, text.face)) {
            std::vector<cairo_glyph_t> glyphs;
            std::vector<cairo_text_cluster_t> clusters;
            for (const Glyph& glyph : run.glyphs) {
                glyphs.push_back({glyph.index, double(box.left) + glyph.x, text.y});
                clusters.push_back({static_cast<int>(glyph.bytes), 1});
            }
            cairo_set_font_face(cairo_, faces_[static_cast<std::size_t>(run.file)].get());
            cairo_set_font_size(cairo_, text.size);
            cairo_show_text_glyphs(cairo_, run.text.data(), static_cast<int>(run.text.size()),
                                   glyphs.data(), static_cast<int>(glyphs.size()), clusters.data(),
                                   static_cast<int>(clusters.size()), cairo_text_cluster_flags_t{});
        }
    }

    cairo_t* cairo_;
    const Palette& palette_;
    const Fonts& fonts_;
    std::vector<FontFace> faces_;
};

std::string encode_png(cairo_surface_t* surface) {
    std::string bytes;
    check(cairo_surface_write_to_png_stream(surface, append, &bytes), "PNG");
    return bytes;
}

// The whole pixels that `points` need.
int pixels(float points, double scale) {
    const double exact = std::ceil(points * scale - 1e-3);
    if (!(exact >= 1 && exact <= 32767))  // Cairo's own limit
        throw Problem(fmt::format("A picture {:.0f} pixels wide or high cannot be drawn", exact),
                      "A PNG may have 1 to 32767 pixels each way",
                      "Choose another scale, or save it as SVG or PDF");
    return static_cast<int>(exact);
}

Surface drawn(const Scene& scene, const Palette& palette, const Fonts& fonts, double scale) {
    Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, pixels(scene.width, scale),
                                               pixels(scene.height, scale)),
                    cairo_surface_destroy);
    check(cairo_surface_status(surface.get()), "PNG");
    const Context cairo(cairo_create(surface.get()), cairo_destroy);
    cairo_scale(cairo.get(), scale, scale);
    Painter(cairo.get(), palette, fonts).paint(scene);
    check(cairo_status(cairo.get()), "PNG");
    return surface;
}

}  // namespace

std::string png(const Scene& scene, const Palette& palette, const Fonts& fonts, double scale) {
    return encode_png(drawn(scene, palette, fonts, scale).get());
}

Pixels pixels_of(const Scene& scene, const Palette& palette, const Fonts& fonts, double scale) {
    const Surface surface = drawn(scene, palette, fonts, scale);
    cairo_surface_flush(surface.get());
    Pixels pixels{cairo_image_surface_get_width(surface.get()),
                  cairo_image_surface_get_height(surface.get()),
                  {}};
    pixels.rgba.reserve(std::size_t{4} * static_cast<std::size_t>(pixels.width) *
                        static_cast<std::size_t>(pixels.height));
    const unsigned char* data = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; y < pixels.height; ++y) {
        const auto* from =
            reinterpret_cast<const std::uint32_t*>(data + std::ptrdiff_t{y} * stride);
        for (int x = 0; x < pixels.width; ++x, ++from)
            for (const std::uint32_t part :
                 {*from >> 16U & 255U, *from >> 8U & 255U, *from & 255U, 255U})
                pixels.rgba.push_back(static_cast<std::uint8_t>(part));
    }
    return pixels;
}

std::string pdf(std::span<const Scene> pages, const Palette& palette, const Fonts& fonts) {
    if (pages.empty()) throw Problem("There is no page to write", "", "Choose something to draw");
    std::string bytes;
    const Scene& first = pages.front();
    const Surface surface(
        cairo_pdf_surface_create_for_stream(append, &bytes, first.width, first.height),
        cairo_surface_destroy);
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_TITLE, first.title.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_SUBJECT,
                                   first.description.c_str());
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Reduction Lab");
    {
        const Context cairo(cairo_create(surface.get()), cairo_destroy);
        Painter painter(cairo.get(), palette, fonts);
        for (const Scene& page : pages) {
            cairo_pdf_surface_set_size(surface.get(), page.width, page.height);
            painter.paint(page);
            cairo_show_page(cairo.get());
        }
        check(cairo_status(cairo.get()), "PDF");
    }
    cairo_surface_finish(surface.get());
    check(cairo_surface_status(surface.get()), "PDF");
    return bytes;
}

std::string png_of_pixels(int width, int height, std::span<const std::uint8_t> rgba) {
    const auto count = static_cast<std::size_t>(std::max(width, 0)) *
                       static_cast<std::size_t>(std::max(height, 0));
    if (count == 0 || rgba.size() != 4 * count)
        throw Problem("The pixels are no picture",
                      fmt::format("{} x {} pixels need {} bytes, not {}", width, height, 4 * count,
                                  rgba.size()),
                      "Take the picture again");
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height),
                          cairo_surface_destroy);
    check(cairo_surface_status(surface.get()), "PNG");
    cairo_surface_flush(surface.get());
    unsigned char* data = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    const std::uint8_t* from = rgba.data();
    for (int y = 0; y < height; ++y) {
        // ARGB32: a whole word a pixel, its colours already weakened by its alpha.
        auto* to = reinterpret_cast<std::uint32_t*>(data + std::ptrdiff_t{y} * stride);
        for (int x = 0; x < width; ++x, from += 4) {
            const std::uint32_t alpha = from[3];
            const auto weak = [&](std::uint32_t part) { return (part * alpha + 127) / 255; };
            *to++ = alpha << 24U | weak(from[0]) << 16U | weak(from[1]) << 8U | weak(from[2]);
        }
    }
    cairo_surface_mark_dirty(surface.get());
    return encode_png(surface.get());
}

}  // namespace lab::figures
