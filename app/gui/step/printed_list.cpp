#include "gui/step/printed_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/platform.h"
#include "gui/parts/scene_painter.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using analysis::PrintedText;
using figures::Face;
using figures::Role;

constexpr float kInset = 4;  // points from a row's frame to its text

struct PrintedListState {
    std::size_t followed = 0;  // rows that were lit when it was last drawn
};

// Left edges, from the window's, of order, work-item, line and text.
struct PrintColumns {
    float item = 0, line = 0, text = 0;
};

float wider(const std::string& heading, const std::string& text) {
    return std::max(ImGui::CalcTextSize(heading.c_str()).x, ImGui::CalcTextSize(text.c_str()).x);
}

// In a face of one width, the longest is the widest.
PrintColumns columns_of(const Ui& ui, const std::vector<PrintedText>& prints) {
    std::size_t item = 0;
    std::uint32_t line = 0;
    for (std::size_t i = 0; i < prints.size(); ++i) {
        if (prints[i].item_name.size() > prints[item].item_name.size()) item = i;
        line = std::max(line, prints[i].line);
    }
    const float gap = ui.px(14);
    PrintColumns columns;
    columns.item = ImGui::CalcTextSize(fmt::format("{}", prints.size()).c_str()).x + gap;
    columns.line = columns.item + gap + wider(ui.tr()("printed.item"), prints[item].item_name);
    columns.text = columns.line + gap + wider(ui.tr()("printed.line"), fmt::format("{}", line));
    return columns;
}

// Of several lines the first; the tip has them all.
std::string first_line(const std::string& text) {
    const std::size_t end = text.find('\n');
    return end == std::string::npos ? text : text.substr(0, end) + " …";
}

void at_column(float left, float column, const std::string& text) {
    ImGui::SameLine(left + column, 0);
    ImGui::TextUnformatted(text.c_str());
}

void printed_row(Ui& ui, const PrintedText& print, std::size_t place, const PrintColumns& columns,
                 bool seen) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const float left = ImGui::GetCursorPosX() + ui.px(kInset);
    const std::string text = first_line(print.text);
    const float width =
        std::max(ui.px(2 * kInset) + columns.text + ImGui::CalcTextSize(text.c_str()).x,
                 ImGui::GetContentRegionAvail().x);
    const ImVec2 high{low.x + width, low.y + ImGui::GetTextLineHeight() + ui.px(2)};
    ImDrawList& into = *ImGui::GetWindowDrawList();
    if (lit_place(ui, fmt::format("print {}", place), low, high)) {
        into.AddRectFilled(low, high, ui.colour(Role::act_fill), ui.px(3));
        into.AddRect(low, high, ui.colour(Role::act), ui.px(3));
    }
    ImGui::SetCursorPosX(left);
    ImGui::BeginGroup();
    {
        const TextStyle number(ui, Face::mono, kSmallSize, Role::muted);
        ImGui::TextUnformatted(fmt::format("{}", place + 1).c_str());
    }
    {
        const TextStyle style(ui, Face::mono, kSmallSize, seen ? Role::text : Role::muted);
        at_column(left, columns.item, print.item_name);
        at_column(left, columns.line, fmt::format("{}", print.line));
        at_column(left, columns.text, text);
    }
    ImGui::EndGroup();
    std::string note = ui.tr()(seen ? "printed.row" : "printed.row_later",
                               fmt::arg("item", print.item_name), fmt::arg("line", print.line),
                               fmt::arg("launch", print.launch), fmt::arg("time", print.time));
    if (platform::kBrowser) platform::describe(note + " " + print.text);
    if (text != print.text) note += "\n" + print.text;
    tip(ui, note);
}

// Below what has been printed so far.
void moment_rule(const Ui& ui) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float y = high.y + ui.px(2), right = low.x + ImGui::GetContentRegionAvail().x;
    ImGui::GetWindowDrawList()->AddLine({low.x, y}, {right, y}, ui.colour(Role::act), ui.px(1.5F));
}

void printed_headings(Ui& ui, const PrintColumns& columns) {
    const TextStyle style(ui, Face::mono, kSmallSize, Role::muted);
    const float left = ImGui::GetCursorPosX() + ui.px(kInset);
    ImGui::SetCursorPosX(left);
    ImGui::TextUnformatted("#");
    at_column(left, columns.item, ui.tr()("printed.item"));
    at_column(left, columns.line, ui.tr()("printed.line"));
    at_column(left, columns.text, ui.tr()("printed.text"));
}

// Where the moment has come to is kept in sight.
void follow_printed(PrintedListState& state, std::size_t seen, float height) {
    if (std::exchange(state.followed, seen) == seen) return;
    const float bottom = static_cast<float>(seen) * height;
    if (bottom - height < ImGui::GetScrollY() ||
        bottom > ImGui::GetScrollY() + ImGui::GetWindowHeight())
        ImGui::SetScrollY(std::max(0.0F, bottom - ImGui::GetWindowHeight() / 2));
}

}  // namespace

void printed_list(Ui& ui, const std::vector<PrintedText>& prints, std::uint64_t time,
                  std::uint64_t end) {
    const auto count = [&](std::uint64_t until) {
        const auto later =
            std::partition_point(prints.begin(), prints.end(),
                                 [&](const PrintedText& print) { return print.time <= until; });
        return static_cast<std::size_t>(later - prints.begin());
    };
    const std::size_t seen = count(time), shown = count(end);
    if (prints.empty()) return label(ui, ui.tr()("printed.none"));
    label(ui, shown == prints.size()
                  ? ui.tr()("printed.count", fmt::arg("seen", seen), fmt::arg("count", shown))
                  : ui.tr()("printed.count_hidden", fmt::arg("seen", seen)));
    PrintColumns columns;
    {
        const TextStyle style(ui, Face::mono, kSmallSize);
        columns = columns_of(ui, prints);
    }
    printed_headings(ui, columns);
    ImGui::BeginChild("prints", ImGui::GetContentRegionAvail(), 0,
                      ImGuiWindowFlags_HorizontalScrollbar);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, ui.px(3)});
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(shown));
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            const auto place = static_cast<std::size_t>(i);
            const PrintedText& print = prints[place];
            printed_row(ui, print, place, columns, print.time <= time);
            if (place + 1 == seen && seen < shown) moment_rule(ui);
        }
    follow_printed(ui.state<PrintedListState>(), seen, clipper.ItemsHeight);
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

}  // namespace lab::gui
