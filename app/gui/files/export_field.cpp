// Where to export to: a path and a format, in a small field beside what is exported.
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/paths.h"
#include "base/platform.h"
#include "figures/painters/save.h"
#include "gui/files/export_steps.h"
#include "gui/parts/widgets.h"
#include "gui/shell/overlays.h"
#include "session/files/export_file.h"
#include "session/files/new_file.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

enum class What : std::uint8_t { shown, animation, each_step };

struct ExportState {
    What what = What::shown, formats_of = What::shown;
    StepRange range;
    std::size_t of_last = 0;  // what `range` was set for
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

// What can be had of what is chosen. Where that is another thing now, the usual format of it.
std::vector<const char*> known_formats(const Ui& ui, What what) {
    std::vector<const char*> known;
    if (what == What::animation)
        known.assign(kAnimations.begin() + (platform::kBrowser ? 1 : 0), kAnimations.end());
    if (what != What::animation)
        for (const char* suffix : session::export_suffixes(ui.session))
            if (what == What::shown || figures::is_picture(fs::path("picture").concat(suffix)))
                known.push_back(suffix);
    return known;
}

void formats(Ui& ui, ExportState& state) {
    const std::vector<const char*> known = known_formats(ui, state.what);
    const auto is_chosen = [&](const char* suffix) {
        return fs::path(state.path).extension() == suffix;
    };
    const bool other = std::exchange(state.formats_of, state.what) != state.what;
    const bool known_already = std::any_of(known.begin(), known.end(), is_chosen);
    if (other && !known.empty() && (state.what == What::animation || !known_already))
        take_format(ui, state, known.front());
    bool first = true;
    for (const char* suffix : known) {
        std::string words = suffix + 1;
        std::transform(words.begin(), words.end(), words.begin(),
                       [](char c) { return static_cast<char>(c - 32); });
        if (!first) ImGui::SameLine(0, ui.px(2));
        first = false;
        if (pill(ui, (std::string("export") + suffix).c_str(), words, is_chosen(suffix)))
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
            state.formats_of = What::shown;
        }
        const std::string now = session::suggested_export(ui.session, state.suffix).string();
        if (overlay_appears(ui) || now != state.suggested) state.path = state.suggested = now;
    } catch (const Problem& problem) {
        state.problem = problem;
    }
}

// One step, all of them in one moving picture, or a picture each.
void steps(Ui& ui, ExportState& state) {
    if (!has_steps(ui)) {
        state.what = What::shown;
        return;
    }
    const std::size_t last = ui.session.walk().last_position();
    if (std::exchange(state.of_last, last) != last || overlay_appears(ui)) state.range = {0, last};
    static constexpr std::array<std::pair<What, const char*>, 3> kChoices{
        {{What::shown, "export.shown"},
         {What::animation, "export.animation"},
         {What::each_step, "export.each_step"}}};
    for (const auto& [what, key] : kChoices) {
        if (pill(ui, key, ui.tr()(key), state.what == what, 9)) state.what = what;
        tip(ui, ui.tr()(std::string(key) + ".tip"));
        ImGui::SameLine(0, ui.px(2));
    }
    if (state.what == What::shown) return ImGui::NewLine();
    const auto number = [&](const char* id, std::size_t& value) {
        int typed = static_cast<int>(value);
        ImGui::SetNextItemWidth(ui.px(60));
        if (ImGui::InputInt(id, &typed, 0))
            value = std::clamp<std::size_t>(static_cast<std::size_t>(std::max(typed, 0)), 0, last);
        tip(ui, ui.tr()("export.range.tip", fmt::arg("last", last)));
    };
    ImGui::SameLine(0, ui.px(12));
    number("###first", state.range.first);
    ImGui::SameLine(0, ui.px(4));
    ImGui::TextUnformatted("–");
    ImGui::SameLine(0, ui.px(4));
    number("###last", state.range.last);
}

void save_steps(Ui& ui, const ExportState& state) {
    const fs::path file = session::typed_path(state.path, documents_folder());
    fs::path written;
    std::size_t count = 1;
    if (state.what == What::animation) {
        written = save_animation(ui, state.range, file);
    } else {
        const std::vector<fs::path> files = save_each_step(ui, state.range, file);
        count = files.size();
        written = files.front();
    }
    if (!platform::kBrowser) ui.change().copy(written.string());
    const std::string name = written.filename().string();
    ui.change().notices().say(count == 1 ? ui.tr()(session::kSavedText, fmt::arg("name", name))
                                         : ui.tr()("toast.saved_steps", fmt::arg("name", name),
                                                   fmt::arg("count", count)));
}

void save(Ui& ui, ExportState& state) {
    try {
        if (state.what == What::shown)
            session::export_to(ui.change(), session::typed_path(state.path, documents_folder()));
        else
            save_steps(ui, state);
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
    steps(ui, state);
    label(ui, ui.tr()(state.what == What::shown       ? "export.how"
                      : state.what == What::animation ? "export.animation.tip"
                                                      : "export.each_step.tip"));
    if (state.problem) problem_card(ui, *state.problem, ImGui::GetContentRegionAvail().x);
    if (entered || pressed) save(ui, state);
    end_overlay();
}

}  // namespace lab::gui
