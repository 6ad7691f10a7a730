#include "figures/scene.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/paths.h"
#include "base/problem.h"
#include "base/ranges.h"

namespace lab::figures {

Rect box(float x, float y, float width, float height, Role fill, Stroke stroke, float radius) {
    return {x, y, width, height, radius, fill, stroke, false};
}

Rect box(const Box& at, Role fill, Stroke stroke, float radius) {
    return box(at.left, at.top, at.width(), at.height(), fill, stroke, radius);
}

Rect box(const Box& at, const Look& look, float radius) {
    return box(at.left, at.top, at.width(), at.height(), look, radius);
}

Rect box(float x, float y, float width, float height, const Look& look, float radius) {
    return {x, y, width, height, radius, look.fill, look.stroke, look.hatch};
}

Rect disc(Point middle, float radius, Role fill, Stroke stroke) {
    return box(middle.x - radius, middle.y - radius, 2 * radius, 2 * radius, fill, stroke, radius);
}

Path line(Point from, Point to, Stroke stroke) {
    Path path;
    path.points = {from, to};
    path.stroke = stroke;
    return path;
}

Path polygon(std::vector<Point> points, Role fill, Stroke stroke) {
    Path path;
    path.points = std::move(points);
    path.closed = true;
    path.fill = fill;
    path.stroke = stroke;
    return path;
}

Path arc(Point from, Point to, Stroke stroke) {
    if (from.x == to.x) return line(from, to, stroke);
    const float reach = (to.y - from.y) * 0.62F;
    Path path;
    path.points = {from, {from.x, from.y + reach}, {to.x, to.y - reach}, to};
    path.curved = true;
    path.stroke = stroke;
    return path;
}

Path arrow_head(Point tip, float size, Role fill) {
    const float half = size * 0.7F;
    return polygon({{tip.x - half, tip.y - size}, {tip.x + half, tip.y - size}, tip}, fill);
}

namespace {

struct Scaling {
    float x, y, scale;

    void place(float& to_x, float& to_y) const {
        to_x = x + to_x * scale;
        to_y = y + to_y * scale;
    }
    void operator()(Rect& rect) const {
        place(rect.x, rect.y);
        for (float* length : {&rect.width, &rect.height, &rect.radius, &rect.stroke.width})
            *length *= scale;
    }
    void operator()(Path& path) const {
        for (Point& point : path.points)
            place(point.x, point.y);
        path.stroke.width *= scale;
    }
    void operator()(Text& text) const {
        place(text.x, text.y);
        text.size *= scale;
    }
};

}  // namespace

void add_scene(Scene& to, const Scene& from, float x, float y, float scale) {
    for (const Shape& shape : from.shapes)
        std::visit(Scaling{x, y, scale}, to.shapes.emplace_back(shape).what);
}

static Colour parse_colour(const std::string& text) {
    unsigned value = 0;
    const char* end = text.data() + text.size();
    const bool form = text.size() == 7 && text[0] == '#';
    if (!form || std::from_chars(text.data() + 1, end, value, 16).ptr != end)
        throw Problem(fmt::format("'{}' is no colour", text), "", "Write it as \"#rrggbb\"");
    const auto part = [value](unsigned shift) {
        return static_cast<float>((value >> shift) & 0xFFU) / 255.0F;
    };
    return {part(16), part(8), part(0), 1};
}

static Palette palette_of(const nlohmann::json& theme) {
    Palette palette;
    palette.stroke_scale = theme.at("stroke_scale");
    palette.text_scale = theme.at("text_scale");
    palette.colours[0] = {0, 0, 0, 0};
    for (std::size_t role = 1; role < kRoles; ++role)
        palette.colours[role] = parse_colour(theme.at("colours").at(kRoleNames[role]));
    return palette;
}

Palette load_palette(std::string_view theme) {
    if (!contains(kThemes, theme))
        throw Problem(fmt::format("The theme '{}' is not known", theme), "There is no such theme",
                      fmt::format("Choose one of: {}", fmt::join(kThemes, ", ")));
    const fs::path file = data_folder() / "assets" / "palette.json";
    const std::string text = read_file(file);
    std::string why;
    try {
        Palette palette =
            palette_of(nlohmann::json::parse(text).at("themes").at(std::string(theme)));
        palette.name = theme;
        return palette;
    } catch (const nlohmann::json::exception& error) {
        why = json_trouble(error, text);
    } catch (const Problem& problem) {
        why = problem.what_happened;
    }
    throw Problem("The table of colours is damaged", why,
                  "Fix the file, or install the program again", file.string());
}

}  // namespace lab::figures
