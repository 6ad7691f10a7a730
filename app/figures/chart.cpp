#include "figures/chart.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "base/ranges.h"
#include "catalogue/number.h"
#include "figures/text.h"

namespace lab::figures {
namespace {

constexpr float kChartReach = 3.8F;       // of a point's mark
constexpr float kHitRadius = 8;           // around a point, where the mouse finds it
constexpr float kLeastPlot = 150;         // its height
constexpr float kPlotAbove = 0.4F;        // of the width, the same above columns of names
constexpr float kMostAbove = 0.55F;       // and no more of the height asked for than this
constexpr float kMostGrown = 1.6F;        // of the height asked for, so that all names are at ends
constexpr float kMostNamedLines = 0.45F;  // of the width, to the right of the plot
constexpr float kBandOpacity = 0.2F;

bool on_line(const ChartPoint& point) {
    return point.standing == PointStyle::usual && std::isfinite(point.y);
}

// Runs of points that a line may join: it never passes by one that is not part of it.
template <typename Do>
void for_each_run(const ChartSeries& series, Do&& act) {
    const auto& points = series.points;
    for (std::size_t begin = 0; begin < points.size();) {
        std::size_t end = begin;
        while (end < points.size() && on_line(points[end]))
            ++end;
        if (end - begin > 1) act(begin, end);
        begin = end + 1;
    }
}

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

// The rectangle that a chart's points are in, and how values come to be there.
class Plot {
  public:
    // `area` is in points. Lines for 0 and for what is no number are within it, at its ends.
    Plot(const Chart& chart, float scale, const Fonts& fonts)
        : chart_(chart), scale_(scale), fonts_(fonts) {
        for (const ChartSeries& series : chart.series)
            for (const ChartPoint& point : series.points) {
                any_y_ |= std::isfinite(point.y) && (point.y > 0 || chart.y.scale == Scale::linear);
                zero_ |= !chart.y.zero.empty() && point.y <= 0;
                no_number_ |= !chart.y.no_number.empty() && !std::isfinite(point.y);
            }
    }

    // Chooses marks; the words left of the plot need `marks_width()` points.
    void set_height(float top, float bottom) {
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
    float marks_width() const { return marks_width_; }
    void set_width(float left, float right) {
        area_.left = left;
        area_.right = right;
        Axis axis = chart_.x;
        // Preferred marks are those of all points or of none.
        if (any_of(all_x(chart_), [&](double value) { return !contains(axis.values, value); }))
            axis.values.clear();
        x_ticks_ = fitting_ticks(axis, x_, s(kTickSize), s(12), true, fonts_,
                                 [this](double value) { return x_of(value); });
    }

    Point place(const ChartPoint& point) const { return place(point.x, point.y); }
    Point place(double x, double y) const { return {x_of(x), y_of(y)}; }
    const Box& area() const { return area_; }
    // The height of the words under the plot.
    float below() const { return s(6 + kTickSize * 1.3F + 4 + kTickSize * 1.3F); }

    // Lines and words.
    void add_to(Scene& scene) const {
        const float size = s(kTickSize);
        for (const Tick& tick : y_ticks_)
            add_lane(scene, tick.at, tick.text, Role::idle_fill);
        const float baseline = area_.bottom + s(6) + fonts_.ascent(size, Face::sans);
        for (const Tick& tick : x_ticks_) {
            scene.add(line({tick.at, area_.top}, {tick.at, area_.bottom}, {Role::idle_fill, 1}));
            scene.add(
                Text{tick.at, baseline, tick.text, size, Face::sans, Role::muted, Anchor::middle});
        }
        if (zero_) add_lane(scene, area_.bottom - s(kInside), chart_.y.zero, Role::idle);
        if (no_number_) add_lane(scene, area_.top + s(kInside), chart_.y.no_number, Role::idle);
        scene.add(line({area_.left, area_.bottom}, {area_.right, area_.bottom}, {Role::muted, 1}));
        scene.add(Text{(area_.left + area_.right) / 2, baseline + s(kTickSize * 1.3F + 4),
                       chart_.x.label, size, Face::sans, Role::muted, Anchor::middle});
        const float above = area_.top - s(9);
        scene.add(Text{kChartMargin, above, chart_.y.label, size, Face::sans, Role::muted});
    }

  private:
    float s(float points) const { return points * scale_; }
    float x_of(double value) const {
        const double part = std::clamp(part_of(chart_.x.scale, x_, value), 0.0, 1.0);
        return area_.left + s(kInside) +
               static_cast<float>(part) * (area_.right - area_.left - 2 * s(kInside));
    }

    float y_of(double value) const {
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

    // A line across the plot, and its name at the left.
    void add_lane(Scene& scene, float y, const std::string& name, Role role) const {
        scene.add(line({area_.left, y}, {area_.right, y}, {role, 1}));
        scene.add(fonts_.line_at({area_.left - s(kMarkGap), y}, name, s(kTickSize), Face::sans,
                                 Role::muted, Anchor::end));
    }

    const Chart& chart_;
    float scale_;
    const Fonts& fonts_;
    Range x_ = range_of(chart_.x.scale, all_x(chart_));
    Range y_ = range_of(chart_.y.scale, all_y(chart_));
    bool any_y_ = false, zero_ = false, no_number_ = false;  // whether there are such points
    Box area_;
    std::vector<Tick> x_ticks_, y_ticks_;
    float marks_width_ = 0;
};

// What is wrong stands within a hatched box, what was measured elsewhere within a dashed ring.
void add_styled_marker(Scene& scene, Point middle, float reach, SeriesLook look, PointStyle style) {
    const float half = 1.75F * reach;
    if (style == PointStyle::wrong) {
        scene.add(box(middle.x - half, middle.y - half, 2 * half, 2 * half, kWrongLook));
    } else if (style == PointStyle::elsewhere) {
        scene.add(disc(middle, 2 * reach, Role::none, {look.role, 1.2F, Dash::dashed}));
    }
    add_marker(scene, middle, style == PointStyle::usual ? reach : reach * 0.8F, look);
}

constexpr float kNameLine = 18;    // of one name
constexpr float kNameReach = 4;    // of a mark before it
constexpr float kNameSwatch = 24;  // the mark's width and what is after it
constexpr float kLeader = 26;      // between the plot and the marks
constexpr float kColumnGap = 16;
constexpr float kMostMoved = 1.5F;  // points that need no leader

// From a line's end to its name, where it was moved or the line ends early.
void add_leader(Scene& scene, Point from, Point to, float plot_right, float scale) {
    const Stroke thin{Role::idle, 0.9F};
    const Stroke dotted{Role::idle, 1.1F, Dash::dotted};
    const float begin = from.x + 7 * scale;
    if (plot_right - begin > 16 * scale)
        scene.add(line({begin, from.y}, {plot_right, from.y}, dotted));
    scene.add(line({std::max(begin, plot_right), from.y}, {to.x - 3 * scale, to.y}, thin));
}

// The names of a chart's lines: at the lines' ends, or, where there is no room for that, in columns
// below, in the order of the chart's series.
class LineNames {
  public:
    // `width`: that columns may take.
    LineNames(const Chart& chart, float width, float scale, const Fonts& fonts)
        : scale_(scale), fonts_(fonts) {
        for (const ChartSeries& series : chart.series)
            if (!series.points.empty() && !series.name.empty()) shown_.push_back(&series);
        const std::size_t count = shown_.size();
        for (rows_ = 1; rows_ < count; ++rows_) {
            columns_ = columns_of(rows_);
            const float gaps = kColumnGap * scale * static_cast<float>(columns_.size() - 1);
            if (std::accumulate(columns_.begin(), columns_.end(), gaps) <= width) return;
        }
        rows_ = count;
        columns_ = columns_of(std::max<std::size_t>(count, 1));
        for (float& column : columns_)
            column = std::min(column, width);
    }

    // What they need to the right of the plot, at the lines' ends.
    float width_at_ends() const {
        return shown_.empty() ? 0 : kLeader * scale_ + columns_of(shown_.size()).front();
    }
    // The least there, below each other.
    float height_at_ends() const { return height_of(shown_.size()); }
    float height_of_columns() const { return height_of(rows_); }

    // Between the plot and what lies `width_at_ends()` to the right of it.
    void add_at_ends(Scene& scene, const Plot& plot) const {
        std::vector<Point> ends;
        std::vector<float> wanted;
        for (const ChartSeries* series : shown_) {
            ends.push_back(plot.place(series->points.back()));
            wanted.push_back(ends.back().y);
        }
        const float half = kNameLine * scale_ / 2;
        const std::vector<float> placed =
            spread(wanted, 2 * half, plot.area().top + half, plot.area().bottom - half);
        const float left = plot.area().right + kLeader * scale_;
        for (std::size_t i = 0; i < shown_.size(); ++i) {
            const bool early = plot.area().right - ends[i].x > 16 * scale_;
            const bool moved = std::abs(placed[i] - wanted[i]) > kMostMoved * scale_;
            const Point name{left, placed[i]};
            if (early || moved) add_leader(scene, ends[i], name, plot.area().right, scale_);
            add_name(scene, name, *shown_[i], width_at_ends() - kLeader * scale_);
        }
    }

    void add_in_columns(Scene& scene, float left, float top) const {
        for (std::size_t i = 0; i < shown_.size(); ++i) {
            const std::size_t column = i / rows_;
            if (i > 0 && i % rows_ == 0) left += columns_[column - 1] + kColumnGap * scale_;
            const float middle = (static_cast<float>(i % rows_) + 0.5F) * kNameLine * scale_;
            add_name(scene, {left, top + middle}, *shown_[i], columns_[column]);
        }
    }

  private:
    float height_of(std::size_t names) const {
        return static_cast<float>(names) * kNameLine * scale_;
    }

    // Each as wide as its widest name.
    std::vector<float> columns_of(std::size_t rows) const {
        std::vector<float> widths;
        for (std::size_t i = 0; i < shown_.size(); ++i) {
            if (i % rows == 0) widths.push_back(0);
            const float name =
                std::ceil(fonts_.text_width(shown_[i]->name, kNameSize * scale_, Face::sans));
            widths.back() = std::max(widths.back(), name + kNameSwatch * scale_);
        }
        return widths;
    }

    // `point`: the left end and the middle of the name with its mark.
    void add_name(Scene& scene, Point point, const ChartSeries& series, float room) const {
        const float size = kNameSize * scale_;
        if (series.joined && series.swatch == PointStyle::usual)
            scene.add(line({point.x, point.y}, {point.x + 18 * scale_, point.y},
                           {series.look.role, 1.75F, series.dash}));
        add_styled_marker(scene, {point.x + 9 * scale_, point.y}, kNameReach * scale_, series.look,
                          series.swatch);
        const std::string fitting =
            fonts_.shortened(series.name, room - kNameSwatch * scale_, size, Face::sans);
        scene.add(fonts_.line_at({point.x + kNameSwatch * scale_, point.y}, fitting, size,
                                 Face::sans, series.label),
                  fitting == series.name ? "" : series.name);
    }

    float scale_;
    const Fonts& fonts_;
    std::vector<const ChartSeries*> shown_;  // those that have a point
    std::size_t rows_ = 0;
    std::vector<float> columns_;  // their widths
};

class ChartLayout {
  public:
    ChartLayout(const Chart& chart, const ChartSize& size, const Fonts& fonts)
        : chart_(chart),
          scale_(size.text_scale),
          width_(std::max(size.width, kLeastChartWidth * size.text_scale)),
          frame_(chart.title, chart.subtitle, chart.notes, width_, scale_, size.heading, fonts),
          plot_(chart, scale_, fonts),
          names_(chart, frame_.right() - frame_.left(), scale_, fonts) {
        place(size.height);
    }

    Scene make() {
        scene_.width = width_;
        scene_.title = chart_.title;
        scene_.description = chart_.description;
        frame_.add_heading(scene_);
        plot_.add_to(scene_);
        for (const ChartSeries& series : chart_.series)
            add_band(series);
        for (const ChartSeries& series : chart_.series)
            add_line(series);
        if (at_ends_) names_.add_at_ends(scene_, plot_);
        // What is wrong never covers what is right.
        for (const bool wrong : {true, false})
            for (const ChartSeries& series : chart_.series)
                for (const ChartPoint& point : series.points)
                    if ((point.standing == PointStyle::wrong) == wrong) add_point(series, point);
        for (const ChartSeries& series : chart_.series)
            for (const ChartPoint& point : series.points)
                add_hit_area(point);
        float y = plot_.area().bottom + plot_.below();
        if (!at_ends_) {
            names_.add_in_columns(scene_, frame_.left(), y + s(10));
            y += s(10) + names_.height_of_columns();
        }
        frame_.add_notes(scene_, y);
        return std::move(scene_);
    }

  private:
    float s(float points) const { return points * scale_; }

    void place(float height) {
        const float top = frame_.top() + s(26);  // the vertical axis's words are above it
        const float rest = plot_.below() + frame_.below();
        float bottom = std::max(height - rest, top + s(kLeastPlot));
        const float names = names_.height_at_ends(), wide = names_.width_at_ends();
        at_ends_ = wide <= kMostNamedLines * width_ &&
                   (names <= bottom - top || top + names + rest <= kMostGrown * height);
        if (at_ends_)
            bottom = std::max(bottom, top + names);
        else
            bottom =
                std::max({height - rest - s(10) - names_.height_of_columns(), top + s(kLeastPlot),
                          top + std::min(kPlotAbove * width_, kMostAbove * height)});
        plot_.set_height(top, bottom);
        const float right = at_ends_ ? frame_.right() - wide : frame_.right();
        plot_.set_width(frame_.left() + plot_.marks_width(), right);
    }

    void add_band(const ChartSeries& series) {
        if (!series.joined) return;
        for_each_run(series, [&](std::size_t begin, std::size_t end) {
            std::vector<Point> points;
            bool any = false;
            for (std::size_t i = begin; i < end; ++i) {
                const ChartPoint& point = series.points[i];
                any |= point.high > point.low;
                points.push_back(
                    plot_.place(point.x, point.high > point.low ? point.high : point.y));
            }
            for (std::size_t i = end; i > begin; --i) {
                const ChartPoint& point = series.points[i - 1];
                points.push_back(
                    plot_.place(point.x, point.high > point.low ? point.low : point.y));
            }
            if (!any) return;
            Path band = polygon(std::move(points), series.look.role);
            band.opacity = kBandOpacity;
            scene_.add(band);
        });
    }

    void add_line(const ChartSeries& series) {
        if (!series.joined) return;
        for_each_run(series, [&](std::size_t begin, std::size_t end) {
            Path path;
            for (std::size_t i = begin; i < end; ++i)
                path.points.push_back(plot_.place(series.points[i]));
            path.stroke = {series.look.role, 1.75F, series.dash};
            scene_.add(path);
        });
        // A line of one point is as wide as the plot where it has no mark.
        if (series.points.size() == 1 && series.look.marker == Marker::none) {
            const float y = plot_.place(series.points.front()).y;
            scene_.add(line({plot_.area().left, y}, {plot_.area().right, y},
                            {series.look.role, 1.75F, series.dash}));
        }
    }

    // A whisker stands for the band where there is no line on which it could be.
    void add_whisker(const ChartSeries& series, const ChartPoint& point) {
        if (point.high <= point.low || series.points.size() > 1) return;
        const Point high = plot_.place(point.x, point.high), low = plot_.place(point.x, point.low);
        if (low.y - high.y < 2 * s(kChartReach)) return;
        scene_.add(line(high, low, {series.look.role, 1.25F}));
    }

    void add_point(const ChartSeries& series, const ChartPoint& point) {
        const Point at = plot_.place(point);
        const SeriesLook look = point.look.value_or(series.look);
        if (point.bound > 0) {
            const float y = plot_.place(point.x, point.bound).y, half = s(7);
            scene_.add(line({at.x - half, y}, {at.x + half, y}, {look.role, 1.5F, Dash::dashed}));
        }
        if (point.standing == PointStyle::usual) add_whisker(series, point);
        add_styled_marker(scene_, at, s(kChartReach), look, point.standing);
    }

    // Larger than the mark, and above all marks: so the nearest of the last drawn is told.
    void add_hit_area(const ChartPoint& point) {
        if (point.tip.empty()) return;
        const Point at = plot_.place(point);
        scene_.add(box(at.x - s(kHitRadius), at.y - s(kHitRadius), 2 * s(kHitRadius),
                       2 * s(kHitRadius), Role::none),
                   point.tip);
    }

    const Chart& chart_;
    float scale_, width_;
    ChartFrame frame_;
    Plot plot_;
    LineNames names_;
    bool at_ends_ = true;
    Scene scene_;
};

// Rounding must not cost the mark at an end of the range.
constexpr double kSlack = 1e-9;

double scaled(Scale scale, double value) {
    return scale == Scale::linear ? value
           : scale == Scale::log2 ? std::log2(value)
                                  : std::log10(value);
}

// base^k for each k that `step` divides.
std::vector<double> powers(Scale scale, Range range, int step) {
    const double base = scale == Scale::log2 ? 2 : 10;
    const double low = scaled(scale, range.low) - kSlack, high = scaled(scale, range.high) + kSlack;
    std::vector<double> values;
    for (double k = std::ceil(low / step) * step; k <= high; k += step)
        values.push_back(std::pow(base, k));
    return values;
}

std::vector<double> decades_in_three(Range range) {
    std::vector<double> values;
    for (double k = std::floor(std::log10(range.low)); k <= std::log10(range.high) + kSlack; ++k)
        for (const double part : {1.0, 2.0, 5.0}) {
            const double value = part * std::pow(10, k);
            if (value >= range.low * (1 - kSlack) && value <= range.high * (1 + kSlack))
                values.push_back(value);
        }
    return values;
}

std::vector<double> even_steps(Range range, double step) {
    std::vector<double> values;
    const double first = std::ceil(range.low / step - kSlack);
    for (double k = first; k * step <= range.high + step * kSlack; ++k)
        values.push_back(k * step);
    return values;
}

// 1-2-5 steps, from about twenty marks to two.
void add_even_choices(std::vector<std::vector<double>>& to, Range range) {
    const double span = range.high - range.low;
    const double decade = std::pow(10, std::floor(std::log10(span / 20)));
    for (const double part : {1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0})
        if (const double step = part * decade; span / step <= 20 && span / step >= 1)
            to.push_back(even_steps(range, step));
}

std::string superscript(int number) {
    constexpr std::array<const char*, 10> kDigits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string text = number < 0 ? "⁻" : "";
    for (const char digit : std::to_string(std::abs(number)))
        text += kDigits[static_cast<std::size_t>(digit - '0')];
    return text;
}

std::string power_text(double value) {
    if (value <= 0) return fmt::format("{:g}", value);
    const int exponent = static_cast<int>(std::floor(std::log10(value) + kSlack));
    const double part = value / std::pow(10, exponent);
    const std::string power = "10" + superscript(exponent);
    return std::abs(part - 1) < 1e-6 ? power : fmt::format("{:.3g}·{}", part, power);
}

std::string plain_text(double value) {
    if (std::abs(value) < 1e-12) return "0";
    std::string text = fmt::format("{:.10g}", value);
    if (value < 0 || value >= 1e-4 || value < 1e-8) return text;
    text = fmt::format("{:.12f}", value);  // "0.00005" rather than "5e-05"
    text.erase(text.find_last_not_of('0') + 1);
    return text;
}

constexpr float kTitle = 19, kTitleLine = 25, kSubtitle = 13, kSubtitleLine = 18,
                kFootnoteLine = 17;

std::vector<std::string> joined_lines(const std::vector<std::string>& sentences, float width,
                                      float size, const Fonts& fonts) {
    std::string all;
    for (const std::string& sentence : sentences) {
        // Chinese stops bring their own room.
        const bool full_width = all.ends_with("。") || all.ends_with("；");
        if (!all.empty() && !full_width) all += ' ';
        all += sentence;
    }
    return lines_of(all, width, size, Face::sans, fonts);
}

enum class Kind : std::uint8_t { round, filled, strokes };

// Corners in a square from -1 to 1; strokes are pairs of ends.
struct MarkerShape {
    Kind kind = Kind::filled;
    bool open = false;
    std::vector<Point> points;
};

const MarkerShape& shape_of(Marker marker) {
    using List = std::vector<Point>;
    static const List square{{-0.85F, -0.85F}, {0.85F, -0.85F}, {0.85F, 0.85F}, {-0.85F, 0.85F}};
    static const List up{{0, -1.1F}, {1.1F, 0.85F}, {-1.1F, 0.85F}};
    static const List down{{0, 1.1F}, {1.1F, -0.85F}, {-1.1F, -0.85F}};
    static const List diamond{{0, -1.25F}, {1.25F, 0}, {0, 1.25F}, {-1.25F, 0}};
    static const List cross{{-0.85F, -0.85F}, {0.85F, 0.85F}, {-0.85F, 0.85F}, {0.85F, -0.85F}};
    static const List plus{{-1.1F, 0}, {1.1F, 0}, {0, -1.1F}, {0, 1.1F}};
    static const std::array<MarkerShape, static_cast<std::size_t>(Marker::count_)> shapes{{
        {Kind::round, false, {}},
        {Kind::filled, false, square},
        {Kind::filled, false, up},
        {Kind::filled, false, diamond},
        {Kind::strokes, false, cross},
        {Kind::filled, false, down},
        {Kind::strokes, false, plus},
        {Kind::round, true, {}},
        {Kind::filled, true, square},
        {Kind::filled, true, up},
        {Kind::filled, true, diamond},
        {Kind::filled, true, down},
    }};
    return shapes[static_cast<std::size_t>(marker)];
}

void add_tick(Scene& scene, Point point, float r) {
    scene.add(disc(point, r, Role::wrote));
    Path tick;
    tick.points = {{point.x - r * 0.45F, point.y + r * 0.05F},
                   {point.x - r * 0.1F, point.y + r * 0.4F},
                   {point.x + r * 0.5F, point.y - r * 0.35F}};
    tick.stroke = {Role::on_act, r / 4};
    scene.add(tick);
}

void add_exclamation(Scene& scene, Point point, float r) {
    scene.add(polygon({{point.x, point.y - r},
                       {point.x + r, point.y + r * 0.85F},
                       {point.x - r, point.y + r * 0.85F}},
                      Role::race, {Role::race, r / 5}));
    scene.add(line({point.x, point.y - r * 0.35F}, {point.x, point.y + r * 0.15F},
                   {Role::on_act, r / 4}));
    scene.add(disc({point.x, point.y + r * 0.6F}, r * 0.15F, Role::on_act));
}

}  // namespace

Scene chart_scene(const Chart& chart, const ChartSize& size, const Fonts& fonts) {
    return ChartLayout(chart, size, fonts).make();
}

double part_of(Scale scale, Range range, double value) {
    const double low = scaled(scale, range.low), high = scaled(scale, range.high);
    return high > low ? (scaled(scale, value) - low) / (high - low) : 0.5;
}

Range range_of(Scale scale, const std::vector<double>& values) {
    Range range{std::numeric_limits<double>::infinity(), 0};
    if (scale == Scale::linear) range.high = -range.low;
    for (const double value : values) {
        if (!std::isfinite(value) || (scale != Scale::linear && value <= 0)) continue;
        range.low = std::min(range.low, value);
        range.high = std::max(range.high, value);
    }
    if (range.low > range.high) return {1, 10};
    if (scale == Scale::linear) {
        if (range.high - range.low > std::abs(range.high) * 1e-6) return range;
        const double reach = std::max(std::abs(range.high) / 2, 0.5);
        return {range.low - reach, range.high + reach};
    }
    const double least = scale == Scale::log2 ? 2 : 3;  // from end to end
    if (range.high / range.low >= least) return range;
    const double reach = std::sqrt(least * range.low / range.high);
    return {range.low / reach, range.high * reach};
}

std::vector<std::vector<double>> tick_choices(Scale scale, Range range) {
    std::vector<std::vector<double>> result;
    if (scale == Scale::linear) {
        add_even_choices(result, range);
    } else if (scale == Scale::log2) {
        for (const int step : {1, 2, 4, 5, 10, 20})
            result.push_back(powers(scale, range, step));
    } else {
        std::vector<double> threes = decades_in_three(range);
        if (threes.size() < 3) add_even_choices(result, range);
        result.push_back(std::move(threes));
        for (const int step : {1, 2, 3, 6, 12, 24, 48})
            result.push_back(powers(scale, range, step));
    }
    std::erase_if(result, [](const std::vector<double>& choice) { return choice.empty(); });
    if (!result.empty() && result.back().size() > 1) result.push_back({result.back().front()});
    return result;
}

std::string tick_text(Unit unit, double value, const TimeSigns& signs) {
    switch (unit) {
        case Unit::plain:
            return plain_text(value);
        case Unit::elements:
            return value >= 1
                       ? catalogue::size_text(static_cast<std::uint64_t>(std::llround(value)))
                       : plain_text(value);
        case Unit::seconds:
            return seconds_text(value, signs);
        case Unit::powers:
            return power_text(value);
    }
    return {};
}

std::string seconds_text(double seconds, const TimeSigns& signs) {
    struct Step {
        double of;
        const std::string& name;
    };
    const std::array<Step, 4> steps{{{1, signs.seconds},
                                     {1e-3, signs.milliseconds},
                                     {1e-6, signs.microseconds},
                                     {1e-9, signs.nanoseconds}}};
    for (const Step& step : steps) {
        const double value = seconds / step.of;
        if (value < 0.9995 && &step != &steps.back()) continue;  // 0.9996 would be "1000 ms"
        return value >= 1000 ? fmt::format("{:.0f} {}", value, step.name)
                             : fmt::format("{:.3g} {}", value, step.name);
    }
    return {};
}

ChartFrame::ChartFrame(const std::string& title, const std::string& subtitle,
                       const std::vector<std::string>& notes, float width, float scale,
                       bool heading, const Fonts& fonts)
    : width_(width),
      scale_(scale),
      top_(heading ? kChartMargin : kChartMargin / 2),
      below_(kChartMargin),
      fonts_(fonts) {
    const float room = right() - left();
    if (heading) {
        title_ = lines_of(title, room, kTitle * scale, Face::bold, fonts);
        subtitle_ = lines_of(subtitle, room, kSubtitle * scale, Face::sans, fonts);
        top_ += scale * (kTitleLine * static_cast<float>(title_.size()) +
                         kSubtitleLine * static_cast<float>(subtitle_.size()) + 10);
    }
    notes_ = joined_lines(notes, room, kNoteSize * scale, fonts);
    if (!notes_.empty()) below_ += scale * (kFootnoteLine * static_cast<float>(notes_.size()) + 8);
    if (!heading) below_ -= kChartMargin / 2;
}

void ChartFrame::add_heading(Scene& scene) const {
    float y = kChartMargin;
    const auto add = [&](const std::vector<std::string>& lines, float size, float line_height,
                         Face face, Role role) {
        for (const std::string& words : lines) {
            const float baseline = y + fonts_.ascent(size * scale_, face);
            scene.add(Text{left(), baseline, words, size * scale_, face, role});
            y += line_height * scale_;
        }
    };
    add(title_, kTitle, kTitleLine, Face::bold, Role::text);
    add(subtitle_, kSubtitle, kSubtitleLine, Face::sans, Role::muted);
}

void ChartFrame::add_notes(Scene& scene, float y) const {
    scene.height = std::ceil(y + below_);
    const float size = kNoteSize * scale_;
    float baseline = y + 8 * scale_ + fonts_.ascent(size, Face::sans);
    for (const std::string& words : notes_) {
        scene.add(Text{left(), baseline, words, size, Face::sans, Role::muted});
        baseline += kFootnoteLine * scale_;
    }
}

std::vector<float> spread(const std::vector<float>& wanted, float apart, float low, float high) {
    std::vector<std::size_t> order(wanted.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    stable_sort(order, [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
    struct Pool {
        double sum = 0;
        std::size_t count = 0;
        double mean() const { return sum / static_cast<double>(count); }
    };
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < order.size(); ++i) {
        pools.push_back({double(wanted[order[i]]) - static_cast<double>(i) * double(apart), 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            pools[pools.size() - 2].sum += pools.back().sum;
            pools[pools.size() - 2].count += pools.back().count;
            pools.pop_back();
        }
    }
    const double last = static_cast<double>(std::max<std::size_t>(order.size(), 1) - 1);
    const double highest = std::max(double(low), double(high) - last * double(apart));
    std::vector<float> placed(wanted.size());
    std::size_t i = 0;
    for (const Pool& pool : pools)
        for (std::size_t k = 0; k < pool.count; ++k, ++i)
            placed[order[i]] = static_cast<float>(std::clamp(pool.mean(), double(low), highest) +
                                                  static_cast<double>(i) * double(apart));
    return placed;
}

SeriesLook look_of_series(std::size_t index, std::size_t device, std::size_t devices) {
    constexpr auto kMarkers = static_cast<std::size_t>(Marker::count_);
    constexpr std::size_t kClosed = 7, kSeriesRoles = 7;
    const std::size_t round = index / kSeriesRoles;
    const std::size_t marker =
        devices <= 1 ? (index + round) % kClosed : (round * devices + device) % kMarkers;
    return {static_cast<Role>(static_cast<std::size_t>(Role::series_1) + index % kSeriesRoles),
            static_cast<Marker>(marker)};
}

void add_marker(Scene& scene, Point middle, float reach, SeriesLook look) {
    if (look.marker == Marker::none) return;
    const MarkerShape& shape = shape_of(look.marker);
    const auto position = [&](Point p) {
        return Point{middle.x + p.x * reach, middle.y + p.y * reach};
    };
    // The ground's colour around a filled mark keeps it apart from those that it covers.
    const Role fill = shape.open ? Role::panel : look.role;
    const Stroke edge =
        shape.open ? Stroke{look.role, 0.4F * reach} : Stroke{Role::panel, 0.2F * reach};
    if (shape.kind == Kind::round) {
        scene.add(disc(middle, reach, fill, edge));
    } else if (shape.kind == Kind::filled) {
        auto points = mapped<Point>(shape.points, position);
        scene.add(polygon(std::move(points), fill, edge));
    } else {
        for (std::size_t i = 0; i + 1 < shape.points.size(); i += 2)
            scene.add(line(position(shape.points[i]), position(shape.points[i + 1]),
                           {look.role, 0.55F * reach}));
    }
}

void add_badge(Scene& scene, Point middle, float radius, bool right) {
    (right ? add_tick : add_exclamation)(scene, middle, radius);
}

}  // namespace lab::figures
