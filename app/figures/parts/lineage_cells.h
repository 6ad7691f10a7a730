// How the parts of a lineage tree look: inputs, combinations, what is cut, and what was lost.
#pragma once

#include <vector>

#include "figures/parts/figure_page.h"

namespace lab::figures {

struct TreeCellLook {
    Role fill = Role::panel;
    Stroke stroke{Role::border, 1.25F, Dash::solid};
    bool hatch = false;
};
inline constexpr TreeCellLook kInputCell{};
inline constexpr TreeCellLook kCombinedCell{
    Role::wrote_fill, {Role::wrote, 1.5F, Dash::solid}, false};
inline constexpr TreeCellLook kRightCell{Role::wrote_fill, {Role::wrote, 3, Dash::solid}, false};
inline constexpr TreeCellLook kWrongCell{Role::race_fill, {Role::race, 3, Dash::solid}, true};
inline constexpr TreeCellLook kAskedCell{Role::act_fill, {Role::act, 3, Dash::solid}, false};
inline constexpr TreeCellLook kTwiceCell{Role::race_fill, {Role::race, 2, Dash::solid}, true};
inline constexpr TreeCellLook kLostCell{Role::race_fill, {Role::race, 2, Dash::dashed}, true};
inline constexpr TreeCellLook kUnwrittenCell{Role::race_fill, {Role::race, 2, Dash::dotted}, true};

Rect tree_cell(const Box& box, const TreeCellLook& look, float radius);
// In a corner of the cell, so that its value stays readable.
void add_cross(Scene& scene, const Box& cell);
// Below `top`: for what is not shown.
Path cut_triangle(Point top, float half, float height);

// What a tree has in it.
struct TreeParts {
    bool inputs = false, bare = false;  // bare: their names are indices only
    bool combined = false, in_registers = false, edges = false;
    bool judged = false, repeated = false, harmless = false;
    bool unwritten = false, lost = false, cut = false;
};
std::vector<LegendEntry> tree_legend(const TreeParts& parts, float scale, const Translations& tr);

}  // namespace lab::figures
