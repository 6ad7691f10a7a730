// Where to export to: a path and a format, in a small field beside what is exported.
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <filesystem>

#include "base/paths.h"
#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"
#include "session/files/export_file.h"
#include "session/files/new_file.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct ExportState {
    std::string path, suggested;
    std::string suffix;  // asked for by its button; empty: the usual one
    std::optional<Problem> problem;
    bool refocus = false;  // the field wants the keys back
};

// The name that was suggested becomes the one for that format; one that was typed stays.
void take_format(Ui& ui, ExportState& state, const std::string& suffix) {
    const bool typed = state.path != state.suggested;
    state.suffix = suffix;
    state.suggested = session::suggested_export(ui.session, suffix).string();
    state.path = typed ? fs::path(state.path).replace_extension(suffix).string() : state.suggested;
}

void formats(Ui& ui, ExportState& state) {
    const fs::path path = state.path;
    bool first = true;
    for (const char* suffix : session::export_suffixes(ui.session)) {
        std::string words = suffix + 1;
        std::transform(words.begin(), words.end(), words.begin(),
                       [](char c) { return static_cast<char>(c - 32); });
        if (!first) ImGui::SameLine(0, ui.px(2));
        first = false;
        if (pill(ui, (std::string("export") + suffix).c_str(), words, path.extension() == suffix))
            take_format(ui, state, suffix);
        tip(ui, ui.tr()("export.format.tip"));
    }
}

// What was typed gives way where something else is shown by now.
void suggest(Ui& ui, ExportState& state) {
    try {
        if (overlay_appears(ui)) {
            state.problem.reset();
            state.suffix.clear();
        }
        const std::string now = session::suggested_export(ui.session, state.suffix).string();
        if (overlay_appears(ui) || now != state.suggested) state.path = state.suggested = now;
    } catch (const Problem& problem) {
        state.problem = problem;
    }
}

void save(Ui& ui, ExportState& state) {
    try {
        session::export_to(ui.change(), session::typed_path(state.path, documents_folder()));
        ui.change().show("");
    } catch (const Problem& problem) {
        state.problem = problem;
        state.refocus = true;
        ui.change().notices().report("file", problem, false);
    }
}

}  // namespace

void export_field(Ui& ui) {
    ExportState& state = ui.state<ExportState>();
    suggest(ui, state);
    const ImVec2 window = ui.window();
    const float width = std::min(620.0F, window.x - 24);
    begin_overlay(ui, "export", {ui.px(window.x - width - 12), ui.px(60)}, {ui.px(width), 0});
    {
        const TextStyle style(ui, Face::bold, kTextSize + 1);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(ui.tr()("command.export").c_str());
    }
    ImGui::SameLine(0, ui.px(16));
    formats(ui, state);
    ImGui::SameLine();
    if (close_button(ui, "close", line_end())) ui.change().show("");
    const std::string words = ui.tr()("export.save");
    const float button = ImGui::CalcTextSize(words.c_str()).x + ui.px(30);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ui.px(8));
    // Where it was refused one goes on typing.
    if (overlay_appears(ui) || std::exchange(state.refocus, false)) ImGui::SetKeyboardFocusHere();
    const bool entered =
        ImGui::InputText("###path", &state.path,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_ElideLeft);
    tip(ui, ui.tr()("export.path.tip"));
    ImGui::SameLine();
    const bool pressed = act_button(ui, "save", words, true, {button, 0});
    tip(ui, ui.tr()("export.path.tip"), "Enter");
    label(ui, ui.tr()("export.how"));
    if (state.problem) problem_card(ui, *state.problem, ImGui::GetContentRegionAvail().x);
    if (entered || pressed) save(ui, state);
    end_overlay();
}

}  // namespace lab::gui
