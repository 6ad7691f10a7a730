// The palette: a command by a few letters of its name.
#include <algorithm>
#include <vector>

#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"
#include "session/shell/find_command.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

PickEntry entry_of(const Ui& ui, const session::Command& command) {
    PickEntry made;
    made.title = ui.tr()(std::string("command.") + command.id);
    made.key = command.key;
    made.enabled = command.enabled(ui.session);
    for (const session::CommandGroup& group : session::command_groups())
        for (const session::Command& of : group.commands)
            if (&of == &command || std::string_view(of.id) == command.id)
                made.detail = ui.tr()(std::string("menu.") + group.id);
    return made;
}

}  // namespace

void palette(Ui& ui, OverlayState& state) {
    if (state.appearing) state.palette = {};
    const ImVec2 window = ui.window();
    const float width = std::min(580.0F, window.x - 24);
    const float top = std::min(70.0F, window.y * 0.1F);
    const float height = std::min(460.0F, window.y - top - 16);
    begin_overlay(ui, state, "palette", {ui.px((window.x - width) / 2), ui.px(top)},
                  {ui.px(width), ui.px(height)});
    const float inner = ImGui::GetContentRegionAvail().x;
    const bool entered = pick_field(ui, state.palette, ui.tr()("palette.hint"), inner);
    const auto found = session::find_commands(state.palette.text, ui.tr());
    std::vector<PickEntry> entries;
    for (const session::Command* command : found)
        entries.push_back(entry_of(ui, *command));
    const float below = ui.px(50);
    const auto chosen =
        pick_list(ui, state.palette, entries, ImGui::GetContentRegionAvail().y - below, entered);
    {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        wrapped(found.empty()
                    ? ui.tr()("palette.none")
                    : ui.tr()(std::string("command.") + found[state.palette.at]->id + ".tip"),
                inner);
    }
    if (chosen && entries[*chosen].enabled) {
        ui.session.show("");
        session::run(ui.session, *found[*chosen]);
    } else if (entered) {
        state.palette.wants_focus = true;
    }
    end_overlay();
}

}  // namespace lab::gui
