#include <fmt/format.h>

#include "catalogue/plan.h"
#include "gui/panel_list.h"
#include "gui/widgets.h"

namespace lab::gui {

using draw::Face;
using draw::Role;

std::string title_of(const Ui& ui, const Variant& variant) {
    return ui.tr().get("variant." + variant.id + ".title", variant.title);
}

namespace {

constexpr std::uint64_t kShownElements = 8;

// Whether a class that opens it, with its toggles as they are by default, sees it go wrong.
bool races_as_it_is(const Variant& variant) {
    if (variant.expect.kind != Expect::races) return false;
    const Shape shape = small_shape(variant, {}, kShownElements, {});
    try {
        return make_plan(variant, shape, kShownElements, {}).expect == Expect::races;
    } catch (const Problem&) {
        return true;
    }
}

}  // namespace

void variant_list(Ui& ui, PanelState&, const Area& area) {
    begin_card(ui, "variants", area.at, area.size);
    std::string chapter;
    for (const Variant& variant : ui.session.catalogue().variants) {
        if (variant.chapter != chapter) {
            if (!chapter.empty()) ImGui::Dummy({0, ui.px(8)});
            chapter = variant.chapter;
            const TextStyle style(ui, Face::bold, kSmallSize, Role::muted);
            wrapped(fmt::format("{} · {}", chapter, ui.tr().get("chapter." + chapter, "")),
                    ImGui::GetContentRegionAvail().x);
        }
        const bool chosen = variant.id == ui.session.settings().choice.variant;
        const TextStyle style(ui, Face::sans, kTextSize, chosen ? Role::act : Role::text);
        ImGui::PushStyleColor(ImGuiCol_Header, ui.colour4(Role::act_fill));
        const float indent = ui.px(8);
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + indent);
        const std::string title =
            ui.metrics.shortened(title_of(ui, variant), ImGui::GetContentRegionAvail().x / ui.scale,
                                 kTextSize, Face::sans);
        if (ImGui::Selectable((title + "###" + variant.id).c_str(), chosen)) {
            session::Choice choice = ui.session.settings().choice;
            choice.variant = variant.id;
            choice.shape.set.clear();
            ui.session.choose(std::move(choice));
        }
        ImGui::PopStyleColor();
        tip(ui, ui.tr().get("variant." + variant.id + ".teaches", variant.teaches), "Up  Down");
        if (races_as_it_is(variant)) {
            const TextStyle badge(ui, Face::sans, kSmallSize, Role::race);
            const std::string word = ui.tr()("badge.races");
            ImGui::SameLine();
            ImGui::SetCursorPosX(line_end() - ImGui::CalcTextSize(word.c_str()).x);
            ImGui::TextUnformatted(word.c_str());
        }
    }
    if (!ui.session.problems().empty()) {
        ImGui::Dummy({0, ui.px(12)});
        for (std::size_t i = 0; i < ui.session.problems().size(); ++i) {
            problem_card(ui, ui.session.problems()[i], ImGui::GetContentRegionAvail().x);
            if (ImGui::Button(
                    (ui.tr()("problem.forget") + "###forget" + std::to_string(i)).c_str())) {
                ui.session.forget_problem(i);
                break;
            }
            tip(ui, ui.tr()("problem.forget.tip"));
        }
    }
    end_card();
}

}  // namespace lab::gui
