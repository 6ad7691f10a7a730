// The palette: a command by a few letters of its name.
#include <algorithm>
#include <vector>

#include "gui/parts/pick_list.h"
#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"
#include "session/shell/find_command.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct PaletteState {
    PickState pick;
};

PickEntry entry_of(const Ui& ui, const session::Command& command) {
    PickEntry entry;
    entry.title = ui.tr()(std::string("command.") + command.id);
    entry.key = command.key;
    entry.enabled = command.enabled(ui.session);
    for (const session::CommandGroup& group : ui.session.commands().groups())
        for (const session::Command& each : group.commands)
            if (std::string_view(each.id) == command.id)
                entry.detail = ui.tr()(std::string("menu.") + group.id);
    return entry;
}

}  // namespace

void palette(Ui& ui) {
    PickState& pick = ui.state<PaletteState>().pick;
    if (overlay_appears(ui)) pick = {};
    const ImVec2 window = ui.window();
    const float width = std::min(580.0F, window.x - 24);
    const float top = std::min(70.0F, window.y * 0.1F);
    const float height = std::min(460.0F, window.y - top - 16);
    begin_overlay(ui, "palette", {ui.px((window.x - width) / 2), ui.px(top)},
                  {ui.px(width), ui.px(height)});
    const float inner = ImGui::GetContentRegionAvail().x;
    const bool entered = pick_field(ui, pick, ui.tr()("palette.hint"), inner);
    const auto found = session::find_commands(ui.session.commands().all(), pick.text, ui.tr());
    std::vector<PickEntry> entries;
    for (const session::Command* command : found)
        entries.push_back(entry_of(ui, *command));
    const float below = ui.px(50);
    const auto chosen =
        pick_list(ui, pick, entries, ImGui::GetContentRegionAvail().y - below, entered);
    {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        wrapped(found.empty() ? ui.tr()("palette.none")
                              : ui.tr()(std::string("command.") + found[pick.at]->id + ".tip"),
                inner);
    }
    if (chosen && entries[*chosen].enabled) {
        ui.change().show("");
        ui.run(*found[*chosen]);
    } else if (entered) {
        pick.wants_focus = true;
    }
    end_overlay();
}

}  // namespace lab::gui
