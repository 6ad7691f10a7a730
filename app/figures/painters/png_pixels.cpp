#include "figures/painters/save.h"

#include <cairo.h>

#include <cstring>
#include <memory>

#include "base/problem.h"

namespace lab::figures {
namespace {

cairo_status_t read_bytes(void* left, unsigned char* to, unsigned count) {
    auto& bytes = *static_cast<std::string_view*>(left);
    if (bytes.size() < count) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(to, bytes.data(), count);
    bytes.remove_prefix(count);
    return CAIRO_STATUS_SUCCESS;
}

}  // namespace

Pixels pixels_of_png(std::string_view png) {
    using Picture = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
    const Picture read(cairo_image_surface_create_from_png_stream(read_bytes, &png),
                       cairo_surface_destroy);
    const cairo_status_t status = cairo_surface_status(read.get());
    if (status != CAIRO_STATUS_SUCCESS)
        throw Problem("A picture could not be read", cairo_status_to_string(status),
                      "It has to be a PNG; install the program again if it came with it");
    Pixels pixels;
    pixels.width = cairo_image_surface_get_width(read.get());
    pixels.height = cairo_image_surface_get_height(read.get());
    // A PNG may come as another format; painted onto this one it is words of ARGB.
    const Picture words(
        cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels.width, pixels.height),
        cairo_surface_destroy);
    cairo_t* painter = cairo_create(words.get());
    cairo_set_source_surface(painter, read.get(), 0, 0);
    cairo_paint(painter);
    cairo_destroy(painter);
    cairo_surface_flush(words.get());

    const unsigned char* data = cairo_image_surface_get_data(words.get());
    const std::ptrdiff_t stride = cairo_image_surface_get_stride(words.get());
    for (int y = 0; y < pixels.height; ++y)
        for (int x = 0; x < pixels.width; ++x) {
            std::uint32_t word = 0;
            std::memcpy(&word, data + y * stride + std::ptrdiff_t{x} * 4, sizeof word);
            const std::uint32_t alpha = word >> 24U;
            // Cairo keeps colours weakened by their alpha.
            const auto strong = [&](std::uint32_t part) {
                return static_cast<std::uint8_t>(
                    alpha == 0 ? 0 : ((part & 0xFFU) * 255 + alpha / 2) / alpha);
            };
            pixels.rgba.insert(pixels.rgba.end(), {strong(word >> 16U), strong(word >> 8U),
                                                   strong(word), static_cast<std::uint8_t>(alpha)});
        }
    return pixels;
}

}  // namespace lab::figures
