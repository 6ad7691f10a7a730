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

std::vector<LegendEntry> tree_legend(const TreeParts& of, float scale, const Translations& tr) {
    std::vector<LegendEntry> made;
    const auto add = [&](bool there, const char* key, TreeCellLook look, bool crossed = false) {
        if (!there) return;
        made.push_back(
            {tr(key), [look, crossed, scale](Scene& scene, const Box& at) {
                 const Box cell{at.left + 1, at.top + 1, at.right - 3 * scale, at.bottom - 1};
                 scene.add(tree_cell(cell, look, 3 * scale));
                 if (crossed) add_cross(scene, cell);
             }});
    };
    add(of.inputs, of.bare ? "lineage.legend_input_index" : "lineage.legend_input", kInputCell);
    add(of.combined, "lineage.legend_combined", kCombinedCell);
    if (of.in_registers)
        made.push_back({tr("lineage.legend_registers"), [scale](Scene& scene, const Box& at) {
                            scene.add(disc({(at.left + at.right) / 2, (at.top + at.bottom) / 2},
                                           6 * scale, Role::wrote));
                        }});
    if (of.edges)
        made.push_back(
            {tr("figure.legend_arc"), [](Scene& scene, const Box& at) {
                 const float x = (at.left + at.right) / 2;
                 scene.add(arc({x + 6, at.top}, {x - 6, at.bottom}, {Role::act, 2, Dash::solid}));
             }});
    add(!of.judged, "lineage.legend_asked", kAskedCell);
    add(of.repeated, "lineage.legend_twice", of.harmless ? kInputCell : kTwiceCell);
    add(of.unwritten, "lineage.legend_unwritten", kUnwrittenCell);
    add(of.lost, "lineage.legend_lost", kLostCell, true);
    if (of.cut)
        made.push_back({tr("lineage.legend_cut"), [scale](Scene& scene, const Box& at) {
                            scene.add(cut_triangle({(at.left + at.right) / 2, at.top}, 9 * scale,
                                                   at.bottom - at.top - 1));
                        }});
    return made;
}

}  // namespace lab::figures
