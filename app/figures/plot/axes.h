// The two axes of a chart: the places of values, and the axes' marks, lines and labels.
#pragma once

#include <optional>
#include <vector>

#include "figures/plot/chart.h"

namespace lab::figures {

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

// The rectangle that a chart's points are in, and how values come to be there.
class Plot {
  public:
    // `area` is in points. Lines for 0 and for what is no number are within it, at its ends.
    Plot(const Chart& chart, float scale, const Fonts& fonts);

    // Chooses marks; the words left of the plot need `marks_width()` points.
    void set_height(float top, float bottom);
    float marks_width() const { return marks_width_; }
    void set_width(float left, float right);

    Point place(const ChartPoint& point) const { return place(point.x, point.y); }
    Point place(double x, double y) const { return {x_of(x), y_of(y)}; }
    const Box& area() const { return area_; }
    float below() const;  // the height of the words under the plot

    void add_to(Scene& scene) const;  // lines and words

  private:
    float s(float points) const { return points * scale_; }
    float x_of(double value) const;
    float y_of(double value) const;
    void add_lane(Scene& scene, float y, const std::string& name) const;

    const Chart& chart_;
    float scale_;
    const Fonts& fonts_;
    Range x_, y_;
    bool any_y_ = false, zero_ = false, no_number_ = false;  // whether there are such points
    Box area_;
    std::vector<Tick> x_ticks_, y_ticks_;
    float marks_width_ = 0;
};

}  // namespace lab::figures
