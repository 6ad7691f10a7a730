#include "gui/parts/variables_table.h"

#include <fmt/format.h>

#include "gui/parts/widgets.h"

namespace lab::gui {

using figures::Face;
using figures::Role;

void variables_table(const Ui& ui, const std::vector<analysis::VariableRow>& rows,
                     const IndexSpace& space, std::uint64_t first_item, std::uint64_t running) {
    if (rows.empty()) return label(ui, ui.tr()("side.no_variables"));
    const auto columns = static_cast<int>(rows.front().values.size()) + 1;
    if (!ImGui::BeginTable("variables", columns,
                           ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY |
                               ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_BordersInnerV))
        return;
    {
        ImGui::TableSetupScrollFreeze(1, 1);
        const TextStyle style(ui, Face::mono, kSmallSize);
        ImGui::TableNextRow();
        ImGui::TableNextColumn();
        for (int lane = 0; lane + 1 < columns; ++lane) {
            ImGui::TableNextColumn();
            const bool on = (running >> lane & 1U) != 0;
            const TextStyle head(ui, Face::bold, kSmallSize, on ? Role::act : Role::muted);
            ImGui::TextUnformatted(
                ui.tr()("warp.item",
                        fmt::arg("item",
                                 space.item_name(first_item + static_cast<std::uint64_t>(lane))))
                    .c_str());
        }
        for (const analysis::VariableRow& row : rows) {
            ImGui::TableNextRow();
            ImGui::TableNextColumn();
            ImGui::TextUnformatted(row.name.c_str());
            tip(ui, fmt::format("{} {}, {}", row.type, row.name,
                                ui.tr()("state.line", fmt::arg("line", row.line))));
            for (std::size_t lane = 0; lane < row.values.size(); ++lane) {
                ImGui::TableNextColumn();
                const bool on = (running >> lane & 1U) != 0;
                ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(on ? Role::text : Role::muted));
                ImGui::TextUnformatted(row.values[lane].c_str());
                ImGui::PopStyleColor();
            }
        }
    }
    ImGui::EndTable();
}

}  // namespace lab::gui
