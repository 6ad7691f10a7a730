#include "figures/parts/tile_map.h"

#include <gmock/gmock.h>

#include <numeric>

#include "figures/figures/pass_figure.h"
#include "support/example_runs.h"
#include "support/figure_checks.h"

namespace lab::figures {
namespace {

using testing::ElementsAre;

analysis::StepTable table_of(const std::string& text, const NDRange& range, std::size_t cells) {
    machine::Example example;
    example.text = text;
    example.range = range;
    example.local = range.group_items();
    std::vector<std::int32_t> values(cells);
    std::iota(values.begin(), values.end(), 1);
    example.buffers = {values, std::vector<std::int32_t>(cells, 0)};
    analysis::StepTable table =
        run_passes(example, machine::order_of(machine::Order::Kind::round_robin));
    table.space = IndexSpace(range);
    table.result = table.expected = "";
    table.right = true;
    return table;
}

// Of 6x4 numbers, in tiles of 2x2: what comes out has lines of 4.
analysis::StepTable transposed() {
    return table_of(
        "kernel void transpose(global const int* in, global int* out) {\n"
        "    local int tile[2][3];\n"
        "    const int lx = get_local_id(0), ly = get_local_id(1);\n"
        "    tile[ly][lx] = in[get_global_id(1) * 6 + get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    const int x = get_group_id(1) * 2 + lx, y = get_group_id(0) * 2 + ly;\n"
        "    out[y * 4 + x] = tile[lx][ly];\n}\n",
        {2, {6, 4, 1}, {2, 2, 1}}, 24);
}

TEST(TileMap, TheLinesAreAsLongAsNeighboursWriteThem) {
    const std::vector<TileMap> maps = tile_maps_of(transposed());
    ASSERT_EQ(maps.size(), 1U);
    EXPECT_EQ(maps[0].width, 4U);
    EXPECT_EQ(maps[0].height, 6U);
    const auto line = [&](std::size_t y) {
        return std::vector<std::int64_t>{maps[0].group(0, y), maps[0].group(1, y),
                                         maps[0].group(2, y), maps[0].group(3, y)};
    };
    EXPECT_THAT(line(0), ElementsAre(0, 0, 3, 3));
    EXPECT_THAT(line(2), ElementsAre(1, 1, 4, 4));
    EXPECT_THAT(line(5), ElementsAre(2, 2, 5, 5));
}

TEST(TileMap, WhatIsNotWrittenBelongsToNoGroup) {
    const std::vector<TileMap> maps =
        tile_maps_of(table_of("kernel void copy(global const int* in, global int* out) {\n"
                              "    const int i = get_global_id(1) * 8 + get_global_id(0);\n"
                              "    out[i] = in[i - 1] + in[i + 1];\n}\n",
                              {2, {6, 4, 1}, {3, 4, 1}, {1, 1, 0}}, 48));
    ASSERT_EQ(maps.size(), 1U);
    EXPECT_EQ(maps[0].width, 8U);
    EXPECT_EQ(maps[0].group(0, 1), TileMap::kNobodys);
    EXPECT_EQ(maps[0].group(1, 1), 0);
    EXPECT_EQ(maps[0].group(6, 4), 1);
    EXPECT_EQ(maps[0].group(6, 5), TileMap::kNobodys);
}

TEST(TileMap, WhatIsNoMatrixHasNone) {
    EXPECT_TRUE(tile_maps_of(eight()).empty());
    for (const char* cell : {"2 * (y * 4 + x)", "x * x + 4 * y", "x / 2 + 2 * y"})
        EXPECT_TRUE(tile_maps_of(table_of("kernel void f(global const int* in, global int* out) {\n"
                                          "    const int x = get_global_id(0);\n"
                                          "    const int y = get_global_id(1);\n"
                                          "    out[" +
                                              std::string(cell) + "] = in[0];\n}\n",
                                          {2, {4, 4, 1}, {2, 2, 1}}, 32))
                        .empty())
            << cell;
}

TEST(TileMap, IsDrawnUnderTheRowsOnceItsRowIsShown) {
    const analysis::StepTable table = transposed();
    const auto draw = [&](std::size_t shown) {
        PassFigureOptions options;
        options.shown = shown;
        return pass_figure(table, options, test_fonts(), Translations("en"));
    };
    const auto has = [](const Scene& scene, const std::string& words) {
        return std::any_of(scene.shapes.begin(), scene.shapes.end(), [&](const Shape& shape) {
            const auto* text = std::get_if<Text>(&shape.what);
            return text != nullptr && text->text == words;
        });
    };
    const std::string title = "out as a matrix of 4 x 6: the tiles of the groups that wrote it";
    const Scene all = draw(kAllRows), before = draw(1);
    EXPECT_TRUE(has(all, title));
    EXPECT_TRUE(has(all, "(2,1)"));
    EXPECT_FALSE(has(before, title));
    EXPECT_EQ(before.height, all.height);
    expect_golden(all, "tiles");
}

}  // namespace
}  // namespace lab::figures
