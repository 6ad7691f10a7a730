// The list of all kernels, beside the view or over it.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <imgui.h>

#include "base/ranges.h"
#include "catalogue/plan.h"
#include "gui/choice_fields.h"
#include "gui/widgets.h"
#include "views/measure/measure_panels.h"
#include "views/shell/shell.h"

namespace lab::gui {

namespace {

constexpr std::uint64_t kShownElements = 8;

// Whether a class that opens it, with its toggles as they are by default, sees it go wrong.
bool races_as_it_is(const catalogue::Kernel& variant) {
    if (variant.plan.expect.kind != catalogue::Expect::races) return false;
    const catalogue::Shape shape = small_shape(variant, {}, kShownElements, {});
    try {
        return plan_job(variant, shape, kShownElements, {}).expect == catalogue::Expect::races;
    } catch (const Problem&) {
        return true;
    }
}

// Broken where it would not fit.
std::string in_lines(const std::string& text, float width) {
    std::string lines;
    for (const char *at = text.data(), *end = at + text.size(); at < end;) {
        const char* stop =
            ImGui::GetFont()->CalcWordWrapPosition(ImGui::GetFontSize(), at, end, width);
        if (stop == at) stop = at + 1;
        if (!lines.empty()) lines += '\n';
        lines.append(at, stop);
        for (at = stop; at < end && *at == ' ';)
            ++at;
    }
    return lines;
}

// A triangle with a stroke in it, as the figures mark what is wrong.
void warning_sign(const Ui& ui, ImVec2 centre) {
    const float half = ui.px(6);
    const Pen pen(ui);
    pen.triangle({centre.x, centre.y - half}, {centre.x - half, centre.y + half * 0.8F},
                 {centre.x + half, centre.y + half * 0.8F}, Role::race);
    pen.line({centre.x, centre.y - half * 0.3F}, {centre.x, centre.y + half * 0.25F}, Role::panel,
             ui.px(1.4F));
    pen.disc({centre.x, centre.y + half * 0.55F}, ui.px(0.9F), Role::panel);
}

// The files that are open, by their names: of user kernels, and of variants.
void opened_files(Ui& ui) {
    const std::vector<session::RunChoice> opened = ui.session.kernels.editor.opened;
    if (opened.empty()) return;
    wrapped(ui, ui.tr()("user_kernel.files"), ImGui::GetContentRegionAvail().x, Face::bold,
            kSmallSize, Role::muted);
    for (const session::RunChoice& choice : opened) {
        const std::string& file = session::file_of(choice);
        const bool chosen = file == ui.session.kernels.editor.file;
        const TextStyle style(ui, Face::sans, kTextSize, chosen ? Role::act : Role::text);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ui.px(8));
        std::string name = std::filesystem::path(file).filename().string();
        if (ui.session.kernels.editor.edited(file)) name += " •";
        const float end = line_end(), top = ImGui::GetCursorPosY();
        // Beside the cross, not below it: of two items that overlap ImGui gives a press to the
        // upper one unless the mouse was there a frame before, and a finger's never is.
        const float width = ImGui::GetContentRegionAvail().x - ui.px(34);
        name = in_lines(name, width);
        ImGui::PushID(file.c_str());
        const std::string plain = std::filesystem::path(file).filename().string();
        if (ImGui::Selectable((name + "###file." + plain).c_str(), chosen, 0,
                              {width, touch_row(ui, name)}))
            choose_opened(ui.change(), choice);
        tip(ui, file);
        const float next = ImGui::GetCursorPosY();
        const bool closed =
            close_button(ui, ("close." + plain).c_str(), end - ui.px(4), top + ui.px(1));
        tip(ui, ui.tr()("user_kernel.close.tip"));
        ImGui::PopID();
        ImGui::SetCursorPosY(next);
        if (closed) close_opened(ui.change(), choice);
    }
    ImGui::Dummy({0, ui.px(8)});
}

// Whether the middle of the last item is in sight.
bool in_sight() {
    const float top = ImGui::GetWindowPos().y, end = top + ImGui::GetWindowHeight();
    const float middle = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2;
    return middle > top && middle < end;
}

struct ListState {
    std::string listed;  // the variant that the list has come to
};

// All kernels, by chapters.
void entries(Ui& ui) {
    ListState& state = ui.state<ListState>();
    std::string chapter;
    opened_files(ui);
    const bool own = ui.session.kernels.editor.is_open();
    for (const catalogue::Kernel& variant : ui.session.catalogue().variants) {
        if (variant.chapter == catalogue::kOpenedChapter) continue;  // among the files
        if (variant.chapter != chapter) {
            if (!chapter.empty()) ImGui::Dummy({0, ui.px(8)});
            chapter = variant.chapter;
            const TextStyle style(ui, Face::bold, kSmallSize, Role::muted);
            wrapped(fmt::format("{} · {}", chapter, ui.tr().get("chapter." + chapter, "")),
                    ImGui::GetContentRegionAvail().x);
        }
        const bool chosen = !own && variant.id == ui.choice().variant;
        const TextStyle style(ui, Face::sans, kTextSize, chosen ? Role::act : Role::text);
        ImGui::PushStyleColor(ImGuiCol_Header, ui.colour4(Role::act_fill));
        const float indent = ui.px(8);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
        const bool races = races_as_it_is(variant);
        const bool solved = contains(ui.session.settings().solved, variant.id);
        const float badge = (races ? ui.px(20) : 0) + (solved ? ui.px(18) : 0);
        const std::string title =
            in_lines(title_of(ui, variant), ImGui::GetContentRegionAvail().x - badge);
        if (ImGui::Selectable((title + "###" + variant.id).c_str(), chosen, 0,
                              {0, touch_row(ui, title)})) {
            choose_kernel(ui.change(), variant.id);
        }
        if (chosen && state.listed != variant.id) {  // by a key, a command or another view
            if (in_sight())
                state.listed = variant.id;
            else
                ImGui::SetScrollHereY();  // as far as the last frame's contents go
        }
        ImGui::PopStyleColor();
        const std::string teaches =
            ui.tr().get("variant." + variant.id + ".teaches", variant.teaches);
        std::string text = races ? fmt::format("{}: {}", ui.tr()("badge.races"), teaches) : teaches;
        if (ImGui::IsItemHovered() && !variant.gain.after.empty())
            text += "\n\n" + gain_text(ui, variant) + " " + why_text(ui, variant);
        if (solved) text += "\n\n" + ui.tr()("badge.solved");
        tip(ui, text, "Up  Down");
        const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
        const float middle = (low.y + high.y) / 2;
        // That the race view's challenge was met.
        if (solved) tick_sign(ui, {high.x - ui.px(races ? 30 : 12), middle}, Role::wrote);
        if (races) warning_sign(ui, {high.x - ui.px(12), middle});
    }
}

}  // namespace

void variant_list(Ui& ui, const Area& area) {
    const Scope card = begin_card(ui, "variants", area);
    entries(ui);
}

void variant_overlay(Ui& ui) {
    const ImVec2 window = ui.window();
    const float top = 64, width = std::min(330.0F, window.x - 24);
    const float height = std::min(640.0F, window.y - top - 12);
    const session::RunChoice before = ui.choice();
    if (overlay_appears(ui)) ui.state<ListState>().listed.clear();
    const Scope overlay =
        begin_overlay(ui, "variant.list", {ui.px(12), ui.px(top)}, {ui.px(width), ui.px(height)});
    const Scope child = begin_child("variants");
    entries(ui);
    const session::RunChoice& now = ui.choice();
    const bool clicked = ImGui::IsMouseReleased(ImGuiMouseButton_Left);
    if (clicked && !(now == before)) ui.change().overlay = "";
}

}  // namespace lab::gui
