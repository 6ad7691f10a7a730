#include "figures/figures/pass_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/rows/cells.h"
#include "figures/parts/legend.h"
#include "figures/parts/pass_layout.h"
#include "figures/parts/pass_rows.h"
#include "figures/parts/run_text/pass_text.h"
#include "figures/plot/badge.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
namespace {

class PassFigure {
  public:
    PassFigure(const analysis::StepTable& table, const PassFigureOptions& options,
               const Fonts& fonts, const Translations& tr)
        : table_(table),
          options_(options),
          fonts_(fonts),
          tr_(tr),
          labels_(row_labels(table, tr)),
          states_(cell_states(table)),
          layout_(lay_out(table, labels_, options, fonts, tr)),
          shown_(std::min(std::max<std::size_t>(options.shown, 1), table.rows.size())) {}

    Scene make() {
        scene_.width = layout_.width;
        scene_.height = layout_.height;
        scene_.title = title();
        if (options_.legend) add_legend(scene_, table_, layout_, options_.width, fonts_, tr_);
        if (options_.heading) add_heading();
        add_local_memories();
        add_captions();
        for (std::size_t row = 0; row < shown_; ++row) {
            add_funnels(scene_, to_draw(row));
            add_boundary(row);
            add_row(scene_, to_draw(row));
            add_label(row);
            if (row > 0) scene_.description += tr_("figure.space");
            scene_.description += sentence(table_, row, tr_);
        }
        add_tiles();
        if (options_.announce && shown_ < table_.rows.size()) add_next_row();
        // Room for the verdict and notes is kept from the start, so that the scene keeps its size.
        const Verdict verdict = lay_out_verdict();
        scene_.width = std::max(scene_.width, verdict.right + kMargin);
        for (const std::string& line : layout_.notes)
            scene_.width = std::max(
                scene_.width,
                columns().left + fonts_.text_width(line, s(kLabelSize), Face::sans) + kMargin);
        if (shown_ == table_.rows.size() && (!table_.result.empty() || !table_.fault.empty()))
            add_verdict(verdict);
        if (shown_ == table_.rows.size()) add_notes();
        scene_.width = std::ceil(scene_.width - 0.01F);  // rounding is no reason to be wider
        scene_.height = std::ceil(scene_.height - 0.01F);
        return std::move(scene_);
    }

  private:
    float s(float points) const { return points * layout_.scale; }
    const Columns& columns() const { return layout_.columns(); }
    bool last(std::size_t row) const { return row + 1 == table_.rows.size(); }
    bool current(std::size_t row) const { return options_.shown != kAllRows && row + 1 == shown_; }

    RowToDraw to_draw(std::size_t row) const {
        return {table_, layout_,      states_,
                row,    current(row), last(row) ? result_cell(table_) : std::nullopt,
                fonts_, tr_,          options_.device};
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

    std::string title() const {
        return tr_.get(fmt::format("variant.{}.title", table_.variant), table_.title);
    }

    void add_heading() {
        const float room = std::max(scene_.width, options_.width) - 2 * kMargin;
        const float y = layout_.heading_y, x = columns().left;
        const float first = add_text(x, y - s(6), title(), {18, Face::bold, Role::text}, room);
        const float below = add_text(x, y + s(16), subtitle(table_, tr_),
                                     {kLabelSize, Face::sans, Role::muted}, room);
        scene_.width = std::max(scene_.width, x + std::max(first, below) + kMargin);
    }

    // Of the last row shown that was written as a matrix.
    void add_tiles() {
        const auto map = std::find_if(layout_.tiles.rbegin(), layout_.tiles.rend(),
                                      [&](const TileMap& each) { return each.row < shown_; });
        if (map == layout_.tiles.rend()) return;
        add_tile_map(&scene_, table_, *map, states_[map->row], {columns().left, layout_.tiles_y},
                     layout_.tiles_room, layout_.scale, fonts_, tr_);
    }

    // The frames of its cells, its work-items, and its name.
    void add_next_row() {
        const RowLayout& row = layout_.rows[shown_];
        for (std::size_t mark = 0; mark < row.marks(); ++mark) {
            Rect frame = box(row.x[mark] - row.mark_width / 2, row.top, row.mark_width, row.height,
                             Role::panel);
            frame.radius = std::min(5.0F, row.mark_width / 8);
            frame.stroke = {Role::border, 1, Dash::dotted};
            scene_.add(frame, {},
                       row.cells_per_mark == 1 ? fmt::format("cell {} {}", shown_, mark) : "");
        }
        add_next_items(row);
        add_text(layout_.labels, row.label, labels_[shown_].title,
                 {kTitleSize, Face::sans, Role::idle}, layout_.labels_width);
    }

    // Its work-items, evenly: over the cells that they write they would tell who does.
    void add_next_items(const RowLayout& row) {
        const std::uint64_t items = table_.rows[shown_].global;
        if (!row.lane || items == 0 || items > row.marks()) return;
        const float size = std::min(kSmallSize * layout_.scale, row.item_radius);
        for (std::uint64_t item = 0; item < items; ++item) {
            const Point middle{row.x[item * row.marks() / items], row.lane_y};
            Rect circle = disc(middle, row.item_radius, Role::panel);
            circle.stroke = {Role::idle, 1, Dash::dotted};
            scene_.add(circle, {}, fmt::format("worker {} {}", shown_, item));
            if (size < 7) continue;
            scene_.add(Text{middle.x, middle.y + fonts_.cap_height(size, Face::mono) / 2,
                            table_.space.item_name(item), size, Face::sans, Role::muted,
                            Anchor::middle});
        }
    }

    // A frame around each group's local memory: nobody else sees into it.
    void add_local_memories() {
        if (!layout_.blocks->local) return;
        const Columns& local = *layout_.blocks->local;
        float bottom = 0;
        for (const RowLayout& row : layout_.rows)
            if (row.columns == &local)
                bottom = std::max(row.bottom(), row.boundary > 0 ? row.boundary : 0) + s(10);
        const float top = layout_.captions_y - s(18);
        for (const Box& group : local.groups) {
            Rect frame = box(group.left - s(5), top, group.right - group.left + s(10), bottom - top,
                             Role::background);
            frame.radius = s(8);
            frame.stroke = {Role::border, 1, Dash::solid};
            scene_.add(frame);
        }
    }

    // Over two blocks, which memory each is; over each group its number.
    void add_captions() {
        for (const Columns* each : layout_.all())
            add_groups(*each);
        if (!layout_.blocks->local) return;
        const float y = layout_.blocks_y - s(4);
        const Style style{kLabelSize, Face::bold, Role::text};
        const Columns& local = *layout_.blocks->local;
        add_text(columns().left, y, tr_("figure.global_memory"), style,
                 local.left - columns().left - s(12));
        add_text(local.left, y, tr_("figure.local_memory"), style, layout_.width - local.left);
    }

    // Whether the groups that the columns have are those of all rows in them. Of a launch with
    // several dimensions local memory has its groups' cells side by side, other rows have not.
    bool divides_all(const Columns& columns) const {
        if (table_.space.range().dims == 1) return true;
        for (std::size_t row = 0; row < table_.rows.size(); ++row)
            if (layout_.rows[row].columns == &columns &&
                table_.rows[row].local_memory != table_.rows.back().local_memory)
                return false;
        return true;
    }

    // "group 0" over each group; bare numbers, and then fewer of them, where that is too wide.
    void add_groups(const Columns& columns) {
        const auto& groups = columns.groups;
        if (groups.empty() || !divides_all(columns)) return;
        const float y = layout_.captions_y - s(4);
        const float pitch = groups.size() > 1 ? groups[1].left - groups[0].left
                                              : columns.right - columns.left + s(40);
        const auto words = [&](std::size_t group) {
            return tr_("figure.group", fmt::arg("n", table_.space.group_name(group)));
        };
        const auto width = [&](const std::string& text) {
            return fonts_.text_width(text, s(kSmallSize), Face::bold) + s(6);
        };
        const bool bare = width(words(groups.size() - 1)) > pitch;
        const float number = width(table_.space.group_name(groups.size() - 1));
        const auto step = static_cast<std::size_t>(bare ? std::ceil(number / pitch) : 1);
        const Style style{kSmallSize, Face::bold, Role::muted};
        for (std::size_t group = 0; group < groups.size(); group += step)
            add_text(groups[group].left, y, bare ? table_.space.group_name(group) : words(group),
                     style, layout_.width);
        if (bare && &columns == layout_.all().back())
            add_text(layout_.labels, y, tr_("figure.group_numbers"),
                     {kSmallSize, Face::sans, Role::muted}, layout_.labels_width);
    }

    // Between a row and the one above. The end of a launch runs across all groups; a barrier ends
    // at the edge of each.
    void add_boundary(std::size_t row) {
        if (row == 0) return;
        const Boundary boundary = boundary_after(table_, row - 1);
        if (boundary == Boundary::none) return;
        const std::string& words = labels_[row - 1].boundary;
        const float y = layout_.rows[row - 1].boundary;
        const float left = columns().left - s(6), right = layout_.labels - s(8);
        if (boundary == Boundary::launch) {
            scene_.add(line({left, y}, {right, y}, {Role::barrier, 3, Dash::solid}), words);
        } else {
            if (boundary == Boundary::atomics)
                scene_.add(line({left, y}, {right, y}, {Role::barrier, 2.5F, Dash::dotted}), words);
            if (boundary == Boundary::by_hand)
                scene_.add(line({left, y}, {right, y}, by_hand_stroke()), words);
            for (const Columns* each : layout_.all())
                if (boundary != Boundary::by_hand &&
                    (each == layout_.rows[row].columns || each == layout_.rows[row - 1].columns))
                    add_barrier(*each, row - 1, y, words);
        }
        add_text(layout_.labels, y, words, {kSmallSize, Face::sans, Role::barrier_text},
                 layout_.labels_width);
    }

    // Left and right edge of each group's cells in a row that has places of its own in `across`, as
    // the few values of a later launch have. Empty where its cells belong to no group.
    std::vector<Box> groups_of(const Columns& across, std::size_t row, std::size_t groups) const {
        const RowLayout& place = layout_.rows[row];
        const analysis::Row& pass = table_.rows[row];
        if (place.columns != &across || place.cells == across.cells) return {};
        const std::size_t each = pass.local_memory ? pass.group_cells : place.cells / groups;
        if (each * groups != place.cells) return {};
        std::vector<Box> parts;
        for (std::size_t cell = 0; cell < place.cells; ++cell) {
            const float x = place.x_of(cell), half = place.mark_width / 2;
            if (cell % each == 0) parts.push_back({x - half, 0, x + half, 0});
            parts.back().left = std::min(parts.back().left, x - half);
            parts.back().right = std::max(parts.back().right, x + half);
        }
        return parts;
    }

    // For the groups that the pass has.
    void add_barrier(const Columns& across, std::size_t row, float y, const std::string& words) {
        const analysis::Row& pass = table_.rows[row];
        Stroke stroke{Role::barrier, 3, Dash::solid};
        std::vector<Box> parts = across.groups;
        const std::size_t groups =
            pass.local > 0 ? (pass.global + pass.local - 1) / pass.local : parts.size();
        if (groups < parts.size()) {
            parts.resize(groups);
            if (auto own = groups_of(across, row, groups); !own.empty()) parts = std::move(own);
        }
        // Where cells belong to no group, no place is the edge of one.
        if (parts.empty()) {
            parts = {{across.left, 0, across.right, 0}};
            stroke.dash = Dash::dashed;
        }
        for (const Box& part : parts)
            scene_.add(line({part.left - s(3), y}, {part.right + s(3), y}, stroke), words);
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
        const Point tip{place.columns->left - s(6), place.top + place.height / 2};
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
        out.words = verdict(table_, tr_);
        const float wide = s(24) + fonts_.text_width(out.words, s(kTitleSize), Face::bold);
        out.left = columns().left;
        if (const auto cell = result_cell(table_)) {
            const RowLayout& row = layout_.rows.back();
            const float under = row.x_of(*cell) - row.mark_width / 2;
            out.left = std::max(out.left, std::min(under, scene_.width - kMargin - wide));
        }
        out.right = out.left + wide;
        return out;
    }

    void add_verdict(const Verdict& verdict) {
        const float y = layout_.verdict_y - s(5);
        add_badge(scene_, {verdict.left + s(8), y}, s(8), table_.right);
        add_text(verdict.left + s(24), y, verdict.words,
                 {kTitleSize, Face::bold, table_.right ? Role::wrote : Role::race}, scene_.width);
    }

    void add_notes() {
        float y = layout_.notes_y;
        for (const std::string& line : layout_.notes) {
            scene_.add(Text{columns().left, y, line, s(kLabelSize), Face::sans, Role::text,
                            Anchor::start});
            y += s(kNoteLine);
        }
    }

    const analysis::StepTable& table_;
    const PassFigureOptions& options_;
    const Fonts& fonts_;
    const Translations& tr_;
    const std::vector<RowLabel> labels_;
    const std::vector<std::vector<analysis::CellState>> states_;
    const PassLayout layout_;
    const std::size_t shown_;
    Scene scene_;
};

}  // namespace

Scene pass_figure(const analysis::StepTable& table, const PassFigureOptions& options,
                  const Fonts& fonts, const Translations& tr) {
    return PassFigure(table, options, fonts, tr).make();
}

}  // namespace lab::figures
