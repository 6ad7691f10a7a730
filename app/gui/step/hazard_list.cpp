// The races of a run: both lines, who, where, and what to do about it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "analysis/races/hazards.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"
#include "gui/step/line_margin.h"
#include "gui/step/step_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

std::string headline(const Ui& ui, const analysis::Hazard& hazard) {
    std::string text = fmt::format("{}", fmt::join(hazard.kinds, " · "));
    if (hazard.kinds == std::vector<std::string>{"uninitialised"})
        text = ui.tr()("hazard.unwritten");
    text += " " + ui.tr()(hazard.across_groups ? "hazard.across" : "hazard.within");
    return fmt::format("{} · {}", text, ui.tr()("hazard.pairs", fmt::arg("count", hazard.count)));
}

// "RAW" in plain words; empty for kinds that are words already.
std::string kind_words(const Ui& ui, const std::string& kind) {
    for (const char* known : {"RAW", "WAR", "WAW"})
        if (kind == known) return ui.tr()(fmt::format("hazard.{}", known));
    return {};
}

// A short line for each kind that there is.
void explain_kinds(const Ui& ui, const std::vector<analysis::Hazard>& hazards, float width) {
    std::set<std::string> kinds;
    for (const analysis::Hazard& each : hazards)
        kinds.insert(each.kinds.begin(), each.kinds.end());
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    for (const std::string& kind : kinds)
        if (const std::string words = kind_words(ui, kind); !words.empty())
            wrapped(kind + ui.tr()("figure.colon") + words, width);
    if (!kinds.empty()) ImGui::Dummy({0, ui.px(6)});
}

// Whether an atomic meets a plain access.
bool one_atomic(const analysis::Hazard& hazard) {
    const auto atomic = [](const analysis::HazardSide& side) {
        return side.does.find("atomically") != std::string::npos;
    };
    return hazard.sides.size() == 2 && atomic(hazard.sides[0]) != atomic(hazard.sides[1]);
}

// What kind of cure there is; the tip has the details.
std::string advice(const Ui& ui, const analysis::Hazard& hazard) {
    if (hazard.note == "same value") return ui.tr()("hazard.cure_same");
    if (hazard.note == analysis::kOrderedByAtomics) return ui.tr()("hazard.cure_atomics");
    if (hazard.kinds == std::vector<std::string>{"uninitialised"})
        return ui.tr()("hazard.cure_unwritten");
    if (one_atomic(hazard)) return ui.tr()("hazard.cure_atomic_both");
    if (hazard.across_groups)
        return ui.tr()(hazard.update ? "hazard.cure_update_groups" : "hazard.cure_groups");
    if (hazard.copy) return ui.tr()("hazard.cure_copy");
    return ui.tr()(hazard.update ? "hazard.cure_update" : "hazard.cure_barrier");
}

// The line of the text, with a stroke under what is meant.
void side(Ui& ui, const analysis::Hazard& hazard, const analysis::HazardSide& side, float width) {
    const TextStyle style(ui, Face::mono, kSmallSize);
    const std::size_t column = std::max(1U, side.column) - 1;
    const std::size_t cut = std::min(side.text.find_first_not_of(" \t"), side.text.size());
    const std::string text = side.text.substr(cut);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    line_place(ui, side.line, point, point.x + width);
    const std::string number = fmt::format("{:>3}  ", side.line);
    const float indent = ImGui::CalcTextSize(number.c_str()).x;
    ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(Role::muted));
    ImGui::TextUnformatted(number.c_str());
    ImGui::PopStyleColor();
    ImGui::SameLine(0, 0);
    ImGui::TextUnformatted(text.c_str());
    if (column >= cut && column < side.text.size()) {
        const std::size_t from = column - cut;
        const std::size_t length = std::min<std::size_t>(side.length, text.size() - from);
        const float x = point.x + indent + ImGui::CalcTextSize(text.substr(0, from).c_str()).x;
        const float w = ImGui::CalcTextSize(text.substr(from, length).c_str()).x;
        const float y = point.y + ImGui::GetTextLineHeight() + ui.px(1);
        ImGui::GetWindowDrawList()->AddRectFilled({x, y}, {x + std::max(w, ui.px(8)), y + ui.px(2)},
                                                  ui.colour(Role::race));
    }
    const char* key = side.does == "reads"              ? "hazard.reads"
                      : side.does == "reads atomically" ? "hazard.reads_atomically"
                      : side.does == "writes"           ? "hazard.writes"
                                                        : "hazard.changes";
    ImGui::SetCursorScreenPos({point.x + indent, ImGui::GetCursorScreenPos().y});
    const TextStyle small(ui, Face::sans, kSmallSize, Role::muted);
    // Of memory that nobody has written there is no value to name.
    if (hazard.object.empty())
        return wrapped(as_sentence(ui, ui.tr().message(hazard.what)), width - indent);
    wrapped(ui.tr()(key, fmt::arg("item", item_name(side)), fmt::arg("group", group_name(side)),
                    fmt::arg("pass", side.pass),
                    fmt::arg("cell", fmt::format("{}[{}]", hazard.object, hazard.index)),
                    fmt::arg("value", side.value)),
            width - indent);
}

void entry(Ui& ui, const analysis::Hazard& hazard, std::size_t place, bool come, float width) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const bool note = hazard.severity == analysis::Hazard::Severity::note;
    {
        const TextStyle style(ui, Face::bold, kTextSize, note || !come ? Role::muted : Role::race);
        wrapped((note ? "" : "! ") + headline(ui, hazard), width);
    }
    std::string text;
    for (const std::string& kind : hazard.kinds)
        if (const std::string words = kind_words(ui, kind); !words.empty())
            text += kind + ui.tr()("figure.colon") + words + "\n";
    for (const std::string* part : {&hazard.what, &hazard.why, &hazard.hint})
        if (!part->empty()) text += as_sentence(ui, ui.tr().message(*part)) + "\n";
    if (!text.empty()) text.pop_back();
    tip(ui, text);
    if (!hazard.here)
        label(ui, ui.tr()("hazard.elsewhere", fmt::arg("schedule", hazard.schedule)));
    else if (!come)
        label(ui, ui.tr()("hazard.to_come"));
    if (hazard.lockstep_lanes > 0)
        label(ui, ui.tr()("hazard.lockstep", fmt::arg("lanes", hazard.lockstep_lanes)));
    for (std::size_t i = 0; i < hazard.sides.size(); ++i)
        side(ui, hazard, hazard.sides[i], width);
    {
        const TextStyle style(ui, Face::sans, kTextSize);
        wrapped(advice(ui, hazard), width);
    }
    const ImVec2 high{low.x + width, ImGui::GetCursorScreenPos().y};
    if (lit_place(ui, fmt::format("race {}", place), low, high))
        ring(ui, *ImGui::GetWindowDrawList(), {low.x + ui.px(4), low.y}, high, Role::act, 3);
    ImGui::Dummy({0, ui.px(10)});
}

}  // namespace

void hazard_list(Ui& ui, const std::vector<analysis::Hazard>& hazards, std::uint64_t time,
                 float width, bool co_resident) {
    {
        const TextStyle style(ui, Face::bold, kTextSize + 2);
        wrapped(ui.tr()("hazard.title"), width);
    }
    if (hazards.empty()) label(ui, ui.tr()("hazard.none"));
    if (co_resident && !hazards.empty()) {
        const TextStyle style(ui, Face::sans, kTextSize);
        wrapped(ui.tr()("hazard.co_resident"), width);
    }
    explain_kinds(ui, hazards, width);
    for (std::size_t i = 0; i < hazards.size(); ++i) {
        const analysis::Hazard& each = hazards[i];
        const bool note = each.severity == analysis::Hazard::Severity::note;
        entry(ui, each, i, each.here && (each.time < time || note), width);
    }
}

}  // namespace lab::gui
