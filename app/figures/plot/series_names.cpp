#include "figures/plot/series_names.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "figures/plot/chart_frame.h"
#include "figures/plot/spread.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

constexpr float kNameLine = 18;    // of one name
constexpr float kNameReach = 4;    // of a mark before it
constexpr float kNameSwatch = 24;  // the mark's width and what is after it
constexpr float kLeader = 26;      // between the plot and the marks
constexpr float kColumnGap = 16;
constexpr float kMostMoved = 1.5F;  // points that need no leader

std::vector<const ChartSeries*> with_points(const Chart& chart) {
    std::vector<const ChartSeries*> shown;
    for (const ChartSeries& series : chart.series)
        if (!series.points.empty()) shown.push_back(&series);
    return shown;
}

struct Namer {
    Scene& scene;
    float scale;
    const Fonts& fonts;
};

// `at`: the left end and the middle of the name with its mark.
void add_name(const Namer& to, Point point, const ChartSeries& series, float room) {
    const float scale = to.scale, reach = kNameReach * scale, size = kNameSize * scale;
    const Point mark{point.x + 9 * scale, point.y};
    if (series.joined && series.swatch == Standing::usual)
        to.scene.add(line({point.x, point.y}, {point.x + 18 * scale, point.y},
                          {series.look.role, 1.75F, series.dash}));
    if (series.swatch == Standing::wrong)
        add_wrong_marker(to.scene, mark, reach, series.look);
    else if (series.swatch == Standing::elsewhere)
        add_elsewhere_marker(to.scene, mark, reach, series.look);
    else
        add_marker(to.scene, mark, reach, series.look);
    const float wide = room - kNameSwatch * scale;
    const std::string fitting = to.fonts.shortened(series.name, wide, size, Face::sans);
    to.scene.add(
        Text{point.x + kNameSwatch * scale, point.y + to.fonts.cap_height(size, Face::sans) / 2,
             fitting, size, Face::sans, series.label, Anchor::start},
        fitting == series.name ? "" : series.name);
}

float widest_name(const std::vector<const ChartSeries*>& shown, float scale, const Fonts& fonts) {
    float widest = 0;
    for (const ChartSeries* series : shown)
        widest = std::max(widest, fonts.text_width(series->name, kNameSize * scale, Face::sans));
    return std::ceil(widest) + kNameSwatch * scale;
}

// From a line's end to its name, where it was moved or the line ends early.
void add_leader(Scene& scene, Point from, Point to, float plot_right, float scale) {
    const Stroke thin{Role::idle, 0.9F, Dash::solid};
    const Stroke dotted{Role::idle, 1.1F, Dash::dotted};
    const float begin = from.x + 7 * scale;
    if (plot_right - begin > 16 * scale)
        scene.add(line({begin, from.y}, {plot_right, from.y}, dotted));
    Path path = line({std::max(begin, plot_right), from.y}, {to.x - 3 * scale, to.y}, thin);
    scene.add(path);
}

}  // namespace

EndNames::EndNames(const Chart& chart, float scale, const Fonts& fonts)
    : scale_(scale), fonts_(fonts), shown_(with_points(chart)) {
    if (!shown_.empty()) width_ = kLeader * scale + widest_name(shown_, scale, fonts);
}

float EndNames::height() const {
    return static_cast<float>(shown_.size()) * kNameLine * scale_;
}

void EndNames::add_to(Scene& scene, const Plot& plot) const {
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
        add_name({scene, scale_, fonts_}, name, *shown_[i], width_ - kLeader * scale_);
    }
}

NameColumns::NameColumns(const Chart& chart, float width, float scale, const Fonts& fonts)
    : scale_(scale), fonts_(fonts), shown_(with_points(chart)) {
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

std::vector<float> NameColumns::columns_of(std::size_t rows) const {
    std::vector<float> widths;
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        if (i % rows == 0) widths.push_back(0);
        const float name =
            std::ceil(fonts_.text_width(shown_[i]->name, kNameSize * scale_, Face::sans));
        widths.back() = std::max(widths.back(), name + kNameSwatch * scale_);
    }
    return widths;
}

float NameColumns::height() const {
    return static_cast<float>(rows_) * kNameLine * scale_;
}

void NameColumns::add_to(Scene& scene, float left, float top) const {
    for (std::size_t i = 0; i < shown_.size(); ++i) {
        const std::size_t column = i / rows_;
        if (i > 0 && i % rows_ == 0) left += columns_[column - 1] + kColumnGap * scale_;
        const float middle = (static_cast<float>(i % rows_) + 0.5F) * kNameLine * scale_;
        add_name({scene, scale_, fonts_}, {left, top + middle}, *shown_[i], columns_[column]);
    }
}

}  // namespace lab::figures
