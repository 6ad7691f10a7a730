// Draws what a launch of two or three dimensions wrote, as the matrix that it is, or one a layer:
// each group's tile stands apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/step_table.h"
#include "base/translations.h"
#include "figures/font.h"
#include "figures/scene.h"
namespace lab::figures {

struct TileMap {
    std::size_t row = 0;                // of the table
    std::size_t width = 0, height = 0;  // cells of a line, and lines
    std::size_t layers = 1;             // one after another in memory
    std::size_t first = 0;              // cell of the row
    std::vector<std::int64_t> groups;   // by cell, who wrote it in this pass; kNobodys: nobody
    static constexpr std::int64_t kNobodys = -1;

    std::int64_t group(std::size_t x, std::size_t y) const {
        return y * width + x < groups.size() ? groups[y * width + x] : kNobodys;
    }
};
inline constexpr std::size_t kMostTileCells = 4096;

// Returns the map of each row of global memory that was written as a matrix: neighbours in one
// dimension of the launch write neighbouring cells, those in the other one cells a line apart. How
// long a line is
// is known by nothing else. Of a launch of three dimensions neighbours in the third write cells a
// layer apart, and the layers are all of the array, with a cell for each work-item.
std::vector<TileMap> tile_maps_of(const analysis::StepTable& table);

// Draws it from `corner` on, layers side by side as far as they fit, no wider than `room` as far as
// cells can be seen at all. Returns its size; without a scene it only measures.
struct TileMapSize {
    float width = 0, height = 0;
};
TileMapSize add_tile_map(Scene* scene, const analysis::StepTable& table, const TileMap& map,
                         const std::vector<analysis::CellState>& states, Point corner, float room,
                         float scale, const Fonts& fonts, const Translations& tr);

}  // namespace lab::figures
