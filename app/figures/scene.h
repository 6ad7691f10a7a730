// A picture as plain data: shapes and text in points, coloured by meaning. Layout makes a Scene
// once; painters (SVG, Cairo, ImGui) show it in any theme and at any scale.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
namespace lab::figures {

// The meanings of colours. The palette of each theme gives them values; nothing else names a
// colour.
enum class Role : std::uint8_t {
    none,        // not painted
    background,  // behind everything
    panel,       // behind a figure or a group of controls
    border,      // edges that only separate
    text,
    muted,     // text that may be overlooked
    act,       // acts or is selected (blue)
    act_fill,  //   the same as an area behind text
    on_act,    //   text on act
    read,      // was read (light blue)
    read_fill,
    wrote,  // wrote, or is right (green)
    wrote_fill,
    barrier,  // a barrier (orange)
    barrier_text,
    race,  // a race, or wrong (vermilion)
    race_fill,
    idle,  // stands idle (grey)
    idle_fill,
    series_1,  // lines and bars of a chart, in order
    series_2,
    series_3,
    series_4,
    series_5,
    series_6,
    series_7,
    count_
};

enum class Face : std::uint8_t { sans, bold, mono };
enum class Anchor : std::uint8_t { start, middle, end };
enum class Dash : std::uint8_t { solid, dashed, dotted };

struct Point {
    float x = 0, y = 0;
};

// A box in points, y downward.
struct Box {
    float left = 0, top = 0, right = 0, bottom = 0;

    float width() const { return right - left; }
    float height() const { return bottom - top; }
    Point middle() const { return {(left + right) / 2, (top + bottom) / 2}; }
};

struct Stroke {
    Role role = Role::none;
    float width = 1;
    Dash dash = Dash::solid;
};

// The colours of a cell, its frame and its text.
struct Look {
    Role fill = Role::none, text = Role::text;
    Stroke stroke = {};
    bool hatch = false;
};

struct Rect {
    float x = 0, y = 0, width = 0, height = 0;
    float radius = 0;  // of the corners; a circle is a square with radius width / 2
    Role fill = Role::none;
    Stroke stroke;
    bool hatch = false;  // diagonal lines in the stroke's colour, over the fill
};

// Straight through `points`; or, if `curved`, one cubic Bezier for each three points after the
// first (size 1 + 3k). Filled where fill is not none.
struct Path {
    std::vector<Point> points;
    bool curved = false;
    bool closed = false;
    Role fill = Role::none;
    Stroke stroke;
    float opacity = 1;  // of the fill
};

// One line of text; y is the baseline.
struct Text {
    float x = 0, y = 0;
    std::string text;  // UTF-8, no line break
    float size = 14;
    Face face = Face::sans;
    Role role = Role::text;
    Anchor anchor = Anchor::start;
};

struct Shape {
    std::variant<Rect, Path, Text> what;
    // Tells what the shape stands for, as a tooltip and for screen readers; empty if it only
    // decorates.
    std::string tip;
    // Names what it is of (analysis::HighlightTarget), as "cell 3 4", so that the same lights up
    // elsewhere; may be empty.
    std::string name = {};
};

struct Scene {
    float width = 0, height = 0;
    std::string title, description;  // for screen readers
    std::string sentence;            // the most telling of it; may be empty
    std::vector<Shape> shapes;       // in painting order
    // The parts along the edges that stay in sight while the rest scrolls: their width or height.
    struct Pinned {
        float top = 0, bottom = 0, right = 0, left = 0;
    } pinned = {};

    // Builds the shape in its place: GCC 14 warns that a temporary's other alternatives are read.
    template <typename What>
    void add(What what, std::string tip = {}, std::string name = {}) {
        Shape& shape = shapes.emplace_back();
        shape.what = std::move(what);
        shape.tip = std::move(tip);
        shape.name = std::move(name);
    }
};

// Adds `from` to `to`, made `scale` times as large, with its left upper corner at (x, y).
void add_scene(Scene& to, const Scene& from, float x, float y, float scale = 1);

// The names of the roles, as assets/palette.json and the classes of an SVG have them.
inline constexpr std::size_t kRoles = static_cast<std::size_t>(Role::count_);

// In the order of Role. "none" is no colour and has no entry in a palette.
inline constexpr std::array<const char*, kRoles> kRoleNames{
    "none",         "background", "panel",     "border",    "text",      "muted",      "act",
    "act_fill",     "on_act",     "read",      "read_fill", "wrote",     "wrote_fill", "barrier",
    "barrier_text", "race",       "race_fill", "idle",      "idle_fill", "series_1",   "series_2",
    "series_3",     "series_4",   "series_5",  "series_6",  "series_7"};

inline const char* name_of(Role role) {
    return kRoleNames[static_cast<std::size_t>(role)];
}

// Shared by all painters, beyond a Scene's numbers: dashes and hatching.

// Lengths of a dash and of the gap after it, in points; ends are round. Both 0 where solid.
inline std::array<float, 2> dash_lengths(Dash dash, float width) {
    switch (dash) {
        case Dash::solid:
            return {0, 0};
        case Dash::dashed:
            return {3 * width, 2.5F * width};
        case Dash::dotted:
            return {0.01F, 2.2F * width};
    }
    return {0, 0};
}

// Hatching: lines that rise to the right at 45 degrees.
inline constexpr float kHatchSpacing = 7;  // points between lines, across them
inline constexpr float kHatchWidth = 1.5F;
inline constexpr float kHatchOpacity = 0.3F;  // so that text over it stays readable

// The shapes that figures are mostly made of, in one line each.

Rect box(float x, float y, float width, float height, Role fill, Stroke stroke = {},
         float radius = 0);
Rect box(const Box& at, Role fill, Stroke stroke = {}, float radius = 0);
Rect box(const Box& at, const Look& look, float radius = 0);
Rect box(float x, float y, float width, float height, const Look& look, float radius = 0);
Rect disc(Point middle, float radius, Role fill, Stroke stroke = {});
Path line(Point from, Point to, Stroke stroke);
Path polygon(std::vector<Point> points, Role fill, Stroke stroke = {});
// From one point to another below it: straight down, across, and straight down again.
Path arc(Point from, Point to, Stroke stroke);
// A triangle that points down at `tip`.
Path arrow_head(Point tip, float size, Role fill);

// A palette says what each role looks like in a theme: a table of colours, from
// assets/palette.json.
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
