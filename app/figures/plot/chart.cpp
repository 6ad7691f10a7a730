#include "figures/plot/chart.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "figures/plot/axes.h"
#include "figures/plot/chart_frame.h"
#include "figures/plot/series_names.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

constexpr float kChartReach = 3.8F;       // of a point's mark
constexpr float kFelt = 8;                // around a point, where the mouse finds it
constexpr float kLeastPlot = 150;         // its height
constexpr float kPlotAbove = 0.4F;        // of the width, the same above columns of names
constexpr float kMostAbove = 0.55F;       // and no more of the height asked for than this
constexpr float kMostGrown = 1.6F;        // of the height asked for, so that all names are at ends
constexpr float kMostNamedLines = 0.45F;  // of the width, to the right of the plot
constexpr float kBandOpacity = 0.2F;

bool on_line(const ChartPoint& point) {
    return point.standing == Standing::usual && std::isfinite(point.y);
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

class ChartLayout {
  public:
    ChartLayout(const Chart& chart, const ChartSize& size, const Fonts& fonts)
        : chart_(chart),
          scale_(size.text_scale),
          width_(std::max(size.width, kLeastChartWidth * size.text_scale)),
          frame_(chart.title, chart.subtitle, chart.notes, width_, scale_, size.heading, fonts),
          plot_(chart, scale_, fonts),
          names_(chart, scale_, fonts),
          columns_(chart, frame_.right() - frame_.left(), scale_, fonts) {
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
        if (at_ends_) names_.add_to(scene_, plot_);
        // What is wrong never covers what is right.
        for (const bool wrong : {true, false})
            for (const ChartSeries& series : chart_.series)
                for (const ChartPoint& point : series.points)
                    if ((point.standing == Standing::wrong) == wrong) add_point(series, point);
        for (const ChartSeries& series : chart_.series)
            for (const ChartPoint& point : series.points)
                add_felt(point);
        float y = plot_.area().bottom + plot_.below();
        if (!at_ends_) {
            columns_.add_to(scene_, frame_.left(), y + s(10));
            y += s(10) + columns_.height();
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
        const float names = names_.height();
        at_ends_ = names_.width() <= kMostNamedLines * width_ &&
                   (names <= bottom - top || top + names + rest <= kMostGrown * height);
        if (at_ends_)
            bottom = std::max(bottom, top + names);
        else
            bottom = std::max({height - rest - s(10) - columns_.height(), top + s(kLeastPlot),
                               top + std::min(kPlotAbove * width_, kMostAbove * height)});
        plot_.set_height(top, bottom);
        const float right = at_ends_ ? frame_.right() - names_.width() : frame_.right();
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
        scene_.add(line(high, low, {series.look.role, 1.25F, Dash::solid}));
    }

    void add_point(const ChartSeries& series, const ChartPoint& point) {
        const Point at = plot_.place(point);
        const SeriesLook look = point.look.value_or(series.look);
        if (point.bound > 0) {
            const float y = plot_.place(point.x, point.bound).y, half = s(7);
            scene_.add(line({at.x - half, y}, {at.x + half, y}, {look.role, 1.5F, Dash::dashed}));
        }
        if (point.standing == Standing::wrong) {
            add_wrong_marker(scene_, at, s(kChartReach), look);
        } else if (point.standing == Standing::elsewhere) {
            add_elsewhere_marker(scene_, at, s(kChartReach), look);
        } else {
            add_whisker(series, point);
            add_marker(scene_, at, s(kChartReach), look);
        }
    }

    // Larger than the mark, and above all marks: so the nearest of the last drawn is told.
    void add_felt(const ChartPoint& point) {
        if (point.tip.empty()) return;
        const Point at = plot_.place(point);
        scene_.add(box(at.x - s(kFelt), at.y - s(kFelt), 2 * s(kFelt), 2 * s(kFelt), Role::none),
                   point.tip);
    }

    const Chart& chart_;
    float scale_, width_;
    ChartFrame frame_;
    Plot plot_;
    EndNames names_;
    NameColumns columns_;
    bool at_ends_ = true;
    Scene scene_;
};

}  // namespace

Scene chart_scene(const Chart& chart, const ChartSize& size, const Fonts& fonts) {
    return ChartLayout(chart, size, fonts).make();
}

}  // namespace lab::figures
