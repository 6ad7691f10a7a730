// Charts of any data: lines with points over two axes. What is drawn is plain data; the layout
// makes a Scene of it in which no words overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "figures/font.h"
#include "figures/scene.h"
namespace lab::figures {

// The marks of a chart's points: distinguished by shape as well as by colour.

enum class Marker : std::uint8_t {
    circle,
    square,
    triangle,
    diamond,
    cross,
    triangle_down,
    plus,
    open_circle,
    open_square,
    open_triangle,
    open_diamond,
    open_triangle_down,
    count_,
    none = count_  // a line without points
};

// How one series looks, wherever it is drawn.
struct SeriesLook {
    Role role = Role::series_1;
    Marker marker = Marker::circle;
};

// The look of the `index`-th of the things that are compared, on the `device`-th of `devices`
// devices. On one device neighbours differ in colour and in shape; on several the colour is the
// thing's and the shape the device's. No two are alike for 49 things on one device, and for
// 12 / devices * 7 things otherwise.
SeriesLook look_of_series(std::size_t index, std::size_t device, std::size_t devices);

// Frames what is wrong.
inline constexpr Look kWrongLook{Role::race_fill, Role::text, {Role::race, 1}, true};

// `reach` is half the width of a square that it about fills.
void add_marker(Scene& scene, Point middle, float reach, SeriesLook look);

enum class Scale : std::uint8_t { linear, log2, log10 };
enum class Unit : std::uint8_t {
    plain,     // "0.5", "200"
    elements,  // "64 Ki", "1 Mi"
    seconds,   // "20 µs", "1 ms"
    powers,    // "10⁻⁷"
};

struct Range {
    double low = 0, high = 1;
};

// The position of `value` between range.low (0) and range.high (1). On a scale of
// logarithms all three must be above 0.
double part_of(Scale scale, Range range, double value);

// All that holds `values`, and some room where they are one or nearly so. What a scale of
// logarithms cannot show is passed over.
Range range_of(Scale scale, const std::vector<double>& values);

// Sets of values for marks within the range, from the densest to the sparsest: powers of two, of
// ten, and 1-2-5 steps of them. The last has one at most.
std::vector<std::vector<double>> tick_choices(Scale scale, Range range);

// The signs of the units of time, in the reader's language.
struct TimeSigns {
    std::string seconds = "s", milliseconds = "ms", microseconds = "µs", nanoseconds = "ns";
};

std::string tick_text(Unit unit, double value, const TimeSigns& signs = {});

// To three digits, with the unit that keeps them short: "1.23 ms".
std::string seconds_text(double seconds, const TimeSigns& signs = {});

struct Axis {
    std::string label;
    Scale scale = Scale::linear;
    Unit unit = Unit::plain;
    std::vector<double> values = {};  // marks that are preferred, if there is room for all
    // For a vertical axis of logarithms: the name of the line at the bottom where 0 is shown.
    std::string zero = {};
    // For a vertical axis: the name of the line at the top where what is no number is shown.
    std::string no_number = {};
    TimeSigns signs = {};
};

enum class PointStyle : std::uint8_t {
    usual,
    wrong,      // never part of a line
    elsewhere,  // likewise
};

struct ChartPoint {
    double x = 0, y = 0;
    double low = 0, high = 0;  // of a band around the line
    PointStyle standing = PointStyle::usual;
    std::string tip = {};
    double bound = 0;                     // a dashed mark at this y; 0: none
    std::optional<SeriesLook> look = {};  // if it is not the series'
};

struct ChartSeries {
    std::string name;  // empty: none beside the line
    SeriesLook look;
    Dash dash = Dash::solid;
    bool joined = true;
    Role label = Role::text;
    PointStyle swatch = PointStyle::usual;  // of the mark before its name
    std::vector<ChartPoint> points = {};    // by rising x
};

struct Chart {
    std::string title, subtitle, description;
    Axis x, y;
    std::vector<ChartSeries> series;
    std::vector<std::string> notes;  // sentences below
};

struct ChartSize {
    float width = 1000, height = 600;  // points; a chart is higher if it must be
    float text_scale = 1;              // Palette::text_scale
    bool heading = true;
};

// The narrowest that a chart can be; what is asked to be narrower is as wide.
inline constexpr float kLeastChartWidth = 320;

Scene chart_scene(const Chart& chart, const ChartSize& size, const Fonts& fonts);

// The two axes of a chart: the places of values, and the axes' marks, lines and labels.

struct Tick {
    float at = 0;  // points along the axis
    std::string text;
};

// The marks of `axis` for positions `at(value)`, the densest choice whose words keep `apart` points
// from each other. `across`: words stand beside each other, else below each other.
template <typename At>
std::vector<Tick> fitting_ticks(const Axis& axis, Range range, float size, float apart, bool across,
                                const Fonts& fonts, At&& at) {
    std::vector<std::vector<double>> choices = tick_choices(axis.scale, range);
    if (!axis.values.empty()) choices.insert(choices.begin(), axis.values);
    for (const std::vector<double>& values : choices) {
        std::vector<Tick> ticks;
        bool fits = true;
        float reached = -1e9F;
        for (const double value : values) {
            Tick tick{at(value), tick_text(axis.unit, value, axis.signs)};
            const float half =
                across ? fonts.text_width(tick.text, size, Face::sans) / 2 : size * 0.7F;
            // Words at an end must not reach beyond what is kept free around a plot.
            fits = fits && (!across || half <= size * 2.3F);
            const float from = across ? tick.at : -tick.at;  // y grows downward
            fits = fits && from - half >= reached;
            reached = from + half + apart;
            ticks.push_back(std::move(tick));
        }
        if (fits) return ticks;
    }
    return {};
}

// The frame of every chart: the heading above and the notes below.

// Text sizes and lengths, in points at scale 1.
inline constexpr float kChartMargin = 20;
inline constexpr float kNameSize = 13, kTickSize = 12, kNoteSize = 12;

class ChartFrame {
  public:
    // Measures the words. A chart without a heading has its subtitle among the notes.
    ChartFrame(const std::string& title, const std::string& subtitle,
               const std::vector<std::string>& notes, float width, float scale, bool heading,
               const Fonts& fonts);

    float top() const { return top_; }      // where what is below the heading may begin
    float below() const { return below_; }  // the height of the notes and the margin under them
    float left() const { return kChartMargin; }
    float right() const { return width_ - kChartMargin; }

    void add_heading(Scene& scene) const;
    // `y`: where the part below begins. Sets the scene's height.
    void add_notes(Scene& scene, float y) const;

  private:
    float width_, scale_, top_, below_;
    const Fonts& fonts_;
    std::vector<std::string> title_, subtitle_, notes_;  // lines
};

// Where middles stand that wish to be at `wanted` but at least `apart` from each other and within
// [low, high]: in the order of what they want, and as near to it as can be (the sum of squares is
// the least there is). If there is no room for all, they reach beyond `high`, still `apart`.
//
// Take i * apart from the i-th wish in order; what remains must only not fall, and the nearest such
// row is found by pooling adjacent violators: Barlow, Bartholomew, Bremner, Brunk, "Statistical
// Inference under Order Restrictions" (1972); de Leeuw, Hornik, Mair, "Isotone Optimization in R:
// Pool-Adjacent-Violators Algorithm (PAVA) and Active Set Methods", J. Stat. Software 32(5), 2009.
std::vector<float> spread(const std::vector<float>& wanted, float apart, float low, float high);

// A tick on a disc, or an exclamation mark on a triangle.
void add_badge(Scene& scene, Point middle, float radius, bool right);

}  // namespace lab::figures
