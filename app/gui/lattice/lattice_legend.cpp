#include <imgui.h>

#include <array>

#include "gui/lattice/lattice_viewport.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct Entry {
    Role fill, edge;
    const char* key;
};
constexpr std::array kLegend{
    Entry{Role::wrote_fill, Role::wrote, "figure.legend_written"},
    Entry{Role::read_fill, Role::read, "figure.legend_read"},
    Entry{Role::panel, Role::idle, "figure.legend_same"},
    Entry{Role::background, Role::idle_fill, "figure.legend_spent"},
    Entry{Role::race_fill, Role::race, "figure.legend_stale"},
};

}  // namespace

float lattice_legend(const Ui& ui, const analysis::Lattice& lattice, ImDrawList* into, ImVec2 from,
                     float width) {
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    const float height = ImGui::GetTextLineHeight();
    const float mark = ui.px(11);
    float x = from.x, y = from.y;
    const auto entry = [&](const char* key, auto&& paint) {
        const std::string& words = ui.tr()(key);
        const float wide = mark + ui.px(6) + ImGui::CalcTextSize(words.c_str()).x;
        if (x > from.x && x + wide > from.x + width) {
            x = from.x;
            y += height + ui.px(4);
        }
        if (into != nullptr) {
            paint(ImVec2{x, y + (height - mark) / 2});
            into->AddText({x + mark + ui.px(6), y}, ui.colour(Role::muted), words.c_str());
        }
        x += wide + ui.px(16);
    };
    for (const Entry& of : kLegend) {
        if (of.edge == Role::race && lattice.stale_reads == 0) continue;
        entry(of.key, [&](ImVec2 point) {
            const ImVec2 end{point.x + mark, point.y + mark};
            into->AddRectFilled(point, end, ui.colour(of.fill), ui.px(2));
            into->AddRect(point, end, ui.colour(of.edge), ui.px(2), 0, ui.px(2));
        });
    }
    if (!lattice.raced.empty())
        entry("figure.legend_raced", [&](ImVec2 at) {
            into->AddRectFilled({at.x, at.y + mark * 0.6F}, {at.x + mark, at.y + mark},
                                ui.colour(Role::race));
        });
    bool launch = false;
    bool group = false, by_hand = false;
    for (std::size_t row = 0; row < lattice.rows.size(); ++row) {
        const figures::Boundary boundary = figures::boundary_after(lattice.head, row);
        launch = launch || boundary == figures::Boundary::launch;
        group = group || boundary == figures::Boundary::group;
        by_hand = by_hand || boundary == figures::Boundary::by_hand;
    }
    const auto line = [&](float thickness, float gap) {
        return [&, thickness, gap](ImVec2 at) {
            const float level = at.y + mark / 2;
            const float middle = at.x + mark / 2;
            const ImU32 colour = ui.colour(Role::barrier);
            into->AddLine({at.x, level}, {middle - gap, level}, colour, thickness);
            into->AddLine({middle + gap, level}, {at.x + mark, level}, colour, thickness);
        };
    };
    if (group) entry("figure.legend_barrier", line(ui.px(2), ui.px(1.5F)));
    if (by_hand) entry("figure.legend_by_hand", line(ui.px(2), ui.px(1.5F)));
    if (launch) entry("figure.legend_launch", line(ui.px(2.5F), 0));
    entry("figure.legend_heat", [&](ImVec2 at) {
        into->AddRectFilled(at, {at.x + mark, at.y + mark}, ui.colour(Role::idle_fill));
        into->AddRectFilled({at.x, at.y + mark * 0.3F}, {at.x + mark, at.y + mark},
                            ui.colour(Role::read));
        into->AddRectFilled({at.x, at.y + mark * 0.65F}, {at.x + mark, at.y + mark},
                            ui.colour(Role::wrote));
    });
    return y + height - from.y;
}

}  // namespace lab::gui
