#include "figures/pass_figure.h"

#include <array>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/ranges.h"
#include "figures/chart.h"
#include "figures/figure_page.h"
#include "figures/text.h"

namespace lab::figures {
namespace {

// A size where there is room, and where rows are as low as can be: points at scale 1.
struct Range {
    float natural, least;
    float at(float squeeze) const { return natural + (least - natural) * squeeze; }
};
constexpr Range kArcs{34, 6}, kMarkArcs{24, 6}, kFarArcs{56, 0};  // between a row and its items
constexpr Range kItemRadius{11, 5.5F}, kLink{11, 3}, kFarLink{26, 4};
constexpr Range kCellHeight{44, 16}, kLeastCellHeight{28, 16}, kMarkHeight{16, 8};
constexpr Range kBelow{14, 3}, kLabelLine{18, 17};
constexpr Range kTop{kMargin, 8}, kVerdict{26, 19}, kBottom{10 + kMargin, 9};
constexpr float kLargestValue = 19, kCaption = 22;
constexpr float kChipSize = 12, kChipRoom = 26;
constexpr float kLeastItem = 2.5F;  // the radius, at any scale
constexpr float kGatheredSize = 11;
constexpr float kLeastLabels = 56;

std::string gathered_words(const Item& item) {
    return fmt::format("{}/{}", item.working, item.count);
}

class Layout {
  public:
    Layout(const analysis::StepTable& table, const std::vector<RowLabel>& labels,
           const PassFigureOptions& options, const Fonts& fonts, const Translations& tr)
        : table_(table), labels_(labels), options_(options), fonts_(fonts), tr_(tr) {
        out_.scale = options.text_scale;
    }

    PassLayout make() {
        measure_labels();
        left_ = arrays_room();
        values_ = value_widths(table_.rows, out_.scale, fonts_);
        room_ = room_in(options_.width, out_.labels_width);
        out_.columns.push_back(columns_of(0, table_.rows.size()));
        keep_values();
        out_.rows.resize(table_.rows.size());
        for (std::size_t row = 0; row < table_.rows.size(); ++row)
            place_across(row);
        out_.labels = out_.right() + s(16);
        if (const float room = options_.most_width - out_.labels - kMargin;
            room >= s(kLeastLabels) - 1)
            out_.labels_width = std::min(out_.labels_width, room);
        out_.width = out_.labels + out_.labels_width + kMargin;
        for (const RowLayout& row : out_.rows)
            most_radius_.push_back(row.item_radius);
        squeeze_to_height();
        for (RowLayout& row : out_.rows)
            row.value_size = value_size(row);
        return std::move(out_);
    }

  private:
    float s(float points) const { return points * out_.scale; }
    float s(Range range) const { return s(range.at(squeeze_)); }

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

    float room_in(float width, float labels) const {
        return std::max(s(100), width - left_ - s(16) - labels - kMargin);
    }

    // Where values have no room, words beside the rows give way to them, and what is drawn smaller
    // anyway may be a little wider.
    void keep_values() {
        constexpr float kReadable = 0.85F;
        if (out_.columns.front()->full || std::isinf(options_.most_width)) return;
        const float before = room_;
        const std::size_t values = launches_with_values();
        room_ = room_in(std::min(options_.most_width, options_.width / kReadable),
                        std::min(out_.labels_width, s(kLeastLabels)));
        if (launches_with_values() > values)
            out_.columns.front() = columns_of(0, table_.rows.size());
        else
            room_ = before;
    }

    // How many have room for values, in columns of all or in their own.
    std::size_t launches_with_values() const {
        const std::size_t all = columns_of(0, table_.rows.size())->full ? 1 : 0;
        std::size_t count = all;
        for (std::size_t row = 1; row < table_.rows.size(); row = launch_end(row))
            count += all != 0 || columns_of(row, launch_end(row))->full ? 1 : 0;
        return count;
    }

    // The row after those of the launch.
    std::size_t launch_end(std::size_t row) const {
        std::size_t end = row + 1;
        while (end < table_.rows.size() && table_.rows[end].launch == table_.rows[row].launch)
            ++end;
        return end;
    }

    // Where the rows begin: right of the arrays' names, where there are several.
    float arrays_room() {
        std::set<std::string> names;
        float widest = 0;
        for (const analysis::Row& pass : table_.rows) {
            names.insert(pass.array);
            widest = std::max(
                {widest, fonts_.text_width(pass.array, s(kTitleSize), Face::bold),
                 fonts_.text_width(tr_(pass.local_memory ? "figure.local" : "figure.global"),
                                   s(kSmallSize), Face::sans)});
        }
        if (names.size() < 2) return kMargin;
        out_.arrays = kMargin / 2 + std::ceil(widest);
        return out_.arrays + s(16);
    }

    std::shared_ptr<const Columns> columns_of(std::size_t first, std::size_t end) const {
        return std::make_shared<Columns>(
            place_columns(table_, first, end, left_, room_, out_.scale, values_));
    }

    // Where the columns of all have no room for values, a launch that has fewer items and cells
    // has columns of its own, if that makes room.
    const Columns* columns_for(std::size_t row) {
        const Columns& all = *out_.columns.front();
        if (all.full || row == 0) return &all;
        const analysis::Row &pass = table_.rows[row], &above = table_.rows[row - 1];
        if (row > 1 && above.launch == pass.launch) return out_.rows[row - 1].columns;
        auto own = columns_of(row, launch_end(row));
        if (own->slots >= all.slots) return &all;
        out_.columns.push_back(std::move(own));
        return out_.columns.back().get();
    }

    void place_across(std::size_t row) {
        RowLayout& layout = out_.rows[row];
        layout.columns = columns_for(row);
        layout.cells = table_.rows[row].cells.size();
        place_items(table_.rows[row], layout);
        const Columns& columns = *layout.columns;
        layout.mark_width = columns.mark_width;
        layout.full = columns.full;
        const RowLayout* like = row_like(row, layout);
        if (layout.cells == columns.slots) {
            layout.x = columns.x;
            layout.cells_per_mark = columns.slots_per_mark;
        } else if (like != nullptr) {
            layout.x = like->x;
            layout.mark_width = like->mark_width;
            layout.cells_per_mark = like->cells_per_mark;
            layout.full = like->full;
        } else if (layout.cells == columns.cells && columns.full) {
            for (std::size_t cell = 0; cell < layout.cells; ++cell)
                layout.x.push_back(columns.at(slot_of(cell, columns.cells_per_group, columns)));
        } else if (!place_under_items(row, layout)) {
            place_alone(table_.rows[row], layout);
        }
    }

    static std::size_t slot_of(std::size_t cell, std::size_t per_group, const Columns& columns) {
        if (columns.per_group == 0 || per_group == 0 || per_group > columns.per_group) return cell;
        return cell / per_group * columns.per_group + cell % per_group;
    }

    // The last row of the same array in the same columns: cells keep their places.
    const RowLayout* row_like(std::size_t row, const RowLayout& layout) const {
        for (std::size_t index = row; index-- > 0;) {
            const RowLayout& other = out_.rows[index];
            if (other.cells == layout.cells && other.columns == layout.columns &&
                of_one_array(table_.rows[index], table_.rows[row]))
                return &other;
        }
        return nullptr;
    }

    // Each by itself; where there is no room, those of a warp together, or of several, of a group,
    // or of several groups.
    void place_items(const analysis::Row& pass, RowLayout& layout) const {
        const std::vector<float>& x = layout.columns->items;
        if (!pass.items_known || pass.global == 0 || pass.global > x.size()) return;
        float pitch = s(4 * kItemRadius.natural);
        for (std::size_t item = 1; item < pass.global; ++item)
            pitch = std::min(pitch, x[item] - x[item - 1]);
        layout.item_radius = std::min(s(kItemRadius.natural), pitch / 2 - 1);
        const auto words = [&](std::uint64_t count) {
            return fonts_.text_width(gathered_words({0, count, count, 0}), s(kGatheredSize),
                                     Face::mono) +
                   s(kItemRadius.natural) + 4;
        };
        std::uint64_t each = 1;
        const std::uint64_t local = std::max<std::uint64_t>(pass.local, 1);
        if (layout.item_radius < kLeastItem) {
            layout.item_radius = s(kItemRadius.natural) * 0.7F;
            const std::uint64_t lanes = table_.machine ? table_.machine->lanes : local;
            each = local % lanes == 0 ? lanes : local;
            while (each < pass.global && static_cast<float>(each) * pitch < words(each))
                each = each < local && local % (2 * each) != 0 ? local : 2 * each;
        }
        const std::vector<std::int64_t> working = working_items(pass);
        for (std::uint64_t first = 0, count = 0; first < pass.global; first += count) {
            count = std::min(each, pass.global - first);
            if (pass.global - first - count < each / 2)
                count = pass.global - first;  // the rest, too
            const auto from =
                std::lower_bound(working.begin(), working.end(), static_cast<std::int64_t>(first));
            const auto to =
                std::lower_bound(from, working.end(), static_cast<std::int64_t>(first + count));
            layout.items.push_back({first, count, static_cast<std::size_t>(to - from),
                                    (x[first] + x[first + count - 1]) / 2,
                                    first < items_begun(pass)});
        }
    }

    // The work-items of groups that had begun when the run was given up; it says how many had not.
    std::uint64_t items_begun(const analysis::Row& pass) const {
        if (pass.launch == table_.rows.back().launch)
            for (const Phrase& why : table_.fault_phrases.why)
                if (why.key == "fault.spin_room")
                    return (std::stoull(why.arguments.at("groups")) -
                            std::stoull(why.arguments.at("count"))) *
                           pass.local;
        return pass.global;
    }

    // Each cell below the work-item that writes it first, where that is another one for each and in
    // order; of those that are not known, a value per group below its first item, else each below
    // the item of the same number.
    bool place_under_items(std::size_t row, RowLayout& layout) const {
        const analysis::Row& pass = table_.rows[row];
        const std::vector<float>& items = layout.columns->items;
        std::vector<std::int64_t> owners(layout.cells, -1);
        std::size_t known = 0;
        std::uint64_t global = pass.global, local = pass.local;
        for (std::size_t index = 0; index < table_.rows.size() && known < layout.cells; ++index) {
            const analysis::Row& each = table_.rows[index];
            if (each.cells.size() != layout.cells || !of_one_array(each, pass) ||
                (index > row && out_.columns.size() > 1))
                continue;
            if (known == 0) global = each.global, local = each.local;
            for (std::size_t cell = 0; cell < layout.cells; ++cell) {
                if (owners[cell] >= 0 || !each.cells[cell].written) continue;
                for (const analysis::Writer& writer : writers_of(each.cells[cell]))
                    if (writer.item >= 0 && (owners[cell] < 0 || writer.item < owners[cell]))
                        owners[cell] = writer.item;
                known += owners[cell] >= 0 ? 1 : 0;
            }
        }
        const std::size_t per_group = pass.local_memory                ? pass.group_cells
                                      : layout.cells * local == global ? 1
                                                                       : 0;
        const auto by_number = [&](std::size_t cell) -> std::size_t {
            if (local == 0 || per_group == 0) return cell;
            return cell / per_group * local + cell % per_group;
        };
        const auto place = [&](bool owned) {
            std::vector<float> x;
            for (std::size_t cell = 0; cell < layout.cells; ++cell) {
                const std::size_t item = owned && owners[cell] >= 0
                                             ? static_cast<std::size_t>(owners[cell])
                                             : by_number(cell);
                if (item >= items.size() || per_group > local) return std::vector<float>();
                const Item* at = layout.item(static_cast<std::int64_t>(item));
                x.push_back(at != nullptr && at->count > 1 ? at->x : items[item]);
                if (x.size() > 1 && x.back() <= x[x.size() - 2]) return std::vector<float>();
            }
            return x;
        };
        std::vector<float> x = known > 0 ? place(true) : std::vector<float>();
        if (x.empty()) x = place(false);
        if (x.empty()) return false;
        const Columns& columns = *layout.columns;
        const float least = columns.full ? columns.mark_width : columns.least_cell;
        x.front() = std::max(x.front(), columns.left + least / 2);
        if (x.size() > 1) x.back() = std::min(x.back(), columns.right - least / 2);
        float closest = s(kColumnCell) * (1 + kGap);
        for (std::size_t i = 1; i < x.size(); ++i)
            closest = std::min(closest, x[i] - x[i - 1]);
        const float width = std::max(std::min({closest / (1 + kGap), 2 * (x.front() - columns.left),
                                               2 * (columns.right - x.back())}),
                                     columns.full ? columns.mark_width : 0);
        if (width < least - 0.01F) return false;
        layout.x = std::move(x);
        layout.mark_width = width;
        layout.full = true;
        return true;
    }

    // Below no item: in the slots from the left; spread evenly where these have no room for values.
    void place_alone(const analysis::Row& pass, RowLayout& layout) const {
        const Columns& columns = *layout.columns;
        if (columns.full) {
            const bool in_groups = pass.local_memory && pass.local == columns.local;
            for (std::size_t cell = 0; cell < layout.cells; ++cell)
                layout.x.push_back(
                    columns.at(slot_of(cell, in_groups ? pass.group_cells : 0, columns)));
            return;
        }
        const float spread = columns.right - columns.left;
        layout.full = static_cast<float>(layout.cells) * columns.least_cell * (1 + kGap) <= spread;
        layout.cells_per_mark = layout.full ? 1 : cells_per_mark(layout.cells, spread);
        const std::size_t marks = layout.marks();
        const float spacing = spread / static_cast<float>(std::max<std::size_t>(marks, 1));
        for (std::size_t mark = 0; mark < marks; ++mark)
            layout.x.push_back(columns.left + spacing * (static_cast<float>(mark) + 0.5F));
        layout.mark_width = layout.full
                                ? std::min(spacing / (1 + kGap), s(kColumnCell))
                                : std::min(spacing >= 4 ? spacing - 1 : spacing, s(kWidestMark));
    }

    // As low as the height asks for, but no lower than all can be told apart.
    void squeeze_to_height() {
        place_rows();
        if (out_.height <= options_.height) return;
        float low = 0, high = 1;
        for (int i = 0; i < 7; ++i) {
            squeeze_ = (low + high) / 2;
            place_rows();
            (out_.height <= options_.height ? high : low) = squeeze_;
        }
        squeeze_ = high;
        place_rows();
    }

    void place_rows() {
        out_.notes.clear();
        float y = s(kTop);
        if (options_.heading) {
            out_.heading_y = y + s(16);
            y += s(52);
        }
        out_.captions_y = y + s(12);
        y += s(kCaption);
        for (std::size_t row = 0; row < table_.rows.size(); ++row)
            y = place_vertically(row, y, out_.rows[row]);
        y = place_tiles(y);
        out_.verdict_y = y + s(kVerdict);
        out_.notes_y = out_.verdict_y + s(26);
        y = out_.verdict_y;
        if (options_.heading) {
            const float widest = std::max(out_.width, options_.width) - 2 * kMargin;
            for (const std::string& note : notes(table_, tr_))
                for (std::string& line : lines_of(note, widest, s(kLabelSize), Face::sans, fonts_))
                    out_.notes.push_back(std::move(line));
            if (!out_.notes.empty())
                y += s(kNoteLine) * static_cast<float>(out_.notes.size()) + s(6);
        }
        out_.legend_y = y + s(36);
        out_.height = y + s(kBottom);
    }

    // Room for the largest.
    float place_tiles(float y) {
        if (out_.tiles.empty()) out_.tiles = tile_maps_of(table_);
        if (out_.tiles.empty()) return y;
        out_.tiles_y = y + s(26);
        out_.tiles_room = std::max(s(100), options_.width - 2 * kMargin);
        float height = 0;
        for (const TileMap& map : out_.tiles) {
            const TileMapSize size =
                add_tile_map(nullptr, table_, map, {}, {out_.left(), out_.tiles_y}, out_.tiles_room,
                             out_.scale, fonts_, tr_);
            out_.width = std::max(out_.width, out_.left() + size.width + kMargin);
            height = std::max(height, size.height);
        }
        return out_.tiles_y + height;
    }

    float place_vertically(std::size_t row, float y, RowLayout& layout) {
        layout.height =
            layout.full ? std::clamp(layout.mark_width * 0.76F, s(kLeastCellHeight), s(kCellHeight))
                        : s(kMarkHeight);
        layout.label_line = s(kLabelLine);
        if (row > 0) {
            y += room_for_arcs(row);
            if (!layout.items.empty()) {
                set_item_size(row, layout);
                layout.lane_y = y + layout.item_radius;
                y = layout.lane_y + layout.item_radius + room_for_links(row);
            } else {
                y += s(kBelow) / 2;
            }
            // The words beside it stand clear of those beside the row above.
            y = std::max(y, out_.rows[row - 1].label + 2 * layout.label_line - layout.height / 2);
        }
        layout.top = y;
        layout.label = layout.top + layout.height / 2;
        // Lines around the middle, and those of the boundary below.
        const float words = layout.label + (labels_[row].items.empty() ? 0 : layout.label_line / 2);
        const float clear = words + s(kLabelLine);
        const float below = layout.bottom() + s(kBelow);
        const bool natural = squeeze_ == 0;
        const float next = natural ? std::max(below, clear) : below;
        if (boundary_after(table_, row) != Boundary::none) layout.boundary = next;
        layout.boundary_words = next >= clear - 1;
        return row + 1 < table_.rows.size() ? next : std::max(layout.bottom(), words + s(3));
    }

    void set_item_size(std::size_t row, RowLayout& layout) {
        layout.item_radius = std::min(most_radius_[row], s(kItemRadius));
        const bool gathered = layout.items.front().count > 1;
        const std::string longest =
            table_.space.item_name(layout.items.back().first + layout.items.back().count - 1);
        const float fitting =
            1.55F * layout.item_radius / fonts_.text_width(longest, 1, Face::mono);
        layout.item_words = gathered          ? s(kGatheredSize)
                            : fitting >= s(6) ? std::min(fitting, s(kSmallSize))
                                              : 0;
    }

    // One size for all values in cells of one width, as long as it is no less than the least;
    // longer ones shrink alone.
    float value_size(const RowLayout& of) const {
        float size = std::min(s(kLargestValue), of.height * 0.72F);
        const float room = of.mark_width - s(kValuePadding);
        for (std::size_t row = 0; row < table_.rows.size(); ++row) {
            if (!out_.rows[row].full || out_.rows[row].mark_width != of.mark_width) continue;
            for (const analysis::Cell& cell : table_.rows[row].cells)
                size = std::min(size, room / fonts_.text_width(text_of(cell.value), 1, Face::mono));
        }
        return std::max(size, s(kLeastValueSize));
    }

    // Arcs that go far, and many of them, need room to be distinguished.
    float room_for_arcs(std::size_t row) const {
        const RowLayout& layout = out_.rows[row];
        const RowLayout& above = out_.rows[row - 1];
        float reach = 0;
        std::size_t arcs = 0;
        for (std::size_t cell = 0; cell < layout.cells; ++cell)
            for (const std::uint32_t source : table_.rows[row].cells[cell].from) {
                if (source >= above.cells) continue;
                reach += std::abs(above.x_of(source) - layout.x_of(cell));
                ++arcs;
            }
        const bool far = arcs > 16 && reach > static_cast<float>(arcs) * (out_.right() / 6);
        float room = s(layout.full ? kArcs : kMarkArcs);
        for (const Misread& read : misreads_in(table_, out_, row))
            if (read.hangs() && above.full) room = std::max(room, s(kChipRoom));
        return room + (far ? s(kFarArcs) : 0);
    }

    // From the items to cells in other columns.
    float room_for_links(std::size_t row) const {
        const RowLayout& layout = out_.rows[row];
        if (!layout.full) return s(kLink) / 2;
        const analysis::Row& pass = table_.rows[row];
        for (std::size_t cell = 0; cell < layout.cells; ++cell)
            for (const analysis::Writer& writer : writers_of(pass.cells[cell]))
                if (const Item* item = layout.item(writer.item);
                    item != nullptr && item->count == 1 &&
                    std::abs(item->x - layout.x_of(cell)) > layout.mark_width / 2)
                    return s(kFarLink);
        return s(kLink);
    }

    const analysis::StepTable& table_;
    const std::vector<RowLabel>& labels_;
    const PassFigureOptions& options_;
    const Fonts& fonts_;
    const Translations& tr_;
    float left_ = 0, room_ = 0, squeeze_ = 0;
    ValueWidths values_;
    std::vector<float> most_radius_;  // of the items, by row
    PassLayout out_;
};

// Points at scale 1.
constexpr float kWidestColumn = 96;                      // for long values
constexpr float kLeastColumn = 24, kMostLeastCell = 36;  // how narrow cells get, by their values

using Rows = std::span<const analysis::Row>;

// As the first launch divides the longest row; 0 if it does not. The last group may have fewer.
std::size_t cells_per_group(Rows rows, std::size_t cells, std::uint64_t group) {
    const analysis::Row* longest =
        find_if(rows, [&](const analysis::Row& pass) { return pass.cells.size() == cells; });
    if (longest->local_memory) return longest->group_cells;
    const analysis::Row* first =
        find_if(rows, [](const analysis::Row& pass) { return pass.launch > 0; });
    if (first == nullptr || first->local == 0 || first->global == 0) return group;
    // Fewer items than cells have several cells each, as long as these can be shared out evenly.
    if (first->global >= cells) return first->local;
    return cells * first->local % first->global == 0 ? cells * first->local / first->global : 0;
}

// Whether every source of the cell is of one group.
bool of_one_group(const analysis::Cell& cell, std::size_t per_group) {
    return all_of(cell.from, [&](std::uint32_t source) {
        return source / per_group == cell.from.front() / per_group;
    });
}

// Whether each item writes only cells of its own group; and, where a launch makes fewer values,
// whether each comes from the cells of one.
bool groups_keep_apart(Rows rows, std::size_t cells, std::size_t per_group) {
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const analysis::Row& pass = rows[row];
        const bool same_array = pass.cells.size() == cells && !pass.local_memory;
        const bool new_array = !same_array && rows[row - 1].cells.size() == cells;
        for (std::size_t i = 0; i < pass.cells.size(); ++i) {
            const analysis::Cell& cell = pass.cells[i];
            if (new_array && !of_one_group(cell, per_group)) return false;
            if (!same_array || !cell.written || cell.item < 0 || pass.local == 0) continue;
            if (static_cast<std::uint64_t>(cell.item) / pass.local != i / per_group) return false;
        }
    }
    return true;
}

// Marks of one width, a gap between them and a wider one between groups.
struct Spacing {
    float width, gap, group_gap;
};

void place(Columns& columns, std::size_t per_group, const Spacing& spacing) {
    float x = columns.left;
    for (std::size_t slot = 0; slot < columns.slots; slot += columns.slots_per_mark) {
        const bool starts_group = slot % per_group == 0;
        if (slot > 0) x += starts_group ? spacing.group_gap : spacing.gap;
        if (starts_group) columns.groups.push_back({x, 0, x, 0});
        columns.x.push_back(x + spacing.width / 2);
        x += spacing.width;
        columns.groups.back().right = x;
    }
    columns.mark_width = spacing.width;
    columns.right = x;
}

float between_groups(std::size_t groups, float room) {
    const float each = room / static_cast<float>(groups);
    return each >= 24 ? 6.0F : each >= 8 ? 2.0F : 0.0F;
}

Spacing mark_spacing(const Columns& columns, std::size_t groups, float room, float widest) {
    const float between = between_groups(groups, room);
    const float marks = room - between * static_cast<float>(groups - 1);
    const float pitch = std::clamp(marks / static_cast<float>(columns.marks()), kLeastMark, widest);
    const float gap = columns.slots_per_mark == 1 && pitch >= 4 ? 1.0F : 0.0F;
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

// Each work-item over the cell that it writes first of the longest rows, as far as these go up with
// its number; else over the middle of its share of the slots.
std::vector<float> place_items(const Columns& columns, Rows rows, std::uint64_t items) {
    const bool grouped = columns.per_group > 0 && columns.local > 0;
    const std::size_t per_group = grouped ? columns.per_group : columns.slots;
    const std::uint64_t local = grouped ? columns.local : items;
    std::vector<std::optional<std::size_t>> home(items);
    for (const analysis::Row& pass : rows)
        for (std::size_t cell = 0; cell < pass.cells.size() && pass.cells.size() == columns.cells;
             ++cell)
            for (const analysis::Writer& writer : writers_of(pass.cells[cell]))
                if (pass.cells[cell].written && writer.item >= 0 &&
                    static_cast<std::uint64_t>(writer.item) < items)
                    if (auto& at = home[static_cast<std::size_t>(writer.item)]; !at)
                        at = columns.cells_per_group == 0
                                 ? cell
                                 : cell / columns.cells_per_group * per_group +
                                       cell % columns.cells_per_group;
    std::vector<float> x;
    std::optional<std::size_t> last;
    for (std::uint64_t item = 0; item < items && home[item]; last = home[item++]) {
        if ((last && *home[item] <= *last) || *home[item] / per_group != item / local) break;
        x.push_back(columns.at(*home[item]));
    }
    if (x.size() == items) return x;
    x.clear();
    for (std::uint64_t item = 0; item < items; ++item) {
        const std::size_t group = item / local * per_group;
        const std::size_t first = group + item % local * per_group / local;
        const std::size_t end = group + (item % local + 1) * per_group / local;
        x.push_back((columns.at(first) + columns.at(std::max(end, first + 1) - 1)) / 2);
    }
    return x;
}

}  // namespace

const Item* RowLayout::item(std::int64_t id) const {
    if (id < 0) return nullptr;
    const auto after =
        std::upper_bound(items.begin(), items.end(), static_cast<std::uint64_t>(id),
                         [](std::uint64_t number, const Item& of) { return number < of.first; });
    if (after == items.begin()) return nullptr;
    const Item& found = *std::prev(after);
    return static_cast<std::uint64_t>(id) < found.first + found.count ? &found : nullptr;
}

PassLayout lay_out(const analysis::StepTable& table, const std::vector<RowLabel>& labels,
                   const PassFigureOptions& options, const Fonts& fonts, const Translations& tr) {
    return Layout(table, labels, options, fonts, tr).make();
}

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

float Columns::at(std::size_t slot) const {
    const std::size_t mark = std::min(slot / slots_per_mark, x.size() - 1);
    if (slots_per_mark == 1) return x[mark];
    const float part =
        (static_cast<float>(slot % slots_per_mark) + 0.5F) / static_cast<float>(slots_per_mark) -
        0.5F;
    return x[mark] + part * mark_width;
}

ValueWidths value_widths(Rows rows, float scale, const Fonts& fonts) {
    std::set<std::string> values;
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t cell = 0; cell < rows[row].cells.size(); ++cell)
            // Most cells stay as in the row above.
            if (const analysis::CellValue& value = rows[row].cells[cell].value;
                row == 0 || cell >= rows[row - 1].cells.size() ||
                rows[row - 1].cells[cell].value != value)
                values.insert(text_of(value));
    float widest = 0;
    for (const std::string& value : values)
        widest = std::max(widest, fonts.text_width(value, scale, Face::mono));
    const float padding = kValuePadding * scale, full = widest * kLeastValueSize + padding;
    const float least = std::clamp(full, kLeastColumn * scale, kMostLeastCell * scale);
    std::set<std::string> rounded;
    for (const std::string& value : values)
        rounded.insert(
            fonts.shortened_value(value, least - padding, kLeastValueSize * scale, Face::mono));
    return {widest * kComfortableValue + padding,
            rounded.size() < values.size() ? std::max(full, least) : least};
}

Columns place_columns(const analysis::StepTable& table, std::size_t first, std::size_t end,
                      float left, float room, float scale, const ValueWidths& values) {
    const Rows rows = Rows(table.rows).subspan(first, end - first);
    Columns columns;
    columns.left = columns.right = left;
    std::uint64_t items = 0;
    for (const analysis::Row& pass : rows) {
        columns.cells = std::max(columns.cells, pass.cells.size());
        if (pass.global > items) items = pass.global, columns.local = pass.local;
    }
    if (columns.cells == 0) return columns;

    // Each group has as many slots as it has cells or items, whatever is more.
    std::size_t per_group = cells_per_group(rows, columns.cells, table.group);
    bool grouped = per_group > 0 && table.space.range().dims == 1 &&
                   groups_keep_apart(rows, columns.cells, per_group);
    columns.cells_per_group = grouped ? per_group : 0;
    std::size_t groups = grouped ? (columns.cells + per_group - 1) / per_group : 1;
    if (grouped && columns.local > 0) {
        groups = std::max<std::size_t>(groups, (items + columns.local - 1) / columns.local);
        per_group = std::max(per_group, columns.local);
    }
    if (!grouped) per_group = std::max<std::size_t>(columns.cells, items);
    for (const analysis::Row& pass : rows) {
        if (grouped && pass.local_memory && pass.local == columns.local)
            per_group = std::max<std::size_t>(per_group, pass.group_cells);
    }
    columns.slots = groups * per_group;

    columns.least_cell = values.least;
    const auto n = static_cast<float>(columns.slots), g = static_cast<float>(groups);
    const float widths = n + kGap * (n - g) + kGroupGap * (g - 1);
    columns.full = room / widths >= columns.least_cell;
    if (columns.full) {
        const float width = std::min(
            room / widths, std::clamp(values.full, kColumnCell * scale, kWidestColumn * scale));
        place(columns, per_group, {width, width * kGap, width * kGroupGap});
    } else {
        columns.slots_per_mark = per_mark_in(columns.slots, per_group, room);
        grouped = grouped && per_group % columns.slots_per_mark == 0;
        if (!grouped) per_group = columns.slots;
        place(columns, per_group,
              mark_spacing(columns, (columns.slots + per_group - 1) / per_group, room,
                           kWidestMark * scale));
    }
    if (grouped)
        columns.per_group = per_group;
    else
        columns.groups.clear(), columns.cells_per_group = 0;
    columns.items = place_items(columns, rows, items);
    return columns;
}

namespace {

struct RowToDraw {
    const analysis::StepTable& table;
    const PassLayout& layout;
    const std::vector<std::vector<analysis::CellState>>& states;
    std::size_t row;
    bool current;                       // where one is now
    std::optional<std::size_t> result;  // the cell to be marked as right or wrong
    const Fonts& fonts;
    const Translations& tr;
    const analysis::StepTable* device;  // its rows; empty: not known

    const analysis::Row& pass() const { return table.rows[row]; }
    const RowLayout& place() const { return layout.rows[row]; }
};

// More arcs than these between two rows, and into one cell from neighbours, are a smear.
constexpr std::size_t kMostArcs = 160, kMostSources = 16;
constexpr std::size_t kManyArcs = 48;  // above these they are thin

// In the order of CellState.
constexpr std::array<Look, 5> kLooks{{
    {Role::panel, Role::text, {Role::border, 1.25F, Dash::solid}},
    {Role::panel, Role::text, {Role::border, 1.25F, Dash::solid}},
    {Role::read_fill, Role::text, {Role::read, 1.5F, Dash::dashed}},
    {Role::background, Role::muted, {Role::idle_fill, 1, Dash::solid}},
    {Role::wrote_fill, Role::text, {Role::wrote, 2, Dash::solid}},
}};
constexpr Look kRight{Role::wrote_fill, Role::text, {Role::wrote, 3, Dash::solid}};
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
    return polygon({{above.x_of(*first) - half, above.bottom() + 2},
                    {above.x_of(*last) + half, above.bottom() + 2},
                    {x + spout, below.top - 2},
                    {x - spout, below.top - 2}},
                   Role::act_fill, {Role::act, 1});
}

// Areas that stand for arcs where those would be too many; they belong behind all else.
void add_funnels(Scene& scene, const RowToDraw& in) {
    if (in.row == 0) return;
    const RowLayout& above = in.layout.rows[in.row - 1];
    for (const std::size_t cell : written_cells(in.pass())) {
        for (const analysis::Writer& writer : writers_of(in.pass().cells[cell]))
            if (too_many(writer))
                scene.add(funnel(above, in.place(), writer, in.place().x_of(cell)));
    }
}

void add_arcs(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const RowLayout& above = in.layout.rows[in.row - 1];
    std::size_t arcs = 0;
    for (const analysis::Cell& cell : in.pass().cells)
        for (const analysis::Writer& writer : writers_of(cell))
            arcs += too_many(writer) ? 0 : writer.from.size();

    const bool wide = row.full && arcs <= kManyArcs;
    const Stroke stroke{Role::act, wide ? 2.0F : 1.0F, Dash::solid};
    const float head = row.full ? 6 * in.layout.scale : 3.5F;
    for (const std::size_t cell : written_cells(in.pass())) {
        const float x = row.x_of(cell);
        bool points = false;
        for (const analysis::Writer& writer : writers_of(in.pass().cells[cell])) {
            if (too_many(writer) || arcs > kMostArcs) continue;
            const Item* item = row.item(writer.item);
            if (item == nullptr && writer.from.empty()) continue;  // nobody knows what came in
            const bool alone = item != nullptr && item->count == 1;
            const Point to{alone ? item->x : x, alone ? row.lane_y - row.item_radius : row.top - 2};
            for (const std::uint32_t source : writer.from)
                if (source < above.cells && !is_misread(in.table, in.row, writer.item, source))
                    scene.add(arc({above.x_of(source), above.bottom() + 1}, to, stroke));
            if (alone)
                scene.add(
                    arc({item->x, row.lane_y + row.item_radius}, {x, row.top - head}, stroke));
            points = true;
        }
        if (points) scene.add(arrow_head({x, row.top - 1}, head, Role::act));
    }
}

void add_items(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float radius = row.item_radius;
    const auto name = [&](std::uint64_t item) { return in.table.space.item_name(item); };
    for (const Item& item : row.items) {
        const bool works = item.working > 0;
        const std::string words = item.count == 1 ? name(item.first) : gathered_words(item);
        const std::string tip =
            item.count == 1
                ? in.tr(works        ? "figure.tip_item_works"
                        : item.begun ? "figure.tip_item_idle"
                                     : "figure.tip_item_not_begun",
                        fmt::arg("item", words))
                : in.tr("figure.tip_gathered", fmt::arg("first", name(item.first)),
                        fmt::arg("last", name(item.first + item.count - 1)),
                        fmt::arg("working", item.working), fmt::arg("count", item.count));
        Rect circle = disc({item.x, row.lane_y}, radius,
                           works        ? Role::act
                           : item.begun ? Role::idle_fill
                                        : Role::panel,
                           works        ? Stroke{Role::act, 1}
                           : item.begun ? kIdleEdge
                                        : kNotBegunEdge);
        if (item.count > 1) {
            const float half = in.fonts.text_width(words, row.item_words, Face::mono) / 2;
            circle.x -= half;
            circle.width += 2 * half;
        }
        scene.add(circle, tip, fmt::format("worker {} {}", in.row, item.first));
        if (row.item_words == 0) continue;
        scene.add(in.fonts.line_at({item.x, row.lane_y}, words, row.item_words, Face::mono,
                                   works ? Role::on_act : Role::muted, Anchor::middle));
    }
}

Look look_in(const RowToDraw& in, std::size_t cell) {
    if (in.result == cell) return in.table.right ? kRight : kWrong;
    if (in.pass().cells[cell].stale) return kStaleLook;
    Look look = look_of(in.states[in.row][cell]);
    if (in.current && in.states[in.row][cell] == analysis::CellState::written)
        look.stroke.width = 3;
    return look;
}

// For the tip of a cell: what the device has there, where it tells; else nothing.
std::string device_value(const RowToDraw& in, std::size_t cell) {
    if (in.device == nullptr || in.row == 0) return {};
    for (const analysis::Row& row : in.device->rows) {
        if (row_like(row, in.table) != in.row || !row.cells[cell].value.bits) continue;
        return "\n" + in.tr("tip.on_device", fmt::arg("value", text_of(row.cells[cell].value)));
    }
    return {};
}

void add_cells(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float least = kLeastValueSize * in.layout.scale;
    const float room = row.mark_width - kValuePadding * in.layout.scale;
    for (std::size_t cell = 0; cell < row.cells; ++cell) {
        const Look look = look_in(in, cell);
        const float x = row.x_of(cell);
        scene.add(row.mark(look, x, std::min(5.0F, row.mark_width / 8)),
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

// Rows too long for values: a mark a cell; or, a heat row, a mark for several neighbours, in which
// each state's colour is as high as its share of them.

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
        scene.add(row.mark({}, row.x[mark]), heat_tip(in, mark, counts_of(in, mark)));
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

void add_marks(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    if (row.cells_per_mark > 1)
        add_heat(scene, in);
    else
        add_single_marks(scene, in);
    if (!in.result) return;
    const float width = row.mark_width + 4;
    scene.add(box(row.x_of(*in.result) - width / 2, row.top - 2, width, row.height + 4, Role::none,
                  {in.table.right ? Role::wrote : Role::race, 2}, 1),
              verdict(in.table, in.tr));
}

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

// Where the reader stands: its circle; else the first cell that it wrote.
std::optional<Point> reader_at(const analysis::Row& pass, const RowLayout& row,
                               std::int64_t reader) {
    if (const Item* item = row.item(reader); item != nullptr && item->count == 1)
        return Point{item->x, row.lane_y - row.item_radius};
    for (std::size_t cell = 0; cell < row.cells; ++cell)
        if (pass.cells[cell].written && pass.cells[cell].item == reader)
            return Point{row.x_of(cell), row.top - 2};
    return std::nullopt;
}

// A mini cell that hangs under a cell: a value that no row shows.
struct Chip {
    Box at;
    std::size_t row = 0, cell = 0;
    std::string value;
};

// Where arcs begin under a row: a mini cell there would be crossed.
std::vector<float> arc_starts(const RowToDraw& in, std::size_t row) {
    std::vector<float> starts;
    const RowLayout& above = in.layout.rows[row];
    if (row + 1 != in.row) return starts;
    for (const analysis::Cell& cell : in.pass().cells)
        for (const analysis::Writer& writer : writers_of(cell))
            for (const std::uint32_t source : writer.from)
                if (source < above.cells) starts.push_back(above.x_of(source));
    return starts;
}

// Under the cell: beside its middle, at the side of the reader where that is free; one for all that
// found the same there. Returns where an arc leaves it.
Point add_chip(Scene& scene, const RowToDraw& in, const Place& cell, float toward,
               const analysis::CellValue& value, Stroke stroke, const std::string& tip,
               std::vector<Chip>& chips) {
    const RowLayout& row = in.layout.rows[cell.row];
    const std::string words = text_of(value);
    for (const Chip& chip : chips)
        if (chip.row == cell.row && chip.cell == cell.cell && chip.value == words)
            return {chip.at.middle().x, chip.at.bottom + 1};
    const float size = std::min(row.value_size, kChipSize * in.layout.scale);
    const float half = in.fonts.text_width(words, size, Face::mono) / 2 + 3 * in.layout.scale;
    const float x = row.x_of(cell.cell), top = row.bottom() + 2.5F * in.layout.scale;
    const std::vector<float> starts = arc_starts(in, cell.row);
    const auto chip_at = [&](float middle) {
        return Box{middle - half, top, middle + half, top + size * 1.35F};
    };
    const auto is_free = [&](const Box& at) {
        return at.left > in.layout.left() - kMargin && at.right < in.layout.labels &&
               none_of(starts, [&](float start) { return start > at.left && start < at.right; }) &&
               none_of(chips, [&](const Chip& chip) {
                   return chip.at.left < at.right && at.left < chip.at.right;
               });
    };
    const float aside = (toward < x ? -1.0F : 1.0F) * (half + 3 * in.layout.scale);
    Box at = chip_at(x);
    for (const float middle : {x + aside, x - aside})
        if (is_free(chip_at(middle))) {
            at = chip_at(middle);
            break;
        }
    chips.push_back({at, cell.row, cell.cell, words});
    scene.add(box(at, Role::panel, stroke, 3 * in.layout.scale), tip);
    scene.add(
        in.fonts.line_at(at.middle(), words, size, Face::mono,
                         stroke.dash == Dash::solid ? Role::text : Role::muted, Anchor::middle),
        tip, fmt::format("chip {} {}", cell.row, cell.cell));
    return {at.middle().x, at.bottom + 1};
}

// From the cell to the reader; past the rows between in the gap beside the cell's column.
Path route(const RowToDraw& in, const Place& from, Point to, Stroke stroke) {
    const RowLayout& row = in.layout.rows[from.row];
    const float x = row.x_of(from.cell), top = row.bottom() + 1;
    if (from.row + 1 == in.row) return arc({x, top}, to, stroke);
    const float side = to.x < x ? -1.0F : 1.0F;
    const float gap = std::min(row.mark_width * kGap / 2, 8 * in.layout.scale);
    float beside = x + side * (row.mark_width / 2 + gap);
    // Where cells of the rows between stand elsewhere, not through them.
    for (std::size_t between = from.row + 1; between < in.row; ++between) {
        const RowLayout& passed = in.layout.rows[between];
        for (std::size_t cell = 0; cell < passed.cells; ++cell) {
            const float away = beside - passed.x_of(cell), half = passed.mark_width / 2;
            if (std::abs(away) < half) beside += std::copysign(half + gap, away) - away;
        }
    }
    const RowLayout& next = in.layout.rows[from.row + 1];
    const Point leave{x + side * row.mark_width * 0.3F, top};
    const Point enter{beside, next.items.empty() ? next.top : next.lane_y};
    const Point end{beside, in.layout.rows[in.row - 1].bottom() + 1};
    Path path = arc(leave, enter, stroke);
    const Path last = arc(end, to, stroke);
    path.points.insert(path.points.end(), {enter, end, end});
    if (last.curved)
        path.points.insert(path.points.end(), last.points.begin() + 1, last.points.end());
    else
        path.points.insert(path.points.end(), {end, to, to});
    path.curved = true;
    return path;
}

// A small triangle under a mark, too narrow for a frame.
void add_pointer(Scene& scene, const RowToDraw& in, float x, const std::string& tip) {
    const float top = in.place().bottom() + 1, size = 5 * in.layout.scale;
    scene.add(polygon({{x, top}, {x + size * 0.7F, top + size}, {x - size * 0.7F, top + size}},
                      Role::race),
              tip);
}

// Whether that holds for a stale read of that cell of the row above by the work-item.
template <typename Holds>
bool any_stale(const analysis::StepTable& table, std::size_t row, std::int64_t item,
               std::uint32_t source, Holds holds) {
    const analysis::Row &pass = table.rows[row], &above = table.rows[row - 1];
    return any_of(pass.stale, [&](const analysis::StaleValue& read) {
        return read.item == item && above.array == read.array &&
               cell_in(above, pass, read) == source && holds(read);
    });
}

// Behind the work-items: arrows from cells of other arrays, further up than the row above.
void add_far_reads(Scene& scene, const RowToDraw& in) {
    const std::vector<analysis::FarRead>& reads = in.pass().far_reads;
    if (reads.size() > kMostArcs) return;
    for (const analysis::FarRead& read : reads)
        if (const auto to = reader_at(in.pass(), in.layout.rows[in.row], read.item))
            scene.add(route(in, {read.row, read.from}, *to, {Role::act, 2}));
}

// Behind the work-items: an arrow from where the value that each misread took stands, else from a
// mini cell under the cell that it read; a dashed one from the value that it missed.
void add_misreads(Scene& scene, const RowToDraw& in) {
    std::vector<Chip> chips;
    for (const Misread& read : misreads_in(in.table, in.layout, in.row)) {
        const std::string tip =
            read.stale != nullptr
                ? stale_text(in.table, *read.stale, in.tr)
                : other_text(in.table, in.row,
                             {read.item, static_cast<std::uint32_t>(read.cell.cell), read.took},
                             in.table.rows[read.cell.row].cells[read.cell.cell].value, in.tr);
        const auto add = [&](const std::optional<Place>& from, const analysis::CellValue& value,
                             Stroke stroke, Stroke edge) {
            if (from)
                scene.add(route(in, *from, read.to, stroke), tip);
            else if (in.layout.rows[read.cell.row].full)
                scene.add(arc(add_chip(scene, in, read.cell, read.to.x, value, edge, tip, chips),
                              read.to, stroke),
                          tip);
            else
                scene.add(route(in, read.cell, read.to, stroke), tip);
        };
        const Stroke came = read.stale != nullptr ? kCame : Stroke{Role::act, 2};
        if (!read.plain(in.row)) add(read.from, read.took, came, {came.role, 1.5F});
        if (read.stale != nullptr && read.stale->missed.bits)
            add(read.missed, read.stale->missed, kMissed, kMissed);
    }
}

void add_faults(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    std::set<float> pointed;  // marks stand for several cells
    for (const analysis::RacedCell& raced : in.pass().raced) {
        const std::string tip = race_text(in.table, raced, in.tr);
        if (row.full) {
            scene.add(race_frame(row.mark({}, row.x_of(raced.cell), 4), in.layout.scale), tip);
        } else if (pointed.insert(row.x_of(raced.cell)).second) {
            add_pointer(scene, in, row.x_of(raced.cell), tip);
        }
    }
    for (std::size_t cell = 0; cell < row.cells; ++cell) {
        if (!in.pass().cells[cell].stale) continue;
        const float x = row.x_of(cell);
        // At the corner, above the digits of a low cell.
        const float digits =
            row.top + (row.height - in.fonts.cap_height(row.value_size, Face::mono)) / 2;
        add_badge(scene,
                  row.full ? Point{x + row.mark_width / 2 - 3,
                                   std::min(row.top + 2, digits - 7 * in.layout.scale)}
                           : Point{x, row.top + row.height / 2},
                  kStaleSign * in.layout.scale, false);
    }
}

// At the right edge of each cell that an atomic function wrote; with how many did, one after the
// other, where there is room for words.
void add_atomics(Scene& scene, const RowToDraw& in) {
    const RowLayout& row = in.place();
    const float scale = in.layout.scale, size = kSmallSize * scale;
    for (std::size_t cell = 0; row.full && cell < row.cells; ++cell) {
        if (!in.pass().cells[cell].atomic) continue;
        const std::string words =
            in.tr("figure.atomic", fmt::arg("count", writers_of(in.pass().cells[cell]).size()));
        const Point at{row.x_of(cell) + row.mark_width / 2, row.top + row.height / 2};
        scene.add(atomic_sign(at, scale), words);
        const float left = at.x + 9 * scale;
        const float end =
            cell + 1 < row.cells ? row.x_of(cell + 1) - row.mark_width / 2 : in.layout.labels;
        if (left + in.fonts.text_width(words, size, Face::sans) < end - 4 * scale)
            scene.add(in.fonts.line_at({left, at.y}, words, size, Face::sans, Role::act));
    }
}

// Arcs from the row above, work-items in their lane, and cells with values, or marks without.
void add_row(Scene& scene, const RowToDraw& in) {
    if (in.row > 0) add_arcs(scene, in);
    add_far_reads(scene, in);
    add_misreads(scene, in);
    add_items(scene, in);
    (in.place().full ? add_cells : add_marks)(scene, in);
    add_atomics(scene, in);
    add_faults(scene, in);
}

class PassFigure {
  public:
    PassFigure(const analysis::StepTable& table, const PassFigureOptions& options,
               const Fonts& fonts, const Translations& tr)
        : table_(table), options_(options), fonts_(fonts), tr_(tr) {}

    Scene make() {
        scene_.width = layout_.width;
        scene_.height = layout_.height;
        scene_.title = variant_title(table_.variant, table_.title, tr_);
        if (options_.legend) add_legend(scene_, table_, layout_, options_.width, fonts_, tr_);
        if (options_.heading) add_heading();
        add_local_memories();
        add_captions();
        for (std::size_t row = 0; row < shown_; ++row) {
            add_funnels(scene_, to_draw(row));
            add_boundary(row);
            add_row(scene_, to_draw(row));
            if (row > 0) add_signals(row - 1);
            add_label(row);
            add_array(row);
            if (row > 0) scene_.description += tr_("figure.space");
            scene_.description += sentence(table_, row, tr_);
        }
        add_tiles();
        if (options_.announce && shown_ < table_.rows.size()) add_next_row();
        // Room for the verdict and notes is kept from the start, so that the scene keeps its size.
        const std::string words = verdict(table_, tr_);
        const float wide = s(24) + fonts_.text_width(words, s(kTitleSize), Face::bold);
        const float left = verdict_left(wide);
        scene_.width = std::max(scene_.width, left + wide + kMargin);
        for (const std::string& line : layout_.notes)
            scene_.width = std::max(
                scene_.width,
                layout_.left() + fonts_.text_width(line, s(kLabelSize), Face::sans) + kMargin);
        if (shown_ == table_.rows.size() && (!table_.expected.empty() || !table_.fault.empty()))
            add_verdict({left, layout_.verdict_y - s(5)}, words);
        if (shown_ == table_.rows.size()) add_notes();
        if (!table_.rows.empty()) {
            const RowLayout& start = layout_.rows.front();
            const float middle = start.top + start.height / 2;
            const float caption = layout_.arrays > 0 ? middle + start.label_line : 0;
            scene_.pinned.top = std::max(start.bottom() + s(4), caption);
        }
        scene_.width = std::ceil(scene_.width - 0.01F);  // rounding is no reason to be wider
        scene_.height = std::ceil(scene_.height - 0.01F);
        scene_.pinned.right = scene_.width - layout_.labels + s(8);
        if (shown_ == table_.rows.size() && !options_.legend)
            scene_.pinned.bottom = scene_.height - layout_.verdict_y + s(17);
        return std::move(scene_);
    }

  private:
    float s(float points) const { return points * layout_.scale; }
    bool last(std::size_t row) const { return row + 1 == table_.rows.size(); }
    bool current(std::size_t row) const { return options_.shown != kAllRows && row + 1 == shown_; }

    RowToDraw to_draw(std::size_t row) const {
        return {table_, layout_,      states_,
                row,    current(row), last(row) ? result_cell(table_) : std::nullopt,
                fonts_, tr_,          options_.device};
    }

    // `x` is the left end, `y` the middle of capital letters. Returns the width.
    float add_text(float x, float y, const std::string& text, TextStyle style, float room) {
        const float size = s(style.size);
        const std::string fitting = fonts_.shortened(text, room, size, style.face);
        scene_.add(fonts_.line_at({x, y}, fitting, size, style.face, style.role),
                   fitting == text ? "" : text);
        return fonts_.text_width(fitting, size, style.face);
    }

    void add_heading() {
        const float room = std::max(scene_.width, options_.width) - 2 * kMargin;
        const float y = layout_.heading_y, x = layout_.left();
        const float first = add_text(x, y - s(6), scene_.title, kHeadingText, room);
        const float below = add_text(x, y + s(16), subtitle(table_, tr_), kLabelText, room);
        scene_.width = std::max(scene_.width, x + std::max(first, below) + kMargin);
    }

    // Of the last row shown that was written as a matrix.
    void add_tiles() {
        const auto map = std::find_if(layout_.tiles.rbegin(), layout_.tiles.rend(),
                                      [&](const TileMap& each) { return each.row < shown_; });
        if (map == layout_.tiles.rend()) return;
        add_tile_map(&scene_, table_, *map, states_[map->row], {layout_.left(), layout_.tiles_y},
                     layout_.tiles_room, layout_.scale, fonts_, tr_);
    }

    // The frames of its cells, its work-items, and its name.
    void add_next_row() {
        const RowLayout& row = layout_.rows[shown_];
        for (std::size_t mark = 0; mark < row.marks(); ++mark) {
            const bool asked = options_.uncovered && row.full;
            scene_.add(row.mark({Role::panel, Role::text, {Role::border, 1, Dash::dotted}},
                                row.x[mark], std::min(5.0F, row.mark_width / 8)),
                       asked ? tr_("figure.tip_asked", fmt::arg("cell", mark)) : "",
                       row.cells_per_mark > 1
                           ? ""
                           : fmt::format("{} {} {}", asked ? "asked" : "cell", shown_, mark));
            if (asked) add_answer(row, mark);
        }
        add_next_items(row);
        add_text(layout_.labels, row.label, labels_[shown_].title,
                 {kTitleSize, Face::sans, Role::idle}, layout_.labels_width);
    }

    // Its value, if it is uncovered.
    void add_answer(const RowLayout& row, std::size_t cell) {
        const bool known =
            std::binary_search(options_.uncovered->begin(), options_.uncovered->end(), cell);
        const std::string words =
            known ? text_of(table_.rows[shown_].cells[cell].value) : kNobodyWrote;
        const float size = std::clamp(
            (row.mark_width - s(kValuePadding)) / fonts_.text_width(words, 1, Face::mono),
            s(kLeastValueSize), row.value_size);
        scene_.add(Text{row.x[cell],
                        row.top + (row.height + fonts_.cap_height(size, Face::mono)) / 2,
                        fonts_.shortened_value(words, row.mark_width - s(kValuePadding) + 0.1F,
                                               size, Face::mono),
                        size, Face::mono, known ? Role::text : Role::act, Anchor::middle});
    }

    // Its work-items, of which none looks as if it worked.
    void add_next_items(const RowLayout& row) {
        for (const Item& item : row.items) {
            scene_.add(disc({item.x, row.lane_y}, row.item_radius, Role::panel,
                            {Role::idle, 1, Dash::dotted}),
                       {}, fmt::format("worker {} {}", shown_, item.first));
            if (row.item_words == 0 || item.count > 1) continue;
            const float size = row.item_words;
            scene_.add(Text{item.x, row.lane_y + fonts_.cap_height(size, Face::mono) / 2,
                            table_.space.item_name(item.first), size, Face::sans, Role::muted,
                            Anchor::middle});
        }
    }

    // A frame around each group's local memory, as far as rows of its array are drawn: nobody else
    // sees into it.
    void add_local_memories() {
        const std::size_t drawn =
            std::min(shown_ + (options_.announce ? 1 : 0), table_.rows.size());
        for (std::size_t row = 0, end = 0; row < drawn; row = end) {
            const analysis::Row& first = table_.rows[row];
            for (end = row + 1;
                 end < drawn && first.local_memory && table_.rows[end].local_memory &&
                 table_.rows[end].launch == first.launch && table_.rows[end].array == first.array;)
                ++end;
            if (!first.local_memory) continue;
            const std::vector<Box> groups = groups_of(row);
            const float over = beyond(groups, s(5)), top = layout_.rows[row].top - s(5);
            for (const Box& group : groups) {
                scene_.add(box(group.left - over, top, group.right - group.left + 2 * over,
                               layout_.rows[end - 1].bottom() + s(5) - top, Role::background,
                               {Role::border, 1}, s(8)));
            }
        }
    }

    // The name of a row's array, and of its memory, where there are several arrays.
    void add_array(std::size_t row) {
        if (layout_.arrays == 0) return;
        const RowLayout& place = layout_.rows[row];
        const analysis::Row& pass = table_.rows[row];
        const float y = place.top + place.height / 2, half = place.label_line / 2;
        const auto add = [&](float at, const std::string& text, TextStyle style) {
            scene_.add(fonts_.line_at({layout_.arrays, at}, text, s(style.size), style.face,
                                      style.role, Anchor::end));
        };
        add(y - half, pass.array, kTitleText);
        add(y + half, tr_(pass.local_memory ? "figure.local" : "figure.global"), kSmallText);
    }

    // Left and right edge of each group of a pass. Empty where their number is not known.
    std::vector<Box> groups_of(std::size_t row) const {
        const analysis::Row& pass = table_.rows[row];
        const Columns& columns = *layout_.rows[row].columns;
        if (pass.local == 0 || pass.global == 0) return columns.groups;
        const std::size_t count = (pass.global + pass.local - 1) / pass.local;
        if (pass.local == columns.local && count <= columns.groups.size())
            return {columns.groups.begin(),
                    columns.groups.begin() + static_cast<std::ptrdiff_t>(count)};
        std::vector<Box> groups;
        const float pitch = columns.items.size() > 1 ? columns.items[1] - columns.items[0]
                                                     : columns.right - columns.left;
        const float width = std::max(columns.mark_width * (1 + kGap), layout_.rows[row].mark_width);
        const float half = std::min(pitch, width) / 2;
        for (std::size_t first = 0; first < pass.global; first += pass.local)
            groups.push_back({columns.items[first] - half, 0,
                              columns.items[std::min(first + pass.local, pass.global) - 1] + half,
                              0});
        return groups;
    }

    // "group 0" over each group; bare numbers, and then fewer of them, where that is too wide.
    void add_captions() {
        const auto& groups = layout_.columns.front()->groups;
        if (groups.empty()) return;
        const float y = layout_.captions_y - s(4);
        const float pitch = groups.size() > 1 ? groups[1].left - groups[0].left
                                              : layout_.right() - layout_.left() + s(40);
        const auto words = [&](std::size_t group) {
            return tr_("figure.group", fmt::arg("n", table_.space.group_name(group)));
        };
        const auto width = [&](const std::string& text) {
            return fonts_.text_width(text, s(kSmallSize), Face::bold) + s(6);
        };
        const bool bare = width(words(groups.size() - 1)) > pitch;
        const float number = width(table_.space.group_name(groups.size() - 1));
        const auto step = static_cast<std::size_t>(bare ? std::ceil(number / pitch) : 1);
        for (std::size_t group = 0; group < groups.size(); group += step)
            add_text(groups[group].left, y, bare ? table_.space.group_name(group) : words(group),
                     kCaptionText, layout_.width);
        if (bare)
            add_text(layout_.labels, y, tr_("figure.group_numbers"), kSmallText,
                     layout_.labels_width);
    }

    // Between a row and the one above. The end of a launch runs across all groups, and so does a
    // barrier of the grid; one of a group ends at the edge of each.
    void add_boundary(std::size_t row) {
        if (row == 0) return;
        const Boundary boundary = boundary_after(table_, row - 1);
        if (boundary == Boundary::none) return;
        const std::string& words = labels_[row - 1].boundary;
        const float y = layout_.rows[row - 1].boundary;
        const float left = layout_.left() - s(6), right = layout_.labels - s(8);
        const auto add = [&](Stroke stroke) {
            scene_.add(line({left, y}, {right, y}, stroke), words);
        };
        if (boundary == Boundary::launch || boundary == Boundary::grid) add({Role::barrier, 3});
        if (boundary == Boundary::atomics) add({Role::barrier, 2.5F, Dash::dotted});
        if (boundary == Boundary::by_hand) add(kByHand);
        if (boundary == Boundary::atomics || boundary == Boundary::group)
            add_barrier(row - 1, y, words);
        if (layout_.rows[row - 1].boundary_words)
            add_text(layout_.labels, y, words, kSmallText.in(Role::barrier_text),
                     layout_.labels_width);
    }

    // How far what surrounds a group may reach over its edges, to leave a gap to the next one's.
    static float beyond(const std::vector<Box>& groups, float most) {
        return groups.size() < 2 ? most : std::min(most, (groups[1].left - groups[0].right) / 3);
    }

    // Of the groups that the pass has. Where cells belong to no group, no place is the edge of one.
    void add_barrier(std::size_t row, float y, const std::string& words) {
        const Columns& columns = *layout_.rows[row].columns;
        const bool apart = columns.per_group > 0 || table_.rows[row].local_memory;
        const Stroke stroke{Role::barrier, 3, apart ? Dash::solid : Dash::dashed};
        std::vector<Box> parts = groups_of(row);
        if (!apart || parts.empty()) parts = {{columns.left, 0, columns.right, 0}};
        const float over = beyond(parts, s(3));
        for (const Box& part : parts)
            scene_.add(line({part.left - over, y}, {part.right + over, y}, stroke), words);
    }

    // Signs of how groups wait for each other by hand between a row and the next one, beside the
    // column of the work-item that does it; with words where there is room.
    void add_signals(std::size_t row) {
        const std::vector<float>& items = layout_.rows[row + 1].columns->items;
        std::map<std::pair<std::int64_t, analysis::Signal::Kind>,
                 std::vector<const analysis::Signal*>>
            signs;
        for (const analysis::Signal& signal : table_.rows[row].signals)
            if (static_cast<std::size_t>(signal.item) < items.size())
                signs[{signal.item, signal.kind}].push_back(&signal);
        const RowLayout& above = layout_.rows[row];
        const float radius = signal_radius(layout_, row);
        const RowLayout& below = layout_.rows[row + 1];
        const float lane = below.items.empty() ? below.top : below.lane_y - below.item_radius;
        const float y = above.boundary > 0
                            ? above.boundary
                            : above.bottom() + std::min(s(10), (lane - above.bottom()) / 2);
        const bool has_words = y - above.bottom() >= s(5) && lane - y >= s(6);
        if (radius == 0) return;
        for (auto sign = signs.begin(); sign != signs.end(); ++sign) {
            const auto& [item, kind] = sign->first;
            const bool second = sign != signs.begin() && std::prev(sign)->first.first == item;
            const auto next = std::next(sign);
            const bool last = next == signs.end() || next->first.first != item;
            const std::string words = signal_words(sign->second);
            std::string tip;
            for (const analysis::Signal* signal : sign->second)
                tip += (tip.empty() ? "" : "\n") + signal_text(table_, *signal, tr_);
            const Point at{items[static_cast<std::size_t>(item)] + radius * (second ? 4 : 2), y};
            add_signal_sign(scene_, kind, at, radius, tip);
            const float size = s(kSmallSize), left = at.x + radius + s(4);
            const float end = next == signs.end()
                                  ? layout_.labels - s(12)
                                  : items[static_cast<std::size_t>(next->first.first)];
            if (!last || words.empty() || !has_words ||
                left + fonts_.text_width(words, size, Face::sans) > end - s(4))
                continue;
            scene_.add(box(left - s(2), y - size / 2,
                           fonts_.text_width(words, size, Face::sans) + s(4), size, Role::panel));
            scene_.add(fonts_.line_at({left, y}, words, size, Face::sans, Role::text), tip);
        }
    }

    void add_label(std::size_t row) {
        const RowLabel& label = labels_[row];
        const RowLayout& place = layout_.rows[row];
        const float x = layout_.labels, room = layout_.labels_width;
        const float half = place.label_line / 2;
        const float y = label.items.empty() ? place.label : place.label - half;
        const float title =
            add_text(x, y, label.title, kTitleText.in(current(row) ? Role::act : Role::text), room);
        if (!label.variables.empty())
            add_text(x + title + s(8), y, label.variables, kLabelText, room - title - s(8));
        if (!label.items.empty()) add_text(x, place.label + half, label.items, kLabelText, room);
        if (!current(row)) return;
        // A pointer before the row where one is now.
        const Point tip{layout_.left() - s(layout_.arrays > 0 ? 2 : 6),
                        place.top + place.height / 2};
        scene_.add(
            polygon({{tip.x - s(6), tip.y - s(6)}, tip, {tip.x - s(6), tip.y + s(6)}}, Role::act));
    }

    // Under the result's cell, as far as there is room.
    float verdict_left(float wide) const {
        const auto cell = result_cell(table_);
        if (!cell) return layout_.left();
        const RowLayout& row = layout_.rows.back();
        const float under = row.x_of(*cell) - row.mark_width / 2;
        return std::max(layout_.left(), std::min(under, scene_.width - kMargin - wide));
    }

    void add_verdict(Point at, const std::string& words) {
        add_badge(scene_, {at.x + s(8), at.y}, s(8), table_.right);
        add_text(at.x + s(24), at.y, words, kTitleText.in(table_.right ? Role::wrote : Role::race),
                 scene_.width);
    }

    void add_notes() {
        float y = layout_.notes_y;
        for (const std::string& line : layout_.notes) {
            scene_.add(Text{layout_.left(), y, line, s(kLabelSize), Face::sans, Role::text,
                            Anchor::start});
            y += s(kNoteLine);
        }
    }

    const analysis::StepTable& table_;
    const PassFigureOptions& options_;
    const Fonts& fonts_;
    const Translations& tr_;
    const std::vector<RowLabel> labels_ = row_labels(table_, tr_);
    const std::vector<std::vector<analysis::CellState>> states_ = cell_states(table_);
    const PassLayout layout_ = lay_out(table_, labels_, options_, fonts_, tr_);
    const std::size_t shown_ =
        std::min(std::max<std::size_t>(options_.shown, 1), table_.rows.size());
    Scene scene_;
};

}  // namespace

Look look_of(analysis::CellState state) {
    return kLooks[static_cast<std::size_t>(state)];
}

Role mark_of(analysis::CellState state) {
    return kMarks[static_cast<std::size_t>(state)].role;
}

Rect mark_box(analysis::CellState state, float x, float top, float width, float height) {
    const MarkLook& look = kMarks[static_cast<std::size_t>(state)];
    const float high = height * look.height;
    return box(x - width / 2, top + height - high, width, high, look.role);
}

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
    return any_of(others,
                  [&](const auto& read) { return read.item == item && read.cell == source; }) ||
           any_stale(table, row, item, source, [&](const analysis::StaleValue& read) {
               return !(table.rows[row - 1].cells[source].value == read.took);
           });
}

std::vector<Misread> misreads_in(const analysis::StepTable& table, const PassLayout& layout,
                                 std::size_t row) {
    constexpr std::size_t kMostMisreads = 64;
    std::vector<Misread> found;
    if (row == 0) return found;
    const analysis::Row& pass = table.rows[row];
    // Local memory is another one in each launch.
    const auto is_there = [&](const analysis::Row& above) {
        return !above.local_memory || above.launch == pass.launch;
    };
    // The last row above of that array that has the cell.
    const auto place_of = [&](const auto& cell_of) {
        for (std::size_t index = row; index-- > 0;)
            if (const auto cell = cell_of(table.rows[index]); cell < table.rows[index].cells.size())
                return std::optional(Place{index, cell});
        return std::optional<Place>();
    };
    const auto shown_in = [&](const Place& cell, const analysis::CellValue& value) {
        for (std::size_t index = cell.row + 1; index-- > 0;)
            if (of_one_array(table.rows[index], table.rows[cell.row]) &&
                is_there(table.rows[index]) && table.rows[index].cells[cell.cell].value == value)
                return std::optional(Place{index, cell.cell});
        return std::optional<Place>();
    };
    for (const analysis::StaleValue& read : pass.stale) {
        const auto cell = place_of([&](const analysis::Row& above) {
            return above.array == read.array && is_there(above) ? cell_in(above, pass, read)
                                                                : above.cells.size();
        });
        const auto to = reader_at(pass, layout.rows[row], read.item);
        if (!cell || !to) continue;
        Misread misread{read.item, *cell, *to, read.took, {}, &read, missed_at(table, row, read)};
        // A later round's value is in no row above, though one may have held the same.
        if (!read.too_new || table.rows[cell->row].cells[cell->cell].value == read.took)
            misread.from = shown_in(*cell, read.took);
        found.push_back(misread);
    }
    for (const analysis::OtherRead& read : pass.other_reads) {
        const Place cell{row - 1, read.cell};
        const auto to = reader_at(pass, layout.rows[row], read.item);
        if (to && !any_stale(table, row, read.item, read.cell,
                             [&](const auto& stale) { return stale.took == read.took; }))
            found.push_back(
                {read.item, cell, *to, read.took, shown_in(cell, read.took), nullptr, {}});
    }
    if (found.size() > kMostMisreads) found.clear();
    return found;
}

Rect race_frame(const Rect& cell, float scale) {
    const float out = 2.5F * scale;
    return box(cell.x - out, cell.y - out, cell.width + 2 * out, cell.height + 2 * out, Role::none,
               {Role::race, 1.5F, Dash::dashed}, cell.radius + out);
}

Path atomic_sign(Point middle, float scale) {
    const float half = 6 * scale;
    return polygon({{middle.x, middle.y - half},
                    {middle.x + half, middle.y},
                    {middle.x, middle.y + half},
                    {middle.x - half, middle.y}},
                   Role::act, {Role::panel, 1.5F});
}

float signal_radius(const PassLayout& layout, std::size_t row) {
    constexpr float kLargest = 6.5F, kLeast = 2;  // points at scale 1, and at any
    float radius = kLargest * layout.scale;
    const std::vector<float>& items = layout.rows[row + 1].columns->items;
    for (std::size_t item = 1; item < items.size(); ++item)
        radius = std::min(radius, (items[item] - items[item - 1]) / 5);
    return radius < kLeast ? 0 : radius;
}

void add_signal_sign(Scene& scene, analysis::Signal::Kind kind, Point at, float radius,
                     const std::string& tip) {
    const auto triangle = [&](float tip_y, float base_y, Role role) {
        scene.add(polygon({{at.x, tip_y}, {at.x - radius, base_y}, {at.x + radius, base_y}}, role),
                  tip);
    };
    if (kind == analysis::Signal::Kind::counts) {
        scene.add(atomic_sign(at, radius / 6), tip);
    } else if (kind == analysis::Signal::Kind::sets) {
        const float pole = at.x - radius * 0.7F;
        scene.add(line({pole, at.y - radius * 1.2F}, {pole, at.y + radius * 1.2F}, {Role::act, 2}),
                  tip);
        scene.add(polygon({{pole, at.y - radius * 1.2F},
                           {at.x + radius, at.y - radius * 0.5F},
                           {pole, at.y + radius * 0.2F}},
                          Role::act),
                  tip);
    } else {
        triangle(at.y, at.y - radius * 1.1F, Role::barrier_text);
        triangle(at.y, at.y + radius * 1.1F, Role::barrier_text);
    }
}

Scene pass_figure(const analysis::StepTable& table, const PassFigureOptions& options,
                  const Fonts& fonts, const Translations& tr) {
    return PassFigure(table, options, fonts, tr).make();
}

}  // namespace lab::figures
