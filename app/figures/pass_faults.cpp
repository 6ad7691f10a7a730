#include "figures/pass_faults.h"

#include <algorithm>
#include <set>
#include <vector>

#include "figures/chart.h"
#include "figures/pass_text.h"
#include "figures/scene.h"

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
            if (std::find(item.ids.begin(), item.ids.end(), read.item) == item.ids.end()) continue;
            const Point point{item.x, row.lane_y - in.place().item_radius};
            if (item.cell && in.pass().cells[*item.cell].stale) return point;
            if (!stands) stands = point;
        }
        if (stands) return stands;
    }
    for (std::size_t cell = 0; cell < row.cells; ++cell)
        if (in.pass().cells[cell].written && in.pass().cells[cell].item == read.item)
            return Point{row.x_of(cell), row.top - 2};
    return std::nullopt;
}

// "read as 11", beside the arc from the value that was missed.
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

// Under the cell, at the side where the arc does not go, else at the other; where both are taken,
// on the arc, with a ground of its own.
void add_tag(Scene& scene, const RowToDraw& in, const Place& from, const analysis::StaleValue& read,
             Point toward, std::vector<Tag>& tags) {
    const RowLayout& above = in.layout.rows[from.row];
    const float size = kTagSize * in.layout.scale, gap = 5 * in.layout.scale;
    const std::string words = in.tr("figure.read_as", fmt::arg("value", text_of(read.took)));
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
    std::vector<Tag> beside;
    const float sides[] = {x - gap - width, x + gap};
    for (const float left : {sides[toward.x < x ? 1 : 0], sides[toward.x < x ? 0 : 1]})
        if (left >= kMargin / 2 && left + width <= in.layout.labels)
            beside.push_back(tag_at(left, base));
    const std::vector<float> starts = arc_starts(in, from.row);
    for (const Tag& tag : beside) {
        const bool crossed = std::any_of(starts.begin(), starts.end(), [&](float start) {
            return start > tag.left && start < tag.right && start != x;
        });
        if (crossed || overlap(tag) > 0) continue;
        tags.push_back(tag);
        scene.add(Text{tag.left + gap, base, words, size, Face::bold, Role::race, Anchor::start});
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
    scene.add(Text{best->left + gap, best->bottom - size * 0.3F, words, size, Face::bold,
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

bool is_misread(const analysis::StepTable& table, std::size_t row, std::int64_t item,
                std::uint32_t source) {
    const analysis::Row &pass = table.rows[row], &above = table.rows[row - 1];
    return std::any_of(pass.stale.begin(), pass.stale.end(), [&](const analysis::StaleValue& read) {
        return read.item == item && above.array == read.array &&
               cell_in(above, pass, read) == source &&
               (missed_at(table, row, read) || !(above.cells[source].value == read.took));
    });
}

Stroke stale_stroke() {
    return {Role::race, 2.5F, Dash::dotted};
}

void add_stale_arcs(Scene& scene, const RowToDraw& in) {
    constexpr std::size_t kMostArcs = 64;
    if (in.row == 0 || in.pass().stale.size() > kMostArcs) return;
    std::vector<Tag> tags;
    struct Arc {
        Place from;
        Point to;
        const analysis::StaleValue& read;
    };
    std::vector<Arc> arcs;
    for (const analysis::StaleValue& read : in.pass().stale) {
        const auto from = missed_at(in.table, in.row, read);
        const auto to = reader_at(in, read);
        if (from && to) arcs.push_back({*from, *to, read});
    }
    for (const Arc& each : arcs) {
        const RowLayout& above = in.layout.rows[each.from.row];
        scene.add(arc({above.x_of(each.from.cell), above.bottom() + 2}, each.to, stale_stroke()),
                  stale_text(in.table, each.read, in.tr));
    }
    for (const Arc& each : arcs)  // over all arcs
        if (in.layout.rows[each.from.row].full && in.place().full)
            add_tag(scene, in, each.from, each.read, each.to, tags);
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
