#include "figures/plot/axes.h"

#include <algorithm>
#include <cmath>

#include "figures/plot/chart_frame.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

constexpr float kInside = 10;  // from the plot's edge to the first and the last value
constexpr float kLane = 24;    // of the lines for 0 and for what is no number
constexpr float kMarkGap = 8;  // between words and the plot

std::vector<double> all_x(const Chart& chart) {
    std::vector<double> values;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points)
            values.push_back(point.x);
    return values;
}

std::vector<double> all_y(const Chart& chart) {
    std::vector<double> values;
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points) {
            values.push_back(point.y);
            if (point.bound > 0) values.push_back(point.bound);
            if (point.high <= point.low) continue;
            values.push_back(point.low);
            values.push_back(point.high);
        }
    return values;
}

}  // namespace

Plot::Plot(const Chart& chart, float scale, const Fonts& fonts)
    : chart_(chart),
      scale_(scale),
      fonts_(fonts),
      x_(range_of(chart.x.scale, all_x(chart))),
      y_(range_of(chart.y.scale, all_y(chart))) {
    for (const ChartSeries& series : chart.series)
        for (const ChartPoint& point : series.points) {
            any_y_ |= std::isfinite(point.y) && (point.y > 0 || chart.y.scale == Scale::linear);
            zero_ |= !chart.y.zero.empty() && point.y <= 0;
            no_number_ |= !chart.y.no_number.empty() && !std::isfinite(point.y);
        }
}

void Plot::set_height(float top, float bottom) {
    area_.top = top;
    area_.bottom = bottom;
    const float size = s(kTickSize);
    if (any_y_)
        y_ticks_ = fitting_ticks(chart_.y, y_, size, s(10), false, fonts_,
                                 [this](double value) { return y_of(value); });
    float widest = 0;
    for (const Tick& tick : y_ticks_)
        widest = std::max(widest, fonts_.text_width(tick.text, size, Face::sans));
    if (zero_) widest = std::max(widest, fonts_.text_width(chart_.y.zero, size, Face::sans));
    if (no_number_)
        widest = std::max(widest, fonts_.text_width(chart_.y.no_number, size, Face::sans));
    marks_width_ = widest + s(kMarkGap);
}

void Plot::set_width(float left, float right) {
    area_.left = left;
    area_.right = right;
    Axis axis = chart_.x;
    // Preferred marks are those of all points or of none.
    for (const double value : all_x(chart_))
        if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) {
            axis.values.clear();
            break;
        }
    x_ticks_ = fitting_ticks(axis, x_, s(kTickSize), s(12), true, fonts_,
                             [this](double value) { return x_of(value); });
}

float Plot::x_of(double value) const {
    const double part = std::clamp(part_of(chart_.x.scale, x_, value), 0.0, 1.0);
    return area_.left + s(kInside) +
           static_cast<float>(part) * (area_.right - area_.left - 2 * s(kInside));
}

float Plot::y_of(double value) const {
    if (!std::isfinite(value)) return area_.top + s(kInside);
    if (zero_ && value <= 0) return area_.bottom - s(kInside);
    const float top = area_.top + s(kInside) + (no_number_ ? s(kLane) : 0);
    const float bottom = area_.bottom - s(kInside) - (zero_ ? s(kLane) : 0);
    // What is 0 on a scale of logarithms is at its lower end.
    const double part = chart_.y.scale != Scale::linear && value <= 0
                            ? 0
                            : std::clamp(part_of(chart_.y.scale, y_, value), 0.0, 1.0);
    return bottom + static_cast<float>(part) * (top - bottom);
}

float Plot::below() const {
    return s(6 + kTickSize * 1.3F + 4 + kTickSize * 1.3F);
}

void Plot::add_lane(Scene& scene, float y, const std::string& name) const {
    scene.add(line({area_.left, y}, {area_.right, y}, {Role::idle, 1, Dash::solid}));
    const float size = s(kTickSize);
    scene.add(Text{area_.left - s(kMarkGap), y + fonts_.cap_height(size, Face::sans) / 2, name,
                   size, Face::sans, Role::muted, Anchor::end});
}

void Plot::add_to(Scene& scene) const {
    const float size = s(kTickSize);
    const Stroke grid{Role::idle_fill, 1, Dash::solid};
    for (const Tick& tick : y_ticks_) {
        scene.add(line({area_.left, tick.at}, {area_.right, tick.at}, grid));
        scene.add(Text{area_.left - s(kMarkGap), tick.at + fonts_.cap_height(size, Face::sans) / 2,
                       tick.text, size, Face::sans, Role::muted, Anchor::end});
    }
    const float baseline = area_.bottom + s(6) + fonts_.ascent(size, Face::sans);
    for (const Tick& tick : x_ticks_) {
        scene.add(line({tick.at, area_.top}, {tick.at, area_.bottom}, grid));
        scene.add(
            Text{tick.at, baseline, tick.text, size, Face::sans, Role::muted, Anchor::middle});
    }
    if (zero_) add_lane(scene, area_.bottom - s(kInside), chart_.y.zero);
    if (no_number_) add_lane(scene, area_.top + s(kInside), chart_.y.no_number);
    scene.add(line({area_.left, area_.bottom}, {area_.right, area_.bottom},
                   {Role::muted, 1, Dash::solid}));
    scene.add(Text{(area_.left + area_.right) / 2, baseline + s(kTickSize * 1.3F + 4),
                   chart_.x.label, size, Face::sans, Role::muted, Anchor::middle});
    const float above = area_.top - s(9);
    scene.add(
        Text{kChartMargin, above, chart_.y.label, size, Face::sans, Role::muted, Anchor::start});
}

}  // namespace lab::figures
