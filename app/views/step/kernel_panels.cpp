#include "views/step/kernel_panels.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <imgui.h>
// imgui.h first: these do not include it.
#include <imgui_internal.h>  // the scroll and the state of the text that is being edited
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>

#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/number.h"
#include "catalogue/plan.h"
#include "gui/choice_fields.h"
#include "gui/widgets.h"
#include "lang/compile.h"
#include "views/step/step.h"
#include "views/step/step_panels.h"
#include "views/step/step_text_panels.h"

namespace lab::gui {

using catalogue::ArgumentRow;
using catalogue::LaunchForm;
using catalogue::TextMark;
using lang::Parameter;

// The text, its colours, and what is wrong with it.

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static Role role_of(std::string_view word, const catalogue::Kernel* variant) {
    if (variant != nullptr && (word == "T" || word == "COMBINE" || word == "IDENTITY" ||
                               variant->toggle(word) != nullptr))
        return Role::act;
    if (word == "barrier" || word == "work_group_barrier") return Role::barrier_text;
    return Role::text;
}

std::vector<TextPiece> pieces_of(std::string_view line, const catalogue::Kernel* variant,
                                 bool& in_comment) {
    std::vector<TextPiece> pieces;
    for (std::size_t index = 0; index < line.size();) {
        std::size_t end = index + 1;
        Role role = Role::text;
        if (in_comment || line.substr(index).starts_with("/*")) {
            const auto close = line.find("*/", in_comment ? index : index + 2);
            in_comment = close == std::string_view::npos;
            end = in_comment ? line.size() : close + 2;
            role = Role::muted;
        } else if (line.substr(index).starts_with("//")) {
            end = line.size();
            role = Role::muted;
        } else {
            const bool word = is_word(line[index]);
            while (end < line.size() && is_word(line[end]) == word && line[end] != '/')
                ++end;
            if (word) role = role_of(line.substr(index, end - index), variant);
        }
        pieces.push_back({line.substr(index, end - index), role});
        index = end;
    }
    return pieces;
}

template <typename Finding>
static TextMark mark_of(const Finding& finding, TextMark::Kind kind, const Translations& tr) {
    TextMark mark;
    mark.kind = kind;
    if (finding.place.file == lang::kTextFile) {
        mark.line = finding.place.line;
        mark.column = finding.place.column;
        mark.length = finding.place.length;
    }
    Problem problem(finding.what, finding.why, finding.hint);
    problem.phrases = finding.phrases;
    problem = translated(problem, tr);
    mark.message = problem.what_happened;
    mark.why = problem.why;
    mark.hint = problem.hint;
    return mark;
}

// The run of the text as it stands in the editor.
static const machine::Run* run_of(const session::Session& session) {
    const session::RunState& machine = session.view<session::StepView>().simulated;
    if (!machine.run || machine.problem || machine.run->run == nullptr) return nullptr;
    const std::string& text = machine.run->spec.kernel.text;
    return text == session.kernels.editor.draft ? machine.run->run : nullptr;
}

EditorMarks editor_marks(const session::Session& session, std::uint32_t line) {
    EditorMarks marks;
    marks.marks = session.kernels.editor.facts.marks;
    for (TextMark& mark : marks.marks)
        for (std::string* text : {&mark.message, &mark.why, &mark.hint})
            *text = session.words().message(*text);
    marks.errors = count_if(
        marks.marks, [](const TextMark& mark) { return mark.kind == TextMark::Kind::error; });
    const machine::Run* run = run_of(session);
    if (run == nullptr) return marks;
    marks.ran = true;
    if (run->fault())
        marks.marks.push_back(mark_of(*run->fault(), TextMark::Kind::error, session.words()));
    for (const machine::Finding& finding : run->findings())
        marks.marks.push_back(mark_of(finding, TextMark::Kind::warning, session.words()));
    marks.now = line;
    return marks;
}

constexpr int kIndentation = 4;  // spaces

std::string indentation_at(std::string_view text, std::size_t at) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::string_view before = text.substr(line, at - line);
    const std::size_t first = std::min(before.find_first_not_of(" \t"), before.size());
    const std::size_t last = before.find_last_not_of(" \t");
    std::string spaces(before.substr(0, first));
    if (last != std::string_view::npos && before[last] == '{') spaces.append(kIndentation, ' ');
    return spaces;
}

std::optional<std::size_t> matching_bracket(std::string_view text, std::size_t at) {
    constexpr std::string_view kOpening = "([{", kClosing = ")]}";
    if (at >= text.size()) return {};
    const bool opens = kOpening.find(text[at]) != std::string_view::npos;
    const std::size_t kind = (opens ? kOpening : kClosing).find(text[at]);
    if (kind == std::string_view::npos) return {};
    int depth = 0;
    for (std::size_t place = at; place < text.size(); opens ? ++place : --place) {
        if (text[place] == kOpening[kind]) ++depth;
        if (text[place] == kClosing[kind]) --depth;
        if (depth == 0) return place;
    }
    return {};
}

std::size_t match_after(std::span<const std::size_t> matches, std::size_t at, int steps) {
    if (matches.empty()) return 0;
    const auto found = std::lower_bound(matches.begin(), matches.end(), at);
    const bool there = found != matches.end() && *found == at;
    const auto count = std::ssize(matches);
    const auto place = found - matches.begin() + steps - (steps > 0 && !there ? 1 : 0);
    return static_cast<std::size_t>((place % count + count) % count);
}

namespace {

// What was typed since the text was drawn last; and what is to be selected now.
struct TypedChars {
    std::size_t count = 0;
    ImWchar last = 0;
    std::optional<std::pair<int, int>> select;
};

// A new line is indented, a tab becomes spaces; Shift+Tab, or a '}' that begins a line, takes those
// at the line's start away.
int after_typing(ImGuiInputTextCallbackData* data) {
    TypedChars& typed = *static_cast<TypedChars*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter) {
        // Alt+Enter checks the answer that the text is.
        if (data->EventChar == '\n' && ImGui::GetIO().KeyAlt) return 1;
        ++typed.count;
        typed.last = data->EventChar;
        return 0;
    }
    if (typed.select && data->EventFlag == ImGuiInputTextFlags_CallbackAlways) {
        data->SelectionStart = typed.select->first;
        data->SelectionEnd = data->CursorPos = typed.select->second;
    }
    const std::string_view text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const auto at = static_cast<std::size_t>(data->CursorPos);
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const std::size_t first = std::min(text.find_first_not_of(' ', line), text.size());
    if (data->EventFlag == ImGuiInputTextFlags_CallbackEdit) {
        if (typed.count != 1 || at == 0) return 0;  // pasted, taken away or brought back
        if (typed.last == '\n')
            data->InsertChars(data->CursorPos, indentation_at(text, at - 1).c_str());
        if (typed.last == '\t') {
            data->DeleteChars(data->CursorPos - 1, 1);
            const std::string spaces(kIndentation - (at - 1 - line) % kIndentation, ' ');
            data->InsertChars(data->CursorPos, spaces.c_str());
        }
        if (typed.last == '}' && first == at - 1 && first >= line + kIndentation)
            data->DeleteChars(static_cast<int>(line), kIndentation);
    } else if ((data->Flags & ImGuiInputTextFlags_ReadOnly) == 0 && ImGui::GetIO().KeyShift &&
               ImGui::IsKeyPressed(ImGuiKey_Tab)) {
        data->DeleteChars(static_cast<int>(line),
                          static_cast<int>(std::min<std::size_t>(first - line, kIndentation)));
    }
    return 0;
}

// The scrolled part of the text, in pixels of the screen.
struct TextView {
    ImVec2 origin;  // of the first line's first character
    ImRect clip;
    float line = 0, left = 0, right = 0;
};

struct DrawnText {
    bool edited = false;
    std::optional<TextView> view;  // empty: it is not in sight
};

std::optional<TextView> view_of(ImGuiID id) {
    const ImGuiWindow* parent = ImGui::GetCurrentWindow();
    for (const ImGuiWindow* child : parent->DC.ChildWindows) {
        if (child->ChildId != id) continue;
        TextView view;
        const ImGuiInputTextState* typing = ImGui::GetInputTextState(id);
        const float scrolled =
            typing != nullptr && ImGui::GetActiveID() == id ? typing->Scroll.x : 0;
        const ImVec2 pad = ImGui::GetStyle().FramePadding;
        view.origin = {child->Pos.x + pad.x - scrolled, child->Pos.y + pad.y - child->Scroll.y};
        view.clip = child->InnerClipRect;
        view.line = ImGui::GetFontSize();
        view.left = child->Pos.x;
        view.right = child->Pos.x + child->Size.x;
        return view;
    }
    return std::nullopt;
}

// What lies under the text: the line of the run, and what is wrong, as a ground and a stroke.
void draw_grounds(const Ui& ui, const TextView& view, const EditorMarks& marks,
                  const std::vector<std::string_view>& lines, float gutter) {
    const Pen pen(ui);
    const auto row_of = [&](std::uint32_t line) {
        return static_cast<float>(line - marks.before - 1);
    };
    const auto ground = [&](std::uint32_t line, Role role) {
        const float y = view.origin.y + row_of(line) * view.line;
        pen.fill({view.left - gutter, y}, {view.right, y + view.line}, role);
    };
    if (marks.now > marks.before) ground(marks.now, Role::act_fill);
    for (std::size_t i = 0; marks.ran && i < lines.size(); ++i)
        line_place(ui, static_cast<std::uint32_t>(i + 1) + marks.before,
                   {view.left - gutter, view.origin.y + static_cast<float>(i) * view.line},
                   view.right);
    for (const TextMark& mark : marks.marks) {
        if (mark.line <= marks.before || mark.line - marks.before > lines.size()) continue;
        const bool error = mark.kind == TextMark::Kind::error;
        if (error) ground(mark.line, Role::race_fill);
        if (mark.column == 0) continue;
        const std::string_view line = lines[mark.line - marks.before - 1];
        const std::size_t first = std::min<std::size_t>(mark.column - 1, line.size());
        const std::size_t count =
            std::min<std::size_t>(std::max(1U, mark.length), line.size() - first);
        const auto width = [](std::string_view text) {
            return text.empty() ? 0.0F
                                : ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
        };
        const float x = view.origin.x + width(line.substr(0, first));
        const float end = x + std::max(width(line.substr(first, count)), ui.px(6));
        const float y = view.origin.y + (row_of(mark.line) + 1) * view.line - ui.px(1);
        pen.fill({x, y - ui.px(1.5F)}, {end, y}, error ? Role::race : Role::barrier);
    }
}

// Where a byte of the text is drawn.
ImVec2 place_of(const TextView& view, std::string_view text, std::size_t at) {
    const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const auto row = std::count(text.begin(), text.begin() + static_cast<long>(line), '\n');
    return {view.origin.x + ImGui::CalcTextSize(text.data() + line, text.data() + at).x,
            view.origin.y + static_cast<float>(row) * view.line};
}

// The bracket before the caret, or behind it, and the one that belongs to it.
void draw_brackets(const Ui& ui, const TextView& view, std::string_view text, std::size_t caret) {
    const Pen pen(ui);
    for (const std::size_t bracket : {caret - 1, caret}) {
        const auto other = matching_bracket(text, bracket);
        if (!other) continue;
        for (const std::size_t each : {bracket, *other}) {
            const ImVec2 at = place_of(view, text, each);
            pen.frame(at, {at.x + ImGui::CalcTextSize("(").x, at.y + view.line}, Role::act,
                      ui.px(2), ui.px(1));
        }
        return;
    }
}

void draw_lines(const Ui& ui, const TextView& view, const EditorMarks& marks,
                const std::vector<std::string_view>& lines, const catalogue::Kernel* variant,
                float gutter, float column) {
    const Pen pen(ui);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    bool in_comment = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto pieces = pieces_of(lines[i], variant, in_comment);
        const float y = view.origin.y + static_cast<float>(i) * view.line;
        if (y + view.line < view.clip.Min.y || y > view.clip.Max.y) continue;
        const auto number = static_cast<std::uint32_t>(i + 1) + marks.before;
        const std::string text = fmt::format("{}", number);
        const bool wrong = any_of(marks.marks, [&](const TextMark& mark) {
            return mark.line == number && mark.kind == TextMark::Kind::error;
        });
        const float x = view.left - ui.px(8) - words_width(text);
        pen.text({x, y}, text, wrong ? Role::race : Role::muted);
        if (wrong) pen.text({view.left - gutter, y}, "!", Role::race);
        if (number == marks.now) {
            const float half = view.line * 0.22F;
            const ImVec2 point{view.left - gutter + half, y + view.line / 2};
            if (!wrong)
                pen.triangle({point.x - half, point.y - half}, {point.x + half, point.y},
                             {point.x - half, point.y + half}, Role::act);
        }
        float at = view.origin.x;
        into.PushClipRect(view.clip.Min, view.clip.Max, true);
        for (const TextPiece& piece : pieces) {
            const char* end = piece.text.data() + piece.text.size();
            into.AddText({at, y}, ui.colour(piece.role), piece.text.data(), end);
            at += ImGui::CalcTextSize(piece.text.data(), end).x;
        }
        into.PopClipRect();
        if (marks.ran) draw_notes(ui, cost_notes(ui, number), y, view.right + column);
    }
}

// The search in a text: where it has come to, and what is to follow from that.
struct SearchState {
    std::vector<std::size_t> matches;
    std::size_t at = 0;  // where the match that is shown begins
    bool moved = false;  // which is to be brought in sight
    int returns = 0;     // frames in which the text gets the keys back, that match selected
};

// The field above the text, with the keys or without; `selected` in the text, if that has them.
void search_bar(Ui& ui, std::string_view text, std::optional<std::pair<int, int>> selected,
                float width) {
    session::TextSearch& search = ui.change().kernels.search;
    SearchState& state = ui.state<SearchState>();
    const ImGuiID id = ImGui::GetID("###text.sought");
    const auto place = [&](int at) { return std::min(static_cast<std::size_t>(at), text.size()); };
    const std::size_t first = selected ? place(std::min(selected->first, selected->second)) : 0;
    const std::size_t last = selected ? place(std::max(selected->first, selected->second)) : 0;
    if (selected && (search.begins || search.steps != 0)) state.at = first;
    const bool begins = std::exchange(search.begins, false);
    const std::string_view word = text.substr(first, last - first);
    if (begins && !word.empty() && word.find('\n') == std::string_view::npos) search.sought = word;
    if (begins) ImGui::SetKeyboardFocusHere();
    const bool active = ImGui::GetActiveID() == id;
    const bool ends = (active || selected) && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
    const std::string count = search.sought.empty()
                                  ? std::string()
                                  : ui.tr()("user_kernel.matches", arg("number", search.number),
                                            arg("count", search.count));
    const TextStyle style(ui, Face::sans, kSmallSize);
    const Scope padding = with_style(ImGuiStyleVar_FramePadding, {ui.px(8), touch_padding(ui)});
    const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    const float signs = 2 * (ui.px(ui.window().x < 520 ? 36 : 52) + gap) + ui.px(kTouch);
    const float words =
        words_width(ui.tr()("user_kernel.matches", arg("number", 88), arg("count", 88)));
    ImGui::SetNextItemWidth(std::max(width - signs - words - 2 * gap, ui.px(60)));
    const std::string before = search.sought;
    ImGuiIO& io = ImGui::GetIO();
    io.ConfigInputTextEnterKeepActive = true;  // the field keeps the keys
    if (ImGui::InputTextWithHint("###text.sought", ui.tr()("user_kernel.sought").c_str(),
                                 &search.sought, ImGuiInputTextFlags_EnterReturnsTrue))
        search.steps += io.KeyShift ? -1 : 1;
    io.ConfigInputTextEnterKeepActive = false;
    if (ends) search.sought = before;  // which Escape would take back
    tip(ui, ui.tr()("user_kernel.sought.tip"), "Ctrl+F");
    ImGui::SameLine();
    framed_line(ui, count, Face::sans, kSmallSize, search.count == 0 ? Role::race : Role::muted);
    ImGui::SameLine(left + width - signs, 0);
    sign_button(ui, "user_kernel.find_previous", Sign::back);
    ImGui::SameLine();
    sign_button(ui, "user_kernel.find_next", Sign::forward);
    const bool closed = close_button(ui, "text.sought.close", left + width, top + ui.px(4));
    command_tip(ui, ui.session.command("cancel"));

    state.matches = session::matches_in(text, search.sought);
    search.count = state.matches.size();
    const bool other = begins || search.sought != before;
    const int steps = std::exchange(search.steps, 0);
    const std::size_t match = match_after(state.matches, state.at, steps);
    search.number = search.count == 0 ? 0 : match + 1;
    if ((other || steps != 0) && search.count > 0) {
        state.at = state.matches[match];
        state.moved = true;
    }
    if (!ends && !closed) return;
    search.open = false;
    state.returns = 3;
}

// A frame around each match, a thick one around that which is shown.
void draw_matches(const Ui& ui, const TextView& view, std::string_view text,
                  const SearchState& found, std::size_t length) {
    const Pen pen(ui);
    std::size_t line = 0, row = 0;
    for (const std::size_t match : found.matches) {
        for (std::size_t end = text.find('\n', line); end < match; end = text.find('\n', line)) {
            line = end + 1;
            ++row;
        }
        const float x =
            view.origin.x + ImGui::CalcTextSize(text.data() + line, text.data() + match).x;
        const float y = view.origin.y + static_cast<float>(row) * view.line;
        const ImVec2 low{x, y};
        const ImVec2 high{
            x + ImGui::CalcTextSize(text.data() + match, text.data() + match + length).x,
            y + view.line};
        const bool shown = match == found.at;
        pen.fill(low, high, shown ? Role::act_fill : Role::read_fill);
        pen.frame(low, high, shown ? Role::act : Role::read, ui.px(2), ui.px(shown ? 2 : 1));
    }
}

// Scrolls a text so that the line, from 0, is in sight.
void show_line(ImGuiID id, const TextView& view, float line) {
    const float y = view.origin.y + line * view.line;
    if (y >= view.clip.Min.y && y + view.line <= view.clip.Max.y) return;
    for (ImGuiWindow* child : ImGui::GetCurrentWindow()->DC.ChildWindows)
        if (child->ChildId == id)
            ImGui::SetScrollY(child,
                              std::max(0.0F, line * view.line - child->InnerRect.GetHeight() / 2));
}

// Keeps what can be undone in a text while another field is typed in: ImGui has one state for all
// fields, so the part of it that knows the edits is in there only while its text is drawn.
class KeptEdits {
  public:
    // Returns where the selection of a text that has the keys begins and ends.
    std::optional<std::pair<int, int>> selected(ImGuiID id) const {
        if (ImGui::GetActiveID() != id) return std::nullopt;
        return std::pair(edits_.GetSelectionStart(), edits_.GetSelectionEnd());
    }
    // Call before the text is drawn. If it has the keys again, returns what it has selected now.
    std::optional<std::pair<int, int>> put_back(ImGuiID id, const std::string& text) {
        ImGuiInputTextState* state = ImGui::GetInputTextState(id);
        drawn_before_ = state != nullptr;
        if (state == nullptr) return std::nullopt;
        const std::pair now{state->GetSelectionStart(), state->GetSelectionEnd()};
        const bool again = std::exchange(anew_, false);
        if (again && (id != id_ || text != text_)) return std::nullopt;
        std::swap(state->Stb, edits_.Stb);
        if (state->WantReloadUserBuf) state->ReloadUserBufAndKeepSelection();
        return again ? std::optional(now) : std::nullopt;
    }
    // Call after it is drawn.
    void take_out(ImGuiID id, const std::string& text) {
        ImGuiInputTextState* state = ImGui::GetInputTextState(id);
        anew_ = state != nullptr && !drawn_before_;
        if (state == nullptr || anew_) return;
        std::swap(state->Stb, edits_.Stb);
        id_ = id;
        text_ = text;
    }

  private:
    ImGuiInputTextState edits_;
    ImGuiID id_ = 0;
    std::string text_;
    bool drawn_before_ = false, anew_ = false;
};

DrawnText draw_text(Ui& ui, const char* name, std::string& text, ImVec2 size,
                    const EditorMarks& marks, const catalogue::Kernel* variant, bool read_only,
                    TypedChars& typed) {
    const ImGuiID id = ImGui::GetID(name);
    ImGuiInputTextState* typing =
        ImGui::GetActiveID() == id ? ImGui::GetInputTextState(id) : nullptr;
    SearchState& search = ui.state<SearchState>();
    const bool returns = search.returns > 0;
    const std::size_t length = ui.session.kernels.search.sought.size();
    const std::size_t last = text_lines(text).size() + marks.before;
    const float digit = ImGui::CalcTextSize("0").x;
    const float gutter = digit * static_cast<float>(std::to_string(last).size() + 2) + ui.px(10);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + gutter);
    // The text itself is drawn by us, in colours; what ImGui draws is what it adds to it.
    const ImVec4 none{0, 0, 0, 0};
    ImVec4 selected = ui.colour4(Role::act);
    selected.w = 0.25F;
    ImGui::PushStyleColor(ImGuiCol_Text, none);
    ImGui::PushStyleColor(ImGuiCol_FrameBg, none);
    ImGui::PushStyleColor(ImGuiCol_Border, none);
    ImGui::PushStyleColor(ImGuiCol_TextSelectedBg, selected);
    const float column = marks.ran ? std::min(notes_width(ui, cost_notes, last), size.x / 3) : 0;
    // Escape leaves the text; it does not take back what was typed.
    if (typing != nullptr) {
        ImGui::SetKeyOwner(ImGuiKey_Tab, id);  // with Shift, too, it stays here
        typing->TextToRevertTo.resize(static_cast<int>(text.size()) + 1);
        std::copy_n(text.c_str(), text.size() + 1, typing->TextToRevertTo.Data);
    }
    DrawnText drawn;
    const bool moved = std::exchange(search.moved, false);
    if (returns && typing == nullptr) {
        ImGui::ActivateItemByID(id);
        --search.returns;
    } else if (typing != nullptr && (returns || moved)) {
        const std::size_t from = std::min(search.at, text.size());
        const std::size_t end = from + (ui.session.kernels.search.count > 0 ? length : 0);
        typed.select = {static_cast<int>(from), static_cast<int>(end)};
        if (returns) search.returns = 0;
    }
    drawn.edited = ImGui::InputTextMultiline(
        name, &text, {size.x - gutter - column, size.y},
        ImGuiInputTextFlags_AllowTabInput | ImGuiInputTextFlags_CallbackCharFilter |
            ImGuiInputTextFlags_CallbackEdit | ImGuiInputTextFlags_CallbackAlways |
            (read_only ? ImGuiInputTextFlags_ReadOnly : ImGuiInputTextFlags_None),
        after_typing, &typed);
    ImGui::PopStyleColor(4);
    drawn.view = view_of(id);
    if (!drawn.view) return drawn;
    const std::vector<std::string_view> now = text_lines(text);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    into.PushClipRect({drawn.view->left - gutter, drawn.view->clip.Min.y},
                      {drawn.view->right + column, drawn.view->clip.Max.y}, true);
    // ImGui scrolls sideways only what has the keys.
    if (typing == nullptr && !search.matches.empty()) {
        const float right =
            place_of(*drawn.view, text, std::min(search.at + length, text.size())).x;
        drawn.view->origin.x -= std::max(0.0F, right + ui.px(24) - drawn.view->clip.Max.x);
    }
    draw_grounds(ui, *drawn.view, marks, now, gutter);
    draw_matches(ui, *drawn.view, text, search, length);
    if (moved && typing == nullptr)
        show_line(id, *drawn.view,
                  static_cast<float>(
                      std::count(text.begin(), text.begin() + static_cast<long>(search.at), '\n')));
    if (typing != nullptr && ImGui::GetActiveID() == id)
        draw_brackets(ui, *drawn.view, text, static_cast<std::size_t>(typing->GetCursorPos()));
    draw_lines(ui, *drawn.view, marks, now, variant, gutter, column);
    into.PopClipRect();
    return drawn;
}

DrawnText draw_numbered(Ui& ui, const char* name, std::string& text, ImVec2 size,
                        const EditorMarks& marks, const catalogue::Kernel* variant,
                        bool read_only = false) {
    const ImGuiID id = ImGui::GetID(name);
    KeptEdits& edits = ui.state<KeptEdits>();
    if (ui.session.kernels.search.open) {
        const float top = ImGui::GetCursorPosY();
        search_bar(ui, text, edits.selected(id), size.x);
        size.y -= ImGui::GetCursorPosY() - top;
    } else {
        ui.state<SearchState>().matches.clear();
    }
    TypedChars typed;
    typed.select = edits.put_back(id, text);
    DrawnText drawn = draw_text(ui, name, text, size, marks, variant, read_only, typed);
    edits.take_out(id, text);
    return drawn;
}

}  // namespace

bool numbered_text(Ui& ui, const char* id, std::string& text, ImVec2 size, const EditorMarks& marks,
                   const catalogue::Kernel* variant, bool read_only) {
    return draw_numbered(ui, id, text, size, marks, variant, read_only).edited;
}

// The editor of the kernel that is open.

namespace {

struct EditorState {
    std::string file, text;
    std::uint64_t version = 0;  // of the draft that `text` was taken from
    int refocus = 0;           // frames in which the text gets the keys back, once it has lost them
    std::uint32_t wanted = 0;  // a line to go to
    std::uint32_t followed = 0;  // the line of the run that was gone to last
};

constexpr const char* kKernelText = "###user_kernel.text";

// The file's name, whether it is saved, and what can be done with it.
void editor_heading(Ui& ui, float width) {
    const session::KernelEditor& own = ui.session.kernels.editor;
    const std::string save = ui.tr()("user_kernel.save"), guess = ui.tr()("user_kernel.guess");
    const Scope padding = with_style(ImGuiStyleVar_FramePadding, {ui.px(8), touch_padding(ui)});
    const bool form = ui.choice().user_kernel.has_value();
    float buttons = words_width(save) + ui.px(16);
    if (form) buttons += words_width(guess) + ui.px(24);
    const float left = ImGui::GetCursorPosX();
    std::string name = std::filesystem::path(own.file).filename().string();
    if (own.unsaved()) name += " •";
    const float room = (width - buttons - ui.px(24)) / ui.scale;
    framed_line(ui, ui.metrics.shortened(name, room, kSmallSize, Face::mono), Face::mono,
                kSmallSize, Role::muted);
    tip(ui, own.has_path() ? own.file : ui.tr()("user_kernel.no_file.tip"));
    ImGui::SameLine(left + width - buttons, 0);
    if (form) {
        command_button(ui, "user_kernel.guess", guess);
        ImGui::SameLine();
    }
    command_button(ui, "user_kernel.save", save);
}

// How the text stands to its file, where that is worth a word.
void notices(Ui& ui, float width) {
    const session::KernelEditor& own = ui.session.kernels.editor;
    if (own.problem) {
        problem_card(ui, *own.problem, width);
        if (ImGui::Button((ui.tr()("problem.forget") + "###user_kernel.forget").c_str()))
            set_problem(ui.change().kernels.editor, {});
    }
    const TextStyle style(ui, Face::sans, kSmallSize);
    if (own.outside.has_value()) {
        message_box(ui, ui.tr()("user_kernel.differs"), Tone::wrong, width);
        ImGui::Dummy({0, ui.px(9)});
        command_button(ui, "user_kernel.take", ui.tr()("user_kernel.take"));
        ImGui::SameLine();
        command_button(ui, "user_kernel.save", ui.tr()("user_kernel.keep"));
    } else if (own.gone && own.has_path()) {
        message_box(ui, ui.tr()("user_kernel.gone"), Tone::plain, width);
        ImGui::Dummy({0, ui.px(9)});
    }
}

// Scrolls to a line that was asked for, or that the run has come to, where it is not in view.
void follow(EditorState& editor, const EditorMarks& marks, ImGuiID id, const TextView& view) {
    std::uint32_t line = std::exchange(editor.wanted, 0U);
    if (line == 0 && marks.now != editor.followed && ImGui::GetActiveID() != id) line = marks.now;
    editor.followed = marks.now;
    if (line > 0) show_line(id, view, static_cast<float>(line - 1));
}

// Keys that act while one types: those of the commands, for which nothing else listens then.
void typing_keys(Ui& ui, EditorState& editor, ImGuiID id) {
    if (ImGui::GetActiveID() != id) return;
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Enter)) {
        ui.run("user_kernel.run");
        editor.refocus = 3;
    }
    if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_S))
        ui.run("user_kernel.save");
}

void take_draft(const session::KernelEditor& own, EditorState& editor, ImGuiID id) {
    if (editor.file == own.file && editor.version == own.version) return;
    editor.file = own.file;
    editor.version = own.version;
    editor.text = own.draft;
    if (ImGuiInputTextState* typing = ImGui::GetInputTextState(id))
        typing->ReloadUserBufAndKeepSelection();
}

void text_part(Ui& ui, const EditorMarks& marks, ImVec2 size) {
    EditorState& editor = ui.state<EditorState>();
    const TextStyle style(ui, Face::mono, kTextSize - 0.5F);
    const ImGuiID id = ImGui::GetID(kKernelText);
    take_draft(ui.session.kernels.editor, editor, id);
    typing_keys(ui, editor, id);
    if (editor.refocus > 0 && --editor.refocus >= 0 && ImGui::GetActiveID() != id) {
        ImGui::ActivateItemByID(id);
        editor.refocus = 0;
    }
    const DrawnText drawn = draw_numbered(ui, kKernelText, editor.text, size, marks,
                                          ui.choice().user_kernel ? nullptr : ui.session.variant());
    if (drawn.edited) edit_text(ui.change().kernels.editor, editor.text);
    if (!drawn.view) return;
    follow(editor, marks, id, *drawn.view);
}

// A line each: click one to go to it.
void list_part(Ui& ui, const EditorMarks& marks) {
    const TextStyle style(ui, Face::sans, kSmallSize);
    const std::string& colon = ui.tr()("figure.colon");
    for (std::size_t i = 0; i < marks.marks.size(); ++i) {
        const TextMark& mark = marks.marks[i];
        const bool error = mark.kind == TextMark::Kind::error;
        const std::string where =
            mark.line > 0 ? ui.tr()("user_kernel.line", arg("line", mark.line)) + colon : "";
        std::string text = fmt::format("{}{}{}", error ? "! " : "", where, mark.message);
        for (const std::string* more : {&mark.why, &mark.hint})
            if (!more->empty()) text = as_sentence(ui, text) + ui.tr()("figure.space") + *more;
        const Scope colour = with_colour(ui, ImGuiCol_Text, error ? Role::race : Role::muted);
        const Scope id = with_id(static_cast<int>(i));
        const ImVec2 point = ImGui::GetCursorPos();
        const float width = ImGui::GetContentRegionAvail().x;
        const ImVec2 taken = ImGui::CalcTextSize(text.c_str(), nullptr, false, width);
        if (ImGui::InvisibleButton("mark", {width, taken.y}))
            ui.state<EditorState>().wanted = mark.line;
        ImGui::SetCursorPos(point);
        wrapped(text, width);
    }
}

}  // namespace

void user_kernel_editor(Ui& ui, ImVec2 size, std::uint32_t line) {
    const float end = ImGui::GetCursorPosY() + size.y;
    editor_heading(ui, size.x);
    notices(ui, size.x);
    const EditorMarks marks = editor_marks(ui.session, line);
    const float list =
        marks.marks.empty()
            ? 0
            : std::min(size.y * 0.35F, ui.px(12 + 34 * static_cast<float>(std::min<std::size_t>(
                                                           marks.marks.size(), 4))));
    const std::string status =
        ui.tr()(ui.session.kernels.editor.due.has_value() ? "user_kernel.typing"
                : marks.errors == 0                       ? "user_kernel.runs"
                                                          : "user_kernel.does_not");
    const float foot = ui.px(22);
    const float height = end - ImGui::GetCursorPosY() - list - foot - ui.px(6);
    text_part(ui, marks, {size.x, std::max(height, ui.px(60))});
    label(ui, status);
    if (list > 0) {
        const Scope child = begin_child("marks", {size.x, list});
        list_part(ui, marks);
    }
}

// The launch as a form, and what its buffers hold at the end.

namespace {

// What a buffer can be filled with; another text is what was typed in.
constexpr std::array kFills{"none", "ramp", "random", "zero", "values"};

std::string fill_kind(const std::string& fill) {
    if (fill.empty()) return "none";
    if (fill == "ramp") return "ramp";
    if (fill.starts_with("random:")) return "random";
    return fill == "0" ? "zero" : "values";
}

std::optional<std::uint64_t> typed_count(Ui& ui, const std::string& id, std::uint64_t now,
                                         std::uint64_t most, float width) {
    const auto text = typed(ui, id, std::to_string(now), width);
    if (!text) return std::nullopt;
    std::uint64_t read = 0;
    const char* end = text->data() + text->size();
    if (std::from_chars(text->data(), end, read).ec != std::errc()) return std::nullopt;
    return std::clamp<std::uint64_t>(read, 1, most);
}

// "64", "8x8": each `least` at least, `most` in all.
std::optional<Extent> typed_extent(Ui& ui, const std::string& id, const Extent& now,
                                   std::uint64_t least, std::uint64_t most, float width) {
    const auto text = typed(ui, id, size_text(now), width);
    if (!text) return std::nullopt;
    try {
        Extent read = catalogue::parse_extent(*text);
        if (read.dims == 1) return Extent(std::clamp(read.sizes[0], least, most));
        for (std::uint64_t& size : read.sizes)
            size = std::max(size, least);
        if (read.items() <= most) return read;
    } catch (const Problem&) {  // the field shows again what holds
    }
    return std::nullopt;
}

void fill_field(Ui& ui, ArgumentRow& row, float width) {
    const std::string kind = fill_kind(row.fill);
    const bool asks = kind == "random" || kind == "values";
    const float rest = asks ? width * 0.55F - ui.px(4) : 0;
    const auto words = mapped<std::string>(
        kFills, [&](const char* each) { return ui.tr()(std::string("user_kernel.fill_") + each); });
    const auto now =
        combo(ui, ("###fill." + row.name).c_str(), words, position_of(kFills, kind), width - rest);
    tip(ui, ui.tr()("user_kernel.fill.tip"));
    constexpr std::array kFirst{"", "ramp", "random:1", "0", "7,1,6,8,5,6,7,1"};
    if (now) row.fill = kFirst.at(*now);
    if (!asks || now) return;
    ImGui::SameLine(0, ui.px(4));
    const std::string before = kind == "random" ? row.fill.substr(7) : row.fill;
    const auto text = typed(ui, "fill_text." + row.name, before, rest);
    tip(ui, ui.tr()(kind == "random" ? "user_kernel.seed.tip" : "user_kernel.values.tip"), "Enter");
    if (text && !text->empty()) row.fill = (kind == "random" ? "random:" : "") + *text;
}

// "in  const float4*": without the address space, which the kind of control tells.
std::string heading_of(const ArgumentRow& row) {
    std::string type = row.type;
    for (const char* word : {"global ", "constant ", "local ", "__global ", "__local "})
        if (type.starts_with(word)) type.erase(0, std::string_view(word).size());
    return fmt::format("{}  {}", row.name, type);
}

void argument_field(Ui& ui, Flow& flow, LaunchForm& kernel, const std::vector<ArgumentRow>& rows,
                    std::size_t place) {
    const ArgumentRow& row = rows[place];
    const bool buffer = row.kind == Parameter::Kind::buffer;
    const float title = ui.metrics.text_width(heading_of(row), kSmallSize, Face::sans) + 4;
    const bool wide =
        buffer && (fill_kind(row.fill) == "random" || fill_kind(row.fill) == "values");
    flow.field(
        heading_of(row),
        std::max(title, wide     ? 260.0F
                        : buffer ? 156.0F
                                 : 64.0F),
        [&](float width) {
            if (row.kind == Parameter::Kind::value) {
                const auto text = typed(ui, "value." + row.name, row.value, width);
                tip(ui,
                    ui.tr()(row.each > 1 ? "user_kernel.values_of.tip" : "user_kernel.value.tip",
                            arg("count", row.each)),
                    "Enter");
                if (!text || text->empty()) return;
                ArgumentRow now = row;
                now.value = *text;
                set_row(kernel, rows, place, now);
                return;
            }
            const float count_width = buffer ? ui.px(58) : width;
            const auto count = typed_count(ui, "count." + row.name, row.count,
                                           analysis::kMostSteppedElements, count_width);
            tip(ui,
                ui.tr()(row.each > 1 ? "user_kernel.count_of_bytes.tip" : "user_kernel.count.tip",
                        arg("bytes", row.each)),
                "Enter");
            if (count) {
                set_count(kernel, rows, place, *count);
            } else if (buffer) {
                ImGui::SameLine(0, ui.px(4));
                ArgumentRow now = row;
                fill_field(ui, now, width - count_width - ui.px(4));
                if (now.fill != row.fill) set_fill(kernel, rows, place, now.fill);
            }
        });
}

void kernel_field(Ui& ui, Flow& flow, LaunchForm& kernel, const catalogue::TextFacts& facts) {
    if (facts.kernels.size() < 2) return;
    flow.field(ui.tr()("user_kernel.kernel"), 130, [&](float width) {
        const auto now = combo(ui, "###user_kernel.kernel", facts.kernels,
                               position_of(facts.kernels, kernel.kernel), width);
        if (now) kernel.kernel = facts.kernels[*now];
        tip(ui, ui.tr()("user_kernel.kernel.tip"));
    });
}

void size_fields(Ui& ui, Flow& flow, LaunchForm& kernel, const std::vector<ArgumentRow>& rows) {
    flow.field(ui.tr()("user_kernel.global"), 72, [&](float width) {
        const auto now = typed_extent(ui, "user_kernel.global", kernel.global, 1, 65'536, width);
        if (now) set_global(kernel, rows, *now);
        tip(ui, ui.tr()("user_kernel.global.tip"), "Enter");
    });
    flow.field(ui.tr()("user_kernel.local"), 58, [&](float width) {
        const auto now = typed_extent(ui, "user_kernel.local", kernel.local, 1, 1024, width);
        if (now) set_local(kernel, rows, *now);
        tip(ui, ui.tr()("user_kernel.local.tip"), "Enter");
    });
    flow.field(ui.tr()("user_kernel.offset"), 58, [&](float width) {
        constexpr std::uint64_t kMost = std::uint64_t{1} << 32U;
        const auto now = typed_extent(ui, "user_kernel.offset", kernel.offset, 0, kMost, width);
        if (now && (now->dims == kernel.global.dims || !now->given())) kernel.offset = *now;
        tip(ui, ui.tr()("user_kernel.offset.tip"), "Enter");
    });
}

void defines_field(Ui& ui, Flow& flow, LaunchForm& kernel) {
    flow.field(ui.tr()("user_kernel.defines"), 96, [&](float width) {
        const std::string before = fmt::format("{}", fmt::join(kernel.defines, " "));
        const auto text = typed(ui, "user_kernel.defines", before, width);
        tip(ui, ui.tr()("user_kernel.defines.tip"), "Enter");
        if (!text) return;
        kernel.defines = split(*text, ' ');
        std::erase(kernel.defines, "");
    });
}

// Where the launch comes from, while nobody has changed it.
void guess_note(const Ui& ui, float width) {
    const analysis::LaunchGuess* guess = guess_of(ui.session);
    if (guess == nullptr && !ui.session.kernels.guesser.running()) return;
    const char* key = guess == nullptr         ? "user_kernel.guessing"
                      : !guess->in_bounds      ? "user_kernel.guess_astray"
                      : !guess->ended          ? "user_kernel.guess_stops"
                      : guess->changed.empty() ? "user_kernel.guess_runs"
                                               : "user_kernel.guess_changed";
    const TextStyle style(ui, Face::sans, kSmallSize, Role::muted);
    wrapped(ui.tr()(key, arg("runs", guess == nullptr ? 0 : guess->runs),
                    arg("changes", guess == nullptr
                                       ? std::string()
                                       : fmt::format("{}", fmt::join(guess->changed, ", ")))),
            width);
    ImGui::Dummy({0, ui.px(4)});
}

}  // namespace

void user_kernel_form(Ui& ui, float width) {
    LaunchForm kernel = *ui.choice().user_kernel;
    const catalogue::TextFacts& facts = ui.session.kernels.editor.good;
    Flow flow(ui, width);
    kernel_field(ui, flow, kernel, facts);
    const std::vector<ArgumentRow> rows = rows_of(facts, kernel);
    if (facts.compiles) {
        size_fields(ui, flow, kernel, rows);
        for (std::size_t i = 0; i < rows.size(); ++i)
            argument_field(ui, flow, kernel, rows, i);
    }
    defines_field(ui, flow, kernel);
    set_launch(ui.change(), std::move(kernel));  // nothing happens where nothing changed
    session::RunChoice choice = ui.choice();
    machine_fields(ui, choice, flow);
    ui.change().choose(std::move(choice));
    guess_note(ui, width);
}

// "1 2 3 … ": as many values as fit, those that nobody has written as one word.
static std::string line_of_values(const Ui& ui, const std::vector<std::string>& values,
                                  float width) {
    std::size_t written = values.size();
    while (written > 0 && values[written - 1] == "?")
        --written;
    std::string text;
    for (std::size_t i = 0; i < written; ++i) {
        const std::string more = text + (i == 0 ? "" : " ") + values[i];
        if (ui.metrics.text_width(more, kSmallSize, Face::mono) * ui.scale > width)
            return text + " …";
        text = more;
    }
    if (written < values.size())
        text += (written == 0 ? "" : "  ") +
                ui.tr()("user_kernel.not_written", arg("count", values.size() - written));
    return text;
}

float user_kernel_buffers_height(const Ui& ui, const analysis::MachineRun& run) {
    const std::size_t shown = std::min<std::size_t>(run.buffers.size(), 4);
    return shown == 0 ? 0 : ui.px(22 + 20 * static_cast<float>(shown));
}

void user_kernel_buffers(Ui& ui, const analysis::MachineRun& run, float width) {
    if (run.buffers.empty()) return;
    const Scope child = begin_child("buffers", {width, user_kernel_buffers_height(ui, run)});
    label(ui, ui.tr()("user_kernel.buffers"));
    float names = 0;
    for (const auto& buffer : run.buffers)
        names = std::max(
            names, ui.metrics.text_width(buffer.name + "  " + buffer.type, kSmallSize, Face::mono));
    const float x = ui.px(std::min(names + 16, 200.0F));
    const float left = ImGui::GetCursorPosX();
    for (const auto& buffer : run.buffers) {
        const TextStyle ink(ui, Face::mono, kSmallSize, buffer.written ? Role::text : Role::muted);
        ImGui::TextUnformatted((buffer.name + "  " + buffer.type).c_str());
        ImGui::SameLine(left + x, 0);
        ImGui::TextUnformatted(line_of_values(ui, buffer.values, width - x - ui.px(24)).c_str());
        tip(ui, ui.tr()(buffer.written ? "user_kernel.written.tip" : "user_kernel.unwritten.tip",
                        arg("name", buffer.name), arg("count", buffer.values.size())));
    }
}

}  // namespace lab::gui
