// The kernel of a page: its lines, of which one may be clicked, or a text to be edited.
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <utility>

#include "gui/kernels/kernel_captions.h"
#include "gui/kernels/numbered_text.h"
#include "gui/learn/learn_panels.h"
#include "gui/parts/widgets.h"

namespace lab::gui {
namespace {

using figures::Face;
using figures::Role;
using AskKind = lessons::Kind;

struct LearnEditor {
    std::string text;                // without the header
    std::string checked;             // the one that the marks are about
    std::uint64_t version = 0;       // of the page that it was taken from
    std::uint64_t replacements = 0;  // of the view, as seen last
    std::uint64_t reply = 0;         // likewise
    int refocus = 0;                 // tries to give it the keys
};

constexpr const char* kLearnText = "###learn.text";

bool is_marked(const lessons::Show& show, std::uint32_t line) {
    return std::any_of(show.lines.begin(), show.lines.end(), [&](const auto& range) {
        return range.first <= line && line <= range.second;
    });
}

constexpr float kLargest = 15, kSmallest = 11;  // points
constexpr float kLineHeight = 1.34F;            // of the size, and so many points between lines
constexpr float kBetween = 4, kBetweenClicked = 8;

bool line_is_asked(const session::LearnView& view) {
    return view.page()->ask && view.page()->ask->kind == AskKind::line;
}

float between_lines(const session::LearnView& view) {
    return line_is_asked(view) && !view.done() ? kBetweenClicked : kBetween;
}

std::vector<std::string_view> lines_of_page(const session::LearnView& view) {
    const std::string_view kernel = view.shown_page().kernel;
    std::vector<std::string_view> lines =
        lines_of(kernel.substr(lessons::header_of(kernel).size()));
    while (!lines.empty() && lines.back().find_first_not_of(" \r") == std::string_view::npos)
        lines.pop_back();
    return lines;
}

// Long lines are drawn smaller, and many of them, as far as they stay readable.
float size_for(const Ui& ui, const std::vector<std::string_view>& lines, ImVec2 room) {
    std::size_t longest = 0;
    for (const std::string_view line : lines)
        longest = std::max(longest, line.size());
    const float column = ui.metrics.text_width("0", 1, Face::mono) * ui.scale;
    const float wide = (room.x - ui.px(40)) / (static_cast<float>(longest + 5) * column);
    const float between = between_lines(ui.view<session::LearnView>());
    const float high =
        (room.y / ui.scale / static_cast<float>(std::max<std::size_t>(lines.size(), 1)) - between) /
        kLineHeight;
    return std::clamp(std::min(wide, std::max(high, 13.0F)), kSmallest, kLargest);
}

struct LearnKernelState {
    std::uint64_t version = 0;
};

void lines_to_read(Ui& ui, ImVec2 room) {
    const session::LearnView& view = ui.view<session::LearnView>();
    const lessons::Page& page = *view.page();
    const bool asks = line_is_asked(view);
    const bool open = asks && !view.done() && !ui.session.presenting();
    const std::vector<std::uint64_t>& picks = view.marked().picks;
    const std::string& kernel = view.shown_page().kernel;
    const std::string_view header = lessons::header_of(kernel);
    const auto before = static_cast<std::uint32_t>(std::count(header.begin(), header.end(), '\n'));
    const std::vector<std::string_view> lines = lines_of_page(view);
    const TextStyle style(ui, Face::mono, size_for(ui, lines, room));
    LearnKernelState& state = ui.state<LearnKernelState>();
    const bool other_page = state.version != view.shown_page().version;
    state.version = view.shown_page().version;
    // The marked lines are in sight, with some of what is above them.
    const float above = page.show.lines.empty() || page.show.lines.front().first <= before
                            ? 0.0F
                            : static_cast<float>(page.show.lines.front().first - before - 1);
    ImGui::BeginChild("learn.kernel", room, 0, ImGuiWindowFlags_HorizontalScrollbar);
    const float numbers = ImGui::CalcTextSize("000").x + ui.px(10);
    const float height = ImGui::GetTextLineHeight() + ui.px(between_lines(view));
    const bool all = static_cast<float>(lines.size()) * height <= room.y;
    if (other_page) ImGui::SetScrollY(all ? 0 : std::max(above - 1, 0.0F) * height);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    bool in_comment = false;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto number = static_cast<std::uint32_t>(i) + before + 1;
        const ImVec2 point = ImGui::GetCursorScreenPos();
        const bool chosen = asks && std::find(picks.begin(), picks.end(), number) != picks.end();
        bool hovered = false;
        if (open) {
            if (ImGui::InvisibleButton(fmt::format("line.{}", number).c_str(),
                                       {std::max(room.x - ui.px(16), 1.0F), height}))
                ui.change<session::LearnView>().choose(number);
            hovered = ImGui::IsItemHovered();
            tip(ui, ui.tr()("learn.line.tip"), "Tab, Enter");
        } else {
            ImGui::Dummy({1, height});
        }
        if (chosen || hovered || is_marked(page.show, number)) {
            const Role fill = chosen ? Role::act_fill : hovered ? Role::idle_fill : Role::read_fill;
            into.AddRectFilled(point, {point.x + room.x, point.y + height}, ui.colour(fill),
                               ui.px(3));
        }
        if (chosen)
            into.AddRectFilled(point, {point.x + ui.px(3), point.y + height}, ui.colour(Role::act));
        if (open && view.pointed() == number) {
            into.AddRect({point.x + 1, point.y + 1},
                         {point.x + room.x - ui.px(16), point.y + height}, ui.colour(Role::barrier),
                         ui.px(3), 0, ui.px(2.4F));
            if (!ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
        }
        const float y = point.y + (height - ImGui::GetTextLineHeight()) / 2;
        const std::string text = fmt::format("{:>3}", number);
        into.AddText({point.x + ui.px(6), y}, ui.colour(Role::muted), text.c_str());
        float x = point.x + numbers + ui.px(8);
        for (const TextPiece& piece : pieces_of(lines[i], nullptr, in_comment)) {
            into.AddText({x, y}, ui.colour(piece.role), piece.text.data(),
                         piece.text.data() + piece.text.size());
            x += ImGui::CalcTextSize(piece.text.data(), piece.text.data() + piece.text.size()).x;
        }
        ImGui::SetCursorScreenPos({point.x, point.y + height});
    }
    ImGui::Dummy({1, 1});
    ImGui::PopStyleVar();
    ImGui::EndChild();
}

// What the last check found, at its place in the text that it was found in.
EditorMarks marks_of(const Ui& ui, std::string_view header) {
    const auto& feedback = ui.view<session::LearnView>().feedback();
    EditorMarks marks;
    marks.before = static_cast<std::uint32_t>(std::count(header.begin(), header.end(), '\n'));
    if (!feedback) return marks;
    marks.marks = feedback->errors;
    marks.errors = marks.marks.size();
    return marks;
}

void text_to_edit(Ui& ui, ImVec2 room) {
    const session::LearnView& view = ui.view<session::LearnView>();
    LearnEditor& editor = ui.state<LearnEditor>();
    const std::string& draft =
        view.draft().texts.empty() ? view.shown_page().kernel : view.draft().texts.front();
    const std::string_view header = lessons::header_of(draft);
    // The field goes on while the picture changes, until another text takes its place.
    const std::uint64_t version = view.shown_page().opened + (view.done() ? 1'000'000'000 : 0);
    if (editor.version != version || draft.substr(header.size()) != editor.text) {
        editor.version = version;
        editor.text = draft.substr(header.size());
    }
    const TextStyle style(ui, Face::mono, 14);
    ImGui::PushID(static_cast<int>(version));
    // Whoever took a text away by a button can bring it back by Ctrl+Z at once.
    if (std::exchange(editor.replacements, view.replacements()) != view.replacements())
        editor.refocus = 3;
    const ImGuiID id = ImGui::GetID(kLearnText);
    if (editor.refocus > 0 && ImGui::GetActiveID() != id) {
        ImGui::ActivateItemByID(id);
        --editor.refocus;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + room.x, at.y + room.y},
                                              ui.colour(Role::background), ui.px(6));
    EditorMarks marks = marks_of(ui, header);
    if (editor.text != editor.checked) marks.marks.clear();
    const DrawnText drawn =
        numbered_text(ui, kLearnText, editor.text, room, marks, nullptr, view.done());
    if (drawn.edited)
        ui.change<session::LearnView>().set_text(
            0, std::string(lessons::header_of(view.shown_page().kernel)) + editor.text);
    if (std::exchange(editor.reply, view.reply_version()) != view.reply_version())
        editor.checked = editor.text;
    if (ImGui::GetActiveID() == id && view.just_replaced() &&
        ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Z))
        ui.run("undo");
    ImGui::PopID();
    tip(ui, ui.tr()("learn.text.tip"), "Ctrl+Enter");
}

}  // namespace

float learn_kernel_height(const Ui& ui) {
    const session::LearnView& view = ui.view<session::LearnView>();
    const float line = kLargest * kLineHeight + between_lines(view);
    return ui.px(static_cast<float>(lines_of_page(view).size()) * line + 54);
}

void learn_kernel(Ui& ui, ImVec2 room) {
    const session::LearnView& view = ui.view<session::LearnView>();
    if (view.page() == nullptr || view.shown_page().kernel.empty()) return;
    const bool edits = view.page()->ask && view.page()->ask->kind == AskKind::edit;
    {
        const TextStyle style(ui, Face::mono, kSmallSize, Role::muted);
        const std::string& kernel = edits ? view.page()->ask->start : view.page()->show.kernel;
        ImGui::TextUnformatted(kernel.c_str());
    }
    const float used = ImGui::GetTextLineHeightWithSpacing();
    room.y -= used;
    if (edits)
        text_to_edit(ui, room);
    else
        lines_to_read(ui, room);
}

}  // namespace lab::gui
