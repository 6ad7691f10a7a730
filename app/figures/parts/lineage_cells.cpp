#include "figures/parts/lineage_cells.h"

#include "figures/scene/shapes.h"

namespace lab::figures {

Rect tree_cell(const Box& at, const TreeCellLook& look, float radius) {
    Rect rect = box(at.left, at.top, at.right - at.left, at.bottom - at.top, look.fill);
    rect.stroke = look.stroke;
    rect.hatch = look.hatch;
    rect.radius = radius;
    return rect;
}

void add_cross(Scene& scene, const Box& cell) {
    const Stroke stroke{Role::race, 1.5F, Dash::solid};
    const float d = (cell.bottom - cell.top) * 0.28F;
    const float x = cell.right, y = cell.top;
    scene.add(disc({x, y}, d * 1.1F, Role::panel));
    scene.add(line({x - d * 0.6F, y - d * 0.6F}, {x + d * 0.6F, y + d * 0.6F}, stroke));
    scene.add(line({x + d * 0.6F, y - d * 0.6F}, {x - d * 0.6F, y + d * 0.6F}, stroke));
}

Path cut_triangle(Point top, float half, float height) {
    Path triangle = polygon({top, {top.x + half, top.y + height}, {top.x - half, top.y + height}},
                            Role::act_fill);
    triangle.stroke = {Role::act, 1.5F, Dash::solid};
    return triangle;
}

std::vector<LegendEntry> tree_legend(const TreeParts& parts, float scale, const Translations& tr) {
    std::vector<LegendEntry> entries;
    const auto add = [&](bool there, const char* key, TreeCellLook look, bool crossed = false) {
        if (!there) return;
        entries.push_back(
            {tr(key), [look, crossed, scale](Scene& scene, const Box& box) {
                 const Box cell{box.left + 1, box.top + 1, box.right - 3 * scale, box.bottom - 1};
                 scene.add(tree_cell(cell, look, 3 * scale));
                 if (crossed) add_cross(scene, cell);
             }});
    };
    add(parts.inputs, parts.bare ? "lineage.legend_input_index" : "lineage.legend_input",
        kInputCell);
    add(parts.combined, "lineage.legend_combined", kCombinedCell);
    if (parts.in_registers)
        entries.push_back({tr("lineage.legend_registers"), [scale](Scene& scene, const Box& at) {
                               scene.add(disc({(at.left + at.right) / 2, (at.top + at.bottom) / 2},
                                              6 * scale, Role::wrote));
                           }});
    if (parts.edges)
        entries.push_back(
            {tr("figure.legend_arc"), [](Scene& scene, const Box& at) {
                 const float x = (at.left + at.right) / 2;
                 scene.add(arc({x + 6, at.top}, {x - 6, at.bottom}, {Role::act, 2, Dash::solid}));
             }});
    add(!parts.judged, "lineage.legend_asked", kAskedCell);
    add(parts.repeated, "lineage.legend_twice", parts.harmless ? kInputCell : kTwiceCell);
    add(parts.unwritten, "lineage.legend_unwritten", kUnwrittenCell);
    add(parts.lost, "lineage.legend_lost", kLostCell, true);
    if (parts.cut)
        entries.push_back({tr("lineage.legend_cut"), [scale](Scene& scene, const Box& at) {
                               scene.add(cut_triangle({(at.left + at.right) / 2, at.top}, 9 * scale,
                                                      at.bottom - at.top - 1));
                           }});
    return entries;
}

}  // namespace lab::figures
