#include <numeric>

#include <gmock/gmock.h>

#include "figures/pass_figure.h"
#include "figures/tile_map.h"
#include "support/example_runs.h"
#include "support/figure_checks.h"
#include "support/translated_texts.h"

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
        run_passes(example, machine::order_of(machine::SchedulingPolicy::Kind::round_robin));
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

// 4x2x3 numbers in groups of 2x2x1, turned over from front to back.
analysis::StepTable turned(const std::string& cell, std::size_t cells = 24) {
    return table_of(
        "kernel void turn(global const int* in, global int* out) {\n"
        "    const int x = get_global_id(0), y = get_global_id(1);\n"
        "    const int z = get_global_id(2);\n"
        "    out[" +
            cell + "] = in[((2 - z) * 2 + y) * 4 + x];\n}\n",
        {3, {4, 2, 3}, {2, 2, 1}}, cells);
}

TEST(TileMap, ALaunchOfThreeDimensionsHasAMatrixALayer) {
    const std::vector<TileMap> maps = tile_maps_of(turned("(z * 2 + y) * 4 + x"));
    ASSERT_EQ(maps.size(), 1U);
    EXPECT_EQ(maps[0].width, 4U);
    EXPECT_EQ(maps[0].height, 2U);
    EXPECT_EQ(maps[0].layers, 3U);
    EXPECT_THAT(maps[0].groups, ElementsAre(0, 0, 1, 1, 0, 0, 1, 1,  //
                                            2, 2, 3, 3, 2, 2, 3, 3,  //
                                            4, 4, 5, 5, 4, 4, 5, 5));
    // With z fastest a line is as long as the launch is deep.
    const std::vector<TileMap> deep = tile_maps_of(turned("(x * 2 + y) * 3 + z"));
    ASSERT_EQ(deep.size(), 1U);
    EXPECT_EQ(deep[0].width, 3U);
    EXPECT_EQ(deep[0].height, 2U);
    EXPECT_EQ(deep[0].layers, 4U);
    // Layers that do not follow one another, or with room between them, are no such thing.
    EXPECT_TRUE(tile_maps_of(turned("z * 10 + y * 4 + x", 30)).empty());
    EXPECT_TRUE(tile_maps_of(turned("z * 9 + y * 4 + x", 27)).empty());
    EXPECT_TRUE(tile_maps_of(turned("(z * 2 + y) * 4 + x", 32)).empty());
    // A launch that is one deep is a matrix.
    const std::vector<TileMap> flat =
        tile_maps_of(table_of("kernel void copy(global const int* in, global int* out) {\n"
                              "    const int i = get_global_id(1) * 4 + get_global_id(0);\n"
                              "    out[i] = in[i];\n}\n",
                              {3, {4, 4, 1}, {2, 2, 1}}, 16));
    ASSERT_EQ(flat.size(), 1U);
    EXPECT_EQ(flat[0].layers, 1U);
    EXPECT_EQ(flat[0].height, 4U);
}

TEST(TileMap, LayersStandSideBySideOrBelow) {
    const analysis::StepTable table = turned("(z * 2 + y) * 4 + x");
    PassFigureOptions options;
    const Scene scene = pass_figure(table, options, test_fonts(), translations_in("en"));
    std::vector<Point> layers;
    for (const Shape& shape : scene.shapes)
        if (const auto* text = std::get_if<Text>(&shape.what);
            text != nullptr && text->text.starts_with("layer "))
            layers.push_back({text->x, text->y});
    ASSERT_EQ(layers.size(), 3U);
    EXPECT_LT(layers[0].x, layers[1].x);
    EXPECT_EQ(layers[0].y, layers[1].y);
    expect_golden(scene, "layers");
    const std::vector<TileMap> maps = tile_maps_of(table);
    const TileMapSize wide = add_tile_map(nullptr, table, maps.at(0), {}, {}, 2000, 1, test_fonts(),
                                          translations_in("en"));
    const TileMapSize narrow = add_tile_map(nullptr, table, maps.at(0), {}, {}, wide.width * 0.6F,
                                            1, test_fonts(), translations_in("en"));
    EXPECT_GT(narrow.height, wide.height);
}

TEST(TileMap, IsDrawnUnderTheRowsOnceItsRowIsShown) {
    const analysis::StepTable table = transposed();
    const auto draw = [&](std::size_t shown) {
        PassFigureOptions options;
        options.shown = shown;
        return pass_figure(table, options, test_fonts(), translations_in("en"));
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
