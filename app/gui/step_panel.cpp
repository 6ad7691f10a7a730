#include <fmt/format.h>

#include "draw/pass_figure.h"
#include "draw/pass_words.h"
#include "gui/panel_list.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"

namespace lab::gui {
namespace {

using draw::Face;
using draw::Role;

void heading(Ui& ui, PanelState& state, float width) {
    const Variant* variant = ui.session.variant();
    const std::string title =
        variant != nullptr ? title_of(ui, *variant) : ui.session.settings().choice.variant;
    {
        const TextStyle style(ui, Face::bold, kTitleSize);
        ImGui::TextUnformatted(title.c_str());
    }
    const bool narrow = ImGui::GetMainViewport()->Size.x / ui.scale < 1050;
    if (const auto& passes = ui.session.step().passes.answer) {
        const float room = width - ImGui::GetItemRectSize().x - ui.px(narrow ? 130 : 12);
        const std::string shown = ui.metrics.shortened(draw::subtitle(*passes, ui.tr()),
                                                       room / ui.scale, kTextSize, Face::sans);
        const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
        ImGui::SameLine(0, ui.px(12));
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.px(4));
        ImGui::TextUnformatted(shown.c_str());
    }
    if (narrow) {
        const std::string word =
            ui.tr()(state.kernel_instead ? "step.show_figure" : "step.show_text");
        ImGui::SameLine();
        ImGui::SetCursorPosX(line_end() - ImGui::CalcTextSize(word.c_str()).x - ui.px(24));
        if (ImGui::Button((word + "###instead").c_str()))
            state.kernel_instead = !state.kernel_instead;
        tip(ui, ui.tr()("step.show_text.tip"));
    }
}

const draw::Scene& figure(Ui& ui, PanelState& state, const Passes& passes, float width) {
    PanelState::Figure& kept = state.figure;
    const std::size_t cursor = ui.session.step().cursor;
    const bool same = kept.made && kept.cursor == cursor && kept.width == width &&
                      kept.language == ui.tr().language() && kept.theme == ui.palette.name &&
                      kept.version == ui.session.step().version;
    if (same) return kept.scene;
    kept = {};
    kept.cursor = cursor;
    kept.width = width;
    kept.language = ui.tr().language();
    kept.theme = ui.palette.name;
    kept.version = ui.session.step().version;
    kept.made = true;
    draw::PassFigureOptions options;
    options.shown = cursor + 1;
    options.width = width;
    options.text_scale = ui.palette.text_scale;
    kept.scene = draw::pass_figure(passes, options, ui.metrics, ui.tr());
    return kept.scene;
}

void sentence_box(Ui& ui, const Passes& passes, float width) {
    const bool wrong = !passes.right && ui.session.step().cursor + 1 == passes.passes.size();
    const std::string text = draw::sentence(passes, ui.session.step().cursor, ui.tr());
    const float pad = ui.px(14);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::CalcTextSize(text.c_str(), nullptr, false, width - 2 * pad);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.AddRectFilled(at, {at.x + width, at.y + size.y + 2 * pad},
                       ui.colour(wrong ? Role::race_fill : Role::act_fill), ui.px(6));
    ImGui::SetCursorScreenPos({at.x + pad, at.y + pad});
    wrapped(text, width - 2 * pad);
}

float sentence_height(Ui& ui, const Passes& passes, float width) {
    // The tallest of all passes, so that stepping moves nothing.
    float height = 0;
    for (std::size_t i = 0; i < passes.passes.size(); ++i)
        height = std::max(height, ImGui::CalcTextSize(draw::sentence(passes, i, ui.tr()).c_str(),
                                                      nullptr, false, width - ui.px(28))
                                      .y);
    return height + ui.px(28);
}

void show_figure(Ui& ui, PanelState& state, const Passes& passes) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float below = sentence_height(ui, passes, width) + ui.px(10);
    ImGui::BeginChild("figure", {width, ImGui::GetContentRegionAvail().y - below}, 0,
                      ImGuiWindowFlags_HorizontalScrollbar);
    const draw::Scene& scene = figure(ui, state, passes, (width - ui.px(16)) / ui.scale);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const std::string_view told = paint(ui, scene, *ImGui::GetWindowDrawList(), at);
    ImGui::Dummy({ui.px(scene.width), ui.px(scene.height)});
    if (!told.empty() && ImGui::BeginTooltip()) {
        ImGui::PushTextWrapPos(ui.px(320));
        ImGui::TextUnformatted(told.data(), told.data() + told.size());
        ImGui::PopTextWrapPos();
        ImGui::EndTooltip();
    }
    ImGui::EndChild();
    sentence_box(ui, passes, width);
}

void waiting(Ui& ui) {
    const TextStyle style(ui, Face::sans, kTextSize, Role::muted);
    ImGui::TextUnformatted(ui.tr()("step.waiting").c_str());
}

}  // namespace

void step_panel(Ui& ui, PanelState& state, const Area& area) {
    const bool narrow = ImGui::GetMainViewport()->Size.x / ui.scale < 1050;
    begin_card(ui, "step", area.at, area.size);
    const float width = ImGui::GetContentRegionAvail().x;
    heading(ui, state, width);
    ImGui::Dummy({0, ui.px(2)});
    step_controls(ui, state, width);
    ImGui::Dummy({0, ui.px(4)});
    const session::Asked<Passes>& passes = ui.session.step().passes;
    if (passes.problem) problem_card(ui, *passes.problem, ImGui::GetContentRegionAvail().x);
    if (narrow && state.kernel_instead) {
        const Area inner{ImGui::GetCursorScreenPos(), ImGui::GetContentRegionAvail()};
        kernel_text(ui, state, inner);
    } else if (passes.answer) {
        show_figure(ui, state, *passes.answer);
    } else if (passes.waiting) {
        waiting(ui);
    }
    end_card();
}

}  // namespace lab::gui
