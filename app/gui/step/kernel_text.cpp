#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "gui/measure/gain_text.h"
#include "gui/parts/widgets.h"
#include "gui/step/line_margin.h"
#include "gui/step/step_panels.h"
#include "session/race/race.h"
#include "session/race/race_view.h"
#include "session/step/step_view.h"
#include "simulation/machine_run.h"
#include "views/kernels/kernels_panels.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;

// What the host does around the kernel: its launches.
std::string host_text(const Ui& ui, const catalogue::Variant& variant) {
    std::string text;
    if (variant.plan == catalogue::PlanKind::per_pass) {
        const catalogue::PassLoop& loop = variant.pass;
        text =
            fmt::format("for ({} = {}; {}; {} = {})\n    launch {}", loop.name, loop.first.text(),
                        loop.condition.text(), loop.name, loop.next.text(), variant.entry);
    } else if (variant.plan == catalogue::PlanKind::partials) {
        text = fmt::format("while (n > 1)\n    launch {}, n = {}", variant.entry,
                           ui.tr()("host.groups"));
    } else {
        text = "launch " + variant.entry;
    }
    return text;
}

// Which of them the picture shows.
std::string launch_text(const Ui& ui, std::size_t row) {
    const auto& table = ui.view<session::StepView>().table().answer;
    if (!table || row == 0 || row >= table->rows.size()) return {};
    const analysis::Row& pass = table->rows[row];
    return ui.tr()("host.now", fmt::arg("k", pass.launch), fmt::arg("n", table->rows.back().launch),
                   fmt::arg("items", pass.global), fmt::arg("group", pass.local),
                   fmt::arg("variables", pass.variables.empty() ? "" : ", " + pass.variables));
}

float host_height(const Ui& ui, const catalogue::Variant& variant, float width) {
    const std::string text = host_text(ui, variant);
    const auto lines = static_cast<float>(1 + std::count(text.begin(), text.end(), '\n'));
    const auto& table = ui.view<session::StepView>().table().answer;
    const TextStyle style(ui, Face::sans, kSmallSize);
    const std::string last = table ? launch_text(ui, table->rows.size() - 1) : "";
    const float words =
        ImGui::CalcTextSize((last.empty() ? " " : last).c_str(), nullptr, false, width).y;
    const float gaps = 4 * ImGui::GetStyle().ItemSpacing.y;
    const float title = ui.narrow() ? ImGui::GetTextLineHeight() : ui.px(kTouch);
    return title + ImGui::GetTextLineHeight() * lines * 1.1F + words + gaps + ui.px(4);
}

void host_part(Ui& ui, const catalogue::Variant& variant, float width) {
    const std::string text = host_text(ui, variant);
    {
        const TextStyle style(ui, Face::sans, kSmallSize);
        ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), touch_padding(ui)});
        if (!ui.narrow()) ImGui::AlignTextToFramePadding();
        label(ui, ui.tr()("host.title"));
        if (!ui.narrow()) {  // else the tab stands behind this text
            ImGui::SameLine();
            command_button(ui, "host.show", ui.tr()("host.show"));
        }
        ImGui::PopStyleVar();
    }
    {
        const TextStyle style(ui, Face::mono, kSmallSize);
        ImGui::TextUnformatted(text.c_str());
    }
    const std::string now = launch_text(ui, ui.view<session::StepView>().row());
    const TextStyle style(ui, Face::sans, kSmallSize, Role::act);
    wrapped(now, width);
}

// What it gains over the one before it; why, where there is room, else when it is pointed at.
void gain_part(const Ui& ui, const catalogue::Variant& variant, ImVec2 size) {
    const std::string words = gain_text(ui, variant);
    if (words.empty()) return;
    const std::string why = why_text(ui, variant);
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    ImGui::BeginGroup();
    wrapped(words, size.x);
    const bool roomy = size.y / ui.scale > 520;
    if (roomy) wrapped(why, size.x);
    ImGui::EndGroup();
    if (!roomy) tip(ui, why);
}

// The size of text at which the kernel's longest line fits, as far as it stays readable.
float size_for(const Ui& ui, const catalogue::Variant& variant, float width) {
    constexpr float kNumbers = 5;  // of lines: digits, and a space on either side
    const auto header_end = variant.text.find("*/");
    std::size_t longest = 0;
    for (std::size_t index = header_end == std::string::npos ? 0 : header_end + 2;
         index < variant.text.size();) {
        const auto end = std::min(variant.text.find('\n', index), variant.text.size());
        longest = std::max(longest, end - index);
        index = end + 1;
    }
    const float column = ui.metrics.text_width("0", 1, Face::mono) * ui.scale;
    const float columns = static_cast<float>(longest) + kNumbers;
    return std::clamp((width - ui.px(4)) / (columns * column), 11.0F, kTextSize);
}

struct KernelTextState {
    bool header_open = false;
    std::uint32_t followed = 0;  // the line that was last scrolled to
};

// The line of the action that was taken last, where one goes by lines or actions; 0: none. In a
// kernel that is edited always.
std::uint32_t current_line(const Ui& ui) {
    const session::StepView& view = ui.view<session::StepView>();
    const session::RunState& simulated = view.simulated();
    const bool edited = ui.session.kernels().editor.is_open();
    if ((view.grain() == session::Grain::pass && !edited) || !simulated.run || view.time() == 0 ||
        view.time() > simulated.run->actions())
        return 0;
    return simulated.run->timeline.actions[view.time() - 1].line;
}

// `column`: room at the right of what scrolls, for notes.
void source(Ui& ui, const catalogue::Variant& variant, const KernelMoment& moment, float column) {
    const std::uint32_t current = moment.line;
    KernelTextState& state = ui.state<KernelTextState>();
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
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
            const ImVec2 point = ImGui::GetCursorScreenPos();
            const auto line_number = static_cast<std::uint32_t>(number);
            line_place(ui, line_number, point, right);
            if (line_number == current) {
                ImDrawList& into = *ImGui::GetWindowDrawList();
                const float height = ImGui::GetTextLineHeight() + ui.px(2);
                into.AddRectFilled({point.x - ui.px(4), point.y - ui.px(1)},
                                   {right, point.y + height}, ui.colour(Role::act_fill), ui.px(3));
                into.AddRectFilled({point.x - ui.px(4), point.y - ui.px(1)},
                                   {point.x - ui.px(1), point.y + height}, ui.colour(Role::act));
                if (state.followed != current) ImGui::SetScrollHereY(0.4F);
                state.followed = current;
            }
            ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(Role::muted));
            ImGui::Text("%3d", number);
            ImGui::PopStyleColor();
            ImGui::SameLine(number_width, 0);
            source_line(ui, line, variant, in_comment);
            if (const auto notes = moment.notes(ui, line_number); !notes.empty()) {
                const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
                ImDrawList& into = *ImGui::GetWindowDrawList();
                // As high as what scrolls, without its scroll bar.
                into.PushClipRect({low.x, into.GetClipRectMin().y},
                                  {low.x + size.x + column, into.GetClipRectMax().y});
                draw_notes(ui, notes, point.y, low.x + size.x + column);
                into.PopClipRect();
            }
        }
        offset += end + 1;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    ImGui::PopStyleVar();
}

// The file's name, and the switch for its header.
void heading(Ui& ui, const catalogue::Variant& variant) {
    KernelTextState& state = ui.state<KernelTextState>();
    const std::string name = "kernels/" + variant.file.filename().string();
    {
        const TextStyle style(ui, Face::mono, kSmallSize, Role::muted);
        ImGui::AlignTextToFramePadding();
        ImGui::TextUnformatted(name.c_str());
    }
    const TextStyle style(ui, Face::sans, kSmallSize);
    const std::string fold = ui.tr()(state.header_open ? "kernel.fold" : "kernel.unfold");
    const std::string edit = ui.tr()("user_kernel.edit");
    const float room = line_end() - ImGui::GetItemRectSize().x;
    const float wide = ImGui::CalcTextSize((fold + edit).c_str()).x + ui.px(40);
    const float gap = ui.px(10);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), touch_padding(ui)});
    if (wide + gap < room) {
        ImGui::SameLine();
        ImGui::SetCursorPosX(line_end() - wide);
    }
    command_button(ui, "user_kernel.copy", edit);
    ImGui::SameLine();
    if (ImGui::Button((fold + "###fold").c_str())) state.header_open = !state.header_open;
    ImGui::PopStyleVar();
    tip(ui, ui.tr()("kernel.fold.tip"));
}

}  // namespace

void source_line(const Ui& ui, std::string_view line, const catalogue::Variant& variant,
                 bool& in_comment) {
    const std::vector<TextPiece> pieces = pieces_of(line, &variant, in_comment);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0) ImGui::SameLine(0, 0);
        ImGui::PushStyleColor(ImGuiCol_Text, ui.colour4(pieces[i].role));
        ImGui::TextUnformatted(pieces[i].text.data(),
                               pieces[i].text.data() + pieces[i].text.size());
        ImGui::PopStyleColor();
    }
    if (pieces.empty()) ImGui::TextUnformatted(" ");
}

void kernel_inside(Ui& ui, ImVec2 size, const KernelMoment& moment) {
    if (ui.session.kernels().editor.is_open()) {
        user_kernel_editor(ui, size, moment.line);
        return;
    }
    const catalogue::Variant* variant = ui.session.variant();
    if (variant == nullptr) return;
    const float width = size.x;
    heading(ui, *variant);
    const bool short_of_room = size.y / ui.scale < 400;
    if (!short_of_room) {  // the list of variants tells it too
        wrapped(ui.tr().get("variant." + variant->id + ".teaches", variant->teaches), width);
        gain_part(ui, *variant, size);
    }
    ImGui::Dummy({0, ui.px(4)});
    const float below = moment.host ? -host_height(ui, *variant, width) : 0;
    const auto lines =
        static_cast<std::size_t>(std::count(variant->text.begin(), variant->text.end(), '\n') + 1);
    const float column = std::min(notes_width(ui, moment.notes, lines), width / 2);
    ImGui::BeginChild("source", {width - column, below}, 0, ImGuiWindowFlags_HorizontalScrollbar);
    source(ui, *variant, moment, column);
    ImGui::EndChild();
    if (moment.host) host_part(ui, *variant, width);
}

void kernel_text(Ui& ui, const Area& area) {
    begin_card(ui, "kernel", area.at, area.size);
    kernel_inside(ui, ImGui::GetContentRegionAvail(), {current_line(ui), cost_notes});
    end_card();
}

}  // namespace lab::gui
