#include "figures/pass_figure.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "analysis/step_table.h"
#include "figures/chart.h"
#include "figures/figure_page.h"
#include "figures/pass_text.h"
#include "figures/scene.h"
#include "figures/text.h"

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

namespace {

// Points at scale 1.
constexpr float kPassCellHeight = 44, kLeastCellHeight = 28, kMarkHeight = 16;
constexpr float kLargestValue = 19;
constexpr float kItemRadius = 11, kLaneRadius = 3;
constexpr float kLineHeight = 18;  // of words beside a row
constexpr float kLeastLabels = 56;

class Layout {
  public:
    Layout(const analysis::StepTable& table, const std::vector<RowLabel>& labels,
           const PassFigureOptions& options, const Fonts& fonts, const Translations& tr)
        : table_(table), labels_(labels), options_(options), fonts_(fonts), tr_(tr) {
        out_.scale = options.text_scale;
    }

    PassLayout make() {
        measure_labels();
        const float beside = 2 * kMargin + s(16) + out_.labels_width;
        const float caption =
            fonts_.text_width(tr_("figure.global_memory"), s(kLabelSize), Face::bold) + s(16);
        out_.blocks = std::make_shared<const Blocks>(
            place_blocks(table_, kMargin, std::max(s(100), options_.width - beside), out_.scale,
                         caption, fonts_));
        out_.labels = out_.blocks->right() + s(16);
        if (const float room = options_.most_width - out_.labels - kMargin; room >= s(kLeastLabels))
            out_.labels_width = std::min(out_.labels_width, room);
        out_.width = out_.labels + out_.labels_width + kMargin;
        if (out_.blocks->local)
            out_.width = std::max(out_.width, out_.blocks->local->left + kMargin +
                                                  fonts_.text_width(tr_("figure.local_memory"),
                                                                    s(kLabelSize), Face::bold));
        place_rows();
        for (RowLayout& row : out_.rows)
            row.value_size = value_size(row.mark_width);
        return std::move(out_);
    }

  private:
    float s(float points) const { return points * out_.scale; }
    const Columns& columns() const { return out_.columns(); }

    void measure_labels() {
        float widest = 0;
        for (const RowLabel& label : labels_) {
            float first = fonts_.text_width(label.title, s(kTitleSize), Face::bold);
            if (!label.variables.empty())
                first += s(8) + fonts_.text_width(label.variables, s(kLabelSize), Face::sans);
            widest =
                std::max({widest, first, fonts_.text_width(label.items, s(kLabelSize), Face::sans),
                          fonts_.text_width(label.boundary, s(kSmallSize), Face::sans)});
        }
        out_.labels_width = std::min(std::ceil(widest) + 1, std::max(s(200), options_.width / 2));
    }

    void place_rows() {
        float y = kMargin;
        if (options_.heading) {
            out_.heading_y = y + s(16);
            y += s(52);
        }
        if (out_.blocks->local) {
            out_.blocks_y = y + s(12);
            y += s(28);
        }
        out_.captions_y = y + s(12);
        y += s(22);
        out_.rows.reserve(table_.rows.size());
        for (std::size_t row = 0; row < table_.rows.size(); ++row) {
            RowLayout& layout = out_.rows.emplace_back();
            place_marks_of(row, layout);
            y = place_vertically(row, y, layout);
        }
        y = place_tiles(y);
        out_.verdict_y = y + s(26);
        out_.notes_y = y + s(52);
        if (options_.heading) {
            const float widest = std::max(out_.width, options_.width) - 2 * kMargin;
            for (const std::string& note : notes(table_, tr_))
                for (std::string& line : lines_of(note, widest, s(kLabelSize), Face::sans, fonts_))
                    out_.notes.push_back(std::move(line));
            if (!out_.notes.empty())
                y += s(kNoteLine) * static_cast<float>(out_.notes.size()) + s(6);
        }
        out_.legend_y = y + s(62);
        out_.height = y + s(36) + kMargin;
    }

    // Room for the largest.
    float place_tiles(float y) {
        out_.tiles = tile_maps_of(table_);
        if (out_.tiles.empty()) return y;
        out_.tiles_y = y + s(26);
        out_.tiles_room = std::max(s(100), options_.width - 2 * kMargin);
        float height = 0;
        for (const TileMap& map : out_.tiles) {
            const TileMapSize size =
                add_tile_map(nullptr, table_, map, {}, {columns().left, out_.tiles_y},
                             out_.tiles_room, out_.scale, fonts_, tr_);
            out_.width = std::max(out_.width, columns().left + size.width + kMargin);
            height = std::max(height, size.height);
        }
        return out_.tiles_y + height;
    }

    void place_marks_of(std::size_t row, RowLayout& layout) {
        const analysis::Row& pass = table_.rows[row];
        const bool local = pass.local_memory && out_.blocks->local;
        layout.columns = local ? &*out_.blocks->local : &columns();
        layout.cells = pass.cells.size();
        layout.lane = pass.items_known && pass.global > 0;
        const RowLayout* above = row > 0 ? &out_.rows[row - 1] : nullptr;
        if (layout.cells == layout.columns->cells) {
            layout.x = layout.columns->x;
            layout.mark_width = layout.columns->mark_width;
            layout.cells_per_mark = layout.columns->cells_per_mark;
            layout.full = layout.columns->full;
        } else if (const RowLayout* like = row_like(row, layout)) {
            layout.x = like->x;
            layout.mark_width = like->mark_width;
            layout.cells_per_mark = like->cells_per_mark;
            layout.full = like->full;
        } else if (out_.blocks->local && layout.columns->full) {
            place_in_columns(pass, layout);
        } else {
            place_shorter(pass, above, layout);
        }
    }

    // The row above if it is as long, else the last one of the same array: cells keep their places.
    const RowLayout* row_like(std::size_t row, const RowLayout& layout) const {
        for (std::size_t index = row; index-- > 0;) {
            const RowLayout& other = out_.rows[index];
            if (other.cells != layout.cells || other.columns != layout.columns) continue;
            const bool named = !table_.rows[index].array.empty();
            if (index + 1 == row || (named && of_one_array(table_.rows[index], table_.rows[row])))
                return &other;
        }
        return nullptr;
    }

    // A value a group under the first cell of each group, else from the left; what columns are left
    // over are places for work-items.
    void place_in_columns(const analysis::Row& pass, RowLayout& layout) const {
        const Columns& columns = *layout.columns;
        const std::size_t groups = std::max<std::size_t>(columns.groups.size(), 1);
        const std::size_t each = pass.local_memory        ? pass.group_cells
                                 : layout.cells == groups ? 1
                                                          : columns.per_group;
        std::vector<bool> taken(columns.x.size(), false);
        for (std::size_t cell = 0; cell < layout.cells; ++cell) {
            std::size_t place = cell;
            if (columns.per_group > 0 && each > 0)
                place = cell / each * columns.per_group + cell % each;
            while (place >= taken.size() || taken[place])
                place = place + 1 < taken.size() ? place + 1 : 0;
            taken[place] = true;
            layout.x.push_back(columns.x[place]);
        }
        for (std::size_t place = 0; place < taken.size(); ++place)
            if (!taken[place]) layout.x.push_back(columns.x[place]);
        layout.mark_width = columns.mark_width;
    }

    // Each cell under the middle of its sources where that leaves room; else spread evenly.
    void place_shorter(const analysis::Row& pass, const RowLayout* above, RowLayout& layout) const {
        const float spread = columns().right - columns().left, least = columns().least_cell;
        layout.cells_per_mark =
            layout.cells <= kMostFullCells ? 1 : cells_per_mark(layout.cells, spread);
        const std::size_t marks = layout.marks();
        float spacing = spread / static_cast<float>(std::max<std::size_t>(marks, 1));
        for (std::size_t mark = 0; mark < marks; ++mark)
            layout.x.push_back(columns().left + spacing * (static_cast<float>(mark) + 0.5F));

        std::vector<float> wanted;
        if (above != nullptr && layout.cells_per_mark == 1) wanted = middles(pass, *above);
        float closest = std::numeric_limits<float>::infinity();
        for (std::size_t i = 1; i < wanted.size(); ++i)
            closest = std::min(closest, wanted[i] - wanted[i - 1]);
        if (wanted.size() == marks && closest >= std::min(least * (1 + kGap), spacing / 2)) {
            layout.x = std::move(wanted);
            if (marks > 1) spacing = closest;
        }
        layout.full = layout.cells <= kMostFullCells && spacing >= std::min(least, spread);
        layout.mark_width = layout.full
                                ? std::min(spacing / (1 + kGap), comfortable(pass))
                                : std::min(spacing >= 4 ? spacing - 1 : spacing, s(kWidestMark));
        keep_inside(layout);
    }

    // As wide as the other cells, or as the values of rows like it need to be read from afar.
    float comfortable(const analysis::Row& pass) const {
        float widest = columns().full ? columns().mark_width : 0;
        for (const analysis::Row& each : table_.rows) {
            if (each.cells.size() != pass.cells.size()) continue;
            for (const analysis::Cell& cell : each.cells)
                widest = std::max(
                    widest, s(kValuePadding) + fonts_.text_width(text_of(cell.value),
                                                                 s(kComfortableValue), Face::mono));
        }
        return std::min(widest, s(96));
    }

    static std::vector<float> middles(const analysis::Row& pass, const RowLayout& above) {
        std::vector<float> middles;
        for (const analysis::Cell& cell : pass.cells) {
            if (cell.from.empty()) return {};
            const auto [first, last] = std::minmax_element(cell.from.begin(), cell.from.end());
            if (*last >= above.cells) return {};
            middles.push_back((above.x_of(*first) + above.x_of(*last)) / 2);
        }
        return middles;
    }

    // A row of few wide cells may reach over the edges of narrow columns.
    void keep_inside(RowLayout& layout) const {
        if (layout.x.empty()) return;
        const float half = layout.mark_width / 2;
        layout.x.front() = std::max(layout.x.front(), columns().left + half);
        if (layout.x.size() > 1)
            layout.x.back() = std::min(layout.x.back(), columns().right - half);
    }

    float place_vertically(std::size_t row, float y, RowLayout& layout) const {
        const float half_pitch = layout.mark_width * (1 + kGap) / 2;
        layout.item_radius =
            layout.full ? std::min(s(kItemRadius), half_pitch - 1) : s(kLaneRadius);
        layout.height = layout.full ? std::clamp(layout.mark_width * 0.76F, s(kLeastCellHeight),
                                                 s(kPassCellHeight))
                                    : s(kMarkHeight);
        if (row > 0) {
            y += room_for_arcs(row);
            if (layout.lane) {
                layout.lane_y = y + layout.item_radius;
                y = layout.lane_y + layout.item_radius + s(layout.full ? 11 : 4);
            } else {
                y += s(8);
            }
        }
        layout.top = y;
        layout.label = layout.top + layout.height / 2;
        const float words = layout.label + s(kLineHeight);  // two lines around the middle
        const float below = std::max(layout.bottom() + s(14), words + s(9));
        if (boundary_after(table_, row) != Boundary::none) layout.boundary = below;
        return row + 1 < table_.rows.size() ? below : std::max(layout.bottom(), words - s(6));
    }

    // One size for all values in cells of one width, as long as it is no less than the least;
    // longer ones shrink alone.
    float value_size(float mark_width) const {
        float size = s(kLargestValue);
        const float room = mark_width - s(kValuePadding);
        for (std::size_t row = 0; row < table_.rows.size(); ++row) {
            if (!out_.rows[row].full || out_.rows[row].mark_width != mark_width) continue;
            for (const analysis::Cell& cell : table_.rows[row].cells)
                size = std::min(size, room / fonts_.text_width(text_of(cell.value), 1, Face::mono));
        }
        return std::max(size, s(kLeastValueSize));
    }

    // Arcs that go far, and many of them, need room to be distinguished.
    float room_for_arcs(std::size_t row) const {
        const RowLayout& layout = out_.rows[row];
        const RowLayout& above = out_.rows[row - 1];
        const float least = s(layout.full ? 34 : 24);
        float reach = 0;
        std::size_t arcs = 0;
        for (std::size_t cell = 0; cell < layout.cells; ++cell)
            for (const std::uint32_t source : table_.rows[row].cells[cell].from) {
                if (source >= above.cells) continue;
                reach += std::abs(above.x_of(source) - layout.x_of(cell));
                ++arcs;
            }
        if (layout.columns != above.columns) return least + s(arcs > 4 ? 56 : 12);
        const bool far = arcs > 16 && reach > static_cast<float>(arcs) * (columns().right / 6);
        return far ? least + s(56) : least;
    }

    const analysis::StepTable& table_;
    const std::vector<RowLabel>& labels_;
    const PassFigureOptions& options_;
    const Fonts& fonts_;
    const Translations& tr_;
    PassLayout out_;
};

}  // namespace

PassLayout lay_out(const analysis::StepTable& table, const std::vector<RowLabel>& labels,
                   const PassFigureOptions& options, const Fonts& fonts, const Translations& tr) {
    return Layout(table, labels, options, fonts, tr).make();
}

namespace {

// Where work-items of a row with a lane may stand, and where each would like to.
struct ItemPlaces {
    const analysis::Row& pass;
    const RowLayout& row;
    std::vector<float> x;  // ascending

    ItemPlaces(const analysis::Row& of, const RowLayout& layout) : pass(of), row(layout) {
        // Where a row has fewer cells than the figure has columns, these are places.
        if (row.columns != nullptr && row.columns->x.size() > row.x.size()) add(row.columns->x);
        add(row.x);
        std::sort(x.begin(), x.end());
    }

    void add(const std::vector<float>& places) {
        for (const float place : places)
            if (is_free(x, place)) x.push_back(place);
    }

    bool is_free(const std::vector<float>& taken, float place) const {
        return std::none_of(taken.begin(), taken.end(), [&](float other) {
            return std::abs(place - other) < 2 * row.item_radius + 1;
        });
    }

    // In its group's columns where groups have columns, else in proportion.
    float wanted(std::int64_t id) const {
        const auto item = static_cast<std::uint64_t>(id);
        const Columns* columns = row.columns;
        const std::uint64_t items = std::max<std::uint64_t>(pass.global, 1);
        if (columns != nullptr && pass.local > 0 && columns->per_group >= pass.local &&
            (items + pass.local - 1) / pass.local <= columns->groups.size()) {
            const std::size_t place = item / pass.local * columns->per_group +
                                      item % pass.local * columns->per_group / pass.local;
            if (place < columns->x.size()) return columns->x[place];
        }
        const std::size_t place = items < x.size() ? item * x.size() / items : item;
        return x[std::min<std::size_t>(place, x.size() - 1)];
    }
};

// Adds the items, in order, at free places near those that they would like, if there are enough.
bool add_in_order(const std::vector<std::int64_t>& ids, const std::vector<bool>& works,
                  const std::vector<float>& free, const ItemPlaces& places, std::vector<Item>& to) {
    if (ids.size() > free.size()) return false;
    std::size_t next = 0;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float wanted = places.wanted(ids[i]);
        const std::size_t last = free.size() - (ids.size() - i);
        std::size_t best = next;
        for (std::size_t place = next; place <= last; ++place)
            if (std::abs(free[place] - wanted) < std::abs(free[best] - wanted)) best = place;
        to.push_back({{ids[i]}, free[best], std::nullopt, works[static_cast<std::size_t>(ids[i])]});
        next = best + 1;
    }
    return true;
}

std::vector<Item> placed_items(const analysis::Row& pass, const RowLayout& row) {
    const ItemPlaces places(pass, row);
    std::vector<Item> over_cells;
    if (places.x.empty()) return over_cells;
    std::vector<float> free = places.x;
    std::vector<bool> works(pass.global, false), placed(pass.global, false);
    const auto is_item = [&](std::int64_t id) {
        return id >= 0 && std::uint64_t(id) < pass.global;
    };
    for (const std::int64_t id : working_items(pass))
        if (is_item(id)) works[std::size_t(id)] = true;
    for (std::size_t cell = 0; cell < row.cells; ++cell) {
        const analysis::Cell& of = pass.cells[cell];
        if (!of.written || !of.also.empty() || !is_item(of.item)) continue;
        over_cells.push_back({{of.item}, row.x[cell], cell, true});
        placed[std::size_t(of.item)] = true;
        std::erase_if(free, [&](float x) { return !places.is_free({row.x[cell]}, x); });
    }
    std::vector<std::int64_t> all, working, rest, rest_working;
    for (std::size_t i = 0; i < works.size(); ++i) {
        const auto id = static_cast<std::int64_t>(i);
        all.push_back(id);
        if (works[i]) working.push_back(id);
        if (placed[i]) continue;
        rest.push_back(id);
        if (works[i]) rest_working.push_back(id);
    }
    // Rather all of them, if not over their cells; then those at work.
    std::vector<Item> in_order;
    if (add_in_order(rest, works, free, places, over_cells)) return over_cells;
    if (add_in_order(all, works, places.x, places, in_order)) return in_order;
    if (add_in_order(rest_working, works, free, places, over_cells)) return over_cells;
    if (add_in_order(working, works, places.x, places, in_order)) return in_order;
    const float gathered_at =
        free.empty() ? places.x.back() + 2 * row.item_radius + 2 : free[free.size() / 2];
    over_cells.push_back({rest_working, gathered_at, std::nullopt, true});
    return over_cells;
}

}  // namespace

std::vector<Item> place_items(const analysis::Row& pass, const RowLayout& row) {
    std::vector<Item> items = placed_items(pass, row);
    std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.x < b.x; });
    return items;
}

std::size_t items_left_out(const analysis::Row& pass, const RowLayout& row) {
    std::set<std::int64_t> placed;
    for (const Item& item : place_items(pass, row))
        placed.insert(item.ids.begin(), item.ids.end());
    return pass.global - placed.size();
}

namespace {

// Points at scale 1.
constexpr float kColumnCell = 58, kWidestColumn = 96;    // for usual values, and for long ones
constexpr float kLeastColumn = 24, kMostLeastCell = 36;  // how narrow cells get, by their values
constexpr float kBetweenBlocks = 44;

// Which rows share columns.
enum class Memory : std::uint8_t { any, global, local };

bool is_of(const analysis::Row& pass, Memory memory) {
    return memory == Memory::any || pass.local_memory == (memory == Memory::local);
}

struct ColumnRows {
    const analysis::StepTable& table;
    Memory memory;

    std::size_t longest() const {
        std::size_t most = 0;
        for (const analysis::Row& pass : table.rows)
            if (is_of(pass, memory)) most = std::max(most, pass.cells.size());
        return most;
    }
};

// How many places the longest row needs: a work-item without a cell is drawn too, as long as there
// are no more of them than cells.
std::size_t places(const ColumnRows& rows, std::size_t cells) {
    std::size_t most = cells;
    for (const analysis::Row& pass : rows.table.rows)
        if (is_of(pass, rows.memory) && pass.items_known && pass.cells.size() == cells)
            most = std::max<std::size_t>(most, pass.global);
    return cells <= kMostFullCells && most <= std::min(2 * cells, kMostFullCells) ? most : cells;
}

// As the first launch divides the row; 0 if it does not. The last group may have fewer.
std::size_t cells_per_group(const ColumnRows& rows, std::size_t cells) {
    const analysis::StepTable& table = rows.table;
    if (rows.memory == Memory::local)
        for (const analysis::Row& pass : table.rows)
            if (pass.local_memory && pass.cells.size() == cells) return pass.group_cells;
    if (table.rows.size() < 2) return table.group;
    const analysis::Row& first = table.rows[1];
    if (first.local == 0 || first.global == 0) return table.group;
    // Fewer items than cells have several cells each, as long as these can be shared out evenly.
    if (first.global >= cells) return first.local;
    return cells * first.local % first.global == 0 ? cells * first.local / first.global : 0;
}

// Whether every source of the cell is of one group.
bool of_one_group(const analysis::Cell& cell, std::size_t per_group) {
    return std::all_of(cell.from.begin(), cell.from.end(), [&](std::uint32_t source) {
        return source / per_group == cell.from.front() / per_group;
    });
}

// Whether each item writes only cells of its own group; and, where a launch makes a value a group,
// whether each comes from the cells of one.
bool groups_keep_apart(const ColumnRows& rows, std::size_t cells, std::size_t per_group) {
    if (rows.memory == Memory::local) return true;  // nobody else can
    const analysis::StepTable& table = rows.table;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        const analysis::Row& pass = table.rows[row];
        if (!is_of(pass, rows.memory) && pass.cells.size() == cells) continue;
        const bool same_array = pass.cells.size() == cells;
        const bool new_array = !same_array && table.rows[row - 1].cells.size() == cells;
        for (std::size_t i = 0; i < pass.cells.size(); ++i) {
            const analysis::Cell& cell = pass.cells[i];
            if (new_array && !of_one_group(cell, per_group)) return false;
            if (!same_array || !cell.written || cell.item < 0 || pass.local == 0) continue;
            if (static_cast<std::uint64_t>(cell.item) / pass.local != i / per_group) return false;
        }
    }
    return true;
}

// In rows of so many cells; in columns of their own in all rows, for all have cells of one width.
float widest_value(const ColumnRows& rows, std::size_t cells, float size, const Fonts& fonts) {
    float widest = 0;
    for (const analysis::Row& pass : rows.table.rows) {
        if (rows.memory == Memory::any ? pass.cells.size() != cells : !is_of(pass, rows.memory))
            continue;
        for (const analysis::Cell& cell : pass.cells)
            widest = std::max(widest, fonts.text_width(text_of(cell.value), size, Face::mono));
    }
    return widest;
}

// Marks of one width, a gap between them and a wider one between groups.
struct Spacing {
    float width, gap, group_gap;
};

void place(Columns& columns, std::size_t count, std::size_t per_group, const Spacing& spacing) {
    float x = columns.left;
    for (std::size_t cell = 0; cell < count; cell += columns.cells_per_mark) {
        const bool starts_group = cell % per_group == 0;
        if (cell > 0) x += starts_group ? spacing.group_gap : spacing.gap;
        if (starts_group) columns.groups.push_back({x, 0, x, 0});
        columns.x.push_back(x + spacing.width / 2);
        x += spacing.width;
        columns.groups.back().right = x;
    }
    columns.mark_width = spacing.width;
    columns.right = x;
}

Spacing cell_spacing(const Columns& columns, std::size_t count, std::size_t groups, float room,
                     float widest) {
    const auto n = static_cast<float>(count), g = static_cast<float>(groups);
    const float widths = n + kGap * (n - g) + kGroupGap * (g - 1);
    const float width = std::clamp(room / widths, columns.least_cell, widest);
    return {width, width * kGap, width * kGroupGap};
}

float between_groups(std::size_t groups, float room) {
    const float each = room / static_cast<float>(groups);
    return each >= 24 ? 6.0F : each >= 8 ? 2.0F : 0.0F;
}

Spacing mark_spacing(const Columns& columns, std::size_t groups, float room, float widest) {
    const float between = between_groups(groups, room);
    const float marks = room - between * static_cast<float>(groups - 1);
    const float pitch = std::clamp(marks / static_cast<float>(columns.marks()), kLeastMark, widest);
    const float gap = columns.cells_per_mark == 1 && pitch >= 4 ? 1.0F : 0.0F;
    return {pitch - gap, gap, gap + between};
}

// Marks of several cells are of one group, if a group's cells can be shared out so.
std::size_t per_mark_in(std::size_t cells, std::size_t per_group, float room) {
    const std::size_t groups = (cells + per_group - 1) / per_group;
    const float gaps = between_groups(groups, room) * static_cast<float>(groups - 1);
    const std::size_t wanted = cells_per_mark(cells, room - gaps);
    std::size_t fitting = wanted;
    while (fitting > 1 && per_group % fitting != 0)
        fitting /= 2;
    // Groups too narrow to be seen are not kept apart.
    return fitting * 2 > wanted ? fitting : wanted;
}

Columns place_columns(const ColumnRows& rows, float left, float room, float scale,
                      const Fonts& fonts) {
    Columns columns;
    columns.cells = rows.longest();
    columns.full = columns.cells <= kMostFullCells;
    columns.left = columns.right = left;
    columns.least_cell = kMostLeastCell * scale;
    if (columns.cells == 0) return columns;

    columns.per_group = cells_per_group(rows, columns.cells);
    bool grouped =
        columns.per_group > 0 && groups_keep_apart(rows, columns.cells, columns.per_group);
    const std::size_t count = places(rows, columns.cells);
    if (!grouped) columns.per_group = count;
    if (!columns.full) {
        columns.cells_per_mark = per_mark_in(columns.cells, columns.per_group, room);
        grouped = grouped && columns.per_group % columns.cells_per_mark == 0;
        if (!grouped) columns.per_group = count;
    }
    const std::size_t groups = (count + columns.per_group - 1) / columns.per_group;
    Spacing spacing{};
    if (columns.full) {
        const float value = widest_value(rows, columns.cells, scale, fonts);
        const float padding = kValuePadding * scale;
        columns.least_cell = std::clamp(value * kLeastValueSize + padding, kLeastColumn * scale,
                                        kMostLeastCell * scale);
        spacing = cell_spacing(columns, count, groups, room,
                               std::clamp(value * kComfortableValue + padding, kColumnCell * scale,
                                          kWidestColumn * scale));
    } else {
        spacing = mark_spacing(columns, groups, room, kWidestMark * scale);
    }
    place(columns, count, columns.per_group, spacing);
    if (!grouped) {
        columns.groups.clear();
        columns.per_group = 0;
    }
    return columns;
}

// Both, if they fit beside each other with values in all cells; what is to spare is shared out.
std::optional<Blocks> beside(const analysis::StepTable& table, float left, float room, float scale,
                             float caption, const Fonts& fonts) {
    const ColumnRows global{table, Memory::global}, local{table, Memory::local};
    if (local.longest() == 0 || local.longest() > kMostFullCells ||
        global.longest() > kMostFullCells)
        return std::nullopt;
    const auto width = [&](const ColumnRows& rows) {
        const Columns least = place_columns(rows, 0, 0, scale, fonts);
        return least.right - least.left;
    };
    const float between = kBetweenBlocks * scale;
    const float wide = width(global), narrow = width(local);
    const float spare = room - between - wide - narrow;
    if (spare < 0) return std::nullopt;
    Blocks blocks;
    blocks.columns =
        place_columns(global, left, wide + spare * wide / (wide + narrow), scale, fonts);
    const float next = std::max(blocks.columns.right + between, left + caption);
    blocks.local =
        place_columns(local, next, narrow + spare * narrow / (wide + narrow), scale, fonts);
    return blocks;
}

}  // namespace

std::size_t cells_per_mark(std::size_t cells, float room) {
    const auto fit = [&](float width) {
        return static_cast<std::size_t>(std::max(room / width, 1.0F));
    };
    if (cells <= fit(kLeastMark)) return 1;
    std::size_t per_mark = 2;
    while (cells / per_mark > fit(kHeatMark))
        per_mark *= 2;
    return per_mark;
}

Blocks place_blocks(const analysis::StepTable& table, float left, float room, float scale,
                    float caption, const Fonts& fonts) {
    if (auto both = beside(table, left, room, scale, caption, fonts)) return *std::move(both);
    Blocks one;
    one.columns = place_columns({table, Memory::any}, left, room, scale, fonts);
    return one;
}

namespace {

// More arcs than these between two rows, and into one cell from neighbours, are a smear.
constexpr std::size_t kMostArcs = 160, kMostSources = 16;
constexpr std::size_t kManyArcs = 48, kFewLines = 6;  // above these they are thin

// In the order of CellState.
constexpr std::array<Look, 5> kLooks{{
    {Role::panel, Role::text, {Role::border, 1.25F, Dash::solid}},
    {Role::panel, Role::text, {Role::border, 1.25F, Dash::solid}},
    {Role::read_fill, Role::text, {Role::read, 1.5F, Dash::dashed}},
    {Role::background, Role::muted, {Role::idle_fill, 1, Dash::solid}},
    {Role::wrote_fill, Role::text, {Role::wrote, 2, Dash::solid}},
}};
constexpr Look kRight{Role::wrote_fill, Role::text, {Role::wrote, 3, Dash::solid}};
constexpr Look kStale{Role::race_fill, Role::text, {Role::race, 2, Dash::solid}};
constexpr Look kWrong{Role::race_fill, Role::text, {Role::race, 3, Dash::solid}, true};

// Neighbours, and more than arcs can show.
bool too_many(const analysis::Writer& writer) {
    if (writer.from.size() <= kMostSources) return false;
    const auto [first, last] = std::minmax_element(writer.from.begin(), writer.from.end());
    return *last - *first + 1 == writer.from.size();
}

// The area between many neighbouring sources and the cell that they went into.
Path funnel(const RowLayout& above, const RowLayout& below, const analysis::Writer& writer,
            float x) {
    const auto [first, last] = std::minmax_element(writer.from.begin(), writer.from.end());
    const float half = above.mark_width / 2, spout = below.mark_width / 4;
    Path path = polygon({{above.x_of(*first) - half, above.bottom() + 2},
                         {above.x_of(*last) + half, above.bottom() + 2},
                         {x + spout, below.top - 2},
                         {x - spout, below.top - 2}},
                        Role::act_fill);
    path.stroke = {Role::act, 1, Dash::solid};
    return path;
}

// Where the work-item stands that wrote the cell; empty if that is not known.
std::optional<float> writer_at(const std::vector<Item>& items, std::int64_t id, std::size_t cell) {
    std::optional<float> found;
    for (const Item& item : items) {
        if (std::find(item.ids.begin(), item.ids.end(), id) == item.ids.end()) continue;
        if (item.cell == cell) return item.x;
        if (!item.cell) found = item.x;
    }
    return found;
}

void add_arcs(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const RowLayout& above = in.layout.rows[in.row - 1];
    std::size_t arcs = 0;
    for (const analysis::Cell& cell : in.pass().cells)
        for (const analysis::Writer& writer : writers_of(cell))
            arcs += too_many(writer) ? 0 : writer.from.size();

    // From one memory to the other lines go far, side by side: straight they are distinguished
    // best.
    const bool across = above.columns != row.columns;
    const auto connect = [&](Point from, Point to, Stroke stroke) {
        return across ? line(from, to, stroke) : arc(from, to, stroke);
    };
    const bool wide = row.full && arcs <= (across ? kFewLines : kManyArcs);
    const Stroke stroke{Role::act, wide ? 2.0F : 1.0F, Dash::solid};
    const float head = row.full ? 6 * in.layout.scale : 3.5F;
    const std::vector<Item> items =
        row.lane && row.full ? place_items(in.pass(), row) : std::vector<Item>();
    for (const std::size_t cell : written_cells(in.pass())) {
        const float x = row.x_of(cell);
        bool points = false;
        for (const analysis::Writer& writer : writers_of(in.pass().cells[cell])) {
            if (too_many(writer) || arcs > kMostArcs) continue;
            const std::optional<float> item = writer_at(items, writer.item, cell);
            if (!item && writer.from.empty()) continue;  // nobody knows what came in
            const Point to{item.value_or(x), item ? row.lane_y - row.item_radius : row.top - 2};
            for (const std::uint32_t source : writer.from)
                if (source < above.cells && !is_misread(in.table, in.row, writer.item, source))
                    scene.add(connect({above.x_of(source), above.bottom() + 1}, to, stroke));
            if (item) scene.add(line({*item, row.lane_y}, {x, row.top - head}, stroke));
            points = true;
        }
        if (points) scene.add(arrow_head({x, row.top - 1}, head, Role::act));
    }
}

// What there is no place for stands idle: three dots say that there is more.
void add_rest_of_items(Scene& scene, const RowToDraw& in, const std::vector<Item>& items,
                       std::size_t count) {
    const float scale = in.layout.scale;
    float last = in.place().x.empty() ? in.place().columns->left : in.place().x.back();
    for (const Item& item : items)
        last = std::max(last, item.x);
    scene.add(Text{last + in.place().item_radius + 10 * scale, in.place().lane_y + 2 * scale,
                   kMoreItems, kTitleSize * scale, Face::bold, Role::muted, Anchor::middle},
              in.tr("figure.tip_more_items", fmt::arg("count", count)));
}

void add_items(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float radius = in.place().item_radius;
    const auto name = [&](std::int64_t item) { return in.table.item_name(item); };
    const std::string longest = name(static_cast<std::int64_t>(in.pass().global) - 1);
    const float fitting = 1.55F * radius / in.fonts.text_width(longest, 1, Face::mono);
    const float size = std::min(fitting, kSmallSize * in.layout.scale);
    const std::vector<Item> items = place_items(in.pass(), row);
    if (const std::size_t rest = items_left_out(in.pass(), row); rest > 0)
        add_rest_of_items(scene, in, items, rest);
    for (const Item& item : items) {
        const Point middle{item.x, row.lane_y};
        const bool one = item.ids.size() == 1;
        const std::string words =
            one ? name(item.ids.front())
                : in.tr("figure.items_gathered", fmt::arg("count", item.ids.size()));
        Rect circle = disc(middle, radius, item.works ? Role::act : Role::idle_fill);
        if (!one) {
            const float half =
                in.fonts.text_width(words, kSmallSize * in.layout.scale, Face::mono) / 2;
            circle.x -= half;
            circle.width += 2 * half;
        }
        circle.stroke = {item.works ? Role::act : Role::idle, 1, Dash::solid};
        std::string tip;
        for (const std::int64_t id : item.ids)
            tip += (tip.empty() ? "" : "\n") +
                   in.tr(item.works ? "figure.tip_item_works" : "figure.tip_item_idle",
                         fmt::arg("item", name(id)));
        scene.add(circle, tip, fmt::format("worker {} {}", in.row, item.ids.front()));
        const float letters = one ? size : kSmallSize * in.layout.scale;
        if (letters < 7) continue;
        scene.add(Text{middle.x, middle.y + in.fonts.cap_height(letters, Face::mono) / 2, words,
                       letters, Face::mono, item.works ? Role::on_act : Role::muted,
                       Anchor::middle});
    }
}

Look look_in(const RowToDraw& in, std::size_t cell) {
    if (in.result == cell) return in.table.right ? kRight : kWrong;
    if (in.pass().cells[cell].stale) return kStale;
    Look look = look_of(in.states[in.row][cell]);
    if (in.current && in.states[in.row][cell] == analysis::CellState::written)
        look.stroke.width = 3;
    return look;
}

void add_cells(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float least = kLeastValueSize * in.layout.scale;
    const float room = row.mark_width - kValuePadding * in.layout.scale;
    for (std::size_t cell = 0; cell < row.cells; ++cell) {
        const Look look = look_in(in, cell);
        const float x = row.x_of(cell);
        Rect rect = box(x - row.mark_width / 2, row.top, row.mark_width, row.height, look.fill);
        rect.radius = std::min(5.0F, row.mark_width / 8);
        rect.stroke = look.stroke;
        rect.hatch = look.hatch;
        scene.add(rect,
                  cell_tip(in.table, in.row, cell, in.states[in.row][cell], in.tr) +
                      device_value(in, cell),
                  fmt::format("cell {} {}", in.row, cell));

        const std::string value = text_of(in.pass().cells[cell].value);
        const float fitting = room / in.fonts.text_width(value, 1, Face::mono);
        const float size = std::clamp(fitting, least, row.value_size);
        scene.add(Text{x, row.top + (row.height + in.fonts.cap_height(size, Face::mono)) / 2,
                       in.fonts.shortened_value(value, room + 0.1F, size, Face::mono), size,
                       Face::mono, look.text, Anchor::middle});
    }
}

}  // namespace

Look look_of(analysis::CellState state) {
    return kLooks[static_cast<std::size_t>(state)];
}

std::string device_value(const RowToDraw& in, std::size_t cell) {
    if (in.device == nullptr || in.row == 0) return {};
    for (const analysis::Row& row : in.device->rows) {
        if (row_like(row, in.table) != in.row || !row.cells[cell].value.bits) continue;
        return in.tr("figure.space") +
               in.tr("tip.on_device", fmt::arg("value", text_of(row.cells[cell].value)));
    }
    return {};
}

Stroke by_hand_stroke() {
    return {Role::barrier, 2.5F, Dash::dashed};
}

Look stale_look() {
    return kStale;
}

void add_funnels(Scene& scene, const RowToDraw& in) {
    if (in.row == 0) return;
    const RowLayout& above = in.layout.rows[in.row - 1];
    for (const std::size_t cell : written_cells(in.pass())) {
        for (const analysis::Writer& writer : writers_of(in.pass().cells[cell]))
            if (too_many(writer))
                scene.add(funnel(above, in.place(), writer, in.place().x_of(cell)));
    }
}

void add_row(Scene& scene, const RowToDraw& in) {
    if (in.row > 0) add_arcs(scene, in);
    add_dotted_arcs(scene, in);
    const bool full = in.place().full;
    if (in.place().lane) (full ? add_items : add_item_strip)(scene, in);
    (full ? add_cells : add_marks)(scene, in);
    add_faults(scene, in);
}

// Rows too long for values: a mark a cell; or, a heat row, a mark for several neighbours, in which
// each state's colour is as high as its share of them.
namespace {

struct MarkLook {
    Role role;
    float height;  // of a mark for one cell, a part of the row's: shape doubles the colour
};
// In the order of CellState.
constexpr std::array<MarkLook, 5> kMarks{{{Role::idle, 0.55F},
                                          {Role::idle, 0.55F},
                                          {Role::read, 0.75F},
                                          {Role::idle_fill, 0.3F},
                                          {Role::wrote, 1}}};

constexpr float kLeastShare = 4;  // points: what is there at all is seen

// From the bottom up.
constexpr std::array kStacked{analysis::CellState::written, analysis::CellState::read,
                              analysis::CellState::same, analysis::CellState::spent};

using Counts = std::array<std::size_t, 5>;  // in the order of CellState

Counts counts_of(const RowToDraw& in, std::size_t mark) {
    const std::size_t first = mark * in.place().cells_per_mark;
    const std::size_t end = std::min(first + in.place().cells_per_mark, in.place().cells);
    Counts counts{};
    for (std::size_t cell = first; cell < end; ++cell)
        ++counts[static_cast<std::size_t>(in.states[in.row][cell])];
    // The input's cells look like those that nothing was done to yet.
    counts[static_cast<std::size_t>(analysis::CellState::same)] +=
        counts[static_cast<std::size_t>(analysis::CellState::input)];
    return counts;
}

std::string heat_tip(const RowToDraw& in, std::size_t mark, const Counts& counts) {
    const std::size_t first = mark * in.place().cells_per_mark;
    const std::size_t last = std::min(first + in.place().cells_per_mark, in.place().cells) - 1;
    return in.tr(
        "figure.tip_cells", fmt::arg("first", first), fmt::arg("last", last),
        fmt::arg("written", counts[static_cast<std::size_t>(analysis::CellState::written)]),
        fmt::arg("read", counts[static_cast<std::size_t>(analysis::CellState::read)]));
}

// Neighbours that are alike are one bar, so that no seams show.
struct MarkBar {
    float left = 0, right = 0, top = 0, bottom = 0;
    Role role = Role::none;
};

void add_bars(Scene& scene, std::vector<MarkBar>& bars) {
    std::vector<MarkBar> joined;
    for (const MarkBar& bar : bars) {
        const auto continues = [&](const MarkBar& before) {
            return before.role == bar.role && before.top == bar.top &&
                   before.bottom == bar.bottom && bar.left - before.right < 0.01F &&
                   bar.left >= before.right - 0.01F;
        };
        const auto before = std::find_if(joined.rbegin(), joined.rend(), continues);
        if (before != joined.rend() && before - joined.rbegin() < 8) {
            before->right = bar.right;
        } else {
            joined.push_back(bar);
        }
    }
    for (const MarkBar& bar : joined)
        scene.add(box(bar.left, bar.top, bar.right - bar.left, bar.bottom - bar.top, bar.role));
}

void add_heat(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    std::vector<MarkBar> bars;
    for (std::size_t mark = 0; mark < row.marks(); ++mark) {
        const Counts counts = counts_of(in, mark);
        std::size_t all = 0;
        float spare = row.height;  // beyond the least that each state there is must have
        for (const analysis::CellState state : kStacked) {
            all += counts[static_cast<std::size_t>(state)];
            spare -= counts[static_cast<std::size_t>(state)] > 0 ? kLeastShare : 0;
        }
        const float left = row.x[mark] - row.mark_width / 2;
        float bottom = row.bottom();
        for (const analysis::CellState state : kStacked) {
            const std::size_t count = counts[static_cast<std::size_t>(state)];
            if (count == 0) continue;
            const float share = static_cast<float>(count) / static_cast<float>(all);
            const float top = bottom - kLeastShare - spare * share;
            bars.push_back({left, left + row.mark_width, top, bottom, mark_of(state)});
            bottom = top;
        }
    }
    add_bars(scene, bars);
    // To be pointed at, a mark each.
    for (std::size_t mark = 0; mark < row.marks(); ++mark)
        scene.add(
            box(row.x[mark] - row.mark_width / 2, row.top, row.mark_width, row.height, Role::none),
            heat_tip(in, mark, counts_of(in, mark)));
}

void add_single_marks(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    for (std::size_t cell = 0; cell < row.cells; ++cell) {
        const analysis::CellState state = in.states[in.row][cell];
        const Rect mark = mark_box(state, row.x[cell], row.top, row.mark_width, row.height);
        scene.add(mark, cell_tip(in.table, in.row, cell, state, in.tr) + device_value(in, cell),
                  fmt::format("cell {} {}", in.row, cell));
    }
}

}  // namespace

Role mark_of(analysis::CellState state) {
    return kMarks[static_cast<std::size_t>(state)].role;
}

Rect mark_box(analysis::CellState state, float x, float top, float width, float height) {
    const MarkLook& look = kMarks[static_cast<std::size_t>(state)];
    const float high = height * look.height;
    return box(x - width / 2, top + height - high, width, high, look.role);
}

void add_item_strip(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float half = in.place().item_radius;
    const Columns& columns = *row.columns;
    std::vector<Box> parts = columns.groups;
    if (parts.empty()) parts = {{columns.left, 0, columns.right, 0}};
    for (const Box& part : parts)
        scene.add(
            box(part.left, row.lane_y - half / 2, part.right - part.left, half, Role::idle_fill));
    // How many of each mark's items work: over the cells that they write, the rest in proportion.
    std::vector<std::size_t> working(row.x.size(), 0), all(row.x.size(), 0);
    std::vector<bool> writes(in.pass().global, false), works(in.pass().global, false);
    for (const std::int64_t id : working_items(in.pass()))
        if (std::uint64_t(id) < works.size()) works[std::size_t(id)] = true;
    for (std::size_t cell = 0; cell < row.cells; ++cell)
        for (const analysis::Writer& writer : writers_of(in.pass().cells[cell])) {
            if (writer.item < 0 || std::uint64_t(writer.item) >= writes.size()) continue;
            writes[std::size_t(writer.item)] = true;
            ++all[cell / row.cells_per_mark];
            ++working[cell / row.cells_per_mark];
        }
    for (std::size_t id = 0; id < writes.size(); ++id) {
        if (writes[id]) continue;
        const std::size_t mark = id * row.x.size() / writes.size();
        ++all[mark];
        if (works[id]) ++working[mark];
    }
    std::vector<MarkBar> bars;
    for (std::size_t mark = 0; mark < working.size(); ++mark) {
        if (working[mark] == 0) continue;
        const float share = static_cast<float>(working[mark]) /
                            static_cast<float>(std::max(all[mark], working[mark]));
        const float left = row.x[mark] - row.mark_width / 2;
        const float high = std::max(2 * half * share, half);
        bars.push_back(
            {left, left + row.mark_width, row.lane_y + half - high, row.lane_y + half, Role::act});
    }
    add_bars(scene, bars);
}

void add_marks(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    if (row.cells_per_mark > 1)
        add_heat(scene, in);
    else
        add_single_marks(scene, in);
    if (!in.result) return;
    const float width = row.mark_width + 4;
    Rect frame =
        box(row.x_of(*in.result) - width / 2, row.top - 2, width, row.height + 4, Role::none);
    frame.radius = 1;
    frame.stroke = {in.table.right ? Role::wrote : Role::race, 2, Dash::solid};
    scene.add(frame, verdict(in.table, in.tr));
}

namespace {

constexpr float kTagSize = 11;

// The cell of a row of that array; of local memory, of the reader's group.
std::size_t cell_in(const analysis::Row& row, const analysis::Row& reader,
                    const analysis::StaleValue& read) {
    if (!row.local_memory || reader.local == 0) return read.cell;
    return static_cast<std::uint64_t>(read.item) / reader.local * row.group_cells + read.cell;
}

bool shows_missed(const analysis::Row& row, const analysis::Row& reader,
                  const analysis::StaleValue& read) {
    if (row.array != read.array) return false;
    const std::size_t cell = cell_in(row, reader, read);
    return cell < row.cells.size() && row.cells[cell].value == read.missed;
}

// Where the reader stands: its circle, rather that over the cell it spoiled; else the first cell
// that it wrote.
std::optional<Point> reader_at(const RowToDraw& in, std::int64_t reader) {
    const RowLayout& row = in.place();
    if (row.lane && row.full) {
        std::optional<Point> stands;
        for (const Item& item : place_items(in.pass(), row)) {
            if (std::find(item.ids.begin(), item.ids.end(), reader) == item.ids.end()) continue;
            const Point point{item.x, row.lane_y - in.place().item_radius};
            if (item.cell && in.pass().cells[*item.cell].stale) return point;
            if (!stands) stands = point;
        }
        if (stands) return stands;
    }
    for (std::size_t cell = 0; cell < row.cells; ++cell)
        if (in.pass().cells[cell].written && in.pass().cells[cell].item == reader)
            return Point{row.x_of(cell), row.top - 2};
    return std::nullopt;
}

// From a value that was not the one read.
struct Arc {
    Place from;
    Point to;
    analysis::CellValue took;
    Stroke stroke;
    std::string tip;
};

// "read as 11", beside such an arc.
struct Tag {
    float left, top, right, bottom;

    float overlap(const Tag& of) const {
        return std::max(0.0F, std::min(right, of.right) - std::max(left, of.left)) *
               std::max(0.0F, std::min(bottom, of.bottom) - std::max(top, of.top));
    }
};

// Where arcs begin under a row: words there would be crossed.
std::vector<float> arc_starts(const RowToDraw& in, std::size_t row) {
    std::vector<float> starts;
    const RowLayout& above = in.layout.rows[row];
    if (row + 1 == in.row)
        for (const analysis::Cell& cell : in.pass().cells)
            for (const analysis::Writer& writer : writers_of(cell))
                for (const std::uint32_t source : writer.from)
                    if (source < above.cells) starts.push_back(above.x_of(source));
    for (const analysis::StaleValue& read : in.pass().stale)
        if (const auto from = missed_at(in.table, in.row, read); from && from->row == row)
            starts.push_back(above.x_of(from->cell));
    return starts;
}

// Under the cell, at a side where the arc does not go; where that is taken, on the arc, with a
// ground of its own.
void add_tag(Scene& scene, const RowToDraw& in, const Arc& arc, std::vector<Tag>& tags) {
    const auto& [from, toward, took, stroke, tip] = arc;
    const Role role = stroke.role;
    const RowLayout& above = in.layout.rows[from.row];
    const float size = kTagSize * in.layout.scale, gap = 5 * in.layout.scale;
    const std::string words = in.tr("figure.read_as", fmt::arg("value", text_of(took)));
    const float width = in.fonts.text_width(words, size, Face::bold);
    const float x = above.x_of(from.cell);
    // Under the frames of races, where there are.
    const bool raced = !in.table.rows[from.row].raced.empty();
    const float base = above.bottom() + (raced ? 14.0F : 10.0F) * in.layout.scale;
    const auto tag_at = [&](float left, float line) {
        return Tag{left - gap, line - size, left + width + gap, line + size * 0.3F};
    };
    const auto overlap = [&](const Tag& tag) {
        float sum = 0;
        for (const Tag& other : tags)
            sum += tag.overlap(other);
        return sum;
    };
    std::vector<float> sides;
    if (toward.x <= x + gap) sides.push_back(x + gap);
    if (toward.x >= x - gap) sides.push_back(x - gap - width);
    const std::vector<float> starts = arc_starts(in, from.row);
    for (const float left : sides) {
        if (left < kMargin / 2 || left + width > in.layout.labels) continue;
        const Tag tag = tag_at(left, base);
        const bool crossed = std::any_of(starts.begin(), starts.end(), [&](float start) {
            return start > tag.left && start < tag.right && start != x;
        });
        if (crossed || overlap(tag) > 0) continue;
        tags.push_back(tag);
        scene.add(Text{tag.left + gap, base, words, size, Face::bold, role, Anchor::start});
        return;
    }
    std::optional<Tag> best;
    for (const float part : {0.5F, 0.35F, 0.65F, 0.2F, 0.8F}) {
        const float line = above.bottom() + (toward.y - above.bottom()) * part + size * 0.35F;
        const float middle = x + (toward.x - x) * part;
        const Tag tag = tag_at(std::clamp(middle - width / 2, kMargin / 2,
                                          std::max(kMargin / 2, in.layout.labels - width)),
                               line);
        if (!best || overlap(tag) < overlap(*best)) best = tag;
    }
    tags.push_back(*best);
    Rect ground =
        box(best->left + gap - 2, best->top, width + 4, best->bottom - best->top, Role::panel);
    ground.radius = 3;
    scene.add(ground);
    scene.add(Text{best->left + gap, best->bottom - size * 0.3F, words, size, Face::bold, role,
                   Anchor::start});
}

// A small triangle under a mark, too narrow for a frame.
void add_pointer(Scene& scene, const RowToDraw& in, float x, const std::string& tip) {
    const float top = in.place().bottom() + 1, size = 5 * in.layout.scale;
    scene.add(polygon({{x, top}, {x + size * 0.7F, top + size}, {x - size * 0.7F, top + size}},
                      Role::race),
              tip);
}

Rect cell_box(const RowToDraw& in, std::size_t cell) {
    const RowLayout& row = in.place();
    return box(row.x_of(cell) - row.mark_width / 2, row.top, row.mark_width, row.height,
               Role::none);
}

// Whether that holds for a stale read of that cell of the row above by the work-item.
template <typename Holds>
bool any_stale(const analysis::StepTable& table, std::size_t row, std::int64_t item,
               std::uint32_t source, Holds holds) {
    const analysis::Row &pass = table.rows[row], &above = table.rows[row - 1];
    return std::any_of(pass.stale.begin(), pass.stale.end(), [&](const analysis::StaleValue& read) {
        return read.item == item && above.array == read.array &&
               cell_in(above, pass, read) == source && holds(read);
    });
}

}  // namespace

std::optional<Place> missed_at(const analysis::StepTable& table, std::size_t row,
                               const analysis::StaleValue& read) {
    const analysis::Row& reader = table.rows[row];
    std::optional<Place> nearest;
    for (std::size_t index = row; index-- > 0;) {
        const analysis::Row& above = table.rows[index];
        if (!shows_missed(above, reader, read)) continue;
        const Place place{index, cell_in(above, reader, read)};
        // That of the write itself rather than one in which its value still stands.
        if (read.pass > 0 && above.launch == reader.launch && above.number == read.pass)
            return place;
        if (!nearest) nearest = place;
    }
    return nearest;
}

bool is_misread(const analysis::StepTable& table, std::size_t row, std::int64_t item,
                std::uint32_t source) {
    const std::vector<analysis::OtherRead>& others = table.rows[row].other_reads;
    return std::any_of(others.begin(), others.end(),
                       [&](const analysis::OtherRead& read) {
                           return read.item == item && read.cell == source;
                       }) ||
           any_stale(table, row, item, source, [&](const analysis::StaleValue& read) {
               return !(table.rows[row - 1].cells[source].value == read.took);
           });
}

std::vector<analysis::OtherRead> other_arcs(const analysis::StepTable& table, std::size_t row) {
    std::vector<analysis::OtherRead> others = table.rows[row].other_reads;
    std::erase_if(others, [&](const analysis::OtherRead& read) {
        return any_stale(table, row, read.item, read.cell, [&](const analysis::StaleValue& stale) {
            return missed_at(table, row, stale).has_value();
        });
    });
    return others;
}

Stroke stale_stroke() {
    return {Role::race, 2.5F, Dash::dotted};
}

Stroke other_stroke() {
    return {Role::act, 2, Dash::dotted};
}

void add_dotted_arcs(Scene& scene, const RowToDraw& in) {
    constexpr std::size_t kMostArcs = 64;
    if (in.row == 0) return;
    std::vector<Arc> arcs;
    const auto add = [&](std::optional<Place> from, std::int64_t item,
                         const analysis::CellValue& took, Stroke stroke, std::string tip) {
        const auto to = reader_at(in, item);
        if (from && to) arcs.push_back({*from, *to, took, stroke, std::move(tip)});
    };
    for (const analysis::StaleValue& read : in.pass().stale)
        add(missed_at(in.table, in.row, read), read.item, read.took, stale_stroke(),
            stale_text(in.table, read, in.tr));
    for (const analysis::OtherRead& read : other_arcs(in.table, in.row))
        add(Place{in.row - 1, read.cell}, read.item, read.took, other_stroke(),
            other_text(in.table, in.row, read, in.table.rows[in.row - 1].cells[read.cell].value,
                       in.tr));
    if (arcs.size() > kMostArcs) return;
    for (const Arc& each : arcs) {
        const RowLayout& above = in.layout.rows[each.from.row];
        scene.add(arc({above.x_of(each.from.cell), above.bottom() + 2}, each.to, each.stroke),
                  each.tip);
    }
    std::vector<Tag> tags;
    for (const Arc& each : arcs)  // over all arcs
        if (in.layout.rows[each.from.row].full && in.place().full) add_tag(scene, in, each, tags);
}

Rect race_frame(const Rect& cell, float scale) {
    const float out = 2.5F * scale;
    Rect frame =
        box(cell.x - out, cell.y - out, cell.width + 2 * out, cell.height + 2 * out, Role::none);
    frame.radius = cell.radius + out;
    frame.stroke = {Role::race, 1.5F, Dash::dashed};
    return frame;
}

void add_sign(Scene& scene, Point middle, float scale) {
    add_badge(scene, middle, 6 * scale, false);
}

void add_faults(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    std::set<float> pointed;  // marks stand for several cells
    for (const analysis::RacedCell& raced : in.pass().raced) {
        const std::string tip = race_text(in.table, raced, in.tr);
        if (row.full) {
            Rect cell = cell_box(in, raced.cell);
            cell.radius = 4;
            scene.add(race_frame(cell, in.layout.scale), tip);
        } else if (pointed.insert(row.x_of(raced.cell)).second) {
            add_pointer(scene, in, row.x_of(raced.cell), tip);
        }
    }
    for (std::size_t cell = 0; cell < row.cells; ++cell) {
        if (!in.pass().cells[cell].stale) continue;
        const Rect rect = cell_box(in, cell);
        if (row.full)
            add_sign(scene, {rect.x + rect.width - 3, rect.y + 2}, in.layout.scale);
        else
            add_sign(scene, {row.x_of(cell), row.top - 5 * in.layout.scale}, in.layout.scale);
    }
}

}  // namespace lab::figures
