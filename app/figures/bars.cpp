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
constexpr float kMostFigure = 0.5F;             // of the room right of the names
constexpr float kLeastBarsWidth = 440;          // the width of one of two columns of bars
constexpr const char* kBetween = "  ";          // the parts of a figure: "3.1×  predicted 2.7×"

std::string_view first_part(std::string_view figure) {
    return figure.substr(0, figure.find(kBetween));
}

std::string shown_to(const std::string& figure, std::size_t end) {
    return end == figure.size() ? figure : figure.substr(0, end) + " …";
}

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
        Scene whole;
        whole.width = width_;
        whole.title = chart_.title;
        whole.description = chart_.description;
        whole.sentence = chart_.sentence;
        frame_.add_heading(whole);
        float x = 0;
        for (std::size_t begin = 0, end = split_; begin < end || x == 0;
             begin = end, end = chart_.bars.size()) {
            add_column(begin, end);
            add_scene(whole, std::exchange(scene_, {}), x, 0);
            x += end_;
        }
        frame_.add_notes(whole, bottom_ + s(4));
        return whole;
    }

  private:
    void add_column(std::size_t begin, std::size_t end) {
        add_axis();
        if (begin == 0) add_label();
        float y = top_;
        for (std::size_t i = begin; i < end; ++i) {
            const Bar& bar = chart_.bars[i];
            if (!bar.heading.empty()) add_heading(bar.heading, y += row_);
            add_bar(bar, y + row_ / 2);
            y += row_;
        }
    }

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

    // Of the bars with their headings.
    std::size_t lines(std::size_t begin, std::size_t end) const {
        std::size_t count = end - begin;
        for (std::size_t i = begin; i < end; ++i)
            count += chart_.bars[i].heading.empty() ? 0U : 1U;
        return count;
    }

    void place(float height) {
        const std::size_t bars = chart_.bars.size();
        auto count = static_cast<float>(std::max<std::size_t>(lines(0, bars), 1));
        top_ = frame_.top() + s(40);  // the axis and its words are above the bars
        split_ = bars;
        end_ = frame_.right();
        // What is too high stands in two columns where there is room for them.
        if (top_ + count * s(kLeastRow) + frame_.below() > height &&
            end_ >= 2 * s(kLeastBarsWidth)) {
            const bool headed = count > static_cast<float>(bars);
            for (std::size_t i = bars; i-- > 1;)
                if (2 * lines(0, i) >= lines(0, bars) &&
                    (!headed || !chart_.bars[i].heading.empty()))
                    split_ = i;
        }
        if (split_ < bars) {
            count = static_cast<float>(lines(0, split_));
            end_ = (end_ + frame_.left()) / 2 - s(8);
        }
        row_ = std::clamp((height - frame_.below() - top_) / count, s(kLeastRow), s(kMostRow));
        bottom_ = top_ + count * row_;
        float names = 0;
        for (const Bar& bar : chart_.bars)
            names = std::max(names, text_width(bar.name));
        names_ =
            std::min(std::ceil(names) + 1, kMostNamedBars * (end_ + frame_.left()) - s(kBarSwatch));
        left_ = frame_.left() + s(kBarSwatch) + names_ + s(10);
        set_range();
        // The longest bar is as long as every figure behind a bar has room; in columns long figures
        // are shortened, or there would be no bars.
        const float most = (split_ < bars ? kMostFigure : 1) * (end_ - left_);
        right_ = end_;
        for (const Bar& bar : chart_.bars) {
            if (bar.standing == BarStanding::none) continue;
            const float share = part(reach(bar));
            const float least =
                has_bar(bar) ? text_width(shown_to(bar.figure, first_part(bar.figure).size())) : 0;
            const float figure = std::min(text_width(bar.figure), std::max(most, least));
            const float room = end_ - left_ - s(bar.mark > 0 ? 16 : 10) - figure;
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
    }

    // Says above the first column what all bars show.
    void add_label() {
        const float size = s(kTickSize);
        const std::string label =
            fonts_.shortened(chart_.label, frame_.right() - frame_.left(), size, Face::sans);
        scene_.add(Text{frame_.left(), top_ - s(26), label, size, Face::sans, Role::muted},
                   label == chart_.label ? "" : chart_.label);
    }

    // `bottom`: where the bars below it begin.
    void add_heading(const std::string& words, float bottom) {
        const float size = s(kNameSize);
        scene_.add(line({frame_.left(), bottom - row_ + s(2)}, {end_, bottom - row_ + s(2)},
                        {Role::border, 1}));
        scene_.add(Text{frame_.left(), bottom - s(4),
                        fonts_.shortened(words, end_ - frame_.left(), size, Face::bold), size,
                        Face::bold, Role::text},
                   words);
    }

    // A number is never cut, for it would look like another one: parts go as a whole, the last
    // first.
    std::string fitting_figure(const Bar& bar, float room) const {
        const std::string& words = bar.figure;
        if (!has_bar(bar)) return fonts_.shortened(words, room, s(kNameSize), Face::sans);
        std::size_t end = words.size();
        while (end > first_part(words).size() && text_width(shown_to(words, end)) > room)
            end = words.rfind(kBetween, end - 1);
        return shown_to(words, end);
    }

    void add_text(float x, float y, const std::string& words, const std::string& fitting,
                  Role role) {
        const float size = s(kNameSize);
        scene_.add(fonts_.line_at({x, y}, fitting, size, Face::sans, role),
                   fitting == words ? "" : words);
    }

    void add_bar(const Bar& bar, float y) {
        add_marker(scene_, {frame_.left() + s(5), y}, s(4), bar.look);
        const bool usual = bar.standing == BarStanding::usual;
        add_text(frame_.left() + s(kBarSwatch), y, bar.name,
                 fonts_.shortened(bar.name, names_, s(kNameSize), Face::sans),
                 usual ? Role::text : Role::muted);
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
        add_text(end + s(8), y, bar.figure, fitting_figure(bar, end_ - end - s(8)), role);
        if (!bar.tip.empty())
            scene_.add(box(frame_.left(), y - row_ / 2, end_ - frame_.left(), row_, Role::none),
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
    float end_ = 0;          // the right edge of a column
    std::size_t split_ = 0;  // the bars of the first column
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
