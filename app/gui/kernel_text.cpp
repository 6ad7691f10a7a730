#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "gui/panel_list.h"
#include "gui/widgets.h"

namespace lab::gui {
namespace {

using draw::Face;
using draw::Role;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// What a word of a kernel is, for its colour: what varies (T, COMBINE, IDENTITY, toggles) stands
// out.
Role role_of(std::string_view word, const Variant& variant) {
    if (word == "T" || word == "COMBINE" || word == "IDENTITY") return Role::act;
    if (variant.toggle(word) != nullptr) return Role::act;
    if (word == "barrier") return Role::barrier_text;
    return Role::text;
}

// Draws one line of source; `in_comment` goes on from line to line.
void source_line(const Ui& ui, std::string_view line, const Variant& variant, bool& in_comment) {
    bool first = true;
    const auto piece = [&](std::string_view text, Role role) {
        if (text.empty()) return;
        if (!first) ImGui::SameLine(0, 0);
        first = false;
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(role));
        ImGui::TextUnformatted(text.data(), text.data() + text.size());
        ImGui::PopStyleColor();
    };
    std::size_t at = 0;
    while (at < line.size()) {
        if (in_comment || line.substr(at).starts_with("/*")) {
            const auto close = line.find("*/", in_comment ? at : at + 2);
            in_comment = close == std::string_view::npos;
            const auto end = in_comment ? line.size() : close + 2;
            piece(line.substr(at, end - at), Role::muted);
            at = end;
        } else if (line.substr(at).starts_with("//")) {
            piece(line.substr(at), Role::muted);
            at = line.size();
        } else {
            std::size_t end = at + 1;
            const bool word = is_word(line[at]);
            while (end < line.size() && is_word(line[end]) == word && line[end] != '/')
                ++end;
            const std::string_view text = line.substr(at, end - at);
            piece(text, word ? role_of(text, variant) : Role::text);
            at = end;
        }
    }
    if (first) ImGui::TextUnformatted(" ");
}

// What the host does around the kernel: its launches, and which one the picture shows.
void host_part(Ui& ui, const Variant& variant, float width) {
    const session::StepState& step = ui.session.step();
    std::string text;
    if (variant.plan == PlanKind::per_pass) {
        const PassLoop& loop = variant.pass;
        text =
            fmt::format("for ({} = {}; {}; {} = {})\n    launch {}", loop.name, loop.first.text(),
                        loop.condition.text(), loop.name, loop.next.text(), variant.entry);
    } else if (variant.plan == PlanKind::partials) {
        text = fmt::format("while (n > 1)\n    launch {}, n = {}", variant.entry,
                           ui.tr()("host.groups"));
    } else {
        text = "launch " + variant.entry;
    }
    label(ui, ui.tr()("host.title"));
    {
        const TextStyle style(ui, Face::mono, kSmallSize);
        ImGui::TextUnformatted(text.c_str());
    }
    if (!step.passes.answer || step.cursor == 0 || step.cursor >= step.passes.answer->passes.size())
        return;
    const Pass& pass = step.passes.answer->passes[step.cursor];
    const std::string now =
        ui.tr()("host.now", fmt::arg("k", pass.launch),
                fmt::arg("n", step.passes.answer->passes.back().launch),
                fmt::arg("items", pass.global), fmt::arg("group", pass.local),
                fmt::arg("variables", pass.variables.empty() ? "" : ", " + pass.variables));
    const TextStyle style(ui, Face::sans, kSmallSize, Role::act);
    wrapped(now, width);
}

// The size of text at which the kernel's longest line fits, as far as it stays readable.
float size_for(const Ui& ui, const Variant& variant, float width) {
    const auto header_end = variant.text.find("*/");
    std::size_t longest = 0;
    for (std::size_t at = header_end == std::string::npos ? 0 : header_end + 2;
         at < variant.text.size();) {
        const auto end = std::min(variant.text.find('\n', at), variant.text.size());
        longest = std::max(longest, end - at);
        at = end + 1;
    }
    const float column = ui.metrics.text_width("0", 1, Face::mono) * ui.scale;
    const float columns = static_cast<float>(longest) + 5;  // with the line numbers
    return std::clamp((width - ui.px(4)) / (columns * column), 11.0F, kTextSize);
}

void source(Ui& ui, PanelState& state, const Variant& variant) {
    const TextStyle style(ui, Face::mono, size_for(ui, variant, ImGui::GetContentRegionAvail().x));
    const float number_width = ImGui::CalcTextSize("000").x + ui.px(8);
    const auto header_end = variant.text.find("*/");
    int number = 0;
    bool in_comment = false;
    std::string_view rest = variant.text;
    std::size_t offset = 0;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(2.5F)});
    while (!rest.empty()) {
        const auto end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        ++number;
        const bool in_header = header_end != std::string::npos && offset <= header_end;
        if (!in_header || state.header_open) {
            ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(Role::muted));
            ImGui::Text("%3d", number);
            ImGui::PopStyleColor();
            ImGui::SameLine(number_width, 0);
            source_line(ui, line, variant, in_comment);
        }
        offset += end + 1;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    ImGui::PopStyleVar();
}

// The file's name, and the switch for its header.
void heading(Ui& ui, PanelState& state, const Variant& variant) {
    const std::string name = "kernels/" + variant.file.filename().string();
    {
        const TextStyle style(ui, Face::mono, kSmallSize, Role::muted);
        ImGui::TextUnformatted(name.c_str());
    }
    const TextStyle style(ui, Face::sans, kSmallSize);
    const std::string fold = ui.tr()(state.header_open ? "kernel.fold" : "kernel.unfold");
    ImGui::SameLine();
    ImGui::SetCursorPosX(line_end() - ImGui::CalcTextSize(fold.c_str()).x - ui.px(16));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(2)});
    if (ImGui::Button((fold + "###fold").c_str())) state.header_open = !state.header_open;
    ImGui::PopStyleVar();
    tip(ui, ui.tr()("kernel.fold.tip"));
}

}  // namespace

void kernel_inside(Ui& ui, PanelState& state, ImVec2 size) {
    const Variant* variant = ui.session.variant();
    if (variant == nullptr) return;
    const float width = size.x;
    heading(ui, state, *variant);
    wrapped(ui.tr().get("variant." + variant->id + ".teaches", variant->teaches), width);
    ImGui::Dummy({0, ui.px(4)});
    const float host_height = ui.px(96);
    ImGui::BeginChild("source", {width, -host_height}, 0, ImGuiWindowFlags_HorizontalScrollbar);
    source(ui, state, *variant);
    ImGui::EndChild();
    host_part(ui, *variant, width);
}

void kernel_text(Ui& ui, PanelState& state, const Area& area) {
    begin_card(ui, "kernel", area.at, area.size);
    kernel_inside(ui, state, ImGui::GetContentRegionAvail());
    end_card();
}

}  // namespace lab::gui
