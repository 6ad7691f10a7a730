#include <fmt/format.h>
#include <imgui.h>
// imgui.h first: this one does not include it.
#include <imgui_stdlib.h>

#include <algorithm>

#include "gui/parts/choice_fields.h"
#include "gui/parts/widgets.h"
#include "gui/step/step_panels.h"
#include "session/step/step_view.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

void count_field(Ui& ui, session::Choice& choice, float width) {
    const auto& answer = ui.view<session::StepView>().table().answer;
    const bool counted =
        takes_input(ui.session) && (choice.shape.input.kind == catalogue::Input::Kind::values ||
                                    choice.shape.input.kind == catalogue::Input::Kind::file);
    auto n = static_cast<int>(choice.shape.n.value_or(answer ? answer->n : 8));
    ImGui::SetNextItemWidth(width);
    ImGui::BeginDisabled(counted);
    ImGui::InputInt("###n", &n, 0, 0);
    if (ImGui::IsItemDeactivatedAfterEdit()) {
        choice.shape.n = static_cast<std::uint64_t>(std::clamp(n, 1, 4096));
        if (!takes_input(ui.session)) choice.shape.input = {};
    }
    ImGui::EndDisabled();
    key_tip(ui, "n.more", "n.less");
}

void group_field(Ui& ui, session::Choice& choice, float width) {
    std::vector<std::string> sizes;
    int chosen = -1;
    for (std::uint64_t size = 1; size <= 1024; size *= 2) {
        if (size == choice.shape.group) chosen = static_cast<int>(sizes.size());
        sizes.push_back(std::to_string(size));
    }
    if (chosen < 0) {
        chosen = static_cast<int>(sizes.size());
        sizes.push_back(std::to_string(choice.shape.group));
    }
    if (const int now = combo(ui, "###group", sizes, chosen, width); now >= 0)
        choice.shape.group = std::stoull(sizes[static_cast<std::size_t>(now)]);
    key_tip(ui, "group.more", "group.less");
}

struct InputState {
    std::string text;        // as being typed
    std::string shown;       // the input that `text` was taken from
    bool asks_file = false;  // a file is to be named, and is not yet
};

void input_fields(Ui& ui, session::Choice& choice, Flow& flow) {
    InputState& state = ui.state<InputState>();
    catalogue::Input& input = choice.shape.input;
    flow.field(ui.tr()("field.input"), 104, [&](float width) {
        const std::vector<std::string> kinds{ui.tr()("input.values"), ui.tr()("input.file"),
                                             ui.tr()("input.ramp"), ui.tr()("input.random")};
        // `bits` is another kind of random numbers, not offered here.
        const auto shown = std::min(input.kind, catalogue::Input::Kind::random);
        const bool taken = takes_input(ui.session);
        ImGui::BeginDisabled(!taken);
        const int now = combo(ui, "###kind", kinds, static_cast<int>(shown), width);
        ImGui::EndDisabled();
        if (!taken) return tip(ui, ui.tr()("field.input.none"));
        key_tip(ui, "input.next");
        if (now < 0) return;
        const auto& answer = ui.view<session::StepView>().table().answer;
        const std::uint64_t n = answer ? answer->n : 8;
        const auto kind = static_cast<catalogue::Input::Kind>(now);
        const bool counted =
            kind == catalogue::Input::Kind::values || kind == catalogue::Input::Kind::file;
        choice.shape.n.reset();
        if (!counted) choice.shape.n = std::max<std::uint64_t>(n, 1);
        if (kind == catalogue::Input::Kind::values) {
            input = {};
            input.kind = kind;
            // Begin with the numbers that are on screen.
            if (answer && !answer->rows.empty())
                for (const analysis::Cell& cell : answer->rows.front().cells)
                    input.text += (input.text.empty() ? "" : ",") + text_of(cell.value);
        } else if (kind == catalogue::Input::Kind::file) {
            state.text.clear();
            state.asks_file = true;
        } else {
            input = {kind, {}, 1};
        }
        if (kind != catalogue::Input::Kind::file) state.asks_file = false;
    });
    if (!takes_input(ui.session)) return;
    const bool file = state.asks_file || input.kind == catalogue::Input::Kind::file;
    if (file || input.kind == catalogue::Input::Kind::values) {
        if (const std::string now = text_of(input); now != state.shown) {
            state.shown = now;
            state.text = input.text;
            state.asks_file = state.asks_file && input.kind != catalogue::Input::Kind::file;
        }
        flow.field(
            ui.tr()(file ? "field.file" : "field.values"), std::clamp(flow.rest(), 90.0F, 320.0F),
            [&](float width) {
                ImGui::SetNextItemWidth(width);
                ImGui::InputTextWithHint(
                    "###text", ui.tr()(file ? "hint.file" : "hint.values").c_str(), &state.text);
                if (ImGui::IsItemDeactivatedAfterEdit() && !state.text.empty()) {
                    input = {file ? catalogue::Input::Kind::file : catalogue::Input::Kind::values,
                             state.text, 0};
                    choice.shape.n.reset();
                    state.asks_file = false;
                }
                tip(ui, ui.tr()(file ? "field.file.tip" : "field.values.tip"), "Enter");
            });
    } else if (input.kind == catalogue::Input::Kind::random) {
        flow.field(ui.tr()("field.seed"), 110, [&](float width) {
            auto seed = static_cast<int>(input.seed);
            ImGui::SetNextItemWidth(width);
            if (ImGui::InputInt("###seed", &seed))
                input.seed = static_cast<std::uint64_t>(std::max(seed, 0));
            key_tip(ui, "input.seed");
        });
    }
}

}  // namespace

void step_controls(Ui& ui, float width) {
    if (ui.session.settings().choice.user_kernel) {
        user_kernel_form(ui, width);
        return;
    }
    session::Choice choice = ui.session.settings().choice;
    Flow flow(ui, width);
    const float named = ui.metrics.text_width(ui.tr()("field.n"), kSmallSize, Face::sans) + 1;
    flow.field(ui.tr()("field.n"), std::clamp(named, 64.0F, 80.0F),
               [&](float w) { count_field(ui, choice, w); });
    flow.field(ui.tr()("field.group"), 68, [&](float w) { group_field(ui, choice, w); });
    op_and_type_fields(ui, choice, flow);
    input_fields(ui, choice, flow);
    toggle_fields(ui, choice, flow);
    machine_fields(ui, choice, flow);
    ui.change().choose(std::move(choice));  // nothing happens where nothing changed
}

}  // namespace lab::gui
