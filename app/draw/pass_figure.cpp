#include "draw/pass_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "draw/badge.h"
#include "draw/legend.h"
#include "draw/pass_layout.h"
#include "draw/pass_rows.h"
#include "draw/pass_words.h"
#include "draw/shapes.h"
#include "insight/cells.h"

namespace lab::draw {
namespace {

std::vector<RowLabel> labels_of(const Passes& passes, const Translations& tr) {
    std::vector<RowLabel> labels = row_labels(passes, tr);
    if (labels.empty()) return labels;
    const std::size_t count = cells_per_mark(passes.passes.front().cells.size());
    if (count > 1) labels.front().items = tr("figure.marks", fmt::arg("count", count));
    return labels;
}

class Figure {
  public:
    Figure(const Passes& passes, const PassFigureOptions& options, const Fonts& fonts,
           const Translations& tr)
        : passes_(passes),
          options_(options),
          fonts_(fonts),
          tr_(tr),
          labels_(labels_of(passes, tr)),
          states_(cell_states(passes)),
          layout_(lay_out(passes, labels_, options, fonts)),
          shown_(std::min(std::max<std::size_t>(options.shown, 1), passes.passes.size())) {}

    Scene make() {
        scene_.width = layout_.width;
        scene_.height = layout_.height;
        scene_.title = passes_.title;
        if (options_.legend) add_legend(scene_, passes_, layout_, options_.width, fonts_, tr_);
        if (options_.heading) add_heading();
        add_captions();
        for (std::size_t row = 0; row < shown_; ++row) {
            add_funnels(scene_, to_draw(row));
            add_boundary(row);
            add_row(scene_, to_draw(row));
            add_label(row);
            if (row > 0) scene_.description += tr_("figure.space");
            scene_.description += sentence(passes_, row, tr_);
        }
        // Room for the verdict is kept from the start, so that the scene keeps its size.
        const Verdict verdict = lay_out_verdict();
        scene_.width = std::max(scene_.width, verdict.right + kMargin);
        if (shown_ == passes_.passes.size() && (!passes_.result.empty() || !passes_.fault.empty()))
            add_verdict(verdict);
        scene_.width = std::ceil(scene_.width - 0.01F);  // rounding is no reason to be wider
        scene_.height = std::ceil(scene_.height - 0.01F);
        return std::move(scene_);
    }

  private:
    float s(float points) const { return points * layout_.scale; }
    const Columns& columns() const { return layout_.columns; }
    bool last(std::size_t row) const { return row + 1 == passes_.passes.size(); }
    bool current(std::size_t row) const { return options_.shown != kAllRows && row + 1 == shown_; }

    RowToDraw to_draw(std::size_t row) const {
        return {passes_, layout_,      states_,
                row,     current(row), last(row) ? result_cell(passes_) : std::nullopt,
                fonts_,  tr_};
    }

    struct Style {
        float size;
        Face face;
        Role role;
    };
    // `x` is the left end, `y` the middle of capital letters. Returns the width.
    float add_text(float x, float y, const std::string& text, Style style, float room) {
        const float size = s(style.size);
        const std::string fitting = fonts_.shortened(text, room, size, style.face);
        scene_.add(Text{x, y + fonts_.cap_height(size, style.face) / 2, fitting, size, style.face,
                        style.role, Anchor::start},
                   fitting == text ? "" : text);
        return fonts_.text_width(fitting, size, style.face);
    }

    void add_heading() {
        const float room = std::max(scene_.width, options_.width) - 2 * kMargin;
        const float y = layout_.heading_y, x = columns().left;
        const float title =
            add_text(x, y - s(6), passes_.title, {18, Face::bold, Role::text}, room);
        const float below = add_text(x, y + s(16), subtitle(passes_, tr_),
                                     {kLabelSize, Face::sans, Role::muted}, room);
        scene_.width = std::max(scene_.width, x + std::max(title, below) + kMargin);
    }

    // "group 0" over each group; bare numbers, and then fewer of them, where that is too wide.
    void add_captions() {
        const auto& groups = columns().groups;
        if (groups.empty()) return;
        const float y = layout_.captions_y - s(4);
        const float pitch = groups.size() > 1 ? groups[1].left - groups[0].left : layout_.width;
        const auto words = [&](std::size_t group) {
            return tr_("figure.group", fmt::arg("n", group));
        };
        const auto width = [&](const std::string& text) {
            return fonts_.text_width(text, s(kSmallSize), Face::bold) + s(6);
        };
        const bool bare = width(words(groups.size() - 1)) > pitch;
        const float number = width(fmt::format("{}", groups.size() - 1));
        const auto step = static_cast<std::size_t>(bare ? std::ceil(number / pitch) : 1);
        const Style style{kSmallSize, Face::bold, Role::muted};
        for (std::size_t group = 0; group < groups.size(); group += step)
            add_text(groups[group].left, y, bare ? fmt::format("{}", group) : words(group), style,
                     columns().right);
        if (bare)
            add_text(layout_.labels, y, tr_("figure.group_numbers"),
                     {kSmallSize, Face::sans, Role::muted}, layout_.labels_width);
    }

    // Between a row and the one above. The end of a launch runs across all groups; a barrier ends
    // at the edge of each.
    void add_boundary(std::size_t row) {
        if (row == 0) return;
        const Boundary boundary = boundary_after(passes_, row - 1);
        if (boundary == Boundary::none) return;
        const std::string& words = labels_[row - 1].boundary;
        const float y = layout_.rows[row - 1].boundary;
        const float left = columns().left - s(6), right = layout_.labels - s(8);
        Stroke stroke{Role::barrier, 3, Dash::solid};
        if (boundary == Boundary::launch) {
            scene_.add(line({left, y}, {right, y}, stroke), words);
        } else {
            std::vector<Box> parts = columns().groups;
            // Where cells belong to no group, no place is the edge of one.
            if (parts.empty()) {
                parts = {{columns().left, 0, columns().right, 0}};
                stroke.dash = Dash::dashed;
            }
            for (const Box& part : parts)
                scene_.add(line({part.left - s(3), y}, {part.right + s(3), y}, stroke), words);
        }
        add_text(layout_.labels, y, words, {kSmallSize, Face::sans, Role::barrier_text},
                 layout_.labels_width);
    }

    void add_label(std::size_t row) {
        const RowLabel& label = labels_[row];
        const RowLayout& place = layout_.rows[row];
        const float x = layout_.labels, room = layout_.labels_width;
        const float y = label.items.empty() ? place.label : place.label - s(9);
        const float title =
            add_text(x, y, label.title,
                     {kTitleSize, Face::bold, current(row) ? Role::act : Role::text}, room);
        const Style style{kLabelSize, Face::sans, Role::muted};
        if (!label.variables.empty())
            add_text(x + title + s(8), y, label.variables, style, room - title - s(8));
        if (!label.items.empty()) add_text(x, place.label + s(9), label.items, style, room);
        if (!current(row)) return;
        // A pointer before the row where one is now.
        const Point tip{columns().left - s(6), place.top + place.height / 2};
        scene_.add(
            polygon({{tip.x - s(6), tip.y - s(6)}, tip, {tip.x - s(6), tip.y + s(6)}}, Role::act));
    }

    struct Verdict {
        float left = 0, right = 0;
        std::string words;
    };
    // Under the result's cell, as far as there is room.
    Verdict lay_out_verdict() const {
        Verdict out;
        out.words = verdict(passes_, tr_);
        const float wide = s(24) + fonts_.text_width(out.words, s(kTitleSize), Face::bold);
        out.left = columns().left;
        if (const auto cell = result_cell(passes_)) {
            const RowLayout& row = layout_.rows.back();
            const float under = row.x_of(*cell) - row.mark_width / 2;
            out.left = std::max(out.left, std::min(under, scene_.width - kMargin - wide));
        }
        out.right = out.left + wide;
        return out;
    }

    void add_verdict(const Verdict& verdict) {
        const float y = layout_.verdict_y - s(5);
        add_badge(scene_, {verdict.left + s(8), y}, s(8), passes_.right);
        add_text(verdict.left + s(24), y, verdict.words,
                 {kTitleSize, Face::bold, passes_.right ? Role::wrote : Role::race}, scene_.width);
    }

    const Passes& passes_;
    const PassFigureOptions& options_;
    const Fonts& fonts_;
    const Translations& tr_;
    const std::vector<RowLabel> labels_;
    const std::vector<std::vector<CellState>> states_;
    const PassLayout layout_;
    const std::size_t shown_;
    Scene scene_;
};

}  // namespace

Scene pass_figure(const Passes& passes, const PassFigureOptions& options, const Fonts& fonts,
                  const Translations& tr) {
    return Figure(passes, options, fonts, tr).make();
}

}  // namespace lab::draw
