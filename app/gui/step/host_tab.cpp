// The host's part of the kernel: the C++ program that runs it, to read, to copy and to save.
#include <algorithm>
#include <optional>

#include "gui/step/step_panels.h"
#include "session/step/host_commands.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

struct HostTabState {
    std::string variant, kernel_text;  // what it was written for
    catalogue::Shape shape;
    std::optional<catalogue::HostProgram> program;
    std::optional<Problem> problem;  // why there is none
    std::string scrolled;            // the variant whose run() was scrolled to
};

HostTabState& written(Ui& ui) {
    HostTabState& state = ui.state<HostTabState>();
    const catalogue::Variant& variant = *ui.session.variant();
    const catalogue::Shape& shape = ui.session.settings().choice.shape;
    if ((state.program || state.problem) && state.variant == variant.id && state.shape == shape &&
        state.kernel_text == variant.text)
        return state;
    state = {variant.id, variant.text, shape, {}, {}, state.scrolled};
    try {
        state.program = host_program_of(ui.session);
    } catch (const Problem& problem) {
        state.problem = problem;
    }
    return state;
}

// What is this kernel's own, for a start: what stands before it can be scrolled to.
void scroll_to_run(HostTabState& state, const std::vector<std::string_view>& lines, float height) {
    if (state.scrolled == state.variant) return;
    const auto run = std::find_if(lines.begin(), lines.end(), [](std::string_view line) {
        return line.starts_with("int run(");
    });
    ImGui::SetScrollY(static_cast<float>(run - lines.begin()) * height);
    state.scrolled = state.variant;
}

void program_text(const Ui& ui, HostTabState& state) {
    const float column = ui.metrics.text_width("0", 1, Face::mono) * ui.scale;
    constexpr float kColumns = 86;  // with the numbers
    const float size = ImGui::GetContentRegionAvail().x / (kColumns * column);
    const TextStyle style(ui, Face::mono, std::clamp(size, 11.0F, kTextSize));
    const float number_width = ImGui::CalcTextSize("000").x + ui.px(8);
    const std::vector<std::string_view> lines = lines_of(state.program->text);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(2.5F)});
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(lines.size()) - 1);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(Role::muted));
            ImGui::Text("%3d", i + 1);
            ImGui::PopStyleColor();
            ImGui::SameLine(number_width, 0);
            bool in_comment = false;  // its comments end with their lines
            source_line(ui, lines[static_cast<std::size_t>(i)], *ui.session.variant(), in_comment);
        }
    scroll_to_run(state, lines, clipper.ItemsHeight);
    ImGui::PopStyleVar();
}

}  // namespace

void host_tab(Ui& ui) {
    if (!has_host_program(ui.session)) {
        wrapped(ui.tr()("host.none"), ImGui::GetContentRegionAvail().x);
        return;
    }
    HostTabState& state = written(ui);
    if (state.problem) {
        problem_card(ui, *state.problem, ImGui::GetContentRegionAvail().x);
        return;
    }
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(2)});
    {
        const TextStyle style(ui, Face::sans, kSmallSize);
        command_button(ui, "host.copy", ui.tr()("host.copy"));
        ImGui::SameLine();
        command_button(ui, "host.save", ui.tr()("host.save"));
    }
    ImGui::SameLine();
    {
        const TextStyle style(ui, Face::mono, kSmallSize, Role::muted);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted((state.program->name + ".cpp").c_str());
    }
    ImGui::PopStyleVar();
    ImGui::BeginChild("program", ImGui::GetContentRegionAvail(), 0,
                      ImGuiWindowFlags_HorizontalScrollbar);
    program_text(ui, state);
    ImGui::EndChild();
}

}  // namespace lab::gui
