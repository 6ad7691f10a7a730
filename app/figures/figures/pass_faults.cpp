#include "figures/figures/pass_faults.h"

#include <algorithm>
#include <set>
#include <vector>

#include "figures/parts/run_text/pass_text.h"
#include "figures/plot/badge.h"
#include "figures/scene/shapes.h"

namespace lab::figures {
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
std::optional<Point> reader_at(const RowToDraw& in, const analysis::StaleValue& read) {
    const RowLayout& row = in.place();
    if (row.lane && row.full) {
        std::optional<Point> stands;
        for (const Item& item : place_items(in.pass(), row)) {
            if (item.id != read.item) continue;
            const Point point{row.x[item.place], row.lane_y - in.place().item_radius};
            if (item.place < row.cells && in.pass().cells[item.place].stale) return point;
            if (!stands) stands = point;
        }
        if (stands) return stands;
    }
    for (std::size_t cell = 0; cell < row.cells; ++cell)
        if (in.pass().cells[cell].written && in.pass().cells[cell].item == read.item)
            return Point{row.x_of(cell), row.top - 2};
    return std::nullopt;
}

// "read as 11", under the cell whose value was missed. Where two would overlap, the first alone.
struct Tag {
    float left, right;
};

// Where arcs begin under a row: words there would be crossed.
std::vector<float> arc_starts(const RowToDraw& in, std::size_t row) {
    std::vector<float> starts;
    const RowLayout& above = in.layout.rows[row];
    if (row + 1 == in.row)
        for (const analysis::Cell& cell : in.pass().cells)
            for (const std::uint32_t source : cell.from)
                if (source < above.cells) starts.push_back(above.x_of(source));
    for (const analysis::StaleValue& read : in.pass().stale)
        if (const auto from = missed_at(in.table, in.row, read); from && from->row == row)
            starts.push_back(above.x_of(from->cell));
    return starts;
}

void add_tag(Scene& scene, const RowToDraw& in, const Place& from, const analysis::StaleValue& read,
             float toward, std::vector<Tag>& tags) {
    const RowLayout& above = in.layout.rows[from.row];
    const float size = kTagSize * in.layout.scale, gap = 5 * in.layout.scale;
    const std::string words = in.tr("figure.read_as", fmt::arg("value", text_of(read.took)));
    const float width = in.fonts.text_width(words, size, Face::bold);
    const float x = above.x_of(from.cell);
    float left = toward < x ? x + gap : x - gap - width;  // where the arc does not go
    if (left < kMargin / 2) left = x + gap;
    const Tag tag{left, left + width};
    const auto overlaps = [&](const Tag& of) {
        return tag.left < of.right + gap && of.left < tag.right + gap;
    };
    for (const float start : arc_starts(in, from.row))
        if (start > tag.left - gap && start < tag.right + gap && start != x) return;
    if (tag.right > in.layout.labels || std::any_of(tags.begin(), tags.end(), overlaps)) return;
    tags.push_back(tag);
    // Under the frames of races, where there are.
    const auto framed = [&](const analysis::RacedCell& raced) {
        const float middle = above.x_of(raced.cell), half = above.mark_width / 2 + gap;
        return middle + half > tag.left && middle - half < tag.right;
    };
    const auto& raced = in.table.rows[from.row].raced;
    const float below = std::any_of(raced.begin(), raced.end(), framed) ? 14.0F : 10.0F;
    scene.add(Text{left, above.bottom() + below * in.layout.scale, words, size, Face::bold,
                   Role::race, Anchor::start});
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

bool is_stale_source(const analysis::StepTable& table, std::size_t row, const analysis::Cell& cell,
                     std::uint32_t source) {
    const analysis::Row& pass = table.rows[row];
    return std::any_of(pass.stale.begin(), pass.stale.end(), [&](const analysis::StaleValue& read) {
        return read.item == cell.item && table.rows[row - 1].array == read.array &&
               cell_in(table.rows[row - 1], pass, read) == source;
    });
}

Stroke stale_stroke() {
    return {Role::race, 2.5F, Dash::dotted};
}

void add_stale_arcs(Scene& scene, const RowToDraw& in) {
    constexpr std::size_t kMostArcs = 64;
    if (in.row == 0 || in.pass().stale.size() > kMostArcs) return;
    std::vector<Tag> tags;
    for (const analysis::StaleValue& read : in.pass().stale) {
        const auto from = missed_at(in.table, in.row, read);
        const auto to = reader_at(in, read);
        if (!from || !to) continue;
        const RowLayout& above = in.layout.rows[from->row];
        const float x = above.x_of(from->cell);
        scene.add(arc({x, above.bottom() + 2}, *to, stale_stroke()),
                  stale_text(in.table, read, in.tr));
        if (above.full && in.place().full) add_tag(scene, in, *from, read, to->x, tags);
    }
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
