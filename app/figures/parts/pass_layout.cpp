#include "figures/parts/pass_layout.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "analysis/rows/cells.h"
#include "figures/scene/paragraph.h"

namespace lab::figures {
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

}  // namespace lab::figures
