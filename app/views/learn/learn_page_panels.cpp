// A page of the view Learn: its picture, its kernel, what it asks and how that is answered, what is
// said of the answer, and the poll of hands while it is presented.
#include "base/ranges.h"
#include "base/text.h"
#include "views/learn/learn_panels.h"

#include <fmt/format.h>
#include <imgui.h>

// imgui.h first: these do not include it.
#include <imgui_internal.h>  // the state of the text that is being edited
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "analysis/machine_run.h"
#include "figures/pass_figure.h"
#include "figures/pass_text.h"
#include "figures/schedule_figure.h"
#include "gui/choice_fields.h"
#include "gui/glossary.h"
#include "gui/scene_painter.h"
#include "gui/widgets.h"
#include "lessons/question.h"
#include "views/lattice/lattice_panels.h"
#include "views/measure/measure_panels.h"
#include "views/race/race_panels.h"
#include "views/step/kernel_panels.h"

namespace lab::gui {

using session::LearnView;
using session::Stage;
using AskKind = lessons::Kind;

namespace {

lessons::Paragraph paragraph_of(const std::string& text, bool bold = false) {
    return {lessons::Paragraph::Kind::plain, 0, {{text, bold, false, false, ""}}};
}

// How an answer, or a part of it, is marked: by colour and by a sign.
enum class Mark : std::uint8_t { none, right, wrong };

Role edge_of(Mark mark, bool chosen) {
    return mark == Mark::right   ? Role::wrote
           : mark == Mark::wrong ? Role::race
           : chosen              ? Role::act
                                 : Role::border;
}
Role fill_of(Mark mark, bool chosen) {
    return mark == Mark::right   ? Role::wrote_fill
           : mark == Mark::wrong ? Role::race_fill
           : chosen              ? Role::act_fill
                                 : Role::panel;
}
// Of a part of an answer, as far as it was judged.
Mark mark_at(const std::vector<bool>& judged, std::size_t place) {
    return place >= judged.size() ? Mark::none : judged[place] ? Mark::right : Mark::wrong;
}

void mark_sign(const Ui& ui, Mark mark, ImVec2 centre) {
    if (mark == Mark::right) tick_sign(ui, centre, Role::wrote);
    if (mark != Mark::wrong) return;
    const float size = ui.px(4);
    for (const float down : {size, -size})
        Pen(ui).line({centre.x - size, centre.y - down}, {centre.x + size, centre.y + down},
                     Role::race, ui.px(2));
}

// The field that is to get the keys.
constexpr std::size_t kNone = static_cast<std::size_t>(-1);
struct FocusState {
    std::uint64_t version = 0;
    std::uint64_t reply = 0;
    std::size_t to_select = kNone;  // the field that was given the keys, until it has them
    int opened = -9;                // the frame in which the page opened
    std::size_t asked = kNone;      // the one whose cell was clicked
};

// The field of a cell gets the keys.
void focus_field_of(Ui& ui, std::uint64_t cell) {
    const std::vector<lessons::Field>& fields = ui.view<LearnView>().open.question.fields;
    for (std::size_t i = 0; i < fields.size(); ++i)
        if (fields[i].cell == cell) ui.state<FocusState>().asked = i;
}

// The picture.

struct LearnPictureState {
    CachedScene figure, lanes, memory;
    std::vector<figures::Box> beside;
};

// "cell 3 " or "worker 3 ": how the shapes begin of the row whose cells or items are asked for;
// nothing where none are.
std::string asked_shapes(const LearnView& view) {
    const bool items = view.asks_for(lessons::Picked::items);
    if (!items && !view.asks(AskKind::cells) && !view.asks_for(lessons::Picked::cells)) return {};
    return fmt::format("{} {} ", items ? "worker" : "cell", view.open.question.row);
}

// What a click on the shape of that name picks.
std::optional<std::uint64_t> pick_of(const LearnView& view, const std::string& name) {
    const std::string prefix = asked_shapes(view);
    if (prefix.empty() || view.closed() || &marked(view) != &view.open.draft ||
        !name.starts_with(prefix))
        return std::nullopt;
    const std::uint64_t pick = std::strtoull(name.c_str() + prefix.size(), nullptr, 10);
    // Of cells whose values are asked for only those have a field.
    const std::vector<lessons::Field>& fields = view.open.question.fields;
    const auto has = [&](const lessons::Field& field) { return field.cell == pick; };
    if (view.asks(AskKind::cells) && none_of(fields, has)) return std::nullopt;
    return pick;
}

// Rings around what is picked, and a mark at each cell whose value is asked for.
void draw_picks(const Ui& ui, const figures::Scene& scene, const Ui& fitted, ImVec2 point) {
    const LearnView& view = ui.view<LearnView>();
    const std::string prefix = asked_shapes(view);
    if (prefix.empty()) return;
    const bool cells = view.asks(AskKind::cells);
    std::vector<std::string> names;
    if (cells)
        for (const lessons::Field& field : view.open.question.fields)
            names.push_back(prefix + std::to_string(field.cell.value_or(0)));
    else
        for (const std::uint64_t pick : marked(view).picks)
            names.push_back(prefix + std::to_string(pick));
    const auto& pointed = view.open.pointed;
    const std::string pointed_name = pointed && !view.closed() && !ui.session.presenting
                                         ? prefix + std::to_string(*pointed)
                                         : "";
    const Pen pen(ui);
    for (const figures::Shape& shape : scene.shapes) {
        const auto* rect = std::get_if<figures::Rect>(&shape.what);
        if (rect == nullptr) continue;
        const bool is_pointed = shape.name == pointed_name;
        if (!is_pointed && !contains(names, shape.name)) continue;
        const Role role = cells || is_pointed ? Role::barrier : Role::act;
        const float gap = fitted.px(3);
        const ImVec2 low{point.x + fitted.px(rect->x) - gap, point.y + fitted.px(rect->y) - gap};
        const ImVec2 high{low.x + fitted.px(rect->width) + 2 * gap,
                          low.y + fitted.px(rect->height) + 2 * gap};
        pen.frame(low, high, role, fitted.px(rect->radius) + gap, fitted.px(2.4F));
    }
}

// Where the start row is scrolled out of sight it stays at the top: those are the numbers that all
// is about. What is under the mouse there, if that is in it.
std::optional<Hovered> keep_start(const Ui& ui, const figures::Scene& scene, const Ui& fitted,
                                  ImVec2 point) {
    float bottom = 0;
    for (const figures::Shape& shape : scene.shapes)
        if (const auto* rect = std::get_if<figures::Rect>(&shape.what);
            rect != nullptr && shape.name.starts_with("cell 0 "))
            bottom = std::max(bottom, rect->y + rect->height);
    const ImVec2 low = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const ImVec2 high{low.x + size.x, low.y + fitted.px(bottom) + ui.px(6)};
    if (bottom == 0 || point.y >= low.y || high.y - low.y > size.y / 2) return std::nullopt;
    const Pen pen(ui);
    ImDrawList& into = *ImGui::GetWindowDrawList();
    pen.fill(low, high, Role::panel);
    // Without the arrows that begin below it.
    into.PushClipRect(low, {high.x, high.y - ui.px(5)}, true);
    const Hovered hovered = paint(fitted, scene, {point.x, low.y}, {false, {}});
    draw_picks(ui, scene, fitted, {point.x, low.y});
    into.PopClipRect();
    pen.line({low.x, high.y}, high, Role::border, ui.px(1));
    ImGui::SetCursorScreenPos({point.x, low.y});
    diagram_item("start_row", {fitted.px(scene.width), high.y - low.y});
    if (!ImGui::IsMouseHoveringRect(low, high)) return std::nullopt;
    return hovered;
}

void diagram(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    const session::LearnPage& page = view.open;
    const analysis::StepTable& table = page.table;
    figures::PassFigureOptions options;
    options.shown = std::min(view.position(), table.rows.size() - 1) + 1;
    // Larger letters do not make the room larger: the picture is no smaller than at a smaller
    // scale.
    const float smallest = 0.72F / std::clamp(ui.session.settings().scale, 1.0F, 1.4F);
    options.width = room.x / ui.scale;
    options.height = room.y / ui.scale;
    options.most_width = options.width / smallest;
    options.text_scale = ui.palette.text_scale;
    options.legend = false;
    options.announce = true;
    const figures::Scene& scene = ui.state<LearnPictureState>().figure.get(
        ui, fmt::format("{} {} {} {}", page.version, options.shown, options.width, options.height),
        [&] { return figures::pass_figure(table, options, ui.metrics, ui.tr()); });
    const float fit = std::clamp(
        std::min(room.x / ui.px(scene.width), room.y / ui.px(scene.height)), smallest, 2.4F);
    const Ui fitted = ui.smaller(fit);
    const Scope child = begin_child("learn.figure", room, ImGuiWindowFlags_HorizontalScrollbar);
    // The row where one stands is in sight, with the one that comes next.
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID followed = ImGui::GetID("followed");
    const int now = static_cast<int>(ImHashStr(view.page_id().c_str()) + options.shown);
    if (kept.GetInt(followed, -1) != now) {
        kept.SetInt(followed, now);
        const float end =
            fitted.px(scene.height) * std::min(1.0F, static_cast<float>(options.shown + 1) /
                                                         static_cast<float>(table.rows.size()));
        ImGui::SetScrollY(std::max(0.0F, end - room.y));
    }
    ImVec2 point = ImGui::GetCursorScreenPos();
    point.x += std::max(0.0F, (room.x - fitted.px(scene.width)) / 2);
    point.y += std::max(0.0F, (room.y - fitted.px(scene.height)) / 3);
    const bool traces = panel_of(view) == "lineage";
    Hovered hovered =
        paint(fitted, scene, point,
              {false, traces ? std::string_view(view.open.traced) : std::string_view()});
    draw_picks(ui, scene, fitted, point);
    if (const auto start = keep_start(ui, scene, fitted, point)) hovered = *start;
    const std::string name(hovered.name);
    if (traces && name.starts_with("cell ") && name != view.open.traced)
        ui.change<LearnView>().open.traced = name;
    ImGui::SetCursorScreenPos(point);
    diagram_item("diagram", {fitted.px(scene.width), std::floor(fitted.px(scene.height))});
    const auto pick = pick_of(view, name);
    const bool cells = view.asks(AskKind::cells);
    // A click gives its window the keys, and only then can a field have them.
    if (pick && ImGui::IsWindowHovered() && cells && ImGui::IsMouseReleased(ImGuiMouseButton_Left))
        focus_field_of(ui, *pick);
    if (pick && ImGui::IsWindowHovered() && !cells && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
        choose(ui.change<LearnView>(), *pick);
    if (pick && ImGui::IsWindowHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    // A tip names a cell's value, whose it is and the line, which may be what is asked.
    if (view.told()) show_tip(ui, hovered.tip);
}

void lattice(Ui& ui, session::LatticePicture& picture, ImVec2 room) {
    const float marks = lattice_legend(ui, *picture.lattice, nullptr, {}, room.x) + ui.px(6);
    const Scope child = begin_child("learn.lattice", room, ImGuiWindowFlags_NoScrollWithMouse);
    lattice_canvas(ui, picture, {room.x, room.y - marks});
    lattice_legend(ui, *picture.lattice, ImGui::GetWindowDrawList(), ImGui::GetCursorScreenPos(),
                   room.x);
}

struct ScheduleScenes {
    const figures::Scene& lanes;
    const figures::Scene& memory;
};

// Laid out for `width` points, with so many left free beside the next actions.
ScheduleScenes schedule_scenes(const Ui& ui, const session::Race& race, float width, float button) {
    LearnPictureState& state = ui.state<LearnPictureState>();
    const LearnView& view = ui.view<LearnView>();
    const std::size_t picked =
        view.asks(AskKind::schedule) ? view.open.picked : race.ready().size();
    const figures::FigureOptions options{width, ui.palette.text_scale, false};
    const figures::Scene& lanes =
        state.lanes.get(ui, fmt::format("{} {} {} {}", race.version(), picked, width, button), [&] {
            figures::ScheduleNow now =
                figures::schedule_now(race.timeline(), race.state_view(), race.ready(), picked,
                                      {button}, options, ui.metrics, ui.tr());
            state.beside = std::move(now.buttons);
            return std::move(now.scene);
        });
    const figures::Scene& memory =
        state.memory.get(ui, fmt::format("{} {}", race.version(), width), [&] {
            return figures::state_figure(race.state_view(),
                                         {.figure = options, .items = false, .legend = false},
                                         ui.metrics, ui.tr());
        });
    return {lanes, memory};
}

// The schedule so far, a button for each warp that can act, and memory below: as large as fits.
void schedule(Ui& ui, const session::Race& race, ImVec2 room) {
    constexpr float kGap = 14, kMostEnlarged = 2;
    const LearnView& view = ui.view<LearnView>();
    const float button = view.asks(AskKind::schedule) ? run_button_width(ui, race) : 0;
    const auto at = [&](float size) {
        return schedule_scenes(ui, race, room.x / ui.px(size), button / size);
    };
    // The largest at which all of it is in sight: larger cells may need another line.
    float fit = kMostEnlarged;
    const auto fits = [&] {
        const ScheduleScenes scenes = at(fit);
        return ui.px(scenes.lanes.height + scenes.memory.height + kGap) * fit <= room.y;
    };
    while (fit > 1 && !fits())
        fit = std::max(1.0F, fit - 0.2F);
    const ScheduleScenes scenes = at(fit);
    const Ui large = ui.smaller(fit);
    const Scope child = begin_child("learn.schedule", room);
    ImVec2 point = ImGui::GetCursorScreenPos();
    show_tip(ui, paint(large, scenes.lanes, point, {false, {}}).tip);
    const bool acts = view.asks(AskKind::schedule) && can_act(view);
    for (std::size_t place = 0; acts && place < race.ready().size(); ++place) {
        const auto lane =
            static_cast<std::size_t>(race.ready()[place] - race.state_view().warps.data());
        const figures::Box& box = ui.state<LearnPictureState>().beside[lane];
        ImGui::SetCursorScreenPos({point.x + large.px(box.left),
                                   point.y + large.px((box.top + box.bottom) / 2) - ui.px(16)});
        const bool picked = place == view.open.picked;
        if (act_button(ui, fmt::format("learn.act_{}", place + 1).c_str(),
                       run_text(ui, *race.ready()[place], race.state_view()), picked,
                       {ui.px(run_button_width(ui, race)), ui.px(32)}))
            act(ui.change<LearnView>(), place);
        tip(ui, ui.tr()("learn.act.tip"), picked ? "Enter" : "Tab, Enter");
    }
    point.y += large.px(scenes.lanes.height + kGap);
    ImGui::SetCursorScreenPos(point);
    show_tip(ui, paint(large, scenes.memory, point, {false, {}}).tip);
    diagram_item("diagram",
                 {large.px(scenes.memory.width), std::floor(large.px(scenes.memory.height))});
}

// What will be measured.
void say_before(const Ui& ui, float width) {
    const lessons::Ask& ask = *ui.view<LearnView>().page()->ask;
    wrapped(ui, ui.tr()("learn.predict_first"), width, Face::sans, kTextSize, Role::muted);
    ImGui::Dummy({0, ui.px(6)});
    for (const std::string& kernel : ask.kernels)
        wrapped("•  " + option_text(ui, {{}, kernel, false}), width);
    if (!ask.n.empty()) label(ui, "n = " + ask.n);
}

// The kernel of a page: its lines, of which one may be clicked, or a text to be edited.

struct LearnEditor {
    std::string text;                // without the header
    std::uint64_t version = 0;       // of the page that it was taken from
    std::uint64_t replacements = 0;  // of the view, as seen last
    int refocus = 0;                 // tries to give it the keys
};

constexpr const char* kLearnText = "###learn.text";

bool is_marked(const lessons::Show& show, std::uint32_t line) {
    return any_of(show.lines,
                  [&](const auto& range) { return range.first <= line && line <= range.second; });
}

constexpr float kLargest = 15, kSmallest = 11;  // points
constexpr float kLineHeight = 1.34F;            // of the size, and so many points between lines
constexpr float kBetween = 4, kBetweenClicked = 8;

float between_lines(const LearnView& view) {
    const bool clicked = !view.closed() || view.open.asks_why;  // or soon again
    return view.asks_for(lessons::Picked::line) && clicked ? kBetweenClicked : kBetween;
}

std::vector<std::string_view> lines_of_page(const LearnView& view) {
    const std::vector<std::string>& texts = marked(view).texts;
    const bool arranged = arranges_lines(view) && !texts.empty();
    const std::string_view kernel = arranged ? texts.front() : view.open.kernel;
    std::vector<std::string_view> lines =
        text_lines(kernel.substr(lessons::header_of(kernel).size()));
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
    const float between = between_lines(ui.view<LearnView>());
    const float high =
        (room.y / ui.scale / static_cast<float>(std::max<std::size_t>(lines.size(), 1)) - between) /
        kLineHeight;
    return std::clamp(std::min(wide, std::max(high, 13.0F)), kSmallest, kLargest);
}

std::uint32_t lines_in(std::string_view header) {
    return static_cast<std::uint32_t>(std::count(header.begin(), header.end(), '\n'));
}

struct LearnKernelState {
    std::uint64_t version = 0;
};

void lines_to_read(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Page& page = *view.page();
    const bool asks = view.asks_for(lessons::Picked::line);
    const bool open = asks && !view.closed() && !ui.session.presenting;
    const std::vector<std::uint64_t>& picks = marked(view).picks;
    const std::uint32_t before = lines_in(lessons::header_of(view.open.kernel));
    const std::vector<std::string_view> lines = lines_of_page(view);
    const TextStyle style(ui, Face::mono, size_for(ui, lines, room));
    const bool other_page =
        std::exchange(ui.state<LearnKernelState>().version, view.open.version) != view.open.version;
    // The marked lines are in sight, with some of what is above them.
    const float above = page.show.lines.empty() || page.show.lines.front().first <= before
                            ? 0.0F
                            : static_cast<float>(page.show.lines.front().first - before - 1);
    const Scope child = begin_child("learn.kernel", room, ImGuiWindowFlags_HorizontalScrollbar);
    const float numbers = ImGui::CalcTextSize("000").x + ui.px(10);
    const float height = ImGui::GetTextLineHeight() + ui.px(between_lines(view));
    const bool all = static_cast<float>(lines.size()) * height <= room.y;
    if (other_page) ImGui::SetScrollY(all ? 0 : std::max(above - 1, 0.0F) * height);
    const Pen pen(ui);
    bool in_comment = false;
    const Scope spacing = with_style(ImGuiStyleVar_ItemSpacing, {0, 0});
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const auto number = static_cast<std::uint32_t>(i) + before + 1;
        const ImVec2 point = ImGui::GetCursorScreenPos();
        const bool chosen = asks && contains(picks, number);
        bool hovered = false;
        if (open) {
            if (ImGui::InvisibleButton(fmt::format("line.{}", number).c_str(),
                                       {std::max(room.x - ui.px(16), 1.0F), height}))
                choose(ui.change<LearnView>(), number);
            hovered = ImGui::IsItemHovered();
            tip(ui, ui.tr()("learn.line.tip"), "Tab, Enter");
        } else {
            ImGui::Dummy({1, height});
        }
        if (chosen || hovered || is_marked(page.show, number)) {
            const Role fill = chosen ? Role::act_fill : hovered ? Role::idle_fill : Role::read_fill;
            pen.fill(point, {point.x + room.x, point.y + height}, fill, ui.px(3));
        }
        if (chosen) pen.fill(point, {point.x + ui.px(3), point.y + height}, Role::act);
        if (open && view.open.pointed == number) {
            pen.frame({point.x + 1, point.y + 1}, {point.x + room.x - ui.px(16), point.y + height},
                      Role::barrier, ui.px(3), ui.px(2.4F));
            if (!ImGui::IsItemVisible()) ImGui::SetScrollHereY(0.5F);
        }
        const float y = point.y + (height - ImGui::GetTextLineHeight()) / 2;
        const std::string text = fmt::format("{:>3}", number);
        pen.text({point.x + ui.px(6), y}, text, Role::muted);
        float x = point.x + numbers + ui.px(8);
        for (const TextPiece& piece : pieces_of(lines[i], nullptr, in_comment)) {
            pen.text({x, y}, piece.text, piece.role);
            x += ImGui::CalcTextSize(piece.text.data(), piece.text.data() + piece.text.size()).x;
        }
        ImGui::SetCursorScreenPos({point.x, point.y + height});
    }
    ImGui::Dummy({1, 1});
}

void text_to_edit(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    LearnEditor& editor = ui.state<LearnEditor>();
    const std::string& draft =
        view.open.draft.texts.empty() ? view.open.kernel : view.open.draft.texts.front();
    const std::string_view header = lessons::header_of(draft);
    // The field goes on while the picture changes, until another text takes its place.
    const std::uint64_t version = view.open.opened + (view.done() ? 1'000'000'000 : 0);
    if (editor.version != version || draft.substr(header.size()) != editor.text) {
        editor.version = version;
        editor.text = draft.substr(header.size());
    }
    const TextStyle style(ui, Face::mono, 14);
    ImGui::PushID(static_cast<int>(version));
    // Whoever took a text away by a button can bring it back by Ctrl+Z at once.
    if (std::exchange(editor.replacements, view.replacements) != view.replacements)
        editor.refocus = 3;
    const ImGuiID id = ImGui::GetID(kLearnText);
    if (editor.refocus > 0 && ImGui::GetActiveID() != id) {
        ImGui::ActivateItemByID(id);
        --editor.refocus;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    Pen(ui).fill(at, {at.x + room.x, at.y + room.y}, Role::background, ui.px(6));
    // What the last check found, at its place in the text that it was found in.
    EditorMarks marks;
    marks.before = lines_in(header);
    if (view.open.feedback && view.open.draft.texts == view.open.checked.texts)
        marks.marks = view.open.feedback->errors;
    if (numbered_text(ui, kLearnText, editor.text, room, marks, nullptr, view.closed()))
        set_text(ui.change<LearnView>(), 0,
                 std::string(lessons::header_of(view.open.kernel)) + editor.text);
    if (ImGui::GetActiveID() == id && just_replaced(view) &&
        ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Z))
        ui.run("undo");
    ImGui::PopID();
    tip(ui, ui.tr()("learn.text.tip"), "Ctrl+Enter");
}

// The fields of a question whose answer is typed.

// Once a page opens, its first field: a digit is then typed, and does not change the view. After a
// wrong answer, or one that cannot be read, the first field that is wrong.
std::size_t field_to_focus(const Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    FocusState& state = ui.state<FocusState>();
    const session::LearnPage& open = view.open;
    if (const std::size_t asked = std::exchange(state.asked, kNone); asked != kNone) return asked;
    const bool opens = open.version != state.version;
    if (!opens && view.reply_version == state.reply) return kNone;
    state = {open.version, view.reply_version};
    if (view.closed() || !ui.session.overlay.empty()) return kNone;
    const auto& feedback = open.feedback;
    if (!feedback) return opens ? 0 : kNone;
    // A hint comes while another answer is typed.
    if (open.draft != open.checked) return kNone;
    if (!feedback->wrong.empty()) return *feedback->wrong.begin();
    const std::size_t wrong = position_of(feedback->right_fields, false);
    return wrong == feedback->right_fields.size() ? 0 : wrong;
}

// Of a field while it has the text that was checked.
Mark mark_of_field(const LearnView& view, std::size_t place) {
    const std::vector<std::string>&draft = view.open.draft.texts,
          &checked = view.open.checked.texts;
    const auto& feedback = view.open.feedback;
    if (!feedback || place >= draft.size()) return Mark::none;
    if (!view.done() && (place >= checked.size() || draft[place] != checked[place]))
        return Mark::none;
    return feedback->wrong.contains(place) ? Mark::wrong : mark_at(feedback->right_fields, place);
}

// Fields for values; Enter checks them all.
void fields(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Question& question = view.open.question;
    const bool cells = question.kind == AskKind::cells;
    const float each = ui.px(cells                             ? 74
                             : question.kind == AskKind::input ? 260
                                                               : 130),
                gap = ui.px(10);
    const std::size_t focused = field_to_focus(ui);
    FocusState& state = ui.state<FocusState>();
    if (focused != kNone) state.to_select = focused;
    if (focused != kNone && !view.open.feedback) state.opened = ImGui::GetFrameCount();
    // A page is read from its top, though the focus would scroll to the field.
    if (ImGui::GetFrameCount() < state.opened + 3) ImGui::SetScrollY(0);
    const auto columns =
        static_cast<std::size_t>(std::max(1.0F, std::floor((width + gap) / (each + gap))));
    const ImVec2 first = ImGui::GetCursorScreenPos();
    // A line of cells: their names, and fields whose digits are larger than other text.
    const float high = ui.px(kSmallSize * 1.4F + 17 * 1.4F) +
                       2 * (ImGui::GetStyle().FramePadding.y + ImGui::GetStyle().ItemSpacing.y);
    for (std::size_t i = 0; i < question.fields.size(); ++i) {
        const lessons::Field& field = question.fields[i];
        const Mark mark = mark_of_field(view, i);
        if (cells) {
            const std::size_t line = i / columns;
            ImGui::SetCursorScreenPos({first.x + static_cast<float>(i % columns) * (each + gap),
                                       first.y + static_cast<float>(line) * high});
        }
        if (field.label) page_paragraph(ui, view.open.labels[*field.label], width);
        ImGui::BeginGroup();
        if (cells) {
            const auto& rows = view.open.run->table.rows;
            label(ui, rows[std::min(question.row, rows.size() - 1)].cell_name(*field.cell));
        }
        std::string text = i < view.open.draft.texts.size() ? view.open.draft.texts[i] : "";
        ImGui::SetNextItemWidth(each);
        ImGui::BeginDisabled(view.closed());
        // A phone's keyboard, which covers half of the page, waits for a tap.
        if (i == focused && ImGui::GetIO().MouseSource != ImGuiMouseSource_TouchScreen)
            ImGui::SetKeyboardFocusHere();
        const TextStyle style(ui, Face::mono, 17);
        ImGui::PushStyleColor(ImGuiCol_FrameBg, ui.colour4(fill_of(mark, false)));
        ImGui::PushStyleColor(ImGuiCol_Border, ui.colour4(edge_of(mark, true)));
        // Of this page alone: a field that has the keys gives back what is in it when it ends.
        ImGui::PushID(static_cast<int>(view.open.version));
        if (ImGui::InputText(fmt::format("###field.{}", i + 1).c_str(), &text,
                             ImGuiInputTextFlags_CharsNoBlank))
            set_text(ui.change<LearnView>(), i, text);
        // Where Enter found nothing to check, what is typed next goes on with the answer.
        if (ImGui::IsItemDeactivated() && !view.closed() && focused == kNone && enter_pressed()) {
            const auto& texts = view.open.draft.texts;
            const std::size_t empty = position_of(texts, "");
            state.asked = empty == texts.size() ? i : empty;
        }
        // A field that kept the keys would add what is typed next to the wrong answer.
        if (i == state.to_select && ImGui::IsItemActive()) {
            if (ImGuiInputTextState* edited = ImGui::GetInputTextState(ImGui::GetItemID()))
                edited->SelectAll();
            state.to_select = kNone;
        }
        ImGui::PopID();
        ImGui::PopStyleColor(2);
        ImGui::EndDisabled();
        if (!view.closed()) tip(ui, ui.tr()("learn.field.tip"), "Tab");
        ImGui::EndGroup();
        if (!cells && !view.page()->ask->unit.empty()) {
            ImGui::SameLine(0, ui.px(8));
            ImGui::AlignTextToFramePadding();
            const std::string& unit = view.page()->ask->unit;
            label(ui, ui.tr().get("learn.unit." + unit, unit));
        }
    }
}

// Around the choice that Enter takes.
void draw_ring(const Ui& ui, ImVec2 low, ImVec2 high, float radius) {
    const float gap = ui.px(3);
    Pen(ui).frame({low.x - gap, low.y - gap}, {high.x + gap, high.y + gap}, Role::barrier,
                  radius + gap, ui.px(2.4F));
}

Mark mark_of(const LearnView& view, std::uint64_t pick) {
    const auto& feedback = view.open.feedback;
    if (!feedback) return Mark::none;
    if (feedback->wrong.contains(pick)) return Mark::wrong;
    if (is_chosen(view, pick) && (feedback->right || feedback->given_up)) return Mark::right;
    return Mark::none;
}

constexpr const char* kPickKeys = "Tab, Enter";

// A box that is chosen by a click, as high as its words need.
void choice_box(Ui& ui, std::size_t place, const lessons::Paragraph& words, bool chosen, Mark mark,
                float width, bool reason = false) {
    const session::LearnPage& page = ui.view<LearnView>().open;
    const bool open = reason ? page.asks_why : !ui.view<LearnView>().closed();
    const lessons::Paragraph plain{lessons::Paragraph::Kind::plain, 0, words.spans};
    const float pad = ui.px(10), sign = ui.px(20);
    const float height = page_text_height(ui, {plain}, width - 2 * pad - sign) + 2 * ui.px(7);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    ImGui::BeginDisabled(!open);
    const bool pressed = ImGui::InvisibleButton(
        fmt::format("{}.{}", reason ? "reason" : "option", place + 1).c_str(),
        {width, std::max(height, ui.px(36))});
    ImGui::EndDisabled();
    if (open) tip(ui, ui.tr()(reason ? "learn.reason.tip" : "learn.option.tip"), kPickKeys);
    const bool hovered = open && ImGui::IsItemHovered();
    const ImVec2 size = ImGui::GetItemRectSize();
    const ImVec2 after = ImGui::GetCursorScreenPos();
    const Pen pen(ui);
    const ImVec2 high{point.x + size.x, point.y + size.y};
    pen.fill(point, high, hovered && !chosen ? Role::idle_fill : fill_of(mark, chosen), ui.px(7));
    pen.frame(point, high, edge_of(mark, chosen), ui.px(7),
              ui.px(chosen || mark != Mark::none ? 2.0F : 1.2F));
    if (open && (reason ? page.pointed_reason == place : page.pointed == place))
        draw_ring(ui, point, high, ui.px(7));
    ImGui::SetCursorScreenPos({point.x + pad, point.y + (size.y - height) / 2 + ui.px(7)});
    page_paragraph(ui, plain, width - 2 * pad - sign);
    mark_sign(ui, mark, {high.x - pad - ui.px(4), point.y + size.y / 2});
    ImGui::SetCursorScreenPos(after);
    if (!pressed) return;
    if (reason)
        choose_reason(ui.change<LearnView>(), place);
    else
        choose(ui.change<LearnView>(), place);
}

// The page's label, or the option's own text.
lessons::Paragraph option_words(const Ui& ui, const lessons::Option& option, bool bold = false) {
    return option.label ? ui.view<LearnView>().open.labels[*option.label]
                        : paragraph_of(option_text(ui, option), bold);
}

void options(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Question& question = view.open.question;
    const bool numbers =
        none_of(question.options, [](const auto& option) { return option.label.has_value(); });
    const bool small =
        numbers && question.kind != AskKind::measure && view.page()->ask->kernels.empty();
    const std::size_t columns = small ? 3 : 1;
    const float gap = ui.px(8);
    const float each =
        (width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    label(ui, ui.tr()(question.several ? "learn.choose_all" : "learn.choose_one"));
    const ImVec2 first = ImGui::GetCursorScreenPos();
    float y = first.y, below = y;
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        const lessons::Option& option = question.options[i];
        if (i % columns == 0) y = below;
        ImGui::SetCursorScreenPos({first.x + static_cast<float>(i % columns) * (each + gap), y});
        choice_box(ui, i, option_words(ui, option, small), is_chosen(view, i), mark_of(view, i),
                   each);
        below =
            std::max(below, ImGui::GetCursorScreenPos().y + gap - ImGui::GetStyle().ItemSpacing.y);
    }
    ImGui::SetCursorScreenPos({first.x, below});
    ImGui::Dummy({width, 0});
}

// Work-items or cells as buttons, a gap after each group.
void pick_buttons(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Question& question = view.open.question;
    if (view.open.run == nullptr) return;
    const auto& rows = view.open.run->table.rows;
    const analysis::Row& row = rows[std::min(question.row, rows.size() - 1)];
    const bool items = question.picked == lessons::Picked::items;
    const std::size_t count = items ? row.global : row.cells.size();
    const std::uint64_t group = items ? row.local : row.group_cells;
    label(ui, ui.tr()(items ? "learn.pick_items" : "learn.pick_cells"));
    const float size = ui.px(34), gap = ui.px(4);
    float x = 0;
    for (std::size_t i = 0; i < std::min(count, session::kMostPicks); ++i) {
        if (i > 0) {
            const bool new_group = group > 0 && i % group == 0;
            const float space = new_group ? gap * 3 : gap;
            if (x + space + size <= width) {
                ImGui::SameLine(0, space);
                x += space;
            } else {
                x = 0;
            }
        }
        x += size;
        const bool chosen = is_chosen(view, i);
        const Mark mark = mark_of(view, i);
        const ImVec2 point = ImGui::GetCursorScreenPos();
        ImGui::BeginDisabled(view.closed());
        if (ImGui::InvisibleButton(fmt::format("pick.{}", i).c_str(), {size, size}))
            choose(ui.change<LearnView>(), i);
        ImGui::EndDisabled();
        if (!view.closed())
            tip(ui, ui.tr()(items ? "learn.item.tip" : "learn.cell.tip", arg("place", i)),
                kPickKeys);
        const Pen pen(ui);
        const ImVec2 high{point.x + size, point.y + size};
        const float radius = items ? size / 2 : ui.px(5);
        const bool filled = chosen && mark == Mark::none;
        pen.fill(point, high,
                 filled                   ? Role::act
                 : ImGui::IsItemHovered() ? Role::idle_fill
                                          : fill_of(mark, chosen),
                 radius);
        pen.frame(point, high, chosen ? edge_of(mark, chosen) : Role::idle, radius, ui.px(1.4F));
        if (!view.closed() && view.open.pointed == i) draw_ring(ui, point, high, radius);
        const TextStyle style(ui, Face::mono, kTextSize);
        text_around(ui, {point.x + size / 2, point.y + size / 2}, std::to_string(i),
                    filled ? Role::on_act : Role::text);
    }
}

// Options in the order in which they are clicked.
void order(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    label(ui, ui.tr()(fmt::format("learn.order.{}", name_of(view.page()->ask->kind))));
    const lessons::Question& question = view.open.question;
    for (std::size_t i = 0; i < question.options.size(); ++i) {
        const std::vector<std::uint64_t>& picks = view.open.draft.picks;
        const std::size_t place = position_of(picks, i);
        const bool chosen = place < picks.size();
        lessons::Paragraph words = paragraph_of(option_text(ui, question.options[i]));
        words.spans.front().code = !question.order.empty();  // lines
        if (chosen)
            words.spans.insert(words.spans.begin(),
                               {fmt::format("{}. ", place + 1), true, false, false, ""});
        choice_box(ui, i, words, chosen, question.order.empty() ? Mark::none : mark_of(view, i),
                   width);
    }
}

// ImGui's fields do not wrap: a line that grows too long is broken.
int break_lines(ImGuiInputTextCallbackData* data) {
    const float width = *static_cast<const float*>(data->UserData);
    for (int begin = 0; begin < data->BufTextLen;) {
        const std::string_view rest(data->Buf + begin,
                                    static_cast<std::size_t>(data->BufTextLen - begin));
        const std::string_view line = rest.substr(0, rest.find('\n'));
        const char* end = line.data() + line.size();
        const char* fits =
            ImGui::GetFont()->CalcWordWrapPosition(ImGui::GetFontSize(), line.data(), end, width);
        const int at = static_cast<int>(std::min(fits, end) - data->Buf);
        if (fits < end) {
            if (*fits == ' ') data->DeleteChars(at, 1);
            data->InsertChars(at, "\n");
        }
        begin = at + 1;
    }
    return 0;
}

void sentence(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    std::string text = view.open.draft.texts.empty() ? "" : view.open.draft.texts.front();
    ImGui::BeginDisabled(view.closed());
    ImGui::PushStyleColor(ImGuiCol_FrameBg, ui.colour4(Role::background));
    ImGui::PushID(static_cast<int>(view.open.version));
    float line = width - 2 * ImGui::GetStyle().FramePadding.x - ImGui::GetStyle().ScrollbarSize;
    if (ImGui::InputTextMultiline(
            "###learn.sentence", &text, {width, ui.px(90)},
            ImGuiInputTextFlags_NoHorizontalScroll | ImGuiInputTextFlags_CallbackEdit, break_lines,
            &line))
        set_text(ui.change<LearnView>(), 0, text);
    ImGui::PopID();
    ImGui::PopStyleColor();
    ImGui::EndDisabled();
    if (!view.closed()) tip(ui, ui.tr()("learn.sentence.tip"), "Alt+Enter");
}

void goals(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const auto& feedback = view.open.feedback;
    label(ui, ui.tr()("learn.goals"));
    for (std::size_t i = 0; i < view.page()->ask->goals.size(); ++i) {
        const Mark mark = feedback ? mark_at(feedback->goals, i) : Mark::none;
        const bool all = feedback && (feedback->right || feedback->given_up);
        const ImVec2 point = ImGui::GetCursorScreenPos();
        const Pen pen(ui);
        const ImVec2 centre{point.x + ui.px(9), point.y + ImGui::GetTextLineHeight() / 2};
        if (mark == Mark::none && !all)
            pen.circle(centre, ui.px(5), Role::idle, ui.px(1.4F));
        else
            mark_sign(ui, all ? Mark::right : mark, centre);
        ImGui::SetCursorScreenPos({point.x + ui.px(22), point.y});
        wrapped(text_of(view.page()->ask->goals[i], ui.tr()), width - ui.px(24));
    }
    if (view.page()->ask->only_barriers) label(ui, ui.tr()("learn.wrong.only_barriers"));
}

void aim(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    if (!view.asks(AskKind::schedule) || !view.open.race) return;
    const session::Race& race = *view.open.race;
    // The buttons stay where they are, whatever is said below them.
    ImGui::BeginDisabled(race.at_end() || race.ready().empty());
    if (act_button(ui, "learn.rest", ui.tr()("learn.rest"), false, {0, ui.px(32)}))
        ui.change<LearnView>().go_to(race.length());
    ImGui::EndDisabled();
    tip(ui, ui.tr()("learn.rest.tip"), "End");
    ImGui::SameLine();
    ImGui::BeginDisabled(race.cursor() == 0);
    if (act_button(ui, "learn.undo", ui.tr()("learn.undo"), false, {0, ui.px(32)}))
        ui.change<LearnView>().go_to(race.cursor() - 1);
    ImGui::EndDisabled();
    tip(ui, ui.tr()("learn.undo.tip"), "Left");
    std::string text = ui.tr()("learn.actions", arg("k", race.cursor()));
    if (!view.closed()) text += ui.tr()("figure.space") + ui.tr()("learn.check_at_end");
    if (race.at_end() && race.ending())
        text = ui.tr()("learn.ended", arg("result", race.ending()->result));
    else if (race.at_end() && race.never_ends())
        text = ui.tr()("learn.never_ends");
    else if (race.at_end())
        text = ui.tr()("learn.no_end_yet");
    wrapped(text, width);
    if (view.page()->ask->par > 0)
        label(ui, ui.tr()("learn.par", arg("par", view.page()->ask->par)));
}

void answer_part(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Question& question = view.open.question;
    const auto& picks = view.open.draft.picks;
    if (view.asks(AskKind::schedule)) return aim(ui, width);
    if (arranges_lines(view)) order(ui, width);
    if (view.asks(AskKind::edit)) return goals(ui, width);
    if (view.asks(AskKind::reflect)) return sentence(ui, width);
    if (!question.fields.empty()) {
        if (view.asks(AskKind::measure)) label(ui, ui.tr()("learn.ratio"));
        return fields(ui, width);
    }
    if (question.picked == lessons::Picked::line)
        label(ui, picks.empty() ? ui.tr()("learn.click_line")
                                : ui.tr()("learn.line_chosen", arg("line", picks.front())));
    else if (question.picked == lessons::Picked::order)
        order(ui, width);
    else if (question.picked != lessons::Picked::options)
        pick_buttons(ui, width);
    else
        options(ui, width);
}

// What is said of an answer, and the hints: below the question, and in sight when they come.

constexpr int kFramesToScroll = 3;

struct ReplyState {
    std::uint64_t version = 0;  // of the last reply that was scrolled to
    int frames = 0;             // until its height is known
};

// A box as high as its words, coloured by what they say.
void reply_box(Ui& ui, const std::string& heading, const lessons::Text& words, Tone tone,
               float width) {
    const float pad = ui.px(12);
    const ImVec2 point = ImGui::GetCursorScreenPos();
    const float head = heading.empty() ? 0 : ImGui::GetTextLineHeight() + ui.px(4);
    const float height = head + page_text_height(ui, words, width - 2 * pad) + 2 * pad;
    const Pen pen(ui);
    const Role edge = tone == Tone::good    ? Role::wrote
                      : tone == Tone::wrong ? Role::race
                                            : Role::act;
    pen.fill(point, {point.x + width, point.y + height}, ground_of(tone), ui.px(7));
    pen.fill(point, {point.x + ui.px(4), point.y + height}, edge, ui.px(2));
    ImGui::SetCursorScreenPos({point.x + pad, point.y + pad});
    if (!heading.empty()) bold_line(ui, heading, kTextSize, edge);
    ImGui::SetCursorScreenPos({point.x + pad, point.y + pad + head});
    page_text(ui, words, width - 2 * pad, {.explains = true});
    ImGui::SetCursorScreenPos({point.x, point.y + height + ui.px(8)});
    ImGui::Dummy({width, 0});
}

// What is wrong with an edited text, by the lines that its editor shows; nothing of files and of
// options of the command line.
lessons::Text errors_of(const Ui& ui, const std::vector<catalogue::TextMark>& errors) {
    lessons::Text words;
    for (const catalogue::TextMark& error : errors) {
        std::string text = ui.tr().message(error.message);
        if (error.line > 0)
            text = ui.tr()("user_kernel.line", arg("line", error.line)) + ui.tr()("figure.colon") +
                   text;
        text = as_sentence(ui, text);
        if (!error.hint.empty() && error.hint.find("--") == std::string::npos)
            text += ui.tr()("figure.space") + as_sentence(ui, ui.tr().message(error.hint));
        words.push_back(paragraph_of(text));
    }
    return words;
}

// The same for what stops the run.
Problem without_file(const Ui& ui, Problem problem) {
    const auto colon = problem.where.find(".cl:");
    if (colon == std::string::npos) return problem;
    const unsigned long line = std::strtoul(problem.where.c_str() + colon + 4, nullptr, 10);
    problem.where = line > 0 ? ui.tr()("user_kernel.line", arg("line", line)) : "";
    if (problem.hint.find("--") != std::string::npos && problem.phrases.hint.key.empty())
        problem.hint.clear();
    return problem;
}

void feedback_part(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    if (view.open.measured.problem) problem_card(ui, *view.open.measured.problem, width);
    const auto& feedback = view.open.feedback;
    if (!feedback) return;
    const bool graded = view.open.question.graded;
    Phrase phrase = feedback->message;
    if (const auto goal = phrase.arguments.find("goal"); goal != phrase.arguments.end())
        goal->second = ui.tr().get("learn.goal." + goal->second, goal->second);
    const std::string message = translated(phrase, ui.tr());
    if (feedback->right || feedback->given_up || feedback->measured) {
        lessons::Text words = view.open.reply;
        if (!message.empty()) words.insert(words.begin(), paragraph_of(message));
        const char* key = !graded              ? ""
                          : feedback->right    ? "learn.right"
                          : feedback->given_up ? "learn.given_up"
                                               : "learn.not_as_predicted";
        reply_box(ui, *key == 0 ? "" : ui.tr()(key), words,
                  graded && feedback->right ? Tone::good : Tone::plain, width);
        return;
    }
    if (!feedback->errors.empty())
        return reply_box(ui, ui.tr()("learn.does_not_compile"), errors_of(ui, feedback->errors),
                         Tone::wrong, width);
    if (feedback->problem) {
        if (!message.empty()) wrapped(message, width);
        problem_card(ui, without_file(ui, *feedback->problem), width);
        if (!view.open.reply.empty())
            reply_box(ui, ui.tr()("learn.not_yet"), view.open.reply, Tone::wrong, width);
        return;
    }
    // Which mistake it is, or which goal of an edit fails, whatever the page says to it.
    const bool both = (feedback->failed || feedback->names_mistake) && !message.empty();
    lessons::Text words;
    if (!message.empty() && (both || view.open.reply.empty()))
        words.push_back(paragraph_of(message));
    words.insert(words.end(), view.open.reply.begin(), view.open.reply.end());
    reply_box(ui, feedback->no_try ? "" : ui.tr()("learn.not_yet"), words,
              feedback->no_try ? Tone::plain : Tone::wrong, width);
}

// Why the answer is right, as the student thinks. With the verdict, only the one that was chosen,
// and the right one once the page is done.
void reasons_part(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const session::LearnPage& open = view.open;
    if (!shows_reasons(view)) return;
    label(ui, ui.tr()("learn.because"));
    const std::vector<lessons::Reason>& reasons = view.page()->reasons;
    for (std::size_t i = 0; i < reasons.size(); ++i) {
        const bool chosen = open.draft.reason == reasons[i].name;
        const bool judged = !open.asks_why;
        if (judged && !chosen && !(view.done() && reasons[i].right())) continue;
        choice_box(ui, i, reason_words(view, i), chosen,
                   !judged              ? Mark::none
                   : reasons[i].right() ? Mark::right
                                        : Mark::wrong,
                   width, true);
    }
    ImGui::Dummy({0, ui.px(2)});
}

void reason_reply(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    const lessons::Reason* reason = reason_of(*view.page(), view.open.draft);
    if (reason == nullptr || !shows_reasons(view) || view.open.asks_why) return;
    if (!reason->right())
        reply_box(ui, ui.tr()("learn.reason_wrong"), view.open.reason_reply, Tone::wrong, width);
    else if (!view.done())
        reply_box(ui, "", {paragraph_of(ui.tr()("learn.reason_right"))}, Tone::plain, width);
}

void replies(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    ReplyState& state = ui.state<ReplyState>();
    if (state.version != view.reply_version) {
        state = {view.reply_version, kFramesToScroll};
        // A field that kept the keys would take the digit of a reason.
        if (view.open.asks_why) ImGui::ClearActiveID();
    }
    const float above = ImGui::GetCursorPosY();
    if (view.open.asks_why) reasons_part(ui, width);
    for (std::size_t i = 0; i < view.open.hints_shown; ++i)
        reply_box(ui, ui.tr()("command.learn.hint"), hint_of(view, i), Tone::plain, width);
    feedback_part(ui, width);
    if (!view.open.asks_why) reasons_part(ui, width);
    reason_reply(ui, width);
    if (state.frames == 0) return;
    --state.frames;
    // Its end is in sight, but where it is higher than the room, its beginning is.
    const float below = ImGui::GetCursorPosY(), room = ImGui::GetWindowHeight();
    if (view.open.feedback || view.open.hints_shown > 0 || view.open.asks_why)
        ImGui::SetScrollY(std::min(below - room, above - ui.px(8)));
}

// A poll of hands beside the presented picture: the choices, a bar for each, and a field for the
// hands of the one that is counted. The field has the keys as long as it is there, so that a digit
// is a count and not a command.

constexpr float kChoice = 17, kField = 58;  // points

struct PollState {
    std::uint64_t version = 0;  // of the page and the place whose field it is
    std::size_t place = 0;
    bool why = false;
    std::string hands, value;
    bool takes_keys = false;  // the field has come just now
};

// What has to happen while the field has the keys of the window.
void keys_of_window(Ui& ui, const session::HandPoll& poll) {
    if (ImGui::GetIO().KeyAlt) return;  // a command, which works in a field
    struct Forwarded {
        ImGuiKey key;
        const char* command;
    };
    constexpr std::array kForwarded{Forwarded{ImGuiKey_RightArrow, "step.forward"},
                                    Forwarded{ImGuiKey_LeftArrow, "step.back"},
                                    Forwarded{ImGuiKey_Escape, "cancel"}};
    for (const Forwarded& each : kForwarded)
        if (ImGui::IsKeyPressed(each.key)) ui.run(each.command);
    const std::size_t count = poll.places();
    LearnView& view = ui.change<LearnView>();
    const bool tab = ImGui::IsKeyPressed(ImGuiKey_Tab), back = ImGui::GetIO().KeyShift;
    const bool next = ImGui::IsKeyPressed(ImGuiKey_DownArrow) || (tab && !back) ||
                      (poll.place < poll.choices.size() && enter_pressed());
    if (count > 0 && next) point_poll(view, (poll.place + 1) % count);
    if (count > 0 && (ImGui::IsKeyPressed(ImGuiKey_UpArrow) || (tab && back)))
        point_poll(view, (poll.place + count - 1) % count);
}

void take_keys(PollState& state) {
    if (state.takes_keys || !ImGui::IsAnyItemActive()) ImGui::SetKeyboardFocusHere();
    state.takes_keys = false;
}

lessons::Paragraph choice_words(const Ui& ui, const session::HandPoll& poll, std::size_t place) {
    const session::PollChoice& choice = poll.choices[place];
    const LearnView& view = ui.view<LearnView>();
    if (!choice.option) return paragraph_of(choice.text);
    lessons::Paragraph words = poll.why
                                   ? reason_words(view, *choice.option)
                                   : option_words(ui, view.open.question.options[*choice.option]);
    words.kind = lessons::Paragraph::Kind::plain;
    return words;
}

// The hands, as a bar below the words and a number behind it; or the field for them.
void choice_row(Ui& ui, const session::HandPoll& poll, std::size_t place, float width, bool told) {
    const session::PollChoice& choice = poll.choices[place];
    const bool counted = poll.place == place && !told;
    const bool mistake = told && poll.common_mistake() == place;
    const Mark mark = told && choice.right ? Mark::right : mistake ? Mark::wrong : Mark::none;
    const float pad = ui.px(10), field = ui.px(kField);
    const PageTextStyle style{kChoice, told && mark == Mark::none ? Role::muted : Role::text};
    lessons::Text words{choice_words(ui, poll, place)};
    if (mistake) words.push_back(paragraph_of(ui.tr()("learn.poll.common_mistake"), true));
    const float inner = width - 3 * pad - field;
    const float high = std::max(page_text_height(ui, words, inner, style) + 2 * pad + ui.px(8),
                                ui.px(kTouch) + pad);
    const ImVec2 point = ImGui::GetCursorScreenPos(), end{point.x + width, point.y + high};
    if (counted) ImGui::SetNextItemAllowOverlap();
    if (ImGui::InvisibleButton(fmt::format("{}.{}", poll.why ? "why" : "poll", place + 1).c_str(),
                               {width, high}))
        point_poll(ui.change<LearnView>(), place);
    if (!told) tip(ui, ui.tr()("learn.poll.tip"), "Up, Down");
    const ImVec2 after = ImGui::GetCursorScreenPos();
    const Pen pen(ui);
    pen.fill(point, end, fill_of(mark, counted), ui.px(7));
    pen.frame(point, end, edge_of(mark, counted), ui.px(7),
              ui.px(counted || mark == Mark::right ? 2.0F : 1.2F));
    ImGui::SetCursorScreenPos({point.x + pad, point.y + pad * 0.8F});
    page_text(ui, words, inner, style);
    const float all = static_cast<float>(std::max<std::uint64_t>(poll.all(), 1));
    share_bar(ui, {point.x + pad, end.y - pad * 0.7F - ui.px(6)}, {inner, ui.px(6)},
              static_cast<float>(choice.hands) / all,
              mark == Mark::right   ? Role::wrote
              : mark == Mark::wrong ? Role::race
              : told                ? Role::idle
                                    : Role::act);
    const float left = end.x - pad - field;
    const TextStyle number(ui, Face::mono, kChoice);
    if (counted) {
        PollState& state = ui.state<PollState>();
        ImGui::SetCursorScreenPos({left, point.y + (high - ImGui::GetFrameHeight()) / 2});
        ImGui::SetNextItemWidth(field);
        take_keys(state);
        // Of this place alone: a field that has the keys gives back what is in it when it ends.
        ImGui::PushID(static_cast<int>(place));
        const bool refused = !state.hands.empty() && !session::hands_of(state.hands);
        ImGui::PushStyleColor(ImGuiCol_FrameBg,
                              ui.colour4(fill_of(refused ? Mark::wrong : Mark::none, false)));
        if (ImGui::InputText("###poll.hands", &state.hands,
                             ImGuiInputTextFlags_CharsDecimal | ImGuiInputTextFlags_AutoSelectAll))
            count_hands(ui.change<LearnView>(), session::hands_of(state.hands).value_or(0));
        ImGui::PopStyleColor();
        ImGui::PopID();
        tip(ui, ui.tr()("learn.poll.hands.tip"));
    } else {
        const std::string text = choice.hands > 0 ? fmt::format("{}", choice.hands) : "";
        const ImVec2 size = ImGui::CalcTextSize(text.c_str());
        pen.text({end.x - pad - size.x - ui.px(4), point.y + (high - size.y) / 2}, text,
                 Role::text);
    }
    ImGui::SetCursorScreenPos(after);
}

// A value that somebody says; Enter makes it a choice.
void value_row(Ui& ui, float width) {
    const session::HandPoll& poll = *ui.view<LearnView>().open.poll;
    PollState& state = ui.state<PollState>();
    const bool here = poll.place == poll.choices.size();
    if (!here) {
        if (act_button(ui, "poll.more", ui.tr()("learn.poll.more"), false, {width, ui.px(kTouch)}))
            point_poll(ui.change<LearnView>(), poll.choices.size());
        tip(ui, ui.tr()("learn.poll.value.tip"), "Down");
        return;
    }
    label(ui, ui.tr()("learn.poll.value"));
    const TextStyle number(ui, Face::mono, kChoice);
    ImGui::SetNextItemWidth(width);
    take_keys(state);
    if (ImGui::InputText("###poll.value", &state.value, ImGuiInputTextFlags_EnterReturnsTrue)) {
        count_value(ui.change<LearnView>(), state.value);
        state.value.clear();
    }
    tip(ui, ui.tr()("learn.poll.value.tip"), "Enter");
}

}  // namespace

bool enter_pressed() {
    return ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
           ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
}

std::string picture_title(const Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    const session::LearnPage& page = view.open;
    if (page.run != nullptr) return figures::subtitle(page.run->table, ui.tr());
    // A schedule in the making has no order yet.
    if (view.open.race != nullptr) return figures::settings_text(page.table, ui.tr());
    return {};
}

// The chart of what a page measures, with the documents' figures; before that, how to come to it.
void learn_chart(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    const std::optional<results::Measurements>& rows = view.open.rows;
    const bool any = rows && !rows->rows.empty();
    const Scope child = begin_child("learn.chart", room);
    const float width = ImGui::GetContentRegionAvail().x;
    if (view.open.measured.waiting)
        measure_stop_button(ui, view.open.progress, std::min(width, ui.px(320)));
    else if (can_measure_again(view))
        command_button(ui, "learn.measure",
                       ui.tr()(any ? "learn.measure_again" : "command.learn.measure"), false);
    else if (!any)
        say_before(ui, width);
    if (view.open.measured.problem) problem_card(ui, *view.open.measured.problem, width);
    if (any)
        chart_figure(ui,
                     {"time", fmt::format("page {} {}", view.open.version, view.open.rows_version),
                      [&] { return std::vector{*rows}; }},
                     ImGui::GetContentRegionAvail());
}

void learn_picture(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    if (view.open.problem) return problem_card(ui, *view.open.problem, room.x);
    if (lessons::view_of(*view.page()) == lessons::PageView::chart)
        learn_chart(ui, room);
    else if (view.open.has_lattice)
        lattice(ui, ui.change<LearnView>().lattice, room);
    else if (view.open.race != nullptr)
        schedule(ui, *view.open.race, room);
    else if (view.open.run != nullptr)
        diagram(ui, room);
}

float learn_kernel_height(const Ui& ui) {
    const LearnView& view = ui.view<LearnView>();
    const float line = kLargest * kLineHeight + between_lines(view);
    return ui.px(static_cast<float>(lines_of_page(view).size()) * line + 54);
}

void learn_kernel(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    if (view.page() == nullptr || view.open.kernel.empty()) return;
    const bool edits = view.asks(AskKind::edit);
    text_line(ui, edits ? view.page()->ask->start : view.page()->show.variant, Face::mono,
              kSmallSize, Role::muted);
    const float used = ImGui::GetTextLineHeightWithSpacing();
    room.y -= used;
    if (edits && !arranges_lines(view))
        text_to_edit(ui, room);
    else
        lines_to_read(ui, room);
}

std::string option_text(const Ui& ui, const lessons::Option& option) {
    if (option.text.starts_with("learn.")) return ui.tr()(option.text);
    const catalogue::Kernel* variant = ui.session.catalogue().known(option.text);
    return variant != nullptr ? title_of(ui, *variant) : option.text;
}

void learn_question(Ui& ui, float width) {
    const LearnView& view = ui.view<LearnView>();
    if (view.page() == nullptr) return;
    const std::string place =
        ui.tr()("learn.of", arg("k", view.page_place + 1), arg("n", view.lesson()->pages.size()));
    label(ui, view.exam.empty() ? place : fmt::format("{} · {}", place, view.exam));
    wrapped(ui, view.page()->title, width, Face::bold, 20);
    ImGui::Dummy({0, ui.px(4)});
    page_text(ui, view.open.words, width, {.explains = true});
    ImGui::Dummy({0, ui.px(8)});
    if (view.page()->ask && !view.open.problem) {
        answer_part(ui, width);
        ImGui::Dummy({0, ui.px(6)});
    }
    replies(ui, width);
}

void learn_poll(Ui& ui, ImVec2 room) {
    const LearnView& view = ui.view<LearnView>();
    if (!view.told() && ImGui::GetIO().WantTextInput) keys_of_window(ui, *view.open.poll);
    if (!view.open.poll) return;  // another page has come
    const session::HandPoll& poll = *view.open.poll;
    PollState& state = ui.state<PollState>();
    if (state.place != poll.place || state.why != poll.why || state.version != view.open.version) {
        state.place = poll.place;
        state.why = poll.why;
        state.version = view.open.version;
        const bool choice = poll.place < poll.choices.size();
        const std::uint32_t hands = choice ? poll.choices[poll.place].hands : 0;
        state.hands = hands > 0 ? fmt::format("{}", hands) : "";
        state.takes_keys = true;
    }
    const bool told = view.told();
    // Its frames are drawn around its edges.
    const float rim = ui.px(1);
    room.x -= 2 * rim;
    ImGui::Indent(rim);
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + rim);
    if (poll.why) label(ui, ui.tr()("learn.because"));
    if (!told) label(ui, ui.tr()("learn.poll"));
    for (std::size_t place = 0; place < poll.choices.size(); ++place)
        choice_row(ui, poll, place, room.x, told);
    if (poll.by_value && !told) value_row(ui, room.x);
    if (poll.by_value && told && poll.choices.empty())
        wrapped(ui, view.open.question.answer, room.x, Face::bold, kChoice, Role::wrote);
    if (const auto& why = view.open.why_poll; told && why) {
        label(ui, ui.tr()("learn.because"));
        for (std::size_t place = 0; place < why->choices.size(); ++place)
            choice_row(ui, *why, place, room.x, told);
    }
    ImGui::Dummy({room.x, 0});
    ImGui::Unindent(rim);
}

}  // namespace lab::gui
