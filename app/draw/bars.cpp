#include "draw/bars.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "draw/axes.h"
#include "draw/chart_frame.h"
#include "draw/shapes.h"

namespace lab::draw {
namespace {

constexpr float kMostRow = 30, kLeastRow = 20;  // height of a bar and the room around it
constexpr float kBarPart = 0.62F;               // of a row
constexpr float kSwatch = 18;                   // the mark before a name
constexpr float kNone = 26;                     // the length of a box that stands for no bar
constexpr float kMostForNames = 0.4F;           // of the width

class BarLayout {
  public:
    BarLayout(const BarChart& chart, const ChartSize& size, const Fonts& fonts)
        : chart_(chart),
          scale_(size.text_scale),
          width_(std::max(size.width, kLeastChartWidth * size.text_scale)),
          fonts_(fonts),
          frame_(chart.title, chart.subtitle, chart.notes, width_, scale_, size.heading, fonts) {
        place(size.height);
    }

    Scene make() {
        scene_.width = width_;
        scene_.title = chart_.title;
        scene_.description = chart_.description;
        frame_.add_heading(scene_);
        add_axis();
        for (std::size_t i = 0; i < chart_.bars.size(); ++i)
            add_bar(chart_.bars[i], top_ + (static_cast<float>(i) + 0.5F) * row_);
        frame_.add_notes(scene_, bottom_ + s(4));
        return std::move(scene_);
    }

  private:
    float s(float points) const { return points * scale_; }
    float text_width(const std::string& text) const {
        return fonts_.text_width(text, s(kNameSize), Face::sans);
    }
    float x_of(double value) const {
        return left_ + static_cast<float>(value / longest_) * (right_ - left_);
    }

    void place(float height) {
        const auto count = static_cast<float>(std::max<std::size_t>(chart_.bars.size(), 1));
        top_ = frame_.top() + s(40);  // the axis and its words are above the bars
        row_ = std::clamp((height - frame_.below() - top_) / count, s(kLeastRow), s(kMostRow));
        bottom_ = top_ + count * row_;
        float names = 0;
        for (const Bar& bar : chart_.bars)
            names = std::max(names, text_width(bar.name));
        names_ = std::min(std::ceil(names) + 1, kMostForNames * width_ - s(kSwatch));
        left_ = frame_.left() + s(kSwatch) + names_ + s(10);
        // The longest bar is as long as every figure behind a bar has room.
        longest_ = chart_.reference;
        for (const Bar& bar : chart_.bars)
            if (bar.standing != BarStanding::none)
                longest_ = std::max({longest_, bar.value, bar.high});
        if (!(longest_ > 0)) longest_ = 1;
        const float end = frame_.right();
        right_ = end;
        for (const Bar& bar : chart_.bars) {
            if (bar.standing == BarStanding::none) continue;
            const auto part = static_cast<float>(std::max(bar.value, bar.high) / longest_);
            const float room = end - left_ - s(10) - text_width(bar.figure);
            if (part > 0) right_ = std::min(right_, left_ + room / part);
        }
        right_ = std::max(right_, left_ + s(40));
    }

    void add_axis() {
        const Axis axis{chart_.label, Scale::linear, Unit::plain};
        const float size = s(kTickSize);
        const std::vector<Tick> ticks =
            fitting_ticks(axis, {0, longest_}, size, s(40), true, fonts_,
                          [this](double value) { return x_of(value); });
        for (const Tick& tick : ticks) {
            scene_.add(line({tick.at, top_ - s(4)}, {tick.at, bottom_},
                            {Role::idle_fill, 1, Dash::solid}));
            scene_.add(Text{tick.at, top_ - s(9), tick.text, size, Face::sans, Role::muted,
                            Anchor::middle});
        }
        if (chart_.reference > 0) {
            const float x = x_of(chart_.reference);
            scene_.add(line({x, top_ - s(4)}, {x, bottom_}, {Role::muted, 1, Dash::dashed}));
        }
        scene_.add(Text{frame_.left(), top_ - s(26), chart_.label, size, Face::sans, Role::muted,
                        Anchor::start});
    }

    void add_text(float x, float y, const std::string& words, Role role, float room) {
        const float size = s(kNameSize);
        const std::string fitting = fonts_.shortened(words, room, size, Face::sans);
        scene_.add(Text{x, y + fonts_.cap_height(size, Face::sans) / 2, fitting, size, Face::sans,
                        role, Anchor::start},
                   fitting == words ? "" : words);
    }

    void add_bar(const Bar& bar, float y) {
        add_marker(scene_, {frame_.left() + s(5), y}, s(4), bar.look);
        const bool usual = bar.standing == BarStanding::usual;
        add_text(frame_.left() + s(kSwatch), y, bar.name, usual ? Role::text : Role::muted, names_);
        const float height = kBarPart * row_;
        float end = left_;
        if (bar.standing == BarStanding::none) {
            Rect none = box(left_, y - height / 2, s(kNone), height, Role::race_fill);
            none.stroke = {Role::race, 1, Dash::solid};
            none.hatch = true;
            scene_.add(none);
            end += s(kNone);
        } else {
            const float length = std::max(x_of(bar.value) - left_, 1.0F);
            scene_.add(
                box(left_, y - height / 2, length, height, usual ? bar.look.role : Role::idle));
            end += length;
            end = std::max(end, add_whisker(bar, y));
        }
        const Role role = usual                               ? Role::text
                          : bar.standing == BarStanding::none ? Role::race
                                                              : Role::muted;
        // The axis's lines end before the figure.
        scene_.add(
            box(end + s(4), y - height / 2, text_width(bar.figure) + s(8), height, Role::panel));
        add_text(end + s(8), y, bar.figure, role, frame_.right() - end - s(8));
        if (!bar.tip.empty())
            scene_.add(
                box(frame_.left(), y - row_ / 2, frame_.right() - frame_.left(), row_, Role::none),
                bar.tip);
    }

    // Returns its right end. A rim in the ground's colour keeps it apart from its bar.
    float add_whisker(const Bar& bar, float y) {
        if (!(bar.high > bar.low)) return left_;
        const float low = x_of(bar.low), high = x_of(bar.high);
        if (high - low < s(3)) return left_;
        const float half = s(4);
        for (const Stroke& stroke :
             {Stroke{Role::panel, 3.5F, Dash::solid}, Stroke{Role::text, 1.25F, Dash::solid}}) {
            scene_.add(line({low, y}, {high, y}, stroke));
            for (const float x : {low, high})
                scene_.add(line({x, y - half}, {x, y + half}, stroke));
        }
        return high;
    }

    const BarChart& chart_;
    float scale_, width_;
    const Fonts& fonts_;
    ChartFrame frame_;
    float top_ = 0, bottom_ = 0, row_ = 0, left_ = 0, right_ = 0, names_ = 0;
    double longest_ = 1;
    Scene scene_;
};

}  // namespace

Scene bar_scene(const BarChart& chart, const ChartSize& size, const Fonts& fonts) {
    return BarLayout(chart, size, fonts).make();
}

}  // namespace lab::draw
