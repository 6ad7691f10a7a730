// The palette: a command, a kernel or a word of the glossary by a few letters of its name.
#include <algorithm>
#include <vector>

#include "gui/parts/pick_list.h"
#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"
#include "session/shell/find_command.h"
#include "views/glossary/glossary_panels.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct PaletteState {
    PickState pick;
};

PickEntry entry_of(const Ui& ui, const session::Found& found) {
    PickEntry entry;
    entry.enabled = found.enabled;
    if (found.variant != nullptr) {
        entry.title = title_of(ui, *found.variant);
        entry.detail = ui.tr().get("chapter." + found.variant->chapter, found.variant->chapter);
        return entry;
    }
    if (found.opened != nullptr) {
        entry.title = session::opened_name(*found.opened);
        entry.detail = ui.tr()("chapter.opened");
        return entry;
    }
    if (found.word) {
        entry.title = ui.session.glossary().glossary.words[*found.word].title;
        entry.detail = ui.tr()("command.glossary");
        return entry;
    }
    const session::Command& command = *found.command;
    entry.title = ui.tr()(std::string("command.") + command.id);
    entry.key = command.key;
    for (const session::CommandGroup& group : ui.session.commands().groups())
        for (const session::Command& each : group.commands)
            if (std::string_view(each.id) == command.id)
                entry.detail = ui.tr()(std::string("menu.") + group.id);
    return entry;
}

std::string explained(const Ui& ui, const session::Found& found) {
    if (found.variant != nullptr)
        return ui.tr().get("variant." + found.variant->id + ".teaches", found.variant->teaches);
    if (found.opened != nullptr) return session::file_of(*found.opened);
    if (found.word) return plain_text(ui.session.glossary().glossary.words[*found.word].words);
    return ui.tr()(std::string("command.") + found.command->id + ".tip");
}

void take(Ui& ui, const session::Found& found) {
    ui.change().show("");
    if (found.variant != nullptr)
        choose_kernel(ui.change(), found.variant->id);
    else if (found.opened != nullptr)
        choose_opened(ui.change(), *found.opened);
    else if (found.word)
        open_word(ui, *found.word);
    else
        ui.run(*found.command);
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
    const auto found = session::find(ui.session, pick.text, ui.tr());
    std::vector<PickEntry> entries;
    for (const session::Found& each : found)
        entries.push_back(entry_of(ui, each));
    const float below = ui.px(50);
    const auto chosen =
        pick_list(ui, pick, entries, ImGui::GetContentRegionAvail().y - below, entered);
    {
        const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
        wrapped(found.empty() ? ui.tr()("palette.none") : explained(ui, found[pick.at]), inner);
    }
    if (chosen && found[*chosen].enabled)
        take(ui, found[*chosen]);
    else if (entered)
        pick.wants_focus = true;
    end_overlay();
}

}  // namespace lab::gui
