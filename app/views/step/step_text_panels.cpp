#include "views/step/step_text_panels.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "analysis/hazards.h"
#include "analysis/machine_run.h"
#include "base/platform.h"
#include "base/ranges.h"
#include "base/text.h"
#include "catalogue/plan.h"
#include "figures/pass_text.h"
#include "figures/schedule_figure.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"
#include "lang/record.h"
#include "views/measure/measure_panels.h"
#include "views/step/kernel_panels.h"
#include "views/step/step.h"
#include "views/step/step_panels.h"

namespace lab::gui {

using session::RunState;
using session::StepUnit;
using session::StepView;
namespace {

// What the host does around the kernel: its launches.
std::string host_text(const Ui& ui, const catalogue::Kernel& variant) {
    const catalogue::PassLoop& loop = variant.plan.pass;
    if (variant.plan.kind == catalogue::PlanKind::per_pass)
        return fmt::format("for ({} = {}; {}; {} = {})\n    launch {}", loop.name,
                           loop.first.text(), loop.condition.text(), loop.name, loop.next.text(),
                           variant.entry);
    if (variant.plan.kind == catalogue::PlanKind::partials)
        return fmt::format("while (n > 1)\n    launch {}, n = {}", variant.entry,
                           ui.tr()("host.groups"));
    return "launch " + variant.entry;
}

// Which of them the picture shows.
std::string launch_text(const Ui& ui, std::size_t row) {
    const auto& table = ui.view<StepView>().table.answer;
    if (!table || row == 0 || row >= table->rows.size()) return {};
    const analysis::Row& pass = table->rows[row];
    return ui.tr()("host.now", arg("k", pass.launch), arg("n", table->rows.back().launch),
                   arg("items", pass.global), arg("group", pass.local),
                   arg("variables", pass.variables.empty() ? "" : ", " + pass.variables));
}

// What the last action of the marked line read or stored; empty where one goes by passes.
std::string line_values(Ui& ui);

float host_height(const Ui& ui, const catalogue::Kernel& variant, float width) {
    const std::string text = host_text(ui, variant);
    const auto lines = static_cast<float>(1 + std::count(text.begin(), text.end(), '\n'));
    const auto& table = ui.view<StepView>().table.answer;
    const TextStyle style(ui, Face::sans, kSmallSize);
    const std::string last = table ? launch_text(ui, table->rows.size() - 1) : "";
    const float words =
        ImGui::CalcTextSize((last.empty() ? " " : last).c_str(), nullptr, false, width).y;
    const bool values = ui.view<StepView>().grain != StepUnit::pass;
    const float gaps = (values ? 6 : 4) * ImGui::GetStyle().ItemSpacing.y +
                       (values ? ImGui::GetTextLineHeight() : 0);
    const float title = ui.narrow() ? ImGui::GetTextLineHeight() : ui.px(kTouch);
    return title + ImGui::GetTextLineHeight() * lines * 1.1F + words + gaps + ui.px(4);
}

void host_part(Ui& ui, const catalogue::Kernel& variant, float width) {
    const std::string text = host_text(ui, variant);
    if (ui.view<StepView>().grain != StepUnit::pass) {
        const std::string values = line_values(ui);
        fitted_line(ui, values, width, Face::mono, kSmallSize, Role::act);
        if (!values.empty()) tip(ui, values);
    }
    {
        const TextStyle style(ui, Face::sans, kSmallSize);
        const Scope padding = with_style(ImGuiStyleVar_FramePadding, {ui.px(8), touch_padding(ui)});
        if (!ui.narrow()) ImGui::AlignTextToFramePadding();
        label(ui, ui.tr()("host.title"));
        if (!ui.narrow()) {  // else the tab stands behind this text
            ImGui::SameLine();
            command_button(ui, "host.show", ui.tr()("host.show"));
        }
    }
    text_line(ui, text, Face::mono, kSmallSize);
    const std::string now = launch_text(ui, ui.view<StepView>().row());
    wrapped(ui, now, width, Face::sans, kSmallSize, Role::act);
}

// What it gains over the one before it; why, where there is room, else when it is pointed at.
void gain_part(const Ui& ui, const catalogue::Kernel& variant, ImVec2 size) {
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

// Lines up to the end of the first comment.
std::size_t header_lines(const std::string& text) {
    const auto end = text.find("*/");
    return end == std::string::npos ? 0 : text_lines(std::string_view(text).substr(0, end)).size();
}

// The size of text at which the kernel's longest line fits, as far as it stays readable.
float size_for(const Ui& ui, const catalogue::Kernel& variant, float width) {
    constexpr float kMargin = 5;  // of lines: digits, and a space on either side
    const auto header_end = variant.text.find("*/");
    std::size_t longest = 0;
    for (const std::string_view line :
         text_lines(std::string_view(variant.text)
                        .substr(header_end == std::string::npos ? 0 : header_end + 2)))
        longest = std::max(longest, line.size());
    const float column = ui.metrics.text_width("0", 1, Face::mono) * ui.scale;
    const float columns = static_cast<float>(longest) + kMargin;
    return std::clamp((width - ui.px(4)) / (columns * column), 11.0F, kTextSize);
}

struct KernelTextState {
    bool header_open = false;
    std::uint32_t followed = 0;  // the line that was last scrolled to
};

// The line of the action that was taken last, where one goes by lines or actions; 0: none. In a
// kernel that is edited always.
std::uint32_t current_line(const Ui& ui) {
    const StepView& view = ui.view<StepView>();
    const RunState& simulated = view.simulated;
    const bool edited = ui.session.kernels.editor.is_open();
    if ((view.grain == StepUnit::pass && !edited) || !simulated.run || view.time == 0 ||
        view.time > simulated.run->actions())
        return 0;
    return simulated.run->timeline.actions[view.time - 1].line;
}

// `column`: room at the right of what scrolls, for notes.
void source(Ui& ui, const catalogue::Kernel& variant, const KernelMoment& moment, float column) {
    const std::uint32_t current = moment.line;
    KernelTextState& state = ui.state<KernelTextState>();
    const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    const TextStyle style(ui, Face::mono, size_for(ui, variant, ImGui::GetContentRegionAvail().x));
    const float number_width = ImGui::CalcTextSize("000").x + ui.px(8);
    std::vector<std::string_view> lines = text_lines(variant.text);
    if (lines.back().empty()) lines.pop_back();
    const std::size_t first = state.header_open ? 0 : header_lines(variant.text);
    bool in_comment = false;
    const Scope spacing = with_style(ImGuiStyleVar_ItemSpacing, {0, ui.px(2.5F)});
    for (std::size_t i = first; i < lines.size(); ++i) {
        const ImVec2 point = ImGui::GetCursorScreenPos();
        const auto number = static_cast<std::uint32_t>(i + 1);
        line_place(ui, number, point, right);
        if (number == current) {
            const Pen pen(ui);
            const float height = ImGui::GetTextLineHeight() + ui.px(2);
            pen.fill({point.x - ui.px(4), point.y - ui.px(1)}, {right, point.y + height},
                     Role::act_fill, ui.px(3));
            pen.fill({point.x - ui.px(4), point.y - ui.px(1)},
                     {point.x - ui.px(1), point.y + height}, Role::act);
            if (state.followed != current) ImGui::SetScrollHereY(0.4F);
            state.followed = current;
        }
        coloured(ui, fmt::format("{:3}", number), Role::muted);
        ImGui::SameLine(number_width, 0);
        source_line(ui, lines[i], variant, in_comment);
        if (const auto notes = moment.notes(ui, number); !notes.empty()) {
            const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
            ImDrawList& into = *ImGui::GetWindowDrawList();
            // As high as what scrolls, without its scroll bar.
            into.PushClipRect({low.x, into.GetClipRectMin().y},
                              {low.x + size.x + column, into.GetClipRectMax().y});
            draw_notes(ui, notes, point.y, low.x + size.x + column);
            into.PopClipRect();
        }
    }
}

// The file's name, and the switch for its header.
void heading(Ui& ui, const catalogue::Kernel& variant) {
    KernelTextState& state = ui.state<KernelTextState>();
    const std::string name = "kernels/" + variant.file.filename().string();
    framed_line(ui, name, Face::mono, kSmallSize, Role::muted);
    const TextStyle style(ui, Face::sans, kSmallSize);
    const std::string fold = ui.tr()(state.header_open ? "kernel.fold" : "kernel.unfold");
    const std::string edit = ui.tr()("user_kernel.edit");
    const float room = line_end() - ImGui::GetItemRectSize().x;
    const float wide = words_width((fold + edit)) + ui.px(40);
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

void source_line(const Ui& ui, std::string_view line, const catalogue::Kernel& variant,
                 bool& in_comment) {
    const std::vector<TextPiece> pieces = pieces_of(line, &variant, in_comment);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (i > 0) ImGui::SameLine(0, 0);
        coloured(ui, pieces[i].text, pieces[i].role);
    }
    if (pieces.empty()) ImGui::TextUnformatted(" ");
}

void kernel_inside(Ui& ui, ImVec2 size, const KernelMoment& moment) {
    if (ui.session.kernels.editor.is_open()) return user_kernel_editor(ui, size, moment.line);
    const catalogue::Kernel* variant = ui.session.variant();
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
    const Scope card = begin_card(ui, "kernel", area);
    kernel_inside(ui, ImGui::GetContentRegionAvail(), {current_line(ui), cost_notes});
}

constexpr float kBadgePadding = 6, kBetweenNotes = 4, kBesideText = 8;  // points

static float width_of(const Ui& ui, const LineNote& note) {
    const TextStyle style(ui, note.look == LineNote::Look::plain ? Face::mono : Face::bold,
                          kSmallSize - 1);
    const float padding = note.look == LineNote::Look::plain ? 0 : 2 * ui.px(kBadgePadding);
    return words_width(note.words) + padding;
}

std::vector<LineNote> cost_notes(const Ui& ui, std::uint32_t line) {
    const auto& run = ui.view<StepView>().simulated.run;
    if (!run) return {};
    const auto found = run->lines.find(line);
    if (found == run->lines.end()) return {};
    const analysis::LineCost& cost = found->second;
    const auto& tr = ui.tr();
    LineNote note;
    const auto add = [&](const std::string& words, const std::string& told) {
        note.words += (note.words.empty() || words.empty() ? "" : " ") + words;
        note.told += (note.told.empty() ? "" : "\n") + told;
    };
    if (cost.hits > 0) add(fmt::format("{}", cost.hits), tr("line.hits", arg("count", cost.hits)));
    if (cost.taken > cost.least && cost.least > 0)
        add(fmt::format("×{:.1f}",
                        static_cast<double>(cost.taken) / static_cast<double>(cost.least)),
            tr("line.memory", arg("taken", cost.taken), arg("least", cost.least)));
    if (cost.splits > 0)
        add(fmt::format("≠{}", cost.splits),
            tr("line.splits", arg("splits", cost.splits), arg("times", cost.times)));
    if (cost.waits > 0) add("", tr("line.waits", arg("count", cost.waits)));
    if (note.words.empty()) return {};
    return {note};
}

float notes_width(const Ui& ui, LineNotes notes, std::size_t lines) {
    float widest = 0;
    for (std::size_t line = 1; line <= lines; ++line) {
        float width = 0;
        for (const LineNote& note : notes(ui, static_cast<std::uint32_t>(line)))
            width += (width > 0 ? ui.px(kBetweenNotes) : 0) + width_of(ui, note);
        widest = std::max(widest, width);
    }
    return widest > 0 ? widest + ui.px(kBesideText) : 0;
}

void draw_notes(const Ui& ui, const std::vector<LineNote>& notes, float y, float right) {
    const Pen pen(ui);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    for (const LineNote& note : notes) {
        using Look = LineNote::Look;
        const float width = width_of(ui, note);
        const TextStyle style(ui, note.look == Look::plain ? Face::mono : Face::bold,
                              kSmallSize - 1);
        const float height = ImGui::GetTextLineHeight();
        const ImVec2 low{right - width, y - ui.px(1)}, high{right, y + height + ui.px(1)};
        const bool picked = note.look == Look::picked;
        if (note.look != Look::plain)
            pen.fill(low, high, picked ? Role::act : Role::idle_fill, height / 2);
        if (note.look == Look::badge) pen.frame(low, high, Role::muted, height / 2);
        const float padding = note.look == Look::plain ? 0 : ui.px(kBadgePadding);
        pen.text({low.x + padding, y}, note.words,
                 picked                     ? Role::panel
                 : note.look == Look::badge ? Role::text
                                            : Role::muted);
        const ImVec4& clip = into._ClipRectStack.back();
        if (ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows) && mouse.x >= low.x &&
            mouse.x <= right && mouse.y >= std::max(low.y, clip.y) &&
            mouse.y <= std::min(high.y, clip.w)) {
            const TextStyle plain(ui, Face::sans, kTextSize);
            show_tip(ui, note.told);
        }
        right = low.x - ui.px(kBetweenNotes);
    }
}

bool line_place(const Ui& ui, std::uint32_t number, ImVec2 point, float right) {
    const float above = ui.px(1);
    const float height = ImGui::GetTextLineHeight() + ui.px(1);
    const ImVec2 low{point.x, point.y - above}, high{right, point.y + height};
    if (!lit_place(ui, fmt::format("line {}", number), low, high)) return false;
    const Pen pen(ui);
    pen.fill(low, high, Role::act_fill, ui.px(3));
    pen.frame(low, high, Role::act, ui.px(3));
    return true;
}

namespace {

using analysis::PrintedText;

constexpr float kInset = 4;  // points from a row's frame to its text

struct PrintedListState {
    std::size_t followed = 0;  // rows that were lit when it was last drawn
};

// Left edges, from the window's, of order, work-item, line and text.
struct PrintColumns {
    float item = 0, line = 0, text = 0;
};

float wider(const std::string& heading, const std::string& text) {
    return std::max(words_width(heading), words_width(text));
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
    columns.item = words_width(fmt::format("{}", prints.size())) + gap;
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
    const float width = std::max(ui.px(2 * kInset) + columns.text + words_width(text),
                                 ImGui::GetContentRegionAvail().x);
    const ImVec2 high{low.x + width, low.y + ImGui::GetTextLineHeight() + ui.px(2)};
    const Pen pen(ui);
    if (lit_place(ui, fmt::format("print {}", place), low, high)) {
        pen.fill(low, high, Role::act_fill, ui.px(3));
        pen.frame(low, high, Role::act, ui.px(3));
    }
    ImGui::SetCursorPosX(left);
    ImGui::BeginGroup();
    text_line(ui, fmt::format("{}", place + 1), Face::mono, kSmallSize, Role::muted);
    {
        const TextStyle style(ui, Face::mono, kSmallSize, seen ? Role::text : Role::muted);
        at_column(left, columns.item, print.item_name);
        at_column(left, columns.line, fmt::format("{}", print.line));
        at_column(left, columns.text, text);
    }
    ImGui::EndGroup();
    std::string note =
        ui.tr()(seen ? "printed.row" : "printed.row_later", arg("item", print.item_name),
                arg("line", print.line), arg("launch", print.launch), arg("time", print.time));
    if (platform::kBrowser) platform::describe(note + " " + print.text);
    if (text != print.text) note += "\n" + print.text;
    tip(ui, note);
}

// Below what has been printed so far.
void moment_rule(const Ui& ui) {
    const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
    const float y = high.y + ui.px(2), right = low.x + ImGui::GetContentRegionAvail().x;
    Pen(ui).line({low.x, y}, {right, y}, Role::act, ui.px(1.5F));
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
                  ? ui.tr()("printed.count", arg("seen", seen), arg("count", shown))
                  : ui.tr()("printed.count_hidden", arg("seen", seen)));
    PrintColumns columns;
    {
        const TextStyle style(ui, Face::mono, kSmallSize);
        columns = columns_of(ui, prints);
    }
    printed_headings(ui, columns);
    const Scope child =
        begin_child("prints", ImGui::GetContentRegionAvail(), ImGuiWindowFlags_HorizontalScrollbar);
    const Scope spacing = with_style(ImGuiStyleVar_ItemSpacing, {0, ui.px(3)});
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
}

// The races of a run: both lines, who, where, and what to do about it.
namespace {

std::string headline(const Ui& ui, const analysis::Hazard& hazard) {
    std::string text = fmt::format("{}", fmt::join(hazard.kinds, " · "));
    if (hazard.kinds == std::vector<std::string>{"uninitialised"})
        text = ui.tr()("hazard.unwritten");
    text += " " + ui.tr()(hazard.across_groups ? "hazard.across" : "hazard.within");
    return fmt::format("{} · {}", text, ui.tr()("hazard.pairs", arg("count", hazard.count)));
}

// "RAW" in plain words; empty for kinds that are words already.
std::string kind_words(const Ui& ui, const std::string& kind) {
    for (const char* known : {"RAW", "WAR", "WAW"})
        if (kind == known) return ui.tr()(fmt::format("hazard.{}", known));
    return {};
}

// Those that atomics and fences order are no races, and nothing is left to chance.
bool is_ordered(const analysis::Hazard& hazard) {
    return hazard.note == analysis::kOrderedByAtomics;
}

// A short line for each kind that there is.
void explain_kinds(const Ui& ui, const std::vector<analysis::Hazard>& hazards, float width) {
    std::set<std::string> kinds;
    for (const analysis::Hazard& each : hazards)
        if (!is_ordered(each)) kinds.insert(each.kinds.begin(), each.kinds.end());
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
    if (hazard.note == analysis::kSameValue) return ui.tr()("hazard.cure_same");
    if (is_ordered(hazard)) return ui.tr()("hazard.cure_atomics");
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
    const float indent = words_width(number);
    coloured(ui, number, Role::muted);
    ImGui::SameLine(0, 0);
    ImGui::TextUnformatted(text.c_str());
    if (column >= cut && column < side.text.size()) {
        const std::size_t from = column - cut;
        const std::size_t length = std::min<std::size_t>(side.length, text.size() - from);
        const float x = point.x + indent + words_width(text.substr(0, from));
        const float w = words_width(text.substr(from, length));
        const float y = point.y + ImGui::GetTextLineHeight() + ui.px(1);
        Pen(ui).fill({x, y}, {x + std::max(w, ui.px(8)), y + ui.px(2)}, Role::race);
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
    wrapped(ui.tr()(key, arg("item", item_name(side)), arg("group", group_name(side)),
                    arg("pass", side.pass), arg("cell", hazard.cell), arg("value", side.value)),
            width - indent);
}

void entry(Ui& ui, const analysis::Hazard& hazard, std::size_t place, bool come, float width) {
    const ImVec2 low = ImGui::GetCursorScreenPos();
    const bool note = hazard.severity == analysis::Hazard::Severity::note;
    wrapped(ui, (note ? "" : "! ") + headline(ui, hazard), width, Face::bold, kTextSize,
            note || !come ? Role::muted : Role::race);
    std::string text;
    for (const std::string& kind : hazard.kinds)
        if (const std::string words = kind_words(ui, kind); !words.empty() && !is_ordered(hazard))
            text += kind + ui.tr()("figure.colon") + words + "\n";
    for (const std::string* part : {&hazard.what, &hazard.why, &hazard.hint})
        if (!part->empty()) text += as_sentence(ui, ui.tr().message(*part)) + "\n";
    if (!text.empty()) text.pop_back();
    tip(ui, text);
    if (!hazard.here)
        wrapped_label(ui, ui.tr()("hazard.elsewhere", arg("schedule", hazard.schedule)), width);
    else if (!come)
        wrapped_label(ui, ui.tr()("hazard.to_come"), width);
    if (hazard.lockstep_lanes > 0)
        wrapped_label(ui, ui.tr()("hazard.lockstep", arg("lanes", hazard.lockstep_lanes)), width);
    for (std::size_t i = 0; i < hazard.sides.size(); ++i)
        side(ui, hazard, hazard.sides[i], width);
    wrapped(ui, advice(ui, hazard), width, Face::sans, kTextSize);
    const ImVec2 high{low.x + width, ImGui::GetCursorScreenPos().y};
    if (lit_place(ui, fmt::format("race {}", place), low, high))
        ring(ui, {low.x + ui.px(4), low.y}, high, Role::act, 3);
    ImGui::Dummy({0, ui.px(10)});
}

}  // namespace

void hazard_list(Ui& ui, const std::vector<analysis::Hazard>& hazards, std::uint64_t time,
                 float width, const analysis::RaceCaveats& caveats) {
    const bool none = hazards.empty();
    const bool ordered = !none && all_of(hazards, is_ordered);
    wrapped(ui, ui.tr()(ordered ? "hazard.title_ordered" : "hazard.title"), width, Face::bold,
            kTextSize + 2);
    const auto say = [&](const char* key) { wrapped_label(ui, ui.tr()(key), width); };
    if (none || caveats.for_these_numbers)
        say(!none                       ? "hazard.these_numbers"
            : caveats.for_these_numbers ? "hazard.none_these_numbers"
                                        : "hazard.none");
    if (caveats.legacy_between_groups) say("hazard.legacy");
    if (caveats.ended_before_barrier) say("hazard.ended");
    explain_kinds(ui, hazards, width);
    for (std::size_t i = 0; i < hazards.size(); ++i) {
        const analysis::Hazard& each = hazards[i];
        const bool note = each.severity == analysis::Hazard::Severity::note;
        entry(ui, each, i, each.here && (each.time < time || note), width);
    }
}

// The step view's middle where one goes by lines or actions: memory and work-items as they are now.
namespace {

constexpr float kMostFit = 3;

struct StatePictureState {
    CachedScene scene;
    float width = 800;  // points
    Moment moment;
    std::vector<std::string> values;  // of the moment: moment_values()
};

// "data[0] = 22 + 5 = 27", "data[4] → 5": what the last action read or stored, an item each where
// there are several.
std::vector<std::string> moment_values(const Ui& ui, const analysis::MachineRun& run,
                                       const analysis::StateView& state) {
    std::vector<std::string> all;
    if (!state.last || state.last->array.empty()) return all;
    const analysis::ActionView& last = *state.last;
    const auto type = catalogue::scalar_of(run.spec.shape.type);
    for (const analysis::LaneTouch& touch : last.touches) {
        std::string sum;
        if (!touch.left.empty() && !touch.right.empty())
            sum = figures::combination(run.table.op, type, {touch.left, touch.right}, touch.value);
        const std::string cell = last.array + last.shape.at(touch.index);
        const std::string said =
            last.kind == machine::ActionKind::load
                ? fmt::format("{} → {}", cell, touch.value)
                : fmt::format("{} = {}", cell, sum.empty() ? touch.value : sum);
        all.push_back(last.touches.size() == 1
                          ? said
                          : ui.tr()("state.of_item", arg("item", state.space.item_name(touch.item)),
                                    arg("said", said)));
    }
    return all;
}

Moment moment_at(const Ui& ui, const analysis::MachineRun& run, const analysis::StateView& state) {
    const auto& tr = ui.tr();
    auto moment = acted(ui, run.timeline, state);
    if (!moment) return {tr("state.start")};
    if (moment->tone == Tone::wrong) return *moment;
    std::string& text = moment->sentence;
    // Of one value alone the action's own words say all.
    const bool parts =
        any_of(state.last->touches, [](const auto& touch) { return !touch.left.empty(); });
    if (const auto values = moment_values(ui, run, state); values.size() > 1 || parts)
        text += tr("figure.stop") + tr("figure.space") + figures::listed(values, tr);
    // For the launch that it was in: after its last action the next one is about to begin.
    const std::string& variables = run.run->machine().job().launches[state.last->launch].variables;
    if (!variables.empty()) text += " · " + variables;
    if (state.time == run.actions() && run.fault)
        text += tr("figure.stop") + tr("figure.space") +
                translated(run.fault->phrases.what, tr, run.fault->what_happened) +
                tr("figure.stop") + figures::fault_reasons(run.fault->phrases, tr);
    return *moment;
}

// The moment's picture, what it says with it.
const figures::Scene& scene_now(Ui& ui) {
    const RunState& simulated = ui.view<StepView>().simulated;
    analysis::MachineRun& run = *simulated.run;
    const std::uint64_t time = ui.view<StepView>().time;
    StatePictureState& state = ui.state<StatePictureState>();
    return state.scene.get(ui, fmt::format("{} {} {}", simulated.version, time, state.width), [&] {
        const analysis::StateView now = analysis::state_view_of(*run.run, time);
        state.moment = moment_at(ui, run, now);
        state.values = moment_values(ui, run, now);
        return figures::state_figure(now, {.figure = {state.width, ui.palette.text_scale, false}},
                                     ui.metrics, ui.tr());
    });
}

std::string line_values(Ui& ui) {
    const StepView& view = ui.view<StepView>();
    if (view.grain == StepUnit::pass || !view.simulated.run || view.simulated.run->run == nullptr)
        return {};
    (void)scene_now(ui);
    return figures::listed(ui.state<StatePictureState>().values, ui.tr());
}

}  // namespace

std::optional<Moment> acted(const Ui& ui, const analysis::Timeline& timeline,
                            const analysis::StateView& state) {
    const auto& tr = ui.tr();
    for (const analysis::StaleArc& arc : timeline.stale)
        if (arc.read + 1 == state.time)
            return Moment{tr(arc.too_new ? "race.stale_new" : "race.stale",
                             arg("item", timeline.space.item_name(arc.item)), arg("cell", arc.cell),
                             arg("took", arc.took), arg("missed", arc.missed),
                             arg("writer", timeline.space.item_name(arc.writer))),
                          Tone::wrong};
    if (!state.last) return std::nullopt;
    analysis::WarpView who;
    who.group = state.last->group;
    who.warp = state.last->warp;
    who.first_item = state.last->touches.empty() ? 0 : state.last->touches[0].item;
    return Moment{fmt::format("{}: {}", figures::warp_text(who, state, tr),
                              figures::action_text(*state.last, tr))};
}

Moment moment_of(Ui& ui) {
    const StepView& view = ui.view<StepView>();
    if (!view.simulated.run || view.simulated.run->run == nullptr) return {};
    (void)scene_now(ui);
    return ui.state<StatePictureState>().moment;
}

// The line of the text that acted last, where the text is not beside the picture.
void presented_line(Ui& ui, ImVec2& room) {
    const std::uint32_t number = current_line(ui);
    const catalogue::Kernel* variant = ui.session.variant();
    if (number == 0 || variant == nullptr) return;
    const std::vector<std::string_view> lines = text_lines(variant->text);
    if (number > lines.size()) return;
    std::string_view line = lines[number - 1];
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    const TextStyle style(ui, Face::mono, kTitleSize);
    coloured(ui, fmt::format("{}  ", number), Role::muted);
    ImGui::SameLine(0, 0);
    bool in_comment = false;
    source_line(ui, line, *variant, in_comment);
    room.y -= ImGui::GetTextLineHeightWithSpacing();
}

void moment_picture(Ui& ui, ImVec2 room) {
    const RunState& simulated = ui.view<StepView>().simulated;
    if (!simulated.run || simulated.run->run == nullptr) return;
    StatePictureState& state = ui.state<StatePictureState>();
    state.width = room.x / ui.scale;
    const figures::Scene& scene = scene_now(ui);
    if (ui.session.presenting) presented_line(ui, room);
    // As large as there is room for it.
    const float fit = std::clamp(
        std::min(room.y / ui.px(scene.height), room.x / ui.px(scene.width)), 1.0F, kMostFit);
    show_scene(ui.smaller(fit), scene, "state", room);
}

void show_state(Ui& ui, ImVec2 room) {
    ui.state<StatePictureState>().width = room.x / ui.scale;
    const Moment moment = moment_of(ui);
    const float below = message_height(ui, moment.sentence, room.x) + ui.px(10);
    moment_picture(ui, {room.x, std::max(room.y - below, ui.px(60))});
    message_box(ui, moment.sentence, moment.tone, room.x);
}

// The host's part of the kernel: the C++ program that runs it, to read, to copy and to save.
namespace {

struct HostTabState {
    std::string variant, kernel_text;  // what it was written for
    catalogue::Shape shape;
    std::optional<catalogue::HostProgram> program;
    std::optional<Problem> problem;  // why there is none
    std::string scrolled;            // the variant whose run() was scrolled to
};

HostTabState& written(Ui& ui) {
    HostTabState& state = ui.state<HostTabState>();
    const catalogue::Kernel& variant = *ui.session.variant();
    const catalogue::Shape& shape = ui.choice().shape;
    if ((state.program || state.problem) && state.variant == variant.id && state.shape == shape &&
        state.kernel_text == variant.text)
        return state;
    state = {variant.id, variant.text, shape, {}, {}, state.scrolled};
    state.problem = thrown_by([&] { state.program = host_program_of(ui.session); });
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

// `ground(i, at)` lies under line i, from 0. Returns the height of a line.
template <typename Ground>
float program_text(const Ui& ui, const std::vector<std::string_view>& lines,
                   const catalogue::Kernel& kernel, Ground ground) {
    const float column = ui.metrics.text_width("0", 1, Face::mono) * ui.scale;
    constexpr float kWidest = 86;  // with the numbers
    const float size = ImGui::GetContentRegionAvail().x / (kWidest * column);
    const TextStyle style(ui, Face::mono, std::clamp(size, 11.0F, kTextSize));
    const float number_width = ImGui::CalcTextSize("000").x + ui.px(8);
    const Scope spacing = with_style(ImGuiStyleVar_ItemSpacing, {0, ui.px(2.5F)});
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(lines.size()) - 1);
    while (clipper.Step())
        for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
            ground(static_cast<std::size_t>(i), ImGui::GetCursorScreenPos());
            coloured(ui, fmt::format("{:3}", i + 1), Role::muted);
            ImGui::SameLine(number_width, 0);
            bool in_comment = false;  // its comments end with their lines
            source_line(ui, lines[static_cast<std::size_t>(i)], kernel, in_comment);
        }
    return clipper.ItemsHeight;
}

}  // namespace

void host_tab(Ui& ui) {
    if (!has_host_program(ui.session))
        return wrapped(ui.tr()("host.none"), ImGui::GetContentRegionAvail().x);
    HostTabState& state = written(ui);
    if (state.problem) return problem_card(ui, *state.problem, ImGui::GetContentRegionAvail().x);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ui.px(8), ui.px(2)});
    {
        const TextStyle style(ui, Face::sans, kSmallSize);
        command_button(ui, "host.copy", ui.tr()("host.copy"));
        ImGui::SameLine();
        command_button(ui, "host.save", ui.tr()("host.save"));
    }
    ImGui::SameLine();
    framed_line(ui, state.program->name + ".cpp", Face::mono, kSmallSize, Role::muted);
    ImGui::PopStyleVar();
    const Scope child = begin_child("program", ImGui::GetContentRegionAvail(),
                                    ImGuiWindowFlags_HorizontalScrollbar);
    const std::vector<std::string_view> lines = text_lines(state.program->text);
    const float height = program_text(ui, lines, *ui.session.variant(), [](std::size_t, ImVec2) {});
    scroll_to_run(state, lines, height);
}

// A kernel in CUDA C++ as OpenCL C. What says the same in both texts lights up in both.
namespace {

struct OpenClState {
    std::string run;  // that it was printed for
    lang::RecordedText printed;
    std::optional<Problem> problem;         // why it cannot be printed
    std::optional<std::uint32_t> followed;  // the line of the kernel that was scrolled to
};

// Under what the printed line says again.
void lit_line(const Ui& ui, const std::vector<std::uint32_t>& said, std::uint32_t now,
              ImVec2 point) {
    if (said.empty()) return;
    const float right = ImGui::GetWindowPos().x + ImGui::GetWindowSize().x;
    for (const std::uint32_t each : said)
        if (line_place(ui, each, point, right)) return;
    if (contains(said, now))
        Pen(ui).fill({point.x, point.y - ui.px(1)},
                     {right, point.y + ImGui::GetTextLineHeight() + ui.px(1)}, Role::act_fill,
                     ui.px(3));
}

}  // namespace

void opencl_part(Ui& ui, const RunMoment& moment) {
    OpenClState& state = ui.state<OpenClState>();
    const analysis::RunSpec& spec = moment.run.spec;
    if (state.run != moment.key) {
        state = {moment.key, {}, {}, {}};
        state.problem = thrown_by([&] {
            state.printed = lang::opencl_text(text_of(spec.kernel, spec.shape), spec.kernel.entry);
        });
    }
    if (state.problem) return problem_card(ui, *state.problem, ImGui::GetContentRegionAvail().x);
    if (platform::kBrowser) platform::describe(state.printed.text.text);
    const bool by_passes = moment.whole_passes && !ui.session.kernels.editor.is_open();
    const std::uint32_t now = by_passes || moment.time == 0 || moment.time > moment.run.actions()
                                  ? 0
                                  : moment.run.timeline.actions[moment.time - 1].line;
    const std::vector<std::vector<std::uint32_t>>& said = state.printed.lines;
    const Scope child =
        begin_child("opencl", ImGui::GetContentRegionAvail(), ImGuiWindowFlags_HorizontalScrollbar);
    const float height =
        program_text(ui, text_lines(state.printed.text.text), spec.kernel,
                     [&](std::size_t i, ImVec2 at) { lit_line(ui, said[i], now, at); });
    if (state.followed == now) return;
    // At the start the kernel's first line: what stands before it is of no kernel.
    const auto line = std::find_if(said.begin(), said.end(), [&](const auto& each) {
        return now == 0 ? !each.empty() : contains(each, now);
    });
    if (line == said.end()) return;
    constexpr float kAbove = 4;  // lines that are seen above it
    const float top = (static_cast<float>(line - said.begin()) - kAbove) * height;
    if (now == 0 || top < ImGui::GetScrollY() ||
        top + 2 * kAbove * height > ImGui::GetScrollY() + ImGui::GetWindowSize().y)
        ImGui::SetScrollY(std::max(top, 0.0F));
    state.followed = now;
}

bool has_opencl_text(const analysis::MachineRun& run) {
    return lang::is_cuda(run.spec.kernel.file.string(), run.spec.kernel.text);
}

}  // namespace lab::gui
