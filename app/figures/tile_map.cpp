#include "figures/tile_map.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/ranges.h"
#include "figures/pass_figure.h"
#include "figures/pass_text.h"

namespace lab::figures {
namespace {

using fmt::arg;

// Points at scale 1.
constexpr float kTileTitle = 13, kTileValue = 12, kTileCaption = 11;
constexpr float kTallestTileCell = 24, kNarrowestTileCell = 5, kWidestTileCell = 64;
constexpr float kTileGap = 6, kTileCaptionGap = 18, kLayerGap = 28;

constexpr std::int64_t kNoCell = -1, kSeveralCells = -2;

// The one cell that each work-item wrote in the pass; kNoCell, kSeveralCells.
std::vector<std::int64_t> cells_by_item(const analysis::Row& pass) {
    std::vector<std::int64_t> cells(pass.global, kNoCell);
    for (std::size_t cell = 0; cell < pass.cells.size(); ++cell) {
        const std::int64_t item = pass.cells[cell].item;
        if (!pass.cells[cell].written || item < 0 ||
            static_cast<std::uint64_t>(item) >= pass.global)
            continue;
        std::int64_t& own = cells[static_cast<std::size_t>(item)];
        own = own == kNoCell ? static_cast<std::int64_t>(cell) : kSeveralCells;
    }
    return cells;
}

// How far apart neighbours in a dimension write; nothing if that differs, or nobody has any.
std::optional<std::int64_t> step_of(const IndexSpace& space, const std::vector<std::int64_t>& cells,
                                    unsigned dimension, bool within_groups) {
    const NDRange& range = space.range();
    const std::uint64_t each = range.group_items();
    std::optional<std::int64_t> step;
    for (std::uint64_t item = 0; item < cells.size(); ++item) {
        if (cells[item] == kSeveralCells) return std::nullopt;
        if (cells[item] == kNoCell) continue;
        Coordinates next{};
        for (unsigned i = 0; i < range.dims; ++i)
            next[i] = space.global_id(item / each, item % each, i);
        if (++next[dimension] - range.offset[dimension] >= range.global[dimension]) continue;
        const std::uint64_t other = space.item(next);
        if ((within_groups && other / each != item / each) || cells[other] < 0) continue;
        const std::int64_t now = cells[other] - cells[item];
        if (step && *step != now) return std::nullopt;
        step = now;
    }
    return step;
}

// How far apart neighbours are in each dimension that has some, ascending; none if one differs.
std::vector<std::int64_t> steps_of(const IndexSpace& space, const std::vector<std::int64_t>& cells,
                                   bool within_groups) {
    const NDRange& range = space.range();
    std::vector<std::int64_t> steps;
    for (unsigned dimension = 0; dimension < range.dims; ++dimension) {
        if (range.dims > 2 && range.global[dimension] == 1) continue;
        const auto step = step_of(space, cells, dimension, within_groups);
        if (!step) return {};
        steps.push_back(*step);
    }
    sort(steps);
    return steps;
}

// The cells of a line and of a layer; 0 if it is no matrix.
struct MatrixSizes {
    std::size_t line = 0, layer = 0;
};

MatrixSizes matrix_sizes(const IndexSpace& space, const analysis::Row& pass) {
    const std::vector<std::int64_t> cells = cells_by_item(pass);
    const std::size_t all = pass.cells.size();
    for (const bool within_groups : {false, true}) {
        const auto steps = steps_of(space, cells, within_groups);
        if (steps.size() < 2 || steps[0] != 1 || steps[1] <= 1) continue;
        MatrixSizes sizes{static_cast<std::size_t>(steps[1]), all};
        if (steps.size() == 2) return sizes;
        sizes.layer = static_cast<std::size_t>(steps[2]);
        const bool whole = sizes.layer > sizes.line && sizes.layer % sizes.line == 0 &&
                           all % sizes.layer == 0 && all == space.range().items();
        if (whole) return sizes;
    }
    return {};
}

class TileDrawing {
  public:
    TileDrawing(Scene* scene, const analysis::StepTable& table, const TileMap& map,
                std::string title, const std::vector<analysis::CellState>& states, Point corner,
                float room, float scale, const Fonts& fonts, const Translations& tr)
        : scene_(scene),
          title_(std::move(title)),
          table_(table),
          map_(map),
          states_(states),
          corner_(corner),
          scale_(scale),
          fonts_(fonts),
          tr_(tr) {
        measure(room);
    }

    TileMapSize draw() {
        text({corner_.x, corner_.y + s(kTileTitle)}, title_, kTileTitle, Face::bold, Role::text);
        const float top = corner_.y + s(kTileTitle + 10);
        float y = top;
        for (std::size_t row = 0; row < map_.height; ++row) {
            if (starts_tiles(row, false))
                y += s(captions_ ? kTileCaptionGap : row > 0 ? kTileGap : 0);
            for (std::size_t column = 0; column < map_.width; ++column)
                add_cell(column, row, y);
            y += cell_height_ + gap_;
        }
        const float words = fonts_.text_width(title_, s(kTileTitle), Face::bold);
        return {std::max(words, x_.back() + cell_width_ - corner_.x), y - corner_.y};
    }

  private:
    float s(float points) const { return points * scale_; }

    // Whether a tile begins with that column or line.
    bool starts_tiles(std::size_t index, bool column) const {
        const std::size_t across = column ? map_.height : map_.width;
        for (std::size_t i = 0; i < across; ++i) {
            const std::int64_t here = column ? map_.group(index, i) : map_.group(i, index);
            if (here == TileMap::kNobodys) continue;
            if (index == 0) return true;
            if (here != (column ? map_.group(index - 1, i) : map_.group(i, index - 1))) return true;
        }
        return false;
    }

    void measure(float room) {
        float widest = 0;
        for (const analysis::Cell& cell : pass_.cells)
            widest =
                std::max(widest, fonts_.text_width(text_of(cell.value), s(kTileValue), Face::mono));
        gap_ = s(3.5F);
        std::size_t gaps = 0;
        for (std::size_t column = 1; column < map_.width; ++column)
            gaps += starts_tiles(column, true) ? 1 : 0;
        const auto columns = static_cast<float>(map_.width);
        const float fitting = (room - static_cast<float>(gaps) * s(kTileGap)) / columns - gap_;
        cell_width_ = std::clamp(widest + s(8), s(kTallestTileCell), s(kWidestTileCell));
        values_ = cell_width_ <= fitting && widest + s(4) <= cell_width_;
        if (!values_)
            cell_width_ = std::clamp(fitting, s(kNarrowestTileCell), s(kTallestTileCell) / 2);
        cell_height_ = std::min(cell_width_, s(kTallestTileCell));
        float x = corner_.x;
        for (std::size_t column = 0; column < map_.width; ++column) {
            if (column > 0 && starts_tiles(column, true)) x += s(kTileGap);
            x_.push_back(x);
            x += cell_width_ + gap_;
        }
        captions_ = true;
        for (std::size_t row = 0; row < map_.height; ++row)
            for (std::size_t column = 0; column < map_.width; ++column)
                if (begins(column, row)) captions_ = captions_ && name_fits(column, row);
    }

    // Whether it is the upper left cell of a tile.
    bool begins(std::size_t column, std::size_t row) const {
        const std::int64_t here = map_.group(column, row);
        return here != TileMap::kNobodys && (column == 0 || map_.group(column - 1, row) != here) &&
               (row == 0 || map_.group(column, row - 1) != here);
    }
    std::string name(std::size_t column, std::size_t row) const {
        const auto group = static_cast<std::uint64_t>(map_.group(column, row));
        return table_.space.group_name(group);
    }
    bool name_fits(std::size_t column, std::size_t row) const {
        std::size_t end = column;
        while (end < map_.width && map_.group(end, row) == map_.group(column, row))
            ++end;
        return fonts_.text_width(name(column, row), s(kTileCaption), Face::bold) <=
               x_[end - 1] + cell_width_ - x_[column];
    }

    void text(Point at, const std::string& words, float size, Face face, Role role,
              Anchor anchor = Anchor::start) {
        if (scene_ != nullptr) scene_->add(Text{at.x, at.y, words, s(size), face, role, anchor});
    }

    void add_cell(std::size_t column, std::size_t row, float y) {
        const std::size_t cell = map_.first + row * map_.width + column;
        if (scene_ == nullptr || cell >= pass_.cells.size()) return;
        if (captions_ && begins(column, row))
            text({x_[column], y - s(5)}, name(column, row), kTileCaption, Face::bold, Role::muted);
        const analysis::CellState state = states_[cell];
        const bool stale = pass_.cells[cell].stale;
        const Look look = stale ? kStaleLook : look_of(state);
        scene_->add(
            box(x_[column], y, cell_width_, cell_height_, look, std::min(s(3), cell_width_ / 8)),
            cell_tip(table_, map_.row, cell, state, tr_),
            fmt::format("cell {} {}", map_.row, cell));
        if (!values_) return;
        text({x_[column] + cell_width_ / 2,
              y + (cell_height_ + fonts_.cap_height(s(kTileValue), Face::mono)) / 2},
             text_of(pass_.cells[cell].value), kTileValue, Face::mono, look.text, Anchor::middle);
    }

    Scene* scene_;
    std::string title_;
    const analysis::StepTable& table_;
    const TileMap& map_;
    const analysis::Row& pass_ = table_.rows[map_.row];
    const std::vector<analysis::CellState>& states_;
    Point corner_;
    float scale_;
    const Fonts& fonts_;
    const Translations& tr_;
    std::vector<float> x_;
    float cell_width_ = 0, cell_height_ = 0, gap_ = 0;
    bool values_ = false, captions_ = false;
};

}  // namespace

std::vector<TileMap> tile_maps_of(const analysis::StepTable& table) {
    std::vector<TileMap> maps;
    if (table.space.range().dims < 2) return maps;
    for (std::size_t row = 1; row < table.rows.size(); ++row) {
        const analysis::Row& pass = table.rows[row];
        if (pass.local_memory || pass.local == 0 || pass.cells.size() > kMostTileCells) continue;
        TileMap map;
        map.row = row;
        const MatrixSizes sizes = matrix_sizes(table.space, pass);
        if (sizes.line == 0) continue;
        map.width = sizes.line;
        map.height = (sizes.layer + map.width - 1) / map.width;
        map.layers = pass.cells.size() / sizes.layer;
        for (const analysis::Cell& cell : pass.cells)
            map.groups.push_back(cell.written && cell.item >= 0
                                     ? cell.item / static_cast<std::int64_t>(pass.local)
                                     : TileMap::kNobodys);
        maps.push_back(std::move(map));
    }
    return maps;
}

static TileMap layer_of(const TileMap& map, std::size_t layer) {
    const std::size_t cells = map.width * map.height;
    TileMap one = map;
    one.layers = 1;
    one.first = layer * cells;
    const auto begin = map.groups.begin() + static_cast<std::ptrdiff_t>(one.first);
    one.groups.assign(begin, begin + static_cast<std::ptrdiff_t>(cells));
    return one;
}

TileMapSize add_tile_map(Scene* scene, const analysis::StepTable& table, const TileMap& map,
                         const std::vector<analysis::CellState>& states, Point corner, float room,
                         float scale, const Fonts& fonts, const Translations& tr) {
    const std::string& array = table.rows[map.row].array;
    if (map.layers == 1) {
        std::string title = tr("figure.tiles", arg("array", array), arg("width", map.width),
                               arg("height", map.height));
        return TileDrawing(scene, table, map, std::move(title), states, corner, room, scale, fonts,
                           tr)
            .draw();
    }
    const std::string title = tr("figure.layers", arg("array", array), arg("layers", map.layers),
                                 arg("width", map.width), arg("height", map.height));
    if (scene != nullptr)
        scene->add(Text{corner.x, corner.y + kTileTitle * scale, title, kTileTitle * scale,
                        Face::bold, Role::text});
    TileMapSize all{fonts.text_width(title, kTileTitle * scale, Face::bold), 0};
    float x = corner.x, y = corner.y + (kTileTitle + kLayerGap / 2) * scale, lowest = y;
    for (std::size_t layer = 0; layer < map.layers; ++layer) {
        const TileMap one = layer_of(map, layer);
        const auto drawing = [&](Scene* to) {
            return TileDrawing(to, table, one, tr("figure.layer", arg("layer", layer)), states,
                               {x, y}, room, scale, fonts, tr)
                .draw();
        };
        const TileMapSize size = drawing(nullptr);
        if (x > corner.x && x + size.width > corner.x + room) {
            x = corner.x;
            y = lowest + kLayerGap / 2 * scale;
        }
        if (scene != nullptr) drawing(scene);
        all.width = std::max(all.width, x + size.width - corner.x);
        lowest = std::max(lowest, y + size.height);
        x += size.width + kLayerGap * scale;
    }
    all.height = lowest - corner.y;
    return all;
}

}  // namespace lab::figures
