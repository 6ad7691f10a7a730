#include "figures/bars.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace lab::figures {
namespace {

constexpr float kMostRow = 30, kLeastRow = 20;  // height of a bar and the room around it
constexpr float kBarPart = 0.62F;               // of a row
constexpr float kBarSwatch = 18;                // the mark before a name
constexpr float kNone = 26;                     // the length of a box that stands for no bar
constexpr float kMostNamedBars = 0.4F;          // of the width

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
        float y = top_;
        for (const Bar& bar : chart_.bars) {
            if (!bar.heading.empty()) add_heading(bar.heading, y += row_);
            add_bar(bar, y + row_ / 2);
            y += row_;
        }
        frame_.add_notes(scene_, bottom_ + s(4));
        return std::move(scene_);
    }

  private:
    float s(float points) const { return points * scale_; }
    float text_width(const std::string& text) const {
        return fonts_.text_width(text, s(kNameSize), Face::sans);
    }
    bool by_factors() const { return chart_.scale != Scale::linear; }
    bool has_bar(const Bar& bar) const {
        return bar.standing == BarStanding::usual || bar.standing == BarStanding::muted;
    }
    float part(double value) const {
        return static_cast<float>(part_of(chart_.scale, range_, value));
    }
    float x_of(double value) const { return left_ + part(value) * (right_ - left_); }
    // All that is to be shown of a bar lies at or left of it.
    double reach(const Bar& bar) const {
        double most = by_factors() ? std::max(1.0, bar.mark) : bar.mark;
        if (has_bar(bar)) most = std::max({most, bar.value, bar.high});
        return most;
    }

    void place(float height) {
        const auto lines = std::count_if(chart_.bars.begin(), chart_.bars.end(),
                                         [](const Bar& bar) { return !bar.heading.empty(); }) +
                           static_cast<std::ptrdiff_t>(chart_.bars.size());
        const auto count = static_cast<float>(std::max<std::ptrdiff_t>(lines, 1));
        top_ = frame_.top() + s(40);  // the axis and its words are above the bars
        row_ = std::clamp((height - frame_.below() - top_) / count, s(kLeastRow), s(kMostRow));
        bottom_ = top_ + count * row_;
        float names = 0;
        for (const Bar& bar : chart_.bars)
            names = std::max(names, text_width(bar.name));
        names_ = std::min(std::ceil(names) + 1, kMostNamedBars * width_ - s(kBarSwatch));
        left_ = frame_.left() + s(kBarSwatch) + names_ + s(10);
        set_range();
        // The longest bar is as long as every figure behind a bar has room.
        const float end = frame_.right();
        right_ = end;
        for (const Bar& bar : chart_.bars) {
            if (bar.standing == BarStanding::none) continue;
            const float share = part(reach(bar));
            const float room = end - left_ - s(bar.mark > 0 ? 16 : 10) - text_width(bar.figure);
            if (share > 0) right_ = std::min(right_, left_ + room / share);
        }
        right_ = std::max(right_, left_ + s(40));
    }

    void set_range() {
        range_ = by_factors() ? Range{1, 1} : Range{0, chart_.reference};
        for (const Bar& bar : chart_.bars) {
            range_.high = std::max(range_.high, reach(bar));
            if (!by_factors()) continue;
            for (const double value : {bar.value, bar.low, bar.mark})
                if (value > 0 && (has_bar(bar) || value == bar.mark))
                    range_.low = std::min(range_.low, value);
        }
        if (!by_factors() && !(range_.high > 0)) range_.high = 1;
        if (by_factors() && !(range_.high > range_.low)) range_.high = 2;
        if (by_factors()) range_.low /= 1.1;  // a diamond there keeps away from the names
    }

    void add_axis() {
        const Axis axis{chart_.label, chart_.scale, Unit::plain};
        const float size = s(kTickSize);
        const std::vector<Tick> ticks =
            fitting_ticks(axis, range_, size, by_factors() ? s(10) : s(40), true, fonts_,
                          [this](double value) { return x_of(value); });
        for (const Tick& tick : ticks) {
            scene_.add(line({tick.at, top_ - s(4)}, {tick.at, bottom_}, {Role::idle_fill, 1}));
            scene_.add(Text{tick.at, top_ - s(9), tick.text, size, Face::sans, Role::muted,
                            Anchor::middle});
        }
        if (chart_.reference > 0) {
            const float x = x_of(chart_.reference);
            scene_.add(line({x, top_ - s(4)}, {x, bottom_}, {Role::muted, 1, Dash::dashed}));
        }
        scene_.add(Text{frame_.left(), top_ - s(26), chart_.label, size, Face::sans, Role::muted});
    }

    // `bottom`: where the bars below it begin.
    void add_heading(const std::string& words, float bottom) {
        const float size = s(kNameSize);
        scene_.add(line({frame_.left(), bottom - row_ + s(2)},
                        {frame_.right(), bottom - row_ + s(2)}, {Role::border, 1}));
        scene_.add(Text{frame_.left(), bottom - s(4),
                        fonts_.shortened(words, frame_.right() - frame_.left(), size, Face::bold),
                        size, Face::bold, Role::text},
                   words);
    }

    void add_text(float x, float y, const std::string& words, Role role, float room) {
        const float size = s(kNameSize);
        const std::string fitting = fonts_.shortened(words, room, size, Face::sans);
        scene_.add(fonts_.line_at({x, y}, fitting, size, Face::sans, role),
                   fitting == words ? "" : words);
    }

    void add_bar(const Bar& bar, float y) {
        add_marker(scene_, {frame_.left() + s(5), y}, s(4), bar.look);
        const bool usual = bar.standing == BarStanding::usual;
        add_text(frame_.left() + s(kBarSwatch), y, bar.name, usual ? Role::text : Role::muted,
                 names_);
        const float height = kBarPart * row_;
        const float from = by_factors() ? x_of(1) : left_;
        float end = from;
        if (bar.standing == BarStanding::none) {
            scene_.add(box(from, y - height / 2, s(kNone), height, kWrongLook));
            end += s(kNone);
        } else if (has_bar(bar)) {
            const float to = x_of(bar.value);
            const float length = std::max(std::abs(to - from), 1.0F);
            scene_.add(box(std::min(from, to), y - height / 2, length, height,
                           usual ? bar.look.role : Role::idle));
            end = std::max({end, from + (to < from ? 0 : length), add_whisker(bar, y)});
        }
        if (bar.mark > 0) end = std::max(end, add_mark(bar, y));
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

    // Returns its right end. The stem tells it from a whisker even where the two meet.
    float add_mark(const Bar& bar, float y) {
        const float x = x_of(bar.mark), half = 0.45F * row_;
        for (const Stroke& stroke :
             {Stroke{Role::panel, 3.5F}, Stroke{Role::text, 1.25F, Dash::dotted}})
            scene_.add(line({x, y - half}, {x, y + half}, stroke));
        add_marker(scene_, {x, y}, s(4.5F), {Role::text, Marker::open_diamond});
        return x + s(6);
    }

    // Returns its right end. A rim in the ground's colour keeps it apart from its bar.
    float add_whisker(const Bar& bar, float y) {
        if (!(bar.high > bar.low)) return left_;
        const float low = x_of(bar.low), high = x_of(bar.high);
        if (high - low < s(3)) return left_;
        const float half = s(4);
        for (const Stroke& stroke : {Stroke{Role::panel, 3.5F}, Stroke{Role::text, 1.25F}}) {
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
    Range range_;
    Scene scene_;
};

}  // namespace

Scene bar_scene(const BarChart& chart, const ChartSize& size, const Fonts& fonts) {
    return BarLayout(chart, size, fonts).make();
}

Scene side_by_side(Scene left, const Scene& right, float gap) {
    const float x = left.width + gap;
    add_scene(left, right, x, 0);
    left.width = x + right.width;
    left.height = std::max(left.height, right.height);
    const auto join = [](std::string& to, const std::string& more) {
        if (!more.empty()) to += (to.empty() ? "" : " | ") + more;
    };
    join(left.title, right.title);
    join(left.description, right.description);
    return left;
}

Scene one_above_the_other(Scene upper, const Scene& lower, float gap) {
    const float y = upper.height + gap;
    add_scene(upper, lower, 0, y);
    upper.height = y + lower.height;
    upper.width = std::max(upper.width, lower.width);
    return upper;
}

Scene under_heading(Scene scene, const std::string& title, const std::string& words, float scale) {
    constexpr float kLeft = 20, kHeight = 52;  // points at scale 1
    Scene moved;
    add_scene(moved, scene, 0, kHeight * scale);
    scene.shapes = std::move(moved.shapes);
    scene.height += kHeight * scale;
    scene.add(Text{kLeft, 30 * scale, title, 17 * scale, Face::bold, Role::text});
    scene.add(Text{kLeft, 50 * scale, words, 13 * scale, Face::sans, Role::muted});
    scene.title = title;
    return scene;
}

}  // namespace lab::figures
